"""A component set as it is played with: every figure that the rules take from it, by the ids of its pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from domain.chimera.effects import Effect, Gain, Kind
from domain.kernel.words import Names

SEATS = (2, 4)
MOST_SPACES = 100
"""Build spaces."""
MOST_CARDS = 40
"""Starting cards."""
MOST_TIERS = 20
MOST_SLOTS = 6
MOST_REACTOR_SPACES = 12
MOST_WORKERS = 10
MOST_OF_A_KIND = 99
"""Components of one kind."""
KINDS: tuple[Kind, ...] = ("brain", "claw", "leaf", "tentacle")
_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


class Module(Struct, frozen=True):
    """A base module or a module tile. A hub stands in a space; a tile has a cost; hubs have no value (R31)."""

    id: str
    names: Names
    effects: tuple[Effect, ...]
    value: int | None
    cost: int
    gold: bool
    base: bool
    space: str | None
    opens: int
    """The round from which its effect can be used (R48)."""
    protects: bool
    certain: bool
    """Whether every worker can resolve its effect at any time."""
    positional: bool
    """Whether that depends on where workers stand."""


class Perk(Struct, frozen=True):
    """A perk card; a passive one has no effects of its own."""

    id: str
    names: Names
    is_module: bool
    effects: tuple[Effect, ...]
    protects: bool
    certain: bool
    positional: bool


class Space(Struct, frozen=True):
    """A build space: which bonus is printed on it, and what that gives on a build."""

    id: str
    bonus: str
    """`reactor`, `recall`, `adjacent_module` or `gains`."""
    gains: tuple[Gain, ...]


class Card(Struct, frozen=True):
    """A starting card."""

    id: str
    names: Names
    min_players: int
    gains: tuple[Gain, ...]


class Board(Struct, frozen=True):
    """A player board: `tiers[n]` is the reward on reaching tier n."""

    id: str
    names: Names
    start_research: int
    start_component: Kind | None
    start_perks: int
    tiers: tuple[tuple[Gain, ...], ...]

    @property
    def top(self) -> int:
        """The last tier, whose reward is given again by every further step."""
        return len(self.tiers) - 1


class Material(Struct, frozen=True, dict=True):
    """A component set. Mappings are in the order of the set."""

    id: str
    components_per_kind: int
    workers: Mapping[int, int]
    """By the number of players."""
    reserve: int
    start_score: int
    perks_on_display: int
    slots: tuple[str, ...]
    rounds: int
    reactor: tuple[tuple[Gain, ...], ...]
    """The reward of each space, from the left."""
    boiler: Mapping[Kind, tuple[Gain, ...]]
    modules: Mapping[str, Module]
    """Base modules first."""
    spaces: Mapping[str, Space]
    cards: Mapping[str, Card]
    perks: Mapping[str, Perk]
    boards: Mapping[str, Board]
    names: Mapping[str, Names]
    """Of what has no entry of its own."""

    @cached_property
    def base(self) -> tuple[str, ...]:
        """The base modules, which stand from the start."""
        return tuple(module.id for module in self.modules.values() if module.base)

    @cached_property
    def tiles(self) -> tuple[str, ...]:
        """The modules that can be built."""
        return tuple(module.id for module in self.modules.values() if not module.base)

    @cached_property
    def hubs(self) -> Mapping[str, str]:
        """The modules that stand on the map from the start, by their hex."""
        return {module.space: module.id for module in self.modules.values() if module.space is not None}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes of the map next to each of its hexes, in the order of the directions that the set names."""
        hexes = {*self.hubs, *self.spaces}
        return {
            each: tuple(other for other in hexes_around(each) if other in hexes) for each in (*self.hubs, *self.spaces)
        }

    @cached_property
    def beside_hubs(self) -> frozenset[str]:
        """The build spaces next to a hub."""
        return frozenset(each for hub in self.hubs for each in self.neighbours[hub]) - frozenset(self.hubs)

    @cached_property
    def certain(self) -> frozenset[str]:
        """The places whose effect every worker can resolve at any time: most of them, and they need not be tried."""
        return frozenset(place for place, each in self.places.items() if each.certain)

    @cached_property
    def positional(self) -> frozenset[str]:
        """The places whose effect can be resolved or not depending on where workers stand."""
        return frozenset(place for place, each in self.places.items() if each.positional)

    @cached_property
    def places(self) -> Mapping[str, Module | Perk]:
        """All that a worker can use: modules and module perks."""
        return {**self.modules, **{perk.id: perk for perk in self.perks.values() if perk.is_module}}


def space_id(q: int, r: int) -> str:
    """The name of a hex (R50)."""
    return f"{q},{r}"


def hexes_around(space: str) -> tuple[str, ...]:
    """The six hexes around a hex."""
    q, r = map(int, space.split(","))
    return tuple(space_id(q + dq, r + dr) for dq, dr in _STEPS)
