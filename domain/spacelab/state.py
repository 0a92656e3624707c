"""The state of a game: where every card and tile is, and what is still owed. It holds ids, never cards."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.kernel.terms import Seat
from domain.kernel.value import Value
from domain.spacelab.effects import Owed
from domain.spacelab.material import (
    MOST_BOOSTS,
    MOST_CAPSULES,
    MOST_LABS,
    MOST_OBJECTIVES,
    MOST_PROJECTS,
    MOST_SLOTS,
)

MOST_OWED = 100
"""Effects that can wait at once. A lab owes its own effect, that of its slot, a check for each capsule and a turn."""

LabCards: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=MOST_LABS)]
ProjectCards: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=MOST_PROJECTS)]
Tiles: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=MOST_OBJECTIVES)]
SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=-1_000, le=1_000)]
"""A seat in a position from outside: `check` refuses what is no seat and says why, this what is no small number."""


class PlacedLab(Value, frozen=True):
    """A lab card in a slot."""

    slot: str
    card: str


class Objective(Value, frozen=True):
    """An objective tile on a capsule. A completed one bears a boost, unless the pile was empty (S7)."""

    capsule: str
    tile: str
    completed: bool = False
    boost: str | None = None


class Pile(Value, frozen=True):
    """The boosts left beside a capsule, the top one first."""

    capsule: str
    boosts: Annotated[tuple[str, ...], Meta(max_length=MOST_BOOSTS)]


class Player(Value, frozen=True):
    """What a seat has.

    The hand is two sets: the cards that all know it holds (S10) and those that came unseen. Sets of cards are kept in
    the order of their ids, so that no order tells when a card came.
    """

    known: LabCards = ()
    unseen: LabCards = ()
    projects: ProjectCards = ()
    dealt: Tiles = ()
    objectives: Annotated[tuple[Objective, ...], Meta(max_length=MOST_CAPSULES)] = ()
    labs: Annotated[tuple[PlacedLab, ...], Meta(max_length=MOST_SLOTS)] = ()

    @property
    def hand(self) -> tuple[str, ...]:
        """All cards in hand, in the order of their ids."""
        return tuple(sorted(self.known + self.unseen)) if self.unseen else self.known

    @property
    def hand_size(self) -> int:
        """How many cards are in hand, which all may know."""
        return len(self.known) + len(self.unseen)


class State(Value, frozen=True):
    """Everything, hidden things included. Decks and piles have their top first."""

    players: Annotated[tuple[Player, ...], Meta(max_length=10)]
    lab_deck: LabCards
    project_deck: ProjectCards
    spare: Tiles
    """Objective tiles that nobody was dealt."""
    piles: Annotated[tuple[Pile, ...], Meta(max_length=MOST_CAPSULES)]
    center: LabCards = ()
    """The Recruitment Center."""
    discards: LabCards = ()
    revealed: LabCards = ()
    """Lab cards just revealed; the active seat takes those of an agency."""
    drawn: ProjectCards = ()
    """Projects that the active seat has just drawn, in the order drawn, and is to keep one of."""
    active: SeatNumber = 0
    agenda: Annotated[tuple[Owed, ...], Meta(max_length=MOST_OWED)] = ()
    """What the active seat owes, the next first."""
    passes: Annotated[int, Meta(ge=-1_000, le=1_000)] = 0
    """How many seats have passed in a row."""
    trigger: SeatNumber | None = None
    """The seat that triggered the end of the game."""
    over: bool = False
