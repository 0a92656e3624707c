"""A component set as it is played with: every card, tile and slot by its id, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.kernel.words import Names
from domain.spacelab.effects import Effect

SEATS = (2, 4)
"""The least and the most that can play."""
FULL_HAND = 5
"""With that many lab cards in hand at the start of a turn, only Place Labs is allowed."""
REVEALED = 3
"""How many cards the action Draw Labs reveals."""
MOST_COST = FULL_HAND - 1
"""The dearest lab: a full hand can always pay for one of its cards."""

MOST_CAPSULES = 5
"""Assigning objectives lists every order of the tiles: with five capsules 120 ways, with six it would be 720."""
MOST_MARKS = 12
"""Agencies, and specialties."""
MOST_SLOTS = 40
MOST_LABS = 240
MOST_PROJECTS = 120
MOST_OBJECTIVES = 60
MOST_BOOSTS = 60

Row: TypeAlias = Literal["top", "bottom", "side"]


class Points(Struct, frozen=True, tag="points"):
    """Points as they stand."""

    points: int


class PerAgency(Struct, frozen=True, tag="per_agency"):
    """Points for each lab of an agency in the station."""

    points: int
    agency: str


class PerSpecialty(Struct, frozen=True, tag="per_specialty"):
    """Points for each lab of a specialty in the station."""

    points: int
    specialty: str


class PerNeighborAgency(Struct, frozen=True, tag="per_neighbor_agency"):
    """Points for each neighbor of an agency (S9)."""

    points: int
    agency: str


class PerNeighborSpecialty(Struct, frozen=True, tag="per_neighbor_specialty"):
    """Points for each neighbor of a specialty (S9)."""

    points: int
    specialty: str


class PerProject(Struct, frozen=True, tag="per_project"):
    """Points for each project that the seat has."""

    points: int


class PerBoost(Struct, frozen=True, tag="per_boost"):
    """Points for each objective that the seat has completed, be there a tile on it or not (S7)."""

    points: int


class PerSpecialtySet(Struct, frozen=True, tag="per_specialty_set"):
    """Points for each complete set of all specialties in the station."""

    points: int


class PerProjectFamily(Struct, frozen=True, tag="per_project_family"):
    """Points for each of the seat's projects of a family, the card itself included."""

    points: int
    family: str


class MinAgency(Struct, frozen=True, tag="min_agency"):
    """Points if the station has at least `labs` labs of an agency."""

    points: int
    agency: str
    labs: int


class MinSpecialty(Struct, frozen=True, tag="min_specialty"):
    """Points if the station has at least `labs` labs of a specialty."""

    points: int
    specialty: str
    labs: int


Score: TypeAlias = (
    Points
    | PerAgency
    | PerSpecialty
    | PerNeighborAgency
    | PerNeighborSpecialty
    | PerProject
    | PerBoost
    | PerSpecialtySet
    | PerProjectFamily
    | MinAgency
    | MinSpecialty
)


class Mark(Struct, frozen=True):
    """An agency or a specialty."""

    id: str
    names: Names


class Slot(Struct, frozen=True):
    """A place for a lab: its row, the capsules it touches from left to right, and the slots it shares one with (S9)."""

    id: str
    row: Row
    capsules: tuple[str, ...]
    neighbors: frozenset[str]


class Lab(Struct, frozen=True):
    """A lab card: it has either an effect or a score."""

    id: str
    agency: str
    specialty: str
    cost: int
    effect: Effect | None
    score: Score | None


class Project(Struct, frozen=True):
    """A project card."""

    id: str
    names: Names
    family: str
    score: Score


class ObjectiveTile(Struct, frozen=True):
    """An objective tile: the agencies wanted, and the effect for a lab of the specialty placed below."""

    id: str
    agencies: tuple[str, ...]
    specialty: str
    effect: Effect


class Boost(Struct, frozen=True):
    """A boost tile of a capsule's pile."""

    id: str
    pile: str
    points: int
    effect: Effect | None


class Material(Struct, frozen=True):
    """A component set. Mappings are in the order of the set; `capsules` are the piles, left to right."""

    id: str
    agencies: Mapping[str, Mark]
    specialties: Mapping[str, Mark]
    capsules: tuple[str, ...]
    slots: Mapping[str, Slot]
    labs: Mapping[str, Lab]
    projects: Mapping[str, Project]
    objectives: Mapping[str, ObjectiveTile]
    boosts: Mapping[str, Boost]

    def pile(self, capsule: str) -> tuple[str, ...]:
        """The whole pile of a capsule, the top boost first."""
        return tuple(boost.id for boost in self.boosts.values() if boost.pile == capsule)

    def agencies_of(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """The agencies of lab cards, each once, in the order of the set."""
        shown = {self.labs[card].agency for card in cards}
        return tuple([agency for agency in self.agencies if agency in shown])

    def split(self, cards: tuple[str, ...], agency: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Lab cards of an agency, and the others, both in the order given."""
        labs = self.labs
        own = tuple([card for card in cards if labs[card].agency == agency])
        return own, tuple([card for card in cards if labs[card].agency != agency])
