"""The state of a toy game: who holds which card, and what is still owed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain.kernel.rejected import Rejected
from domain.kernel.terms import Seat
from domain.kernel.value import Value
from tests.toy.effects import CardEffect, ToyCleanUp, ToyDemand, ToyDraw, ToyLay, ToyOwed, ToyTrade
from tests.toy.material import MOST_CARDS, MOST_ROUNDS, MOST_SEATS

Cards: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)]
Round: TypeAlias = Annotated[int, Meta(ge=-1_000, le=1_000)]


class ToyState(Value, frozen=True):
    """Everything, hidden things included. `deck[0]` is the top; hands are in the order that the cards came.

    `known` are, by seat, the cards that it knows others to hold or to have laid, sorted. States of games that began
    under toy/1 have no such member.
    """

    rounds: Round
    deck: Cards
    hands: Annotated[tuple[Cards, ...], Meta(max_length=2 * MOST_SEATS)]
    laid: Annotated[tuple[str | None, ...], Meta(max_length=2 * MOST_SEATS)]
    trophies: Annotated[tuple[Cards, ...], Meta(max_length=2 * MOST_SEATS)]
    discards: Cards = ()
    turned_up: bool = False
    round: Round = 1
    agenda: Annotated[tuple[ToyOwed, ...], Meta(max_length=20)] = ()
    finished: bool = False
    known: Annotated[tuple[Cards, ...], Meta(max_length=2 * MOST_SEATS)] | UnsetType = UNSET
    out: Annotated[tuple[Round, ...], Meta(max_length=2 * MOST_SEATS)] = ()

    def waits_for(self) -> tuple[Seat, ...]:
        """The seats that must answer what is owed next, ascending; none if it needs no answer."""
        if not self.agenda:
            return ()
        owed = self.agenda[0]
        match owed.effect:
            case ToyLay():
                return tuple(s for s, hand in enumerate(self.hands) if hand and self.laid[s] is None)
            case ToyDemand():
                giver = self.giver(owed.seat)
                return () if giver is None else (giver,)
            case ToyTrade():
                return (owed.seat,) if self.hands[owed.seat] else ()
            case ToyDraw() | ToyCleanUp():
                return ()
            case _:
                return (owed.seat,) if self.targets(owed.seat) else ()

    def targets(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats that have cards, for a seat that has some itself."""
        return tuple(s for s, hand in enumerate(self.hands) if hand and s != seat) if self.hands[seat] else ()

    def playing(self) -> tuple[Seat, ...]:
        """The seats that are not out."""
        return tuple(seat for seat in range(len(self.hands)) if seat not in self.out)

    def giver(self, taker: Seat) -> Seat | None:
        """The next seat clockwise that has a card to give."""
        others = chain(range(taker + 1, len(self.hands)), range(taker))
        return next((seat for seat in others if self.hands[seat]), None)

    def held_by_others(self, seat: Seat) -> frozenset[str]:
        """The cards in other hands, or laid face down by others."""
        laid = () if self.turned_up else (card for s, card in enumerate(self.laid) if card is not None and s != seat)
        return frozenset(chain(laid, *(hand for s, hand in enumerate(self.hands) if s != seat)))

    def cards(self) -> Iterator[str]:
        """Every card, wherever it is."""
        laid = (card for card in self.laid if card is not None)
        return chain(self.deck, self.discards, laid, *self.hands, *self.trophies)


def check(state: ToyState, cards: Iterable[str]) -> None:
    """Refuse a state that no game could be in: cards lost or doubled, seats or an agenda that do not fit."""
    seats = len(state.hands)
    _require("deck", sorted(state.cards()) == sorted(cards))
    _require("hands", 2 <= seats <= MOST_SEATS and len(state.laid) == seats and len(state.trophies) == seats)
    _require("round", 1 <= state.round <= state.rounds <= MOST_ROUNDS)
    _require("out", list(state.out) == sorted(set(state.out)) and len(state.out) < seats)
    _require("out", all(0 <= seat < seats and not state.hands[seat] for seat in state.out))
    _require("known", state.known is UNSET or _possible_knowledge(state, state.known))
    _require("trophies", sum(map(len, state.trophies)) <= state.round)
    _require("agenda", all(0 <= owed.seat < seats for owed in state.agenda) and _possible_agenda(state))


def _possible_knowledge(state: ToyState, known: tuple[Cards, ...]) -> bool:
    return len(known) == len(state.hands) and all(
        list(cards) == sorted(set(cards)) and set(cards) <= state.held_by_others(seat)
        for seat, cards in enumerate(known)
    )


def _require(what: str, possible: bool) -> None:  # noqa: FBT001 - what is said of it
    if not possible:
        raise Rejected("impossible-position", f"{what} cannot be so", field=what)


def _possible_agenda(state: ToyState) -> bool:
    """A round waits for laid cards, or for the winner's card; then it is cleaned up. A finished game owes nothing."""
    if state.finished:
        is_last = state.round == state.rounds or len(state.playing()) == 1
        return not state.agenda and not any(state.laid) and not state.turned_up and is_last
    if len(state.playing()) == 1:
        return False
    if not state.waits_for():
        return False
    if not state.turned_up:
        return state.agenda == (ToyOwed(0, ToyLay()),)
    winner, effects = state.agenda[0].seat, state.agenda[:-1]
    trades = [owed for owed in effects if isinstance(owed.effect, ToyTrade)]
    return (
        state.agenda == (*effects, ToyOwed(0, ToyCleanUp()))
        and all(owed.seat == winner and isinstance(owed.effect, CardEffect) for owed in effects)
        and len(trades) <= 1
        and (not trades or state.laid[winner] is not None)
    )
