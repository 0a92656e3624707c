"""The fold of the toy: a state and a fact give the next state, without a rule or a card being asked."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET
from msgspec.structs import replace

from tests.toy.facts import (
    Fact,
    ToyAgendaSet,
    ToyAnswered,
    ToyCardGiven,
    ToyCardLaid,
    ToyCardsDrawn,
    ToyCardsPaid,
    ToyCardsTurnedUp,
    ToyDeckShuffled,
    ToyDuelFought,
    ToyGameSetUp,
    ToyHandsDiscarded,
    ToyHandSeen,
    ToyHandsShown,
    ToyHandsSwapped,
    ToyRoundEnded,
    ToyTrophyKept,
    ToyWentOut,
)
from tests.toy.knowledge import known_after
from tests.toy.state import ToyState


def evolve(state: ToyState | None, fact: Fact) -> ToyState:
    """The state after a fact."""
    if isinstance(fact, ToyGameSetUp):
        none = ((),) * fact.seats
        known = none if fact.known is True else UNSET
        return ToyState(fact.rounds, fact.deck, hands=none, laid=(None,) * fact.seats, trophies=none, known=known)
    if state is None:
        raise TypeError(f"the first fact sets the game up, not {fact}")
    after = _moved(state, fact)
    return after if state.known is UNSET else replace(after, known=known_after(state, state.known, fact, after))


def _moved(state: ToyState, fact: Fact) -> ToyState:  # noqa: C901, PLR0911, PLR0912 - an arm for each fact
    """The state with the cards where the fact put them."""
    hands = list(state.hands)
    match fact:
        case ToyAgendaSet():
            return replace(state, agenda=fact.agenda)
        case ToyCardsDrawn():
            hands[fact.seat] += fact.cards
            return replace(state, hands=tuple(hands), deck=state.deck[len(fact.cards) :])
        case ToyDeckShuffled():
            return replace(state, deck=fact.deck, discards=())
        case ToyCardLaid():
            hands[fact.seat] = _without(hands[fact.seat], fact.card)
            laid = (*state.laid[: fact.seat], fact.card, *state.laid[fact.seat + 1 :])
            return replace(state, hands=tuple(hands), laid=laid)
        case ToyCardsTurnedUp():
            return replace(state, turned_up=True)
        case ToyCardGiven():
            hands[fact.giver] = _without(hands[fact.giver], fact.card)
            hands[fact.taker] += (fact.card,)
            return replace(state, hands=tuple(hands))
        case ToyCardsPaid():
            hands[fact.seat] = _without(hands[fact.seat], *fact.cards)
            return replace(state, hands=tuple(hands), discards=state.discards + fact.cards)
        case ToyTrophyKept():
            trophies = list(state.trophies)
            trophies[fact.seat] += (fact.card,)
            laid = (*state.laid[: fact.seat], None, *state.laid[fact.seat + 1 :])
            return replace(state, trophies=tuple(trophies), laid=laid)
        case ToyRoundEnded():
            empty = (None,) * len(hands)
            number = min(state.round + 1, state.rounds)
            return replace(state, discards=state.discards + fact.cards, laid=empty, turned_up=False, round=number)
        case ToyHandsShown():
            return replace(state, finished=True)
        case ToyHandsSwapped():
            hands[fact.seat], hands[fact.other] = hands[fact.other], hands[fact.seat]
            return replace(state, hands=tuple(hands))
        case ToyWentOut():
            hands[fact.seat] = ()
            out = tuple(sorted((*state.out, fact.seat)))
            return replace(state, hands=tuple(hands), discards=state.discards + fact.cards, out=out)
        case ToyHandsDiscarded():
            discards = state.discards + tuple(card for hand in fact.hands for card in hand)
            return replace(state, hands=((),) * len(hands), discards=discards)
        case ToyHandSeen() | ToyAnswered() | ToyDuelFought():
            return state
        case ToyGameSetUp():
            raise TypeError("a game is set up once")
        case _:
            assert_never(fact)


def _without(hand: tuple[str, ...], *cards: str) -> tuple[str, ...]:
    return tuple(card for card in hand if card not in cards)
