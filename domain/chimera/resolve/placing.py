"""Placing a worker: ejecting who stands there, brain points, the effect, the extras; and turns around it.

Theory. A placing opens an *action*: an account of what is gained in it, put on top of those under way. Everything that
follows is scheduled in front of `ActionEnd`, so a worker placed by an effect (Dispatch, Morale Center) is an action
nested inside, whose extras are paid before the outer effect goes on (R8). `ActionEnd` pays what the tentacles bring,
judged by what the worker carries then (R27), in the order food, coins, component; what that brings is barren.
`ActionClose` ends the account and remembers whether Prime Specimen has a point coming.
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import (
    ActionClose,
    ActionEnd,
    Arrival,
    ExtraComponent,
    Owed,
    Splice,
    SwappedUse,
    Turn,
    TurnClose,
    TurnEnd,
    Weirdness,
)
from domain.chimera.effects import Ejection, Gain, Mix, Placement, Protection, Recall, Swap
from domain.chimera.moves import (
    ApplyEffect,
    Decline,
    EjectWorker,
    EndTurn,
    Flush,
    PlaceWorker,
    RecallWorker,
    SwapWorkers,
)
from domain.chimera.passives import compensated, has, has_two, is_weird, pays_for_ejecting
from domain.chimera.pieces.index import MODIFIED_BY
from domain.chimera.placements import free_slot
from domain.chimera.possible import at_module
from domain.chimera.resolve import decks
from domain.chimera.resolve.working import Working
from domain.chimera.state import LAB, LOUNGE, SLOT_PREFIX, Action, seat_of, worker_of
from domain.chimera.station import clockwise, occupants
from domain.kernel.terms import Seat


def take_turn(working: Working, owed: Owed, move: PlaceWorker | Flush, effect: Turn) -> None:
    """Place a worker; or flush first, and the turn goes on (R6)."""
    if isinstance(move, Flush):
        flush(working, owed.seat, move.modules)
        working.then(owed, effect)
        return
    place(working, owed.seat, move.worker, move.to)
    working.owe(Owed(owed.seat, TurnEnd()), Owed(owed.seat, TurnClose()))


def end_turn(working: Working, owed: Owed, move: EndTurn | Flush, _effect: TurnEnd) -> None:
    """Flush, or keep the card."""
    if isinstance(move, Flush):
        flush(working, owed.seat, move.modules)


def close_turn(working: Working, owed: Owed, _effect: TurnClose) -> None:
    """Prime Specimen: a point once per turn, if the perk is owned then (R22)."""
    due, working.specimen = working.specimen, False
    if due and has(working.state.players[owed.seat], "point_for_scoring"):
        working.score(owed, 1, "perk", MODIFIED_BY["point_for_scoring"])


def flush(working: Working, seat: Seat, modules: tuple[str, ...]) -> None:
    """Spend the starting card: discard these modules and refill the reactor, without rewards."""
    working.emit(f.CardSpent(seat))
    decks.discard_reactor(working, modules)
    decks.refill(working)


def place_another(working: Working, owed: Owed, move: PlaceWorker, _effect: Placement) -> None:
    """Another worker, in an action of its own."""
    place(working, owed.seat, move.worker, move.to)


def place(working: Working, seat: Seat, worker: str, to: str) -> None:
    """Place a worker, and schedule all that this brings."""
    occupied = occupants(working.state)
    if to == LAB:
        slot = free_slot(working.material, occupied)
        working.emit(f.WorkerPlaced(worker, f"{SLOT_PREFIX}{slot}"))
    else:
        victim = occupied.get(to)
        if victim is not None:
            _claw(working, seat, worker, victim)
        working.emit(f.WorkerPlaced(worker, to))
    working.actions.append(Action(seat, worker))
    cause = Owed(seat, ActionEnd(), worker, worker, to, (to,), "effect", to)
    if to == LAB:
        working.then(cause, Splice())
    elif to == LOUNGE:
        working.then(cause, Mix(1))
    else:
        working.then(cause, Arrival(to))
    working.owe(cause)


def _claw(working: Working, seat: Seat, worker: str, victim: str) -> None:
    """A claw ejects: the owner takes a coin or a food before the placing goes on; the active player comes first (R26).

    What an ejection brings belongs to nobody's action. What it brings to the acting player is owed without a worker,
    so that Grocer has no part in it (R21).
    """
    working.emit(f.WorkerEjected(victim, worker))
    if pays_for_ejecting(working.state, seat, worker, victim):
        working.owe(Owed(seat, Mix(1), piece=MODIFIED_BY["ejecting_pays"], outside=True))
    _compensate(working, compensated(working.state, seat, victim), seat, victim)


def _compensate(working: Working, taker: Seat, active: Seat, victim: str) -> None:
    arrived = victim if taker != active else None
    working.owe(Owed(taker, Mix(1), acting=arrived, piece=LOUNGE, outside=True))


def arrive(working: Working, owed: Owed, effect: Arrival) -> None:
    """Brain points come before the effect (R38); perk modules and hubs have no value (R31)."""
    place = effect.module
    known = working.material.modules.get(place)
    carried = worker_of(working.state, owed.own).components
    if known is not None and "brain" in carried:
        working.score(owed, known.value or 0, "brain", place)
    for each in working.material.places[place].effects:
        working.then(owed, each)
    if known is None:
        working.then(owed, Weirdness())


def weirdness(working: Working, owed: Owed, _effect: Weirdness) -> None:
    """Weirdos: a component of any kind, judged now; it brings no extra and is no kind that an extra may copy (R45)."""
    if is_weird(working.state, owed.seat, owed.worker):
        working.owe(
            replace(
                owed,
                effect=Gain("any_components", 1, barren=True),
                source="effect",
                piece=MODIFIED_BY["tentacles_bring_component"],
            )
        )


def end_action(working: Working, owed: Owed, _effect: ActionEnd) -> None:
    """The extras of the tentacles: food, coins, component, each once."""
    action = working.actions[-1]
    if "tentacle" in worker_of(working.state, action.worker).components:
        if action.food:
            working.then(owed, Gain("food", 1, barren=True))
        if action.coins:
            working.then(owed, Gain("coins", 1, barren=True))
        if action.kinds and has_two(working.state, action.worker, "tentacle"):
            working.then(owed, ExtraComponent(action.kinds))
    working.then(owed, ActionClose())


def close_action(working: Working, _owed: Owed, _effect: ActionClose) -> None:
    """The account is closed; points scored in it are a point for Prime Specimen if its worker has a tentacle (R22)."""
    action = working.actions.pop()
    if action.scored and "tentacle" in worker_of(working.state, action.worker).components:
        working.specimen = True


def eject(working: Working, owed: Owed, move: EjectWorker, effect: Ejection) -> None:
    """Morale Center: each owner takes food or coin before the next is ejected; no claw is used (R18)."""
    working.emit(f.WorkerEjected(move.worker, None))
    _compensate(working, seat_of(move.worker), owed.seat, move.worker)
    if effect.count > 1:
        working.then(owed, Ejection(effect.count - 1))


def recall(working: Working, _owed: Owed, move: RecallWorker, _effect: Recall) -> None:
    """A worker goes back to the pool; every recall marks it until the next round (R32)."""
    working.emit(f.WorkerRecalled(move.worker))


def protect(working: Working, owed: Owed, _effect: Protection) -> None:
    """Who copied Dispatch Station stands in a protected place until it leaves, unless it stands elsewhere (R15)."""
    if owed.worker is None:
        return
    worker = worker_of(working.state, owed.worker)
    place = working.material.places.get(worker.place)
    if worker.place == owed.place and place is not None and not place.protects:
        working.emit(f.WorkerProtected(owed.worker))


def swap(working: Working, owed: Owed, move: SwapWorkers, _effect: Swap) -> None:
    """Two workers swap places; then first the owner, then the opponent may apply what theirs stands on (R19)."""
    own, other = worker_of(working.state, move.own), worker_of(working.state, move.other)
    working.emit(f.WorkersSwapped(move.own, other.place, move.other, own.place))
    for worker in (move.own, move.other):
        seat = seat_of(worker)
        working.owe(Owed(seat, SwappedUse(), worker, worker, source="effect", piece=owed.piece))


def use_swapped(working: Working, owed: Owed, move: ApplyEffect | Decline, _effect: SwappedUse) -> None:
    """The effect of the module that a swapped worker stands on, with that worker."""
    if isinstance(move, Decline):
        return
    module = worker_of(working.state, owed.own).place
    cause = at_module(owed, module, owed.own)
    for each in working.material.modules[module].effects:
        working.then(cause, each)


def order(working: Working) -> tuple[Seat, ...]:
    """All seats clockwise from the one that has the marker now (R1)."""
    return clockwise(working.state, working.state.start)
