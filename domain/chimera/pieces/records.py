"""What the record of a piece holds: all that the rulebook says about it, but for the figures of the component set.

A record names the effects that a piece brings about, the facts that trigger it, the general rules that it modifies and
what it scores, next to the text that says so in both languages. Costs, values and names come from the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from domain.chimera.agenda import Activation, Owed
from domain.chimera.effects import Effect, Gain, Kind
from domain.chimera.facts import Fact
from domain.chimera.material import Material
from domain.chimera.state import Player, State
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both

Modifier: TypeAlias = Literal[
    "third_component",
    "claws_eject_own",
    "two_claws_eject_own",
    "claw_proof",
    "takes_compensation",
    "ejecting_pays",
    "boiler_twice",
    "food_as_coins",
    "pays_in_food",
    "third_food",
    "keeps_components",
    "tentacles_bring_component",
    "point_for_scoring",
]
"""A general rule that a piece changes for its player; `passives.py` has what each of them does."""

Trigger: TypeAlias = Callable[[State, Seat, Any], Iterator[Owed]]
"""What a perk brings its owner when a fact of some type happens, given the state after the fact."""


class _Written(Struct, frozen=True, kw_only=True):
    """A piece that says what it does."""

    en: str
    ja: str

    def __post_init__(self) -> None:
        if not self.en or not self.ja:
            raise ValueError(f"{self} lacks its text in a language")

    @property
    def text(self) -> Names:
        """What the piece does."""
        return both(self.en, self.ja)


class KindRules(_Written, frozen=True):
    """A kind of component; its powers are general rules."""

    id: Kind


class ModuleRules(_Written, frozen=True):
    """A base module or a module tile."""

    id: str
    effects: tuple[Effect, ...]
    opens: int = 1
    """The round from which its effect can be used (R48)."""
    on_map: bool = False
    """Whether it stands on the hex map from the start."""
    article: bool = True
    """Whether its English name takes an article in a sentence: `the Cargo Bay`, but `Hydroponics`."""


class End(_Written, frozen=True):
    """What a perk is worth at the end of the game, or when Union Hall scores it as at game end."""

    points: Callable[[Material, State, Seat], int]


class Taking(_Written, frozen=True):
    """What taking a perk brings."""

    effect: Effect


class PerkRules(_Written, frozen=True):
    """A perk: a module perk has effects for a worker placed on it, a passive one acts while it is owned (R47)."""

    id: str
    end: End
    effects: tuple[Effect, ...] = ()
    taken: Taking | None = None
    lost: Callable[[State, Seat], Iterator[Owed]] | None = None
    """What is due when its owner discards it."""
    triggers: Mapping[type[Fact], Trigger] = MappingProxyType({})
    income: Effect | None = None
    """What it brings at the start of every round."""
    modifies: tuple[Modifier, ...] = ()
    places_again: bool = False
    """Whether its worker is placed again at the end of the splicing lab phase (R24)."""


class BoardRules(_Written, frozen=True):
    """A player board: what its side changes. What it begins with and its track come from the set."""

    id: str
    modifies: tuple[Modifier, ...] = ()
    coins: tuple[int, int] = (1, 3)
    """At game end: the points for each set of coins, and how many make a set."""
    food: tuple[int, int] = (1, 2)


class BonusRules(Struct, frozen=True):
    """A kind of bonus on a build space: it is gained, as the set's figure says, or does something of its own."""

    id: str
    gain: Callable[[Any], Gain] | None = None
    effect: Callable[[str, bool], Effect | Activation] | None = None
    """Given the space, and whether it was just built on."""
    text: Names | None = None
    """Of a bonus that is gained the gain is put into words."""

    def __post_init__(self) -> None:
        if (self.gain is None) == (self.effect is None) or (self.effect is None) != (self.text is None):
            raise ValueError(f"{self.id} is a gain, or an effect with its text")


ROUND_POINTS = Taking(
    Gain("points", per=1, of="round"),
    en="When taken: score points equal to the round number.",
    ja="入手時: 現在のラウンド数に等しい得点を得る。",
)
"""Before round 1 the number of the round is 1 (R36)."""


def flat(points: int) -> End:
    """The same points in every game."""
    return End(lambda _material, _state, _seat: points, en=f"{points} points.", ja=f"{points}点。")


def two_per(kind: Kind, ja: str) -> End:
    """Two points for each component of a kind that its owner has."""
    return End(
        lambda _material, state, seat: 2 * owned(state.players[seat], kind),
        en=f"2 points for each {kind} you own, attached or not.",
        ja=f"{ja}1つにつき2点（ワーカーに付いているか否かを問わない）。",
    )


def owned(player: Player, kind: Kind | None = None) -> int:
    """How many components a player owns, in storage and attached; of a kind or in all."""
    held = (player.storage, *(worker.components for worker in player.workers))
    return sum(len(each) if kind is None else each.count(kind) for each in held)
