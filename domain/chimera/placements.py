"""Where a worker may be placed, and what a turn offers."""

from __future__ import annotations

from domain.chimera.agenda import Owed
from domain.chimera.material import Material
from domain.chimera.moves import EndTurn, Flush, PlaceWorker
from domain.chimera.passives import may_claw
from domain.chimera.possible import as_if_placed, can_resolve
from domain.chimera.state import LAB, LOUNGE, SLOT_PREFIX, Kinds, State, worker_of
from domain.chimera.station import is_usable, occupants, pool
from domain.kernel.legal import Case, Offer, OneOf, SomeOf


def turn_offers(material: Material, state: State, owed: Owed, again: str | None) -> tuple[Offer, ...]:
    """A turn: place a worker from the pool, or the one that is re-placed; or flush first (R6)."""
    workers = pool(state, owed.seat) if again is None else [again]
    placing = placement_offer(material, state, owed, workers)
    return placing if state.players[owed.seat].card is None else (*placing, flush_offer(state))


def turn_end_offers(_material: Material, state: State, owed: Owed) -> tuple[Offer, ...]:
    """Whoever holds a starting card is asked at the end of a turn: flush or end it."""
    if state.players[owed.seat].card is None:
        return ()
    return (Offer(EndTurn, ({},)), flush_offer(state))


def flush_offer(state: State) -> Offer:
    """Any number of modules of the reactor, none included."""
    modules = tuple(module for module in state.reactor if module is not None)
    return Offer(Flush, ({"modules": SomeOf(modules, 0, len(modules))},))


def another_offers(material: Material, state: State, owed: Owed) -> tuple[Offer, ...]:
    """Another worker of the pool, placed by an effect; never a flush in the middle of an action."""
    return placement_offer(material, state, owed, pool(state, owed.seat))


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


def free_slot(material: Material, occupied: dict[str, str]) -> str | None:
    """The first free slot of the Splicing Lab."""
    return next((slot for slot in material.slots if SLOT_PREFIX + slot not in occupied), None)


def _modules(material: Material, state: State, owed: Owed) -> list[str]:
    """The modules and own perk modules that have an effect now."""
    built = [each.module for each in state.built]
    usable = [each for each in (*material.base, *built) if is_usable(material, state, each)]
    return usable + [perk for perk in state.players[owed.seat].perks if material.perks[perk].is_module]


def _elsewhere(material: Material, state: State, occupied: dict[str, str]) -> tuple[str, ...]:
    """The Splicing Lab, in the placement phase and while it has a free slot, and the lounge, always."""
    lab = state.phase == "placement" and free_slot(material, occupied) is not None
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
