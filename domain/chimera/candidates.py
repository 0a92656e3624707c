"""What there is to choose from, where that asks for no other effect: workers, components, modules to build."""

from __future__ import annotations

from itertools import combinations

from domain.chimera.agenda import Owed
from domain.chimera.material import KINDS, Material
from domain.chimera.passives import may_carry, most_components, pays_in_food
from domain.chimera.state import LOUNGE, Kinds, Player, State, Worker, is_placed, seat_of, worker_of
from domain.chimera.station import is_board, is_protected, is_slot, own_workers, workers


def recallable(material: Material, state: State, owed: Owed, *, bonus: bool) -> list[str]:
    """The own placed workers that a recall can take (R32).

    Not the acting worker nor one that was already recalled in this round, unless the recall is the bonus of a build.
    """
    return [
        name
        for name, worker in own_workers(state, owed.seat)
        if is_placed(worker)
        and not is_protected(material, worker)
        and (bonus or (name != owed.acting and not worker.recalled))
    ]


def ejectable(material: Material, state: State, owed: Owed) -> list[str]:
    """The workers that the Morale Center can eject: no claw is used, so nobody's perk matters (R18)."""
    own_perks = state.players[owed.seat].perks
    return [
        name
        for name, worker in workers(state)
        if name != owed.acting
        and (worker.place in material.modules or (worker.place in own_perks and seat_of(name) == owed.seat))
        and not is_protected(material, worker)
    ]


def swappable(material: Material, state: State, owed: Owed) -> list[tuple[list[str], list[str]]]:
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


def scorable_perks(state: State, owed: Owed) -> tuple[str, ...]:
    """The own perks that Union Hall can score: not a perk module with a worker on it (R13)."""
    occupied = {worker.place for worker in state.players[owed.seat].workers}
    return tuple(perk for perk in state.players[owed.seat].perks if perk not in occupied)


def affordable(
    material: Material, player: Player, modules: tuple[str | None, ...], coins: int, food: int
) -> list[tuple[str, str]]:
    """Each module that can be paid for, with the resource that pays for it: Eco-Friendlies may pay wholly in food."""
    edible = pays_in_food(player)
    found: list[tuple[str, str]] = []
    for module in modules:
        if module is None:
            continue
        cost = material.modules[module].cost
        if cost <= coins:
            found.append((module, "coins"))
        if edible and 0 < cost <= food:
            found.append((module, "food"))
    return found


def some_of(components: Kinds, least: int, most: int) -> list[Kinds]:
    """The sets of so many of these components, each once, small ones first."""
    usable = _enough(components, most)
    found: dict[Kinds, None] = {}
    for size in range(least, min(most, len(components)) + 1):
        found.update(dict.fromkeys(combinations(usable, size)))
    return list(found)


def splices(state: State, worker: str) -> list[Kinds]:
    """The sets of components that a worker can carry after splicing."""
    player = state.players[seat_of(worker)]
    at_hand = tuple(sorted((*worker_of(state, worker).components, *player.storage)))
    most = most_components(state, worker)
    return [each for each in some_of(at_hand, 0, most) if may_carry(most, each)]


def attachable(state: State, worker: str) -> list[Kinds]:
    """The sets of components from storage that can be attached to a worker, the empty one first."""
    carried = worker_of(state, worker).components
    most = most_components(state, worker)
    storage = state.players[seat_of(worker)].storage
    return [each for each in some_of(storage, 0, most - len(carried)) if may_carry(most, (*carried, *each))]


def _enough(components: Kinds, most: int) -> Kinds:
    """Components without those of a kind that are more than can be used: what is tried grows with their number."""
    return tuple(kind for kind in KINDS for _ in range(min(components.count(kind), most)))


def in_supply(state: State) -> tuple[str, ...]:
    """The kinds that the supply has."""
    supply = state.supply
    return tuple(kind for kind in KINDS if getattr(supply, kind) > 0)


def implantable(state: State, worker: str) -> tuple[str, ...]:
    """The kinds in the supply that a worker may carry one more of."""
    carried = worker_of(state, worker).components
    most = most_components(state, worker)
    supply = state.supply
    return tuple(kind for kind in KINDS if getattr(supply, kind) > 0 and may_carry(most, (*carried, kind)))


def has_room(state: State, worker: str) -> bool:
    """Whether a worker may carry another component of whatever kind."""
    return len(worker_of(state, worker).components) < most_components(state, worker)
