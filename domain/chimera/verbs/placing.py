"""Placing a worker: ejecting who stands there, brain points, the effect, the extras.

Theory. A placing opens an *action*: an account of what is gained in it, put on top of those under way. Everything that
follows is scheduled in front of `ActionEnd`, so a worker placed by an effect (Dispatch, Morale Center) is an action
nested inside, whose extras are paid before the outer effect goes on (R8). `ActionEnd` pays what the tentacles bring,
judged by what the worker carries then (R27), in the order food, coins, component; what that brings is barren.
`ActionClose` ends the account and remembers whether Prime Specimen has a point coming.
"""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import ActionClose, ActionEnd, Arrival, ExtraComponent, Owed, Splice, Weirdness
from domain.chimera.effects import Gain, Mix, Placement
from domain.chimera.material import Material
from domain.chimera.moves import PlaceWorker
from domain.chimera.passives import compensated, has_two, may_claw, pays_for_ejecting
from domain.chimera.pieces.index import MODIFIED_BY
from domain.chimera.state import LAB, LOUNGE, SLOT_PREFIX, Action, Kinds, State, worker_of
from domain.chimera.station import has_pool, is_usable, occupants, pool
from domain.chimera.verbs.moving import compensate
from domain.chimera.verbs.possible import as_if_placed, can_resolve
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import Offers, Possible, Purse, Question, consequence, effect, require_module
from domain.kernel.legal import Case, Offer, OneOf
from domain.kernel.terms import Seat


def _can_place(_material: Material, state: State, owed: Owed, placement: Placement, _purse: Purse) -> bool:
    return not placement.needed or has_pool(state, owed.seat)


def _placements(material: Material, state: State, owed: Owed, _effect: Placement) -> Offers:
    """Never a flush in the middle of an action."""
    return placement_offer(material, state, owed, pool(state, owed.seat))


def _place_another(resolution: Resolution, owed: Owed, move: PlaceWorker, _effect: Placement) -> None:
    place(resolution, owed.seat, move.worker, move.to)


def _has_worker(state: State, owed: Owed, _effect: Placement) -> bool:
    return has_pool(state, owed.seat)


effect(
    Placement,
    possible=Possible(_can_place, positional=True),
    fits=None,
    asks=Question(_placements, _place_another, asked_if=_has_worker),
)


def place(resolution: Resolution, seat: Seat, worker: str, to: str) -> None:
    """Place a worker in an action of its own, and schedule all that this brings."""
    occupied = occupants(resolution.state)
    if to == LAB:
        slot = _free_slot(resolution.material, occupied)
        resolution.emit(f.WorkerPlaced(worker, f"{SLOT_PREFIX}{slot}"))
    else:
        victim = occupied.get(to)
        if victim is not None:
            _claw(resolution, seat, worker, victim)
        resolution.emit(f.WorkerPlaced(worker, to))
    resolution.actions.append(Action(seat, worker))
    cause = Owed(seat, ActionEnd(), worker, worker, to, (to,), "effect", to)
    if to == LAB:
        resolution.then(cause, Splice())
    elif to == LOUNGE:
        resolution.then(cause, Mix(1))
    else:
        resolution.then(cause, Arrival(to))
    resolution.owe(cause)


def _claw(resolution: Resolution, seat: Seat, worker: str, victim: str) -> None:
    """The owner takes a coin or a food before the placing goes on; the active player comes first (R26)."""
    resolution.emit(f.WorkerEjected(victim, worker))
    if pays_for_ejecting(resolution.state, seat, worker, victim):
        resolution.owe(Owed(seat, Mix(1), piece=MODIFIED_BY["ejecting_pays"], outside=True))
    compensate(resolution, compensated(resolution.state, seat, victim), seat, victim)


