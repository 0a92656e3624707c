"""The state of a game: where every card and tile is, and what is still owed. It holds ids, never cards."""

from __future__ import annotations

from domain.kernel.terms import Seat
from domain.spacelab.effects import Owed
from domain.spacelab.wire import Wire


class PlacedLab(Wire, frozen=True):
    """A lab card in a slot."""

    slot: str
    card: str


class Objective(Wire, frozen=True):
    """An objective tile on a capsule. A completed one bears a boost, unless the pile was empty (S7)."""

    capsule: str
    tile: str
    completed: bool = False
    boost: str | None = None


class Pile(Wire, frozen=True):
    """The boosts left beside a capsule, the top one first."""

    capsule: str
    boosts: tuple[str, ...]


class Player(Wire, frozen=True):
    """What a seat has.

    The hand is two sets: the cards that all know it holds (S10) and those that came unseen. Sets of cards are kept in
    the order of their ids, so that no order tells when a card came.
    """

    known: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ()
    objectives: tuple[Objective, ...] = ()
    labs: tuple[PlacedLab, ...] = ()

    @property
    def hand(self) -> tuple[str, ...]:
        """All cards in hand, in the order of their ids."""
        return tuple(sorted(self.known + self.unseen)) if self.unseen else self.known

    @property
    def hand_size(self) -> int:
        """How many cards are in hand, which all may know."""
        return len(self.known) + len(self.unseen)


class State(Wire, frozen=True):
    """Everything, hidden things included. Decks and piles have their top first."""

    players: tuple[Player, ...]
    lab_deck: tuple[str, ...]
    project_deck: tuple[str, ...]
    spare: tuple[str, ...]
    """Objective tiles that nobody was dealt."""
    piles: tuple[Pile, ...]
    center: tuple[str, ...] = ()
    """The Recruitment Center."""
    discards: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    """Lab cards just revealed, of which the active seat is to take an agency."""
    drawn: tuple[str, ...] = ()
    """Projects that the active seat has just drawn, in the order drawn, and is to keep one of."""
    active: Seat = 0
    agenda: tuple[Owed, ...] = ()
    """What the active seat owes, the next first."""
    passes: int = 0
    """How many seats have passed in a row."""
    trigger: Seat | None = None
    """The seat that triggered the end of the game."""
    over: bool = False
