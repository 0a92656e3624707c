"""What happens in the toy, and how much of it others see: a fact in full, its `Unseen` form, or nothing."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from domain.kernel.chance import Draw
from domain.kernel.terms import Seat, Viewer
from tests.toy.effects import ToyOwed


class ToyGameSetUp(Struct, frozen=True, tag="toy.game_set_up"):
    """The first fact: the deck is shuffled, hands are empty."""

    seats: int
    rounds: int
    deck: tuple[str, ...]


class ToyGameSetUpUnseen(Struct, frozen=True, tag="toy.game_set_up_unseen"):
    """The set-up without the order of the deck."""

    seats: int
    rounds: int
    deck: int


class ToyAgendaSet(Struct, frozen=True, tag="toy.agenda_set"):
    """What is still owed, the next first."""

    agenda: tuple[ToyOwed, ...]


class ToyCardsDrawn(Struct, frozen=True, tag="toy.cards_drawn"):
    """A seat drew the top cards of the deck."""

    seat: Seat
    cards: tuple[str, ...]


class ToyCardsDrawnUnseen(Struct, frozen=True, tag="toy.cards_drawn_unseen"):
    """Another seat drew cards."""

    seat: Seat
    count: int


class ToyDeckShuffled(Struct, frozen=True, tag="toy.deck_shuffled"):
    """The discards became the deck, for the `repeat`-th time in this event (from 0)."""

    deck: tuple[str, ...]
    repeat: int


class ToyDeckShuffledUnseen(Struct, frozen=True, tag="toy.deck_shuffled_unseen"):
    """The discards became the deck, in an order that nobody sees."""

    deck: int


class ToyCardLaid(Struct, frozen=True, tag="toy.card_laid"):
    """A seat laid a card face down. The others see nothing of it."""

    seat: Seat
    card: str


class ToyCardsTurnedUp(Struct, frozen=True, tag="toy.cards_turned_up"):
    """All have chosen: the laid cards by seat, and the seat that wins the round."""

    cards: tuple[str | None, ...]
    winner: Seat


class ToyCardGiven(Struct, frozen=True, tag="toy.card_given"):
    """A card went from hand to hand."""

    giver: Seat
    taker: Seat
    card: str


class ToyCardGivenUnseen(Struct, frozen=True, tag="toy.card_given_unseen"):
    """A card went from hand to hand; which one is seen by the two alone."""

    giver: Seat
    taker: Seat


class ToyCardsPaid(Struct, frozen=True, tag="toy.cards_paid"):
    """Cards went from hand to the discards, open."""

    seat: Seat
    cards: tuple[str, ...]


class ToyTrophyKept(Struct, frozen=True, tag="toy.trophy_kept"):
    """A seat keeps the card that it laid."""

    seat: Seat
    card: str


class ToyRoundEnded(Struct, frozen=True, tag="toy.round_ended"):
    """The laid cards were discarded."""

    cards: tuple[str, ...]


class ToyHandsShown(Struct, frozen=True, tag="toy.hands_shown"):
    """The last round is over: all hands lie open."""

    hands: tuple[tuple[str, ...], ...]


_Open: TypeAlias = ToyCardsTurnedUp | ToyCardsPaid | ToyTrophyKept | ToyRoundEnded | ToyHandsShown
_Guarded: TypeAlias = ToyGameSetUp | ToyCardsDrawn | ToyDeckShuffled | ToyCardLaid | ToyCardGiven
Fact: TypeAlias = ToyAgendaSet | _Open | _Guarded
SeenFact: TypeAlias = (
    _Open
    | ToyGameSetUpUnseen
    | ToyCardsDrawn
    | ToyCardsDrawnUnseen
    | ToyDeckShuffledUnseen
    | ToyCardLaid
    | ToyCardGiven
    | ToyCardGivenUnseen
)


def redact(fact: Fact, viewer: Viewer) -> SeenFact | None:  # noqa: PLR0911 - an arm for each fact
    """A fact as a viewer may see it; the agenda is told by the view."""
    match fact:
        case ToyGameSetUp():
            return ToyGameSetUpUnseen(fact.seats, fact.rounds, len(fact.deck))
        case ToyDeckShuffled():
            return ToyDeckShuffledUnseen(len(fact.deck))
        case ToyCardsDrawn():
            return fact if viewer == fact.seat else ToyCardsDrawnUnseen(fact.seat, len(fact.cards))
        case ToyCardGiven():
            return fact if viewer in {fact.giver, fact.taker} else ToyCardGivenUnseen(fact.giver, fact.taker)
        case ToyCardLaid():
            return fact if viewer == fact.seat else None
        case ToyAgendaSet():
            return None
        case _:
            return fact


def reveals(fact: Fact) -> bool:
    """Whether a fact tells anyone what was hidden from them."""
    return isinstance(fact, ToyCardsDrawn | ToyCardsTurnedUp | ToyCardGiven | ToyCardsPaid | ToyHandsShown)


def draws(fact: Fact) -> tuple[Draw, ...]:
    """The draws that a fact records."""
    match fact:
        case ToyGameSetUp():
            return (Draw("deck", tuple(sorted(fact.deck)), fact.deck),)
        case ToyDeckShuffled():
            return (Draw("reshuffle", tuple(sorted(fact.deck)), fact.deck, fact.repeat),)
        case _:
            return ()
