"""What a card does, as data: the struct that a card is written in is the struct that waits in the agenda."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.kernel.terms import Seat
from domain.kernel.value import Value

Count: TypeAlias = Annotated[int, Meta(ge=1, le=9)]


class ToyDraw(Value, frozen=True, tag="toy.draw"):
    """Draw cards from the deck, unseen by the others."""

    count: Count


class ToyDemand(Value, frozen=True, tag="toy.demand"):
    """The next seat clockwise that has a card gives one of its choice: another seat answers."""


class ToyTrade(Value, frozen=True, tag="toy.trade"):
    """Pay `cost` cards to keep the card that won, or some cards to draw as many, or neither."""

    cost: Count


class ToyLook(Value, frozen=True, tag="toy.look"):
    """Look at the hand of another seat; nobody else sees it."""


class ToyAsk(Value, frozen=True, tag="toy.ask"):
    """Ask another seat whether it holds a card of at least some value; all hear the answer."""


class ToySwap(Value, frozen=True, tag="toy.swap"):
    """Exchange hands with another seat."""


class ToyDuel(Value, frozen=True, tag="toy.duel"):
    """Compare the highest card in hand with another seat's, in secret: the lower one's seat is out of the game."""


class ToyLay(Value, frozen=True, tag="toy.lay"):
    """A round begins: every seat with a card lays one face down, all at once."""


class ToyCleanUp(Value, frozen=True, tag="toy.clean_up"):
    """A round ends: laid cards are discarded and hands are filled; after the last round hands are shown."""


Aimed: TypeAlias = ToyLook | ToyAsk | ToySwap | ToyDuel
"""An effect on another seat that has cards, which the winner chooses."""
CardEffect: TypeAlias = ToyDraw | ToyDemand | ToyTrade | Aimed
"""What can be written on a card."""


class ToyOwed(Value, frozen=True):
    """An effect that is still to be resolved, and the seat that it is resolved for (0 where it is for all)."""

    seat: Annotated[Seat, Meta(ge=-1_000, le=1_000)]
    effect: CardEffect | ToyLay | ToyCleanUp
