"""What becomes of components on workers and in storages: splicing, detaching, removing, returning."""

from __future__ import annotations

from itertools import combinations

from domain.chimera import facts as f
from domain.chimera.agenda import Overload, Owed, Splice
from domain.chimera.effects import Detachment, Gain, Implant, Return, Rework
from domain.chimera.evolve import without
from domain.chimera.material import KINDS, Material
from domain.chimera.moves import (
    AttachComponents,
    DetachComponents,
    RemoveComponents,
    ReturnComponents,
    SpliceWorker,
    TakeComponent,
)
from domain.chimera.passives import may_carry, most_components, need_not_detach
from domain.chimera.state import Kinds, State, seat_of, worker_of
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs.gains import in_supply, kind_of
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import (
    ALWAYS,
    Declining,
    Offers,
    Possible,
    Purse,
    Question,
    consequence,
    effect,
    offer_one,
    offer_sets,
    require_printed,
)
from domain.kernel.legal import Offer
from domain.kernel.words import Names, both


def _splices(_material: Material, state: State, owed: Owed, _effect: Splice) -> Offers:
    """The sets that the worker can carry afterwards."""
    player = state.players[owed.seat]
    at_hand = tuple(sorted((*worker_of(state, owed.own).components, *player.storage)))
    most = most_components(state, owed.own)
    return offer_sets(SpliceWorker, [each for each in some_of(at_hand, 0, most) if may_carry(most, each)])


def _splice(resolution: Resolution, owed: Owed, move: SpliceWorker, _effect: Splice) -> None:
    """The worker carries these components now, and its owner's storage the others."""
    _carry(resolution, owed.own, kinds_of(move.components))


consequence(Splice, fits=None, asks=Question(_splices, _splice), worker="needed")


def _one_carried(_material: Material, state: State, owed: Owed, _effect: Detachment | Overload) -> Offers:
    return offer_sets(DetachComponents, some_of(worker_of(state, owed.own).components, 1, 1))


def _detach_one(resolution: Resolution, owed: Owed, move: DetachComponents, _effect: Detachment | Overload) -> None:
    """The component goes to its owner's storage; it is not gained."""
    _detach(resolution, owed.own, kinds_of(move.components))


# Any component may come off: two of one kind may stay (R20).
consequence(Overload, fits=None, asks=Question(_one_carried, _detach_one), worker="idle")


def _can_detach(_material: Material, state: State, owed: Owed, _effect: Detachment, _purse: Purse) -> bool:
    return bool(worker_of(state, owed.own).components) or need_not_detach(state, owed)


def _detaches_nothing(_scene: Scene, _crew: Crew, _owed: Owed, _effect: Detachment) -> Names:
    return both("detaches nothing", "何も外さない")


effect(
    Detachment,
    possible=Possible(_can_detach),
    fits=None,
    asks=Question(_one_carried, _detach_one, Declining(_detaches_nothing, may=need_not_detach)),
    worker="needed",
)


def _implantable(state: State, worker: str) -> Kinds:
    """The kinds in the supply that a worker may carry one more of."""
    carried = worker_of(state, worker).components
    most = most_components(state, worker)
    return tuple(kind for kind in in_supply(state) if may_carry(most, (*carried, kind)))


def _can_implant(_material: Material, state: State, owed: Owed, _effect: Implant, _purse: Purse) -> bool:
    """There must be room, and a kind that the worker may carry, unless the supply is wholly empty."""
    has_room = len(worker_of(state, owed.own).components) < most_components(state, owed.own)
    return has_room and (bool(_implantable(state, owed.own)) or not in_supply(state))


def _implants(_material: Material, state: State, owed: Owed, _effect: Implant) -> Offers:
    return offer_one(TakeComponent, "component", _implantable(state, owed.own))


