"""The course of the game: draft, rounds, the splicing lab phase, feeding. Phases are effects like any other."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import (
    Draft,
    Feeding,
    Hunger,
    Meal,
    Owed,
    Passes,
    Redispatch,
    RoundEnd,
    RoundOpening,
    RoundStart,
    SlotTurn,
    Turn,
    Turns,
)
from domain.chimera.effects import Gain
from domain.chimera.impossible import demand
from domain.chimera.material import Material
from domain.chimera.moves import RemoveComponents, TakeCard
from domain.chimera.passives import has_two, incomes, produce
from domain.chimera.pieces.index import PERKS
from domain.chimera.state import POOL, SLOT_PREFIX, State, seat_of
from domain.chimera.station import clockwise, has_pool, occupants, own_workers
from domain.chimera.verbs import decks
from domain.chimera.verbs.splicing import kinds_of, some_of
from domain.chimera.verbs.verb import Offers, Question, offer_one, phase
from domain.chimera.verbs.working import Working
from domain.kernel.legal import Case, Offer
from domain.kernel.terms import Seat

_DEVELOPMENTS = (3, 5)
"""The rounds at whose start the station develops: perks come in, and everyone's research advances."""
_NEW_PERKS = 3
_LOST_TO_HUNGER = 2


def _order(working: Working) -> tuple[Seat, ...]:
    """All seats clockwise from the one that has the marker now (R1)."""
    return clockwise(working.state, working.state.start)


def _hand(_material: Material, _state: State, _owed: Owed, draft: Draft) -> Offers:
    return offer_one(TakeCard, "card", draft.cards)


def _take_card(working: Working, owed: Owed, move: TakeCard, draft: Draft) -> None:
    """Take a starting card, gain what it shows at once, and pass the rest on to the right."""
    working.emit(f.CardTaken(owed.seat, move.card))
    for each in working.material.cards[move.card].gains:
        working.owe(Owed(owed.seat, each, source="card", piece=move.card))
    if owed.seat == working.state.start:
        working.owe(Owed(owed.seat, RoundStart(1)))
        return
    right = (owed.seat - 1) % len(working.state.players)
    working.owe(Owed(right, Draft(tuple(card for card in draft.cards if card != move.card))))


phase(Draft, fits=None, asks=Question(_hand, _take_card))


def _is_first(_material: Material, state: State, _owed: Owed, start: RoundStart) -> None:
    demand(start.round == 1 and state.phase == "draft", "agenda", "no round begins")


def _start_round(working: Working, owed: Owed, start: RoundStart) -> None:
    """A round begins: what the station's development brings, income, then the four steps of the round."""
    working.emit(f.PhaseBegun("start"))
    if start.round > 1:
        working.emit(f.RoundBegun(start.round))
    if start.round in _DEVELOPMENTS:
        decks.show_perks(working, _NEW_PERKS)
        for seat in _order(working):
            working.owe(Owed(seat, Gain("research", 1)))
    working.then(owed, RoundOpening())


phase(RoundStart, fits=_is_first, resolve=_start_round)


def _open_round(working: Working, _owed: Owed, _effect: RoundOpening) -> None:
    """Income (R37); then placement starts with the seat that has the marker now, and keeps that order (R1)."""
    for seat in _order(working):
        working.owe(*incomes(working.state, seat))
    start = working.state.start
    working.owe(Owed(start, Turns(start)))


phase(RoundOpening, fits=None, resolve=_open_round)


def _has_next(_material: Material, state: State, _owed: Owed, turns: Turns) -> None:
    demand(turns.next in range(len(state.players)), "agenda", "a turn of no seat")


def _turns(working: Working, owed: Owed, turns: Turns) -> None:
    """One worker per turn; an empty pool skips the turn, and when all are empty the phase ends."""
    seats = len(working.state.players)
    if working.state.phase == "start":
        working.emit(f.PhaseBegun("placement"))
    for seat in clockwise(working.state, turns.next):
        if has_pool(working.state, seat):
            working.owe(Owed(seat, Turn()), Owed(owed.seat, Turns((seat + 1) % seats)))
            return
    working.emit(f.PhaseBegun("splicing_lab"))
    for slot in working.material.slots:
        working.owe(Owed(owed.seat, SlotTurn(slot)), Owed(owed.seat, Passes()))
    working.owe(Owed(owed.seat, Redispatch()), Owed(owed.seat, Passes()), Owed(owed.seat, Feeding()))


