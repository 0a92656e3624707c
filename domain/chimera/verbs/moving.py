"""Where workers stand that are placed already: recalled, ejected, swapped, protected."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import Owed, SwappedUse
from domain.chimera.effects import Ejection, Mix, Protection, Recall, Swap
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import ApplyEffect, EjectWorker, RecallWorker, SwapWorkers
from domain.chimera.state import LOUNGE, State, Worker, is_placed, seat_of, worker_of
from domain.chimera.station import is_board, is_protected, is_slot, own_workers, workers
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.using import can_use, use
from domain.chimera.verbs.verb import (
    ALWAYS,
    Declining,
    Offers,
    Possible,
    Purse,
    Question,
    consequence,
    effect,
    is_answerable,
    offer_one,
)
from domain.chimera.words import place_name
from domain.kernel.legal import Offer, OneOf
from domain.kernel.terms import Seat
from domain.kernel.words import Names, put


def _recalls(material: Material, state: State, owed: Owed, recall: Recall) -> Offers:
    """Not the acting worker, nor one that was recalled in this round, unless as the bonus of a build (R32)."""
    found = [
        name
        for name, worker in own_workers(state, owed.seat)
        if is_placed(worker)
        and not is_protected(material, worker)
        and (recall.bonus or (name != owed.acting and not worker.recalled))
    ]
    return offer_one(RecallWorker, "worker", found)


def _recall(resolution: Resolution, _owed: Owed, move: RecallWorker, _effect: Recall) -> None:
    """A worker goes back to the pool; every recall marks it until the next round (R32)."""
    resolution.emit(f.WorkerRecalled(move.worker))


effect(Recall, possible=Possible(is_answerable, positional=True), fits=None, asks=Question(_recalls, _recall))


def _is_known(_material: Material, _state: State, _owed: Owed, ejection: Ejection) -> None:
    require(ejection.count <= 2, "agenda", "too many ejections")


def _ejectable(material: Material, state: State, owed: Owed) -> list[str]:
    """The workers that the Morale Center can eject: no claw is used, so nobody's perk matters (R18)."""
    own_perks = state.players[owed.seat].perks
    return [
        name
        for name, worker in workers(state)
        if name != owed.acting
        and (worker.place in material.modules or (worker.place in own_perks and seat_of(name) == owed.seat))
        and not is_protected(material, worker)
    ]


def _can_eject(material: Material, state: State, owed: Owed, ejection: Ejection, _purse: Purse) -> bool:
    return len(_ejectable(material, state, owed)) >= ejection.count


def _ejections(material: Material, state: State, owed: Owed, _effect: Ejection) -> Offers:
    return offer_one(EjectWorker, "worker", _ejectable(material, state, owed))


def _eject(resolution: Resolution, owed: Owed, move: EjectWorker, ejection: Ejection) -> None:
    """Morale Center: each owner takes food or coin before the next is ejected; no claw is used (R18)."""
    resolution.emit(f.WorkerEjected(move.worker, None))
    compensate(resolution, seat_of(move.worker), owed.seat, move.worker)
    if ejection.count > 1:
        resolution.then(owed, Ejection(ejection.count - 1))


def compensate(resolution: Resolution, taker: Seat, active: Seat, victim: str) -> None:
    """A coin or a food for an ejection, which is part of nobody's action.

    What it brings to the acting player is owed without a worker, so that Grocer has no part in it (R21).
    """
    arrived = victim if taker != active else None
    resolution.owe(Owed(taker, Mix(1), acting=arrived, piece=LOUNGE, outside=True))


effect(Ejection, possible=Possible(_can_eject, positional=True), fits=_is_known, asks=Question(_ejections, _eject))


def _swappable(material: Material, state: State, owed: Owed) -> list[tuple[list[str], list[str]]]:
    """Own workers, and the opponents' that each of them can be swapped with; every pair is in one group only.

    Lounge with lounge, or slot with slot, is no swap; protection and Overseer do not prevent one (R19).
    """
    places: dict[str, tuple[list[str], list[str]]] = {"module": ([], []), "lounge": ([], []), "slot": ([], [])}
    for name, worker in workers(state):
        kind = _kind_of_place(material, worker)
        if kind is not None:
            places[kind][seat_of(name) != owed.seat].append(name)
    groups: list[tuple[list[str], list[str]]] = []
    for kind, (own, _) in places.items():
        others = [name for other, (_, theirs) in places.items() if other != kind or kind == "module" for name in theirs]
        if own and others:
            groups.append((own, sorted(others)))
    return groups


def _kind_of_place(material: Material, worker: Worker) -> str | None:
    if is_board(material, worker.place):
        return "module"
    if worker.place == LOUNGE:
        return "lounge"
    return "slot" if is_slot(worker.place) else None


def _swaps(material: Material, state: State, owed: Owed, _effect: Swap) -> Offers:
    groups = _swappable(material, state, owed)
    cases = tuple({"own": OneOf(tuple(own)), "other": OneOf(tuple(others))} for own, others in groups)
    return (Offer(SwapWorkers, cases),) if cases else ()


def _swap(resolution: Resolution, owed: Owed, move: SwapWorkers, _effect: Swap) -> None:
    """First the owner, then the opponent may apply what their worker now stands on (R19)."""
    own, other = worker_of(resolution.state, move.own), worker_of(resolution.state, move.other)
    resolution.emit(f.WorkersSwapped(move.own, other.place, move.other, own.place))
    for worker in (move.own, move.other):
        seat = seat_of(worker)
        resolution.owe(Owed(seat, SwappedUse(), worker, worker, source="effect", piece=owed.piece))


effect(Swap, possible=Possible(is_answerable, positional=True), fits=None, asks=Question(_swaps, _swap))


def _may_use(material: Material, state: State, owed: Owed, _effect: SwappedUse) -> Offers:
    """Judged when its player's turn to decide comes (R19)."""
    module = worker_of(state, owed.own).place
    usable = module in material.modules and can_use(material, state, owed, module, owed.own)
    return (Offer(ApplyEffect, ({},)),) if usable else ()


def _use(resolution: Resolution, owed: Owed, _move: ApplyEffect, _effect: SwappedUse) -> None:
    use(resolution, owed, worker_of(resolution.state, owed.own).place, owed.own)


def _leaves_it(scene: Scene, crew: Crew, owed: Owed, _effect: SwappedUse) -> Names:
    name = place_name(scene.material, crew.place(owed.own) or LOUNGE)
    return put("does not apply the effect of {}", "{}の効果を適用しない", name)


consequence(SwappedUse, fits=None, asks=Question(_may_use, _use, Declining(_leaves_it)), worker="needed")


def _protect(resolution: Resolution, owed: Owed, _effect: Protection) -> None:
    """Who copied Dispatch Station stands in a protected place until it leaves, unless it stands elsewhere (R15)."""
    if owed.worker is None:
        return
    worker = worker_of(resolution.state, owed.worker)
    place = resolution.material.places.get(worker.place)
    if worker.place == owed.place and place is not None and not place.protects:
        resolution.emit(f.WorkerProtected(owed.worker))


effect(Protection, possible=ALWAYS, fits=None, resolve=_protect)