def _arrive(resolution: Resolution, owed: Owed, arrival: Arrival) -> None:
    """Brain points come before the effect (R38); perk modules and hubs have no value (R31)."""
    module = arrival.module
    known = resolution.material.modules.get(module)
    carried = worker_of(resolution.state, owed.own).components
    if known is not None and "brain" in carried:
        resolution.score(owed, known.value or 0, "brain", module)
    resolution.then(owed, *resolution.material.places[module].effects)
    if known is None:
        resolution.then(owed, Weirdness())


consequence(Arrival, fits=require_module, resolve=_arrive, worker="needed")


def _end_action(resolution: Resolution, owed: Owed, _effect: ActionEnd) -> None:
    """The extras of the tentacles: food, coins, component, each once."""
    action = resolution.actions[-1]
    if "tentacle" in worker_of(resolution.state, action.worker).components:
        if action.food:
            resolution.then(owed, Gain("food", 1, barren=True))
        if action.coins:
            resolution.then(owed, Gain("coins", 1, barren=True))
        if action.kinds and has_two(resolution.state, action.worker, "tentacle"):
            resolution.then(owed, ExtraComponent(action.kinds))
    resolution.then(owed, ActionClose())


consequence(ActionEnd, fits=None, resolve=_end_action, worker="needed")


def _close_action(resolution: Resolution, _owed: Owed, _effect: ActionClose) -> None:
    """Points scored in the action are a point for Prime Specimen if its worker has a tentacle (R22)."""
    action = resolution.actions.pop()
    if action.scored and "tentacle" in worker_of(resolution.state, action.worker).components:
        resolution.specimen = True


consequence(ActionClose, fits=None, resolve=_close_action, worker="needed")


def placement_offer(material: Material, state: State, owed: Owed, workers: list[str]) -> tuple[Offer, ...]:
    """Each worker with each place that it may be placed at; workers with the same components are one case."""
    alike: dict[Kinds, list[str]] = {}
    for worker in workers:
        alike.setdefault(worker_of(state, worker).components, []).append(worker)
    occupied = occupants(state)
    modules = _modules(material, state, owed)
    elsewhere = _elsewhere(material, state, occupied)
    cases: list[Case] = []
    for names in alike.values():
        fit = [to for to in modules if _may_stand(material, state, owed, names[0], to, victim=occupied.get(to))]
        cases.append({"worker": OneOf(tuple(names)), "to": OneOf((*fit, *elsewhere))})
    return (Offer(PlaceWorker, tuple(cases)),) if cases else ()


def _free_slot(material: Material, occupied: dict[str, str]) -> str | None:
    """The first free slot of the Splicing Lab."""
    return next((slot for slot in material.slots if SLOT_PREFIX + slot not in occupied), None)


def _modules(material: Material, state: State, owed: Owed) -> list[str]:
    """The modules and own perk modules that have an effect now."""
    built = [each.module for each in state.built]
    usable = [each for each in (*material.base, *built) if is_usable(material, state, each)]
    return usable + [perk for perk in state.players[owed.seat].perks if material.perks[perk].is_module]


def _elsewhere(material: Material, state: State, occupied: dict[str, str]) -> tuple[str, ...]:
    """The Splicing Lab, in the placement phase and while it has a free slot, and the lounge, always."""
    lab = state.phase == "placement" and _free_slot(material, occupied) is not None
    return (LAB, LOUNGE) if lab else (LOUNGE,)


def _may_stand(material: Material, state: State, owed: Owed, worker: str, to: str, *, victim: str | None) -> bool:
    """Whether a module is free or its worker can be ejected, and its effect can be resolved (R2)."""
    if victim is not None and (
        victim == worker or not may_claw(material, state, owed.seat, worker_of(state, worker), victim)
    ):
        return False
    if to in material.certain:
        return True
    there = Owed(owed.seat, owed.effect, worker, worker, to, (to,), "effect", to)
    if to in material.positional:
        state = as_if_placed(state, worker, to, victim)
    return can_resolve(material, state, there, material.places[to].effects)
