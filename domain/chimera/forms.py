"""What may be written in a component set: the forms of its entries, before anything that they name is looked up."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.chimera.effects import Kind

Id: TypeAlias = Annotated[
    str,
    Meta(pattern=r"\A[a-z0-9]+([_-][a-z0-9]+)*\Z", max_length=40, description="Small letters, digits, single - or _."),
]
Word: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]+\Z", max_length=80, description="One line of text.")
]
"""A name is one line: it becomes part of lines that are read."""
Slot: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9]{1,8}\Z", description="One to eight letters and digits.")]
Figure: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Hex: TypeAlias = tuple[Annotated[int, Meta(ge=-20, le=20)], Annotated[int, Meta(ge=-20, le=20)]]
Entries: TypeAlias = Annotated[list[dict[str, Any]], Meta(min_length=1)]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A form in which a key that nobody reads is a fault."""


class NamesForm(Form, frozen=True):
    """A name in each language."""

    en: Word
    ja: Word


class CountsForm(Form, frozen=True):
    """How many there are of what."""

    component_kinds: tuple[str, ...]
    components_per_kind: Annotated[int, Meta(ge=1, le=99)]
    workers_by_players: dict[str, Annotated[int, Meta(ge=1, le=5)]]
    reserve_workers: Annotated[int, Meta(ge=0, le=5)]
    start_score: Figure
    start_research: Annotated[int, Meta(ge=1, le=8)]
    perks_on_display: Annotated[int, Meta(ge=1, le=6)]
    reactor_spaces: Annotated[int, Meta(ge=1, le=12)]
    splicing_slots: Annotated[tuple[Slot, ...], Meta(min_length=1, max_length=6)]
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

    rewards: tuple[RewardsForm, ...]


class BoilerForm(Form, frozen=True):
    """The table of the Boiler Room."""

    per_component: dict[str, RewardsForm]


class BaseModuleForm(Form, frozen=True):
    """A base module; only hubs stand on the map."""

    id: Id
    name: NamesForm
    value: Figure | None = None
    gold: bool = False
    hex: Hex | None = None


class ModuleForm(Form, frozen=True):
    """A module tile."""

    id: Id
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

    id: Id
    name: NamesForm
    min_players: Annotated[int, Meta(ge=2, le=4)]
    gives: RewardsForm


class PerkForm(Form, frozen=True):
    """A perk card."""

    id: Id
    name: NamesForm
    kind: Literal["module", "passive"]


class BoardForm(Form, frozen=True):
    """A player board."""

    name: NamesForm
    tiers: dict[str, RewardsForm]
    start_research: Annotated[int, Meta(ge=1, le=8)] | None = None
    start_component: Kind | None = None
    start_perks_from_deck: Annotated[int, Meta(ge=0, le=3)] = 0


class SetForm(Form, frozen=True):
    """The whole set. Lists are read entry by entry, so that a fault can name the entry."""

    id: Id
    title: str
    counts: CountsForm
    reactor: ReactorForm
    boiler_room: BoilerForm
    base_modules: Entries
    modules: Entries
    build_spaces: Entries
    starting_cards: Entries
    perks: Entries
    boards: dict[str, dict[str, Any]]
    names: dict[str, NamesForm]
