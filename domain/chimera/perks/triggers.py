"""What perks do when something happens: a fact gives effects, which come before all else that is owed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.chimera import facts as f
from domain.chimera.agenda import Overload, Owed, Resolving, Tribute
from domain.chimera.effects import Effect, Gain, Mix
from domain.chimera.state import LOUNGE, State, is_placed, seat_of
from domain.chimera.station import opponents, own_workers
from domain.kernel.terms import Seat

SCORING_WHEN_TAKEN = frozenset({"conference", "engineer", "grappler", "lounge_lizard", "overseer"})
"""Perks that give the number of the round in points to whoever takes them (R36: before round 1 it is 1)."""


def triggered(state: State, fact: f.Fact) -> Iterator[Owed]:
    """What the perks of all seats add to a fact, given the state after it."""
    trigger = _TRIGGERS.get(type(fact))
    return iter(()) if trigger is None else trigger(state, fact)


def _perk_taken(_state: State, fact: f.PerkTaken) -> Iterator[Owed]:
    if fact.perk in SCORING_WHEN_TAKEN:
        yield _owed(fact.seat, Gain("points", per=1, of="round"), fact.perk)


def _perk_discarded(state: State, fact: f.PerkDiscarded) -> Iterator[Owed]:
    """Geneticist is lost: the third component comes off at once (R20)."""
    if fact.perk == "geneticist":
        for name, worker in own_workers(state, fact.seat):
            if len(worker.components) > 2:
                yield Owed(fact.seat, Overload(), worker=name)


def _module_built(state: State, fact: f.ModuleBuilt) -> Iterator[Owed]:
    """Architect: a point per module, not multiplied."""
    if "architect" in state.players[fact.seat].perks:
        yield _owed(fact.seat, Gain("points", 1), "architect")


def _worker_placed(state: State, fact: f.WorkerPlaced) -> Iterator[Owed]:
    if fact.to == LOUNGE:
        yield from _lounging(state, fact.worker, outside=False)


def _worker_ejected(state: State, fact: f.WorkerEjected) -> Iterator[Owed]:
    """What an ejection brings is part of no action (R22)."""
    return _lounging(state, fact.worker, outside=True)


def _workers_swapped(state: State, fact: f.WorkersSwapped) -> Iterator[Owed]:
    for worker, place in ((fact.own, fact.own_to), (fact.other, fact.other_to)):
        if place == LOUNGE:
            yield from _lounging(state, worker, outside=False)


def _lounging(state: State, worker: str, *, outside: bool) -> Iterator[Owed]:
    """Lounge Lizard: two points whenever an own worker comes to the lounge, by any way (R43)."""
    seat = seat_of(worker)
    if "lounge_lizard" in state.players[seat].perks:
        yield _owed(seat, Gain("points", 2), "lounge_lizard", outside=outside)


def _commanded(state: State, fact: f.Commanded) -> Iterator[Owed]:
    """Savant: when an opponent commands, a point per own placed worker with a brain."""
    for seat in opponents(state, fact.seat):
        if "savant" in state.players[seat].perks:
            brains = sum("brain" in each.components and is_placed(each) for each in state.players[seat].workers)
            yield _owed(seat, Gain("points", brains), "savant")


def _marker_taken(state: State, fact: f.MarkerTaken) -> Iterator[Owed]:
    if "warlord" in state.players[fact.seat].perks:
        yield _owed(fact.seat, Tribute(), "warlord")


def incomes(state: State, seat: Seat) -> Iterator[Owed]:
    """Investor: at the start of every round a coin or a food per own worker with a component (R37)."""
    if "investor" in state.players[seat].perks:
        yield _owed(seat, Mix(per=1, of="equipped"), "investor")


def _owed(seat: Seat, effect: Effect | Resolving, perk: str, *, outside: bool = False) -> Owed:
    return Owed(seat, effect, source="perk", piece=perk, outside=outside)


_TRIGGERS: Mapping[type, Callable[[State, Any], Iterator[Owed]]] = {
    f.PerkTaken: _perk_taken,
    f.PerkDiscarded: _perk_discarded,
    f.ModuleBuilt: _module_built,
    f.WorkerPlaced: _worker_placed,
    f.WorkerEjected: _worker_ejected,
    f.WorkersSwapped: _workers_swapped,
    f.Commanded: _commanded,
    f.MarkerTaken: _marker_taken,
}