def _implant(resolution: Resolution, owed: Owed, move: TakeComponent, _effect: Implant) -> None:
    """From the supply straight to this worker; the component is gained, so two tentacles bring one more."""
    kind = kind_of(move.component)
    resolution.emit(f.ComponentImplanted(owed.own, kind))
    resolution.count_kind(owed, kind)


def _nothing_to_implant(resolution: Resolution, owed: Owed, _effect: Implant) -> None:
    """The supply is wholly empty: two points."""
    resolution.shortage(owed)


effect(
    Implant,
    possible=Possible(_can_implant),
    fits=None,
    asks=Question(_implants, _implant, unanswerable=_nothing_to_implant),
    worker="needed",
)


def _any_number(_material: Material, state: State, owed: Owed, rework: Rework) -> Offers:
    """None included (R28)."""
    components = worker_of(state, owed.own).components
    if rework.how == "attach":
        most = most_components(state, owed.own)
        sets = some_of(state.players[owed.seat].storage, 0, most - len(components))
        return offer_sets(AttachComponents, [each for each in sets if may_carry(most, (*components, *each))])
    sets = some_of(components, 0, len(components))
    if rework.how == "detach":
        return offer_sets(DetachComponents, sets)
    return (Offer(RemoveComponents, tuple({"worker": owed.own, "components": each} for each in sets)),)


def _rework(
    resolution: Resolution, owed: Owed, move: AttachComponents | DetachComponents | RemoveComponents, rework: Rework
) -> None:
    components = kinds_of(move.components)
    if not components:
        return
    if rework.how == "attach":
        _carry(resolution, owed.own, tuple(sorted((*worker_of(resolution.state, owed.own).components, *components))))
    elif rework.how == "detach":
        _detach(resolution, owed.own, components)
    else:
        resolution.emit(f.ComponentsRemoved(owed.own, components))
    resolution.then(owed, Gain(rework.each.what, rework.each.base * len(components)))


effect(Rework, possible=ALWAYS, fits=require_printed, asks=Question(_any_number, _rework), worker="needed")


def _has_stored(_material: Material, state: State, owed: Owed, back: Return, _purse: Purse) -> bool:
    return len(state.players[owed.seat].storage) >= back.count


def _stored(_material: Material, state: State, owed: Owed, back: Return) -> Offers:
    return offer_sets(ReturnComponents, some_of(state.players[owed.seat].storage, back.count, back.count))


def _give_back(resolution: Resolution, owed: Owed, move: ReturnComponents, _effect: Return) -> None:
    resolution.emit(f.ComponentsReturned(owed.seat, kinds_of(move.components)))


effect(Return, possible=Possible(_has_stored), fits=require_printed, asks=Question(_stored, _give_back))


def _detach(resolution: Resolution, worker: str, components: Kinds) -> None:
    _carry(resolution, worker, without(worker_of(resolution.state, worker).components, components))


def _carry(resolution: Resolution, worker: str, components: Kinds) -> None:
    """Let a worker carry exactly these, of what it and its owner's storage have."""
    carried = worker_of(resolution.state, worker).components
    if carried == components:
        return
    player = resolution.state.players[seat_of(worker)]
    storage = without(tuple(sorted((*player.storage, *carried))), components)
    resolution.emit(f.WorkerSpliced(worker, components, storage))


def kinds_of(words: tuple[str, ...]) -> Kinds:
    """Kinds of components by their names in a legal move."""
    return tuple([kind_of(word) for word in words])


def some_of(components: Kinds, least: int, most: int) -> list[Kinds]:
    """The sets of `least` to `most` of these components, each once, small ones first."""
    usable = _enough(components, most)
    found: dict[Kinds, None] = {}
    for size in range(least, min(most, len(components)) + 1):
        found.update(dict.fromkeys(combinations(usable, size)))
    return list(found)


def _enough(components: Kinds, most: int) -> Kinds:
    """Components without those of a kind that are more than can be used: what is tried grows with their number."""
    return tuple(kind for kind in KINDS for _ in range(min(components.count(kind), most)))
