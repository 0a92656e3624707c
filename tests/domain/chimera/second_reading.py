"""Where a worker may be placed, read from the rules once more and written without the code that it judges (R2).

The state is taken over into plain dictionaries, the worker is put where it would stand and whoever stood there into
the lounge; then each module and perk says in a line what it needs. Nothing here is shared with the verbs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from domain.chimera.state import State
from tests.domain.chimera.table import HOUSE

_SET: dict[str, Any] = tomllib.loads(HOUSE)
_BASE: list[str] = [each["id"] for each in _SET["base_modules"]]
_VALUES: dict[str, int | None] = {each["id"]: each.get("value") for each in _SET["base_modules"] + _SET["modules"]}
_COSTS: dict[str, int] = {each["id"]: each["cost"] for each in _SET["modules"]}
_BONUSES: dict[tuple[int, int], str] = {tuple(each["hex"]): next(iter(each["bonus"])) for each in _SET["build_spaces"]}
_HUBS = {(0, 0): "command_hub_a", (1, 0): "command_hub_b"}
_AROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_PERK_MODULES = {each["id"] for each in _SET["perks"] if each["kind"] == "module"}
_OFF_BOARD = {"pool", "reserve"}


@dataclass(frozen=True)
class Use:
    """With which worker a module is used, if any, from which place, after which copies, and what can be paid with."""

    worker: str | None
    place: str
    chain: frozenset[str]
    coins: int
    food: int

    def copying(self, module: str, *, paid: int = 0) -> Use:
        """The same one link further."""
        return replace(self, chain=self.chain | {module}, food=self.food - paid)


class Reading:
    """A state for a seat and its worker, who would be placed somewhere."""

    def __init__(self, state: State, seat: int, worker: str) -> None:
        self.state, self.seat, self.worker = state, seat, worker
        self.me = state.players[seat]
        crew = {f"{n}-{m}": each for n, player in enumerate(state.players) for m, each in enumerate(player.workers)}
        self.places = {name: each.place for name, each in crew.items()}
        self.carried = {name: each.components for name, each in crew.items()}
        self.recalled = {name for name, each in crew.items() if each.recalled}
        self.copied_protection = {name for name, each in crew.items() if each.protected}
        built = {tuple(map(int, each.space.split(","))): each.module for each in state.built}
        self.map: dict[tuple[int, ...], str] = {**_HUBS, **built}
        self.open = any(space not in self.map and self.around(space) for space in _BONUSES)

    def targets(self) -> set[str]:
        """All places where the worker may be placed."""
        found = {"worker_lounge"}
        slots = sum(place.startswith("splicing_lab.") for place in self.places.values())
        if self.state.phase == "placement" and slots < len(_SET["counts"]["splicing_slots"]):
            found.add("splicing_lab")
        perks = [perk for perk in self.me.perks if perk in _PERK_MODULES]
        return found | {to for to in (*_BASE, *self.map.values(), *perks) if self.may_be_placed(to)}

    def may_be_placed(self, to: str) -> bool:
        """Whether the place is free or can be freed, and its effect can be resolved then."""
        there = Reading(self.state, self.seat, self.worker)
        victim = next((name for name, place in self.places.items() if place == to), None)
        if victim is not None:
            if victim == self.worker or not self.may_eject(victim):
                return False
            there.places[victim] = "worker_lounge"
            there.copied_protection.discard(victim)
        there.places[self.worker] = to
        return there.works(to, Use(self.worker, to, frozenset({to}), self.me.coins, self.me.food))

    def may_eject(self, victim: str) -> bool:
        """Claws, Overseer, Grappler, Toughies."""
        claws, owner = self.carried[self.worker].count("claw"), int(victim[0])
        if not claws or self.is_protected(victim):
            return False
        within = claws > 1 or len(self.carried[victim]) < 2
        if owner != self.seat:
            watched = "overseer" in self.state.players[owner].perks
            return self.places[victim] in _VALUES and not watched and within
        return ("grappler" in self.me.perks and within) or (self.me.board == "toughies" and claws > 1)

    def is_protected(self, name: str) -> bool:
        """On Dispatch Station, on Conference, or by a copy of the former (R15)."""
        return self.places[name] in {"dispatch_station", "conference"} or name in self.copied_protection

    def around(self, space: tuple[int, ...]) -> list[str]:
        """The modules next to a hex."""
        near = [(space[0] + q, space[1] + r) for q, r in _AROUND]
        return [self.map[each] for each in near if each in self.map]

    def beside(self, module: str) -> list[str]:
        """The modules next to a module; none where it does not stand on the map (R31)."""
        return [other for space, each in self.map.items() if each == module for other in self.around(space)]

    def can_recall(self) -> bool:
        """Neither the acting worker nor one recalled in this round (R32)."""
        return any(
            int(name[0]) == self.seat
            and place not in _OFF_BOARD
            and name != self.worker
            and name not in self.recalled
            and not self.is_protected(name)
            for name, place in self.places.items()
        )

    def can_build(self, modules: tuple[str | None, ...], coins: int, food: int) -> bool:
        """A free space, and a module that can be paid for."""
        eats = self.me.board == "eco_friendlies"
        costs = [_COSTS[module] for module in modules if module is not None]
        return self.open and any(cost <= coins or (eats and cost <= food) for cost in costs)

    def can_implant(self, worker: str) -> bool:
        """Room, and a kind in the supply that the worker may carry; or a supply that is wholly empty (R20)."""
        carried = self.carried[worker]
        own = [kinds for name, kinds in self.carried.items() if name[0] == worker[0] and name != worker]
        three = "geneticist" in self.me.perks and all(len(kinds) < 3 for kinds in own)
        if len(carried) >= (3 if three else 2):
            return False
        left = [kind for kind in ("brain", "claw", "leaf", "tentacle") if getattr(self.state.supply, kind)]
        return not left or any(len({*carried, kind}) > 1 or len(carried) < 2 for kind in left)

    def can_swap(self) -> bool:
        """Two workers on board modules, or in two kinds of place (R19)."""
        kinds: tuple[set[str], set[str]] = (set(), set())
        for name, place in self.places.items():
            if place in _VALUES or place == "worker_lounge" or place.startswith("splicing_lab."):
                kind = "module" if place in _VALUES else place.split(".")[0]
                kinds[int(name[0]) != self.seat].add(kind)
        return any(mine != other or mine == "module" for mine in kinds[0] for other in kinds[1])

    def can_eject_two(self) -> bool:
        """R18."""
        own = {perk for perk in self.me.perks if perk in _PERK_MODULES}
        candidates = [
            name
            for name, place in self.places.items()
            if name != self.worker
            and (place in _VALUES or (place in own and int(name[0]) == self.seat))
            and not self.is_protected(name)
        ]
        return len(candidates) > 1

    def can_zone(self, use: Use) -> bool:
        """A free space whose bonus can be resolved; an activated module works without a worker (R30)."""
        for space, bonus in _BONUSES.items():
            if space in self.map:
                continue
            if bonus == "adjacent_module":
                around = self.around(space)
                if any(self.works(each, Use(None, each, frozenset({each}), use.coins, use.food)) for each in around):
                    return True
            elif bonus != "recall" or self.can_recall():
                return True
        return False

    def has_tiles(self) -> bool:
        """A module can be drawn."""
        return bool(self.state.deck or self.state.discards)

    def has_pool(self) -> bool:
        """A worker waits."""
        return any(place == "pool" and int(name[0]) == self.seat for name, place in self.places.items())

    def can_copy_occupied(self, use: Use) -> bool:
        """Catering Service: what stands occupied, has a value that can be paid in food, and works after that."""
        values = {module: _VALUES.get(module) for module in {*self.places.values()} - use.chain}
        return any(
            self.works(module, use.copying(module, paid=value))
            for module, value in values.items()
            if value is not None and value <= use.food
        )

    def can_copy_adjacent(self, use: Use) -> bool:
        """Freelancer Dormitories: what is next to the place of the first in the chain."""
        around = [each for each in self.beside(use.place) if each not in use.chain]
        return any(self.works(each, use.copying(each)) for each in around)

    def works(self, module: str, use: Use) -> bool:
        """Whether the effect of a module or perk can be resolved in such a use."""
        need = _NEEDS.get(module)
        return need is None or need(self, use)


_NEEDS: Mapping[str, Callable[[Reading, Use], bool]] = {
    "giant_statue": lambda _table, _use: False,
    "monolith": lambda _table, _use: False,
    "command_hub_b": lambda table, _use: table.state.round >= 3,
    "laboratory": lambda table, use: use.worker is not None and bool(table.carried[use.worker]),
    "constructor": lambda table, use: table.can_build(table.state.reactor, use.coins, use.food),
    "integrated_constructor": lambda table, use: table.can_build(table.state.reactor, use.coins + 2, use.food),
    "workshop": lambda table, use: table.can_build(table.state.discards, use.coins + 1, use.food),
    "quantum_constructor": lambda table, use: use.coins >= 2 and table.open and table.has_tiles(),
    "foundry": lambda table, _use: table.open and (table.has_tiles() or any(table.state.reactor)),
    "autosurgeon": lambda table, use: use.worker is not None and use.coins >= 2 and table.can_implant(use.worker),
    "biofuel_refinery": lambda _table, use: use.worker is not None,
    "science_fair": lambda _table, use: use.worker is not None,
    "tanning_salon": lambda _table, use: use.worker is not None,
    "underground_lab": lambda _table, use: use.worker is not None,
    "catering_service": Reading.can_copy_occupied,
    "freelancer_dormitories": Reading.can_copy_adjacent,
    "cryogenics": lambda table, _use: len(table.me.storage) >= 1,
    "shady_restaurants": lambda table, _use: len(table.me.storage) >= 1,
    "medical_bay": lambda table, _use: len(table.me.storage) >= 2,
    "dispatch_station": lambda table, _use: table.can_recall(),
    "conference": lambda table, _use: table.can_recall(),
    "farmers_market": lambda _table, use: use.coins + use.food > 0,
    "generic_genetics": lambda _table, use: use.coins > 0,
    "union_hall": lambda table, _use: not {*table.me.perks} <= {*table.places.values()},
    "dispatch": lambda table, _use: table.has_pool(),
    "morale_center": lambda table, _use: table.can_eject_two(),
    "nonhuman_resources": lambda table, _use: table.can_swap(),
    "zoning_board": Reading.can_zone,
}
"""What is not here can always be resolved."""
