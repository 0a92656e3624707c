"""What happens in the toy, and how much of it others see."""

from __future__ import annotations

from typing import TypeAlias

from domain.kernel.chance import Draw
from domain.kernel.redaction import unseen
from domain.kernel.terms import Seat
from domain.kernel.value import Hides, Value
from tests.toy.effects import ToyOwed


class ToyGameSetUp(Value, frozen=True, tag="toy.game_set_up"):
    """The first fact: the deck is shuffled, hands are empty."""

    seats: int
    rounds: int
    deck: tuple[str, ...]

    hides = Hides("The set-up without the order of the deck.", counts=("deck",))


class ToyAgendaSet(Value, frozen=True, tag="toy.agenda_set"):
    """What is still owed, the next first."""

    agenda: tuple[ToyOwed, ...]

    hides = Hides()


class ToyCardsDrawn(Value, frozen=True, tag="toy.cards_drawn"):
    """A seat drew the top cards of the deck."""

    seat: Seat
    cards: tuple[str, ...]

    hides = Hides("Another seat drew cards.", counts={"cards": "count"}, unless=("seat",))


class ToyDeckShuffled(Value, frozen=True, tag="toy.deck_shuffled"):
    """The discards became the deck, for the `repeat`-th time in this event (from 0)."""

    deck: tuple[str, ...]
    repeat: int

    hides = Hides("The discards became the deck, in an order that nobody sees.", counts=("deck",), drops=("repeat",))


class ToyCardLaid(Value, frozen=True, tag="toy.card_laid"):
    """A seat laid a card face down. The others see nothing of it."""

    seat: Seat
    card: str

    hides = Hides(unless=("seat",))


class ToyCardsTurnedUp(Value, frozen=True, tag="toy.cards_turned_up"):
    """All have chosen: the laid cards by seat, and the seat that wins the round."""

    cards: tuple[str | None, ...]
    winner: Seat


class ToyCardGiven(Value, frozen=True, tag="toy.card_given"):
    """A card went from hand to hand."""

    giver: Seat
    taker: Seat
    card: str

    hides = Hides(
        "A card went from hand to hand; which one is seen by the two alone.", drops=("card",), unless=("giver", "taker")
    )


class ToyCardsPaid(Value, frozen=True, tag="toy.cards_paid"):
    """Cards went from hand to the discards, open."""

    seat: Seat
    cards: tuple[str, ...]


class ToyTrophyKept(Value, frozen=True, tag="toy.trophy_kept"):
    """A seat keeps the card that it laid."""

    seat: Seat
    card: str


class ToyRoundEnded(Value, frozen=True, tag="toy.round_ended"):
    """The laid cards were discarded."""

    cards: tuple[str, ...]


class ToyHandsShown(Value, frozen=True, tag="toy.hands_shown"):
    """The last round is over: all hands lie open."""

    hands: tuple[tuple[str, ...], ...]


_Open: TypeAlias = ToyCardsTurnedUp | ToyCardsPaid | ToyTrophyKept | ToyRoundEnded | ToyHandsShown
_Guarded: TypeAlias = ToyGameSetUp | ToyCardsDrawn | ToyDeckShuffled | ToyCardLaid | ToyCardGiven
Fact: TypeAlias = ToyAgendaSet | _Open | _Guarded

ToyGameSetUpUnseen = unseen(ToyGameSetUp)
ToyCardsDrawnUnseen = unseen(ToyCardsDrawn)
ToyDeckShuffledUnseen = unseen(ToyDeckShuffled)
ToyCardGivenUnseen = unseen(ToyCardGiven)


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
