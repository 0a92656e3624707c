"""Where things stand: the map, who is on what, and what an amount that depends on it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.chimera.agenda import Owed
from domain.chimera.effects import Counted, Gain, Mix
from domain.chimera.material import Material
from domain.chimera.state import LOUNGE, POOL, RESERVE, SLOT_PREFIX, State, Worker, is_placed, worker_id, worker_of
from domain.kernel.terms import Seat


def clockwise(state: State, first: Seat) -> tuple[Seat, ...]:
    """All seats in turn, from one on."""
    seats = len(state.players)
    return tuple((first + step) % seats for step in range(seats))


def opponents(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, clockwise."""
    return clockwise(state, seat)[1:]


def workers(state: State) -> Iterator[tuple[str, Worker]]:
    """Every worker with its name, seat by seat."""
    for seat, player in enumerate(state.players):
        for number, worker in enumerate(player.workers):
            yield f"{seat}-{number}", worker


def own_workers(state: State, seat: Seat) -> list[tuple[str, Worker]]:
    """A seat's workers with their names."""
    return [(worker_id(seat, number), each) for number, each in enumerate(state.players[seat].workers)]


def pool(state: State, seat: Seat) -> list[str]:
    """The workers in a seat's pool."""
    return [f"{seat}-{n}" for n, each in enumerate(state.players[seat].workers) if each.place == POOL]


def has_pool(state: State, seat: Seat) -> bool:
    """Whether a seat's pool holds a worker."""
    return any(each.place == POOL for each in state.players[seat].workers)


def occupants(state: State) -> dict[str, str]:
    """Who stands on each module, perk module and slot."""
    found: dict[str, str] = {}
    for seat, player in enumerate(state.players):
        for number, worker in enumerate(player.workers):
            place = worker.place
            if place not in {POOL, RESERVE, LOUNGE}:
                found[place] = f"{seat}-{number}"
    return found


def station(material: Material, state: State) -> tuple[str, ...]:
    """All modules that stand: base modules, then built ones in the order they were built."""
    return (*material.base, *[each.module for each in state.built])


def is_board(material: Material, place: str) -> bool:
    """Whether a place is a board module, and no perk module, slot or lounge."""
    return place in material.modules


def is_slot(place: str) -> bool:
    """Whether a place is a slot of the Splicing Lab."""
    return place.startswith(SLOT_PREFIX)


def map_modules(material: Material, state: State) -> dict[str, str]:
    """The modules on the map by their hex; hub B from the start (R48)."""
    return {**material.hubs, **{each.space: each.module for each in state.built}}


def space_of(material: Material, state: State, module: str | None) -> str | None:
    """The hex of a module; base modules but the hubs, and perk modules, have none (R31)."""
    return next((space for space, each in map_modules(material, state).items() if each == module), None)


def beside(material: Material, state: State, space: str | None) -> list[str]:
    """The modules next to a hex, the hubs counted (R31)."""
    if space is None:
        return []
    standing = map_modules(material, state)
    return [standing[other] for other in material.neighbours[space] if other in standing]


def open_spaces(material: Material, state: State) -> tuple[str, ...]:
    """The free build spaces next to a hub or a built module."""
    standing = map_modules(material, state)
    neighbours = material.neighbours
    return tuple(
        space
        for space in material.spaces
        if space not in standing and any(other in standing for other in neighbours[space])
    )


def free_spaces(material: Material, state: State) -> list[str]:
    """All build spaces on which nothing stands."""
    taken = {each.space for each in state.built}
    return [space for space in material.spaces if space not in taken]


def is_usable(material: Material, state: State, module: str) -> bool:
    """Whether a module has an effect now: not a statue, and hub B from round 3 on only (R48)."""
    known = material.modules[module]
    return bool(known.effects) and state.round >= known.opens


def is_protected(material: Material, worker: Worker) -> bool:
    """Whether a worker can be neither recalled nor ejected: on Dispatch Station or Conference, or by a copy (R15)."""
    place = material.places.get(worker.place)
    return worker.protected or (place is not None and place.protects)


def amount(material: Material, state: State, owed: Owed, of: Gain | Mix) -> int:
    """What an amount comes to."""
    if of.of is None:
        return of.base
    every = of.every if isinstance(of, Gain) else 1
    return of.base + of.per * (count(material, state, owed, of.of) // every)


def count(material: Material, state: State, owed: Owed, of: Counted) -> int:
    """How many there are of what an amount depends on."""
    player = state.players[owed.seat]
    match of:
        case "round":
            return state.round
        case "tier":
            return player.research
        case "brain" | "claw" | "leaf" | "tentacle":
            # Without a worker there is nothing on it (R30).
            return 0 if owed.worker is None else worker_of(state, owed.worker).components.count(of)
        case "lounge":
            return sum(worker.place == LOUNGE for _, worker in workers(state))
        case "placed":
            return sum(map(is_placed, player.workers))
        case "equipped":
            return sum(bool(worker.components) for worker in player.workers)
        case "adjacent_modules":
            return len(beside(material, state, space_of(material, state, owed.place)))
        case "adjacent_workers":
            return len(_adjacent_workers(material, state, owed))
        case "adjacent_components":
            return sum(len(worker.components) for worker in _adjacent_workers(material, state, owed))
        case "hub_neighbours":
            return sum(each.space in material.beside_hubs for each in state.built)
        case "gold_modules":
            return sum(material.modules[each].gold for each in station(material, state))
        case _:
            assert_never(of)


def _adjacent_workers(material: Material, state: State, owed: Owed) -> list[Worker]:
    """The workers on modules next to where the effect takes place, which is the copier's place (R14)."""
    around = beside(material, state, space_of(material, state, owed.place))
    return [worker for _, worker in workers(state) if worker.place in around]
