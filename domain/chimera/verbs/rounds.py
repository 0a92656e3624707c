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
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import RemoveComponents, TakeCard
from domain.chimera.passives import has_two, incomes, produce
from domain.chimera.pieces.index import PERKS
from domain.chimera.state import POOL, SLOT_PREFIX, State, seat_of
from domain.chimera.station import clockwise, has_pool, occupants, own_workers
from domain.chimera.verbs import decks
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.splicing import kinds_of, some_of
from domain.chimera.verbs.verb import Offers, Question, offer_one, phase
from domain.kernel.legal import Case, Offer
from domain.kernel.terms import Seat

_DEVELOPMENTS = (3, 5)
"""The rounds at whose start the station develops: perks come in, and everyone's research advances."""
_NEW_PERKS = 3
_LOST_TO_HUNGER = 2


def _order(resolution: Resolution) -> tuple[Seat, ...]:
    """All seats clockwise from the one that has the marker now (R1)."""
    return clockwise(resolution.state, resolution.state.start)


def _hand(_material: Material, _state: State, _owed: Owed, draft: Draft) -> Offers:
    return offer_one(TakeCard, "card", draft.cards)


def _take_card(resolution: Resolution, owed: Owed, move: TakeCard, draft: Draft) -> None:
    """Take a starting card, gain what it shows at once, and pass the rest on to the right."""
    resolution.emit(f.CardTaken(owed.seat, move.card))
    for each in resolution.material.cards[move.card].gains:
        resolution.owe(Owed(owed.seat, each, source="card", piece=move.card))
    if owed.seat == resolution.state.start:
        resolution.owe(Owed(owed.seat, RoundStart(1)))
        return
    right = (owed.seat - 1) % len(resolution.state.players)
    resolution.owe(Owed(right, Draft(tuple(card for card in draft.cards if card != move.card))))


phase(Draft, fits=None, asks=Question(_hand, _take_card))


def _is_first(_material: Material, state: State, _owed: Owed, start: RoundStart) -> None:
    require(start.round == 1 and state.phase == "draft", "agenda", "no round begins")


def _start_round(resolution: Resolution, owed: Owed, start: RoundStart) -> None:
    """A round begins: what the station's development brings, income, then the four steps of the round."""
    resolution.emit(f.PhaseBegun("start"))
    if start.round > 1:
        resolution.emit(f.RoundBegun(start.round))
    if start.round in _DEVELOPMENTS:
        decks.show_perks(resolution, _NEW_PERKS)
        for seat in _order(resolution):
            resolution.owe(Owed(seat, Gain("research", 1)))
    resolution.then(owed, RoundOpening())


phase(RoundStart, fits=_is_first, resolve=_start_round)


def _open_round(resolution: Resolution, _owed: Owed, _effect: RoundOpening) -> None:
    """Income (R37); then placement starts with the seat that has the marker now, and keeps that order (R1)."""
    for seat in _order(resolution):
        resolution.owe(*incomes(resolution.state, seat))
    start = resolution.state.start
    resolution.owe(Owed(start, Turns(start)))


phase(RoundOpening, fits=None, resolve=_open_round)


def _has_next(_material: Material, state: State, _owed: Owed, turns: Turns) -> None:
    require(turns.next in range(len(state.players)), "agenda", "a turn of no seat")


def _turns(resolution: Resolution, owed: Owed, turns: Turns) -> None:
    """One worker per turn; an empty pool skips the turn, and when all are empty the phase ends."""
    seats = len(resolution.state.players)
    if resolution.state.phase == "start":
        resolution.emit(f.PhaseBegun("placement"))
    for seat in clockwise(resolution.state, turns.next):
        if has_pool(resolution.state, seat):
            resolution.owe(Owed(seat, Turn()), Owed(owed.seat, Turns((seat + 1) % seats)))
            return
    resolution.emit(f.PhaseBegun("splicing_lab"))
    for slot in resolution.material.slots:
        resolution.owe(Owed(owed.seat, SlotTurn(slot)), Owed(owed.seat, Passes()))
    resolution.owe(Owed(owed.seat, Redispatch()), Owed(owed.seat, Passes()), Owed(owed.seat, Feeding()))


phase(Turns, fits=_has_next, resolve=_turns)


def _is_slot(material: Material, _state: State, _owed: Owed, turn: SlotTurn) -> None:
    require(turn.slot in material.slots, "agenda", f"{turn.slot} is no slot")


