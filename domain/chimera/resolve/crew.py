"""What becomes of components on workers and in storages: splicing, detaching, removing, returning."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import Overload, Owed, Splice
from domain.chimera.effects import Detachment, Gain, Implant, Return, Rework
from domain.chimera.evolve import without
from domain.chimera.moves import (
    AttachComponents,
    Decline,
    DetachComponents,
    RemoveComponents,
    ReturnComponents,
    SpliceWorker,
    TakeComponent,
)
from domain.chimera.resolve.gains import kind_of
from domain.chimera.resolve.working import Working
from domain.chimera.state import Kinds, seat_of, worker_of


def splice(working: Working, owed: Owed, move: SpliceWorker, _effect: Splice) -> None:
    """The worker carries these components now, and its owner's storage the others."""
    _carry(working, owed.own, kinds_of(move.components))


def detach(working: Working, owed: Owed, move: DetachComponents | Decline, _effect: Detachment | Overload) -> None:
    """Components of this worker go to its owner's storage; they are not gained."""
    if isinstance(move, DetachComponents):
        _detach(working, owed.own, kinds_of(move.components))


def implant_shortage(working: Working, owed: Owed, _effect: Implant) -> None:
    """The supply is wholly empty: two points."""
    working.shortage(owed)


def implant(working: Working, owed: Owed, move: TakeComponent, _effect: Implant) -> None:
    """A component from the supply straight to this worker; it is gained, so two tentacles bring one more."""
    kind = kind_of(move.component)
    working.emit(f.ComponentImplanted(owed.own, kind))
    working.count_kind(owed, kind)


def rework(
    working: Working, owed: Owed, move: AttachComponents | DetachComponents | RemoveComponents, effect: Rework
) -> None:
    """Any number of components attached, detached or removed, and something for each."""
    components = kinds_of(move.components)
    if not components:
        return
    if effect.how == "attach":
        _carry(working, owed.own, tuple(sorted((*worker_of(working.state, owed.own).components, *components))))
    elif effect.how == "detach":
        _detach(working, owed.own, components)
    else:
        working.emit(f.ComponentsRemoved(owed.own, components))
    working.then(owed, Gain(effect.each.what, effect.each.base * len(components)))


def give_back(working: Working, owed: Owed, move: ReturnComponents, _effect: Return) -> None:
    """Components from storage to the supply."""
    working.emit(f.ComponentsReturned(owed.seat, kinds_of(move.components)))


def _detach(working: Working, worker: str, components: Kinds) -> None:
    _carry(working, worker, without(worker_of(working.state, worker).components, components))


def _carry(working: Working, worker: str, components: Kinds) -> None:
    """Let a worker carry exactly these, of what it and its owner's storage have."""
    carried = worker_of(working.state, worker).components
    if carried == components:
        return
    player = working.state.players[seat_of(worker)]
    storage = without(tuple(sorted((*player.storage, *carried))), components)
    working.emit(f.WorkerSpliced(worker, components, storage))


def kinds_of(words: tuple[str, ...]) -> Kinds:
    """Kinds of components by their names in a legal move."""
    return tuple([kind_of(word) for word in words])