phase(Turns, fits=_has_next, resolve=_turns)


def _is_slot(material: Material, _state: State, _owed: Owed, turn: SlotTurn) -> None:
    demand(turn.slot in material.slots, "agenda", f"{turn.slot} is no slot")


def _slot_turn(working: Working, _owed: Owed, turn: SlotTurn) -> None:
    """The owner of the worker standing in the slot now re-places it; an empty slot is skipped."""
    worker = occupants(working.state).get(SLOT_PREFIX + turn.slot)
    if worker is not None:
        working.owe(Owed(seat_of(worker), Turn(worker)))


phase(SlotTurn, fits=_is_slot, resolve=_slot_turn)


def _passes(working: Working, owed: Owed, _effect: Passes) -> None:
    """Before a slot and after the last: each player with a worker in the pool places one, until none has (R3)."""
    if any(has_pool(working.state, seat) for seat in range(len(working.state.players))):
        for seat in _order(working):
            working.owe(Owed(seat, Turn()))
        working.then(owed, Passes())


phase(Passes, fits=None, resolve=_passes)


def _redispatch(working: Working, _owed: Owed, _effect: Redispatch) -> None:
    """Once, after slot C and the pools: the worker on Dispatch is re-placed; without the card, nobody (R24, R47)."""
    for place, worker in occupants(working.state).items():
        if place in PERKS and PERKS[place].places_again:
            working.owe(Owed(seat_of(worker), Turn(worker)))


phase(Redispatch, fits=None, resolve=_redispatch)


def _feed(working: Working, owed: Owed, _effect: Feeding) -> None:
    """All workers return, double leaves produce, then everyone eats, clockwise from the start player."""
    working.emit(f.PhaseBegun("feeding"))
    working.emit(f.WorkersReturned())
    for seat in _order(working):
        producers = sum(has_two(working.state, name, "leaf") for name, _ in own_workers(working.state, seat))
        food = producers * produce(working.state.players[seat])
        if food:
            working.emit(f.ResourcesChanged(seat, 0, food))
    for seat in _order(working):
        working.owe(Owed(seat, Meal()))
    working.then(owed, RoundEnd())


phase(Feeding, fits=None, resolve=_feed)


def _eat(working: Working, owed: Owed, _effect: Meal) -> None:
    """One food per pool worker without a leaf, counted now (R4); what can be paid must be."""
    player = working.state.players[owed.seat]
    hungry = sum(each.place == POOL and "leaf" not in each.components for each in player.workers)
    paid = min(hungry, player.food)
    working.pay(owed.seat, 0, paid)
    if hungry > paid:
        working.then(owed, Hunger(hungry - paid))


phase(Meal, fits=None, resolve=_eat)


def _is_hungry(_material: Material, state: State, owed: Owed, hunger: Hunger) -> None:
    demand(hunger.missing <= len(state.players[owed.seat].workers), "agenda", "more hunger than workers")


def _carried(_material: Material, state: State, owed: Owed, _effect: Hunger) -> Offers:
    """A component of an own worker, for each food that is missing."""
    cases: list[Case] = []
    for name, worker in own_workers(state, owed.seat):
        cases += [{"worker": name, "components": each} for each in some_of(worker.components, 1, 1)]
    return (Offer(RemoveComponents, tuple(cases)),) if cases else ()


def _starve(working: Working, owed: Owed, move: RemoveComponents, hunger: Hunger) -> None:
    """For a food that is missing a component goes to the supply."""
    working.emit(f.ComponentsRemoved(move.worker, kinds_of(move.components)))
    if hunger.missing > 1:
        working.then(owed, Hunger(hunger.missing - 1))


def _lose_points(working: Working, owed: Owed, hunger: Hunger) -> None:
    """Where no worker has a component left it is two points; the score never goes below 0 (R5)."""
    lost = min(_LOST_TO_HUNGER * hunger.missing, working.state.players[owed.seat].score)
    if lost:
        working.emit(f.PointsScored(owed.seat, -lost, "hunger", None))


phase(Hunger, fits=_is_hungry, asks=Question(_carried, _starve, unanswerable=_lose_points))


def _end_round(working: Working, owed: Owed, _effect: RoundEnd) -> None:
    """The next round, or after the last one the end of the game."""
    if working.state.round < working.material.rounds:
        working.then(owed, RoundStart(working.state.round + 1))
    else:
        working.emit(f.PhaseBegun("over"))


phase(RoundEnd, fits=None, resolve=_end_round)