def _slot_turn(resolution: Resolution, _owed: Owed, turn: SlotTurn) -> None:
    """The owner of the worker standing in the slot now re-places it; an empty slot is skipped."""
    worker = occupants(resolution.state).get(SLOT_PREFIX + turn.slot)
    if worker is not None:
        resolution.owe(Owed(seat_of(worker), Turn(worker)))


phase(SlotTurn, fits=_is_slot, resolve=_slot_turn)


def _passes(resolution: Resolution, owed: Owed, _effect: Passes) -> None:
    """Before a slot and after the last: each player with a worker in the pool places one, until none has (R3)."""
    if any(has_pool(resolution.state, seat) for seat in range(len(resolution.state.players))):
        for seat in _order(resolution):
            resolution.owe(Owed(seat, Turn()))
        resolution.then(owed, Passes())


phase(Passes, fits=None, resolve=_passes)


def _redispatch(resolution: Resolution, _owed: Owed, _effect: Redispatch) -> None:
    """Once, after slot C and the pools: the worker on Dispatch is re-placed; without the card, nobody (R24, R47)."""
    for place, worker in occupants(resolution.state).items():
        if place in PERKS and PERKS[place].places_again:
            resolution.owe(Owed(seat_of(worker), Turn(worker)))


phase(Redispatch, fits=None, resolve=_redispatch)


def _feed(resolution: Resolution, owed: Owed, _effect: Feeding) -> None:
    """All workers return, double leaves produce, then everyone eats, clockwise from the start player."""
    resolution.emit(f.PhaseBegun("feeding"))
    resolution.emit(f.WorkersReturned())
    for seat in _order(resolution):
        producers = sum(has_two(resolution.state, name, "leaf") for name, _ in own_workers(resolution.state, seat))
        food = producers * produce(resolution.state.players[seat])
        if food:
            resolution.emit(f.ResourcesChanged(seat, 0, food))
    for seat in _order(resolution):
        resolution.owe(Owed(seat, Meal()))
    resolution.then(owed, RoundEnd())


phase(Feeding, fits=None, resolve=_feed)


def _eat(resolution: Resolution, owed: Owed, _effect: Meal) -> None:
    """One food per pool worker without a leaf, counted now (R4); what can be paid must be."""
    player = resolution.state.players[owed.seat]
    hungry = sum(each.place == POOL and "leaf" not in each.components for each in player.workers)
    paid = min(hungry, player.food)
    resolution.pay(owed.seat, 0, paid)
    if hungry > paid:
        resolution.then(owed, Hunger(hungry - paid))


phase(Meal, fits=None, resolve=_eat)


def _is_hungry(_material: Material, state: State, owed: Owed, hunger: Hunger) -> None:
    require(hunger.missing <= len(state.players[owed.seat].workers), "agenda", "more hunger than workers")


def _carried(_material: Material, state: State, owed: Owed, _effect: Hunger) -> Offers:
    """A component of an own worker, for each food that is missing."""
    cases: list[Case] = []
    for name, worker in own_workers(state, owed.seat):
        cases += [{"worker": name, "components": each} for each in some_of(worker.components, 1, 1)]
    return (Offer(RemoveComponents, tuple(cases)),) if cases else ()


def _starve(resolution: Resolution, owed: Owed, move: RemoveComponents, hunger: Hunger) -> None:
    """For a food that is missing a component goes to the supply."""
    resolution.emit(f.ComponentsRemoved(move.worker, kinds_of(move.components)))
    if hunger.missing > 1:
        resolution.then(owed, Hunger(hunger.missing - 1))


def _lose_points(resolution: Resolution, owed: Owed, hunger: Hunger) -> None:
    """Where no worker has a component left it is two points; the score never goes below 0 (R5)."""
    lost = min(_LOST_TO_HUNGER * hunger.missing, resolution.state.players[owed.seat].score)
    if lost:
        resolution.emit(f.PointsScored(owed.seat, -lost, "hunger", None))


phase(Hunger, fits=_is_hungry, asks=Question(_carried, _starve, unanswerable=_lose_points))


def _end_round(resolution: Resolution, owed: Owed, _effect: RoundEnd) -> None:
    """The next round, or after the last one the end of the game."""
    if resolution.state.round < resolution.material.rounds:
        resolution.then(owed, RoundStart(resolution.state.round + 1))
    else:
        resolution.emit(f.PhaseBegun("over"))


phase(RoundEnd, fits=None, resolve=_end_round)
