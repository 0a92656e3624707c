"""What happens in the toy, and how much of it others see."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, UnsetType

from domain.kernel.chance import Draw
from domain.kernel.redaction import unseen
from domain.kernel.terms import Seat
from domain.kernel.value import Hides, Value
from tests.toy.effects import ToyOwed
from tests.toy.state import ToyState


class ToyGameSetUp(Value, frozen=True, tag="toy.game_set_up"):
    """The first fact: the deck is shuffled, hands are empty. With `known` the state keeps what seats were shown."""

    seats: int
    rounds: int
    deck: tuple[str, ...]
    known: bool | UnsetType = UNSET

    hides = Hides("The set-up without the order of the deck.", counts=("deck",), drops=("known",))


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


class ToyHandSeen(Value, frozen=True, tag="toy.hand_seen"):
    """A seat looked at the hand of another."""

    seat: Seat
    other: Seat
    cards: tuple[str, ...]

    hides = Hides("A seat looked at a hand that others do not see.", drops=("cards",), unless=("seat", "other"))


class ToyAnswered(Value, frozen=True, tag="toy.answered"):
    """A seat had to say whether it holds a card of this value or more: part of what its hand is."""

    seat: Seat
    other: Seat
    value: int
    holds: bool


class ToyHandsSwapped(Value, frozen=True, tag="toy.hands_swapped"):
    """Two seats exchanged their hands."""

    seat: Seat
    other: Seat


class ToyDuelFought(Value, frozen=True, tag="toy.duel_fought"):
    """Two seats compared their highest cards, which nobody sees: only who had the lower one, if either."""

    seat: Seat
    other: Seat
    loser: Seat | None


class ToyWentOut(Value, frozen=True, tag="toy.went_out"):
    """A seat is out of the game: its hand is discarded, open."""

    seat: Seat
    cards: tuple[str, ...]


class ToyHandsDiscarded(Value, frozen=True, tag="toy.hands_discarded"):
    """A round is over: all hands are discarded, open, to be dealt again."""

    hands: tuple[tuple[str, ...], ...]


_Open: TypeAlias = (
    ToyCardsTurnedUp
    | ToyCardsPaid
    | ToyTrophyKept
    | ToyRoundEnded
    | ToyHandsShown
    | ToyAnswered
    | ToyHandsSwapped
    | ToyDuelFought
    | ToyWentOut
    | ToyHandsDiscarded
)
_Guarded: TypeAlias = ToyGameSetUp | ToyCardsDrawn | ToyDeckShuffled | ToyCardLaid | ToyCardGiven | ToyHandSeen
Fact: TypeAlias = ToyAgendaSet | _Open | _Guarded

ToyGameSetUpUnseen = unseen(ToyGameSetUp)
ToyCardsDrawnUnseen = unseen(ToyCardsDrawn)
ToyDeckShuffledUnseen = unseen(ToyDeckShuffled)
ToyCardGivenUnseen = unseen(ToyCardGiven)
ToyHandSeenUnseen = unseen(ToyHandSeen)


def reveals(state: ToyState, fact: Fact) -> bool:
    """Whether a fact tells anyone what was hidden from them, or part of it. A seat may know the cards that it gets."""
    known = ((),) * len(state.hands) if state.known is UNSET else state.known
    match fact:
        case ToyCardGiven():
            return fact.card not in known[fact.taker]
        case ToyHandSeen():
            return not set(fact.cards) <= set(known[fact.seat])
        case ToyHandsSwapped():
            pairs = ((fact.seat, fact.other), (fact.other, fact.seat))
            return any(not set(state.hands[other]) <= set(known[seat]) for seat, other in pairs)
        case ToyCardsDrawn() | ToyCardsTurnedUp() | ToyCardsPaid() | ToyHandsShown() | ToyHandsDiscarded():
            return True
        case ToyAnswered() | ToyDuelFought() | ToyWentOut():
            return True
        case _:
            return False


def draws(fact: Fact) -> tuple[Draw, ...]:
    """The draws that a fact records."""
    match fact:
        case ToyGameSetUp():
            return (Draw("deck", tuple(sorted(fact.deck)), fact.deck),)
        case ToyDeckShuffled():
            return (Draw("reshuffle", tuple(sorted(fact.deck)), fact.deck, fact.repeat),)
        case _:
            return ()
