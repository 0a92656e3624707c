"""What may be written in a component set: the forms of its entries, before anything that they name is looked up."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from domain.chimera.effects import Kind
from domain.chimera.material import (
    MOST_CARDS,
    MOST_OF_A_KIND,
    MOST_REACTOR_SPACES,
    MOST_SLOTS,
    MOST_SPACES,
    MOST_TIERS,
)
from domain.kernel.component_reading import DashedId, Form, NamesForm

Slot: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9]{1,8}\Z", description="One to eight letters and digits.")]
Figure: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Hex: TypeAlias = tuple[Annotated[int, Meta(ge=-20, le=20)], Annotated[int, Meta(ge=-20, le=20)]]
Entries: TypeAlias = Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100)]
"""Which modules and perks there are is a rule (`reading.py`), so these need no bound of their own."""


class CountsForm(Form, frozen=True):
    """How many there are of what."""

    component_kinds: Annotated[tuple[str, ...], Meta(max_length=20)]
    components_per_kind: Annotated[int, Meta(ge=1, le=MOST_OF_A_KIND)]
    workers_by_players: Annotated[dict[str, Annotated[int, Meta(ge=1, le=5)]], Meta(max_length=20)]
    reserve_workers: Annotated[int, Meta(ge=0, le=5)]
    start_score: Figure
    start_research: Annotated[int, Meta(ge=1, le=8)]
    perks_on_display: Annotated[int, Meta(ge=1, le=6)]
    reactor_spaces: Annotated[int, Meta(ge=1, le=MOST_REACTOR_SPACES)]
    splicing_slots: Annotated[tuple[Slot, ...], Meta(min_length=1, max_length=MOST_SLOTS)]
    rounds: Annotated[int, Meta(ge=1, le=9)]


class RewardsForm(Form, frozen=True):
    """What a reactor space, a starting card, a tier or a component in the Boiler Room gives."""

    points: Few | None = None
    coins: Few | None = None
    food: Few | None = None
    component: Kind | None = None
    any_components: Few | None = None
    workers: Few | None = None
    research: Few | None = None
    perks: Few | None = None


class BonusForm(Form, frozen=True):
    """What is printed on a build space: exactly one of these."""

    points: Few | None = None
    coins: Few | None = None
    food: Few | None = None
    component: Kind | None = None
    any_components: Few | None = None
    research: Few | None = None
    coins_per_round: Literal[True] | None = None
    food_per_round: Literal[True] | None = None
    points_per_round: Literal[True] | None = None
    reactor: Literal[True] | None = None
    recall: Literal[True] | None = None
    adjacent_module: Literal[True] | None = None


class ReactorForm(Form, frozen=True):
    """The rewards of the reactor's spaces, from the left."""

    rewards: Annotated[tuple[RewardsForm, ...], Meta(max_length=MOST_REACTOR_SPACES)]


class BoilerForm(Form, frozen=True):
    """The table of the Boiler Room."""

    per_component: Annotated[dict[str, RewardsForm], Meta(max_length=20)]


class BaseModuleForm(Form, frozen=True):
    """A base module; only hubs stand on the map."""

    id: DashedId
    name: NamesForm
    value: Figure | None = None
    gold: bool = False
    hex: Hex | None = None


class ModuleForm(Form, frozen=True):
    """A module tile."""

    id: DashedId
    name: NamesForm
    cost: Figure
    value: Figure
    gold: bool = False


class SpaceForm(Form, frozen=True):
    """A build space."""

    hex: Hex
    bonus: BonusForm


class CardForm(Form, frozen=True):
    """A starting card."""

    id: DashedId
    name: NamesForm
    min_players: Annotated[int, Meta(ge=2, le=4)]
    gives: RewardsForm


class PerkForm(Form, frozen=True):
    """A perk card."""

    id: DashedId
    name: NamesForm
    kind: Literal["module", "passive"]


class BoardForm(Form, frozen=True):
    """A player board."""

    name: NamesForm
    tiers: Annotated[dict[str, RewardsForm], Meta(max_length=MOST_TIERS)]
    start_research: Annotated[int, Meta(ge=1, le=8)] | None = None
    start_component: Kind | None = None
    start_perks_from_deck: Annotated[int, Meta(ge=0, le=3)] = 0


class SetForm(Form, frozen=True):
    """The whole set. Lists are read entry by entry, so that a fault can name the entry."""

    id: DashedId
    title: str
    counts: CountsForm
    reactor: ReactorForm
    boiler_room: BoilerForm
    base_modules: Entries
    modules: Entries
    build_spaces: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=MOST_SPACES)]
    starting_cards: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=MOST_CARDS)]
    perks: Entries
    boards: Annotated[dict[str, dict[str, Any]], Meta(max_length=20)]
    names: Annotated[dict[str, NamesForm], Meta(max_length=40)]
