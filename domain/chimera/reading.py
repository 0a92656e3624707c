"""Component sets from the tables of their TOML, checked entry by entry: what they name must be there, and be right.

Everything wrong is a `ComponentError` that names the entry, as in `modules[3] autosurgeon.cost`. `forms.py` has what
may be written, `material.py` what is played with. A set may choose every figure, but not which pieces there are: what a
piece does is a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.chimera import forms
from domain.chimera.effects import Gain, Kind, Protection, Reward
from domain.chimera.material import KINDS, SEATS, Board, Card, Material, Module, Perk, Space, hexes_around, space_id
from domain.chimera.pieces.index import BASE_MODULES, BOARDS, BONUSES, MODULES, PERKS
from domain.chimera.verbs.possible import is_certain, is_positional
from domain.kernel.component_reading import EntryReader, converted, only_key, read_set, same
from domain.kernel.rejected import ComponentError

NAMED = (*KINDS, "coin", "food", "splicing_lab", "worker_lounge", "reactor", "recall", "adjacent_module", "research")
_ORDER: tuple[Reward, ...] = ("points", "coins", "food", "any_components", "workers", "research", "perks")
_HUBS = sum(rules.on_map for rules in BASE_MODULES.values())


def read(tables: Mapping[str, Any]) -> Material:
    """The component set in the tables of a TOML text; `ComponentError` names the entry that is wrong."""
    return _Reader(read_set(tables, forms.SetForm, "chimera")).material()


class _Reader:
    """Goes through a set section by section."""

    def __init__(self, written: forms.SetForm) -> None:
        self._written = written
        self._entries = EntryReader()

    def material(self) -> Material:
        counts, written = self._written.counts, self._written
        same("counts.component_kinds", counts.component_kinds, KINDS)
        players = [str(number) for number in range(SEATS[0], SEATS[1] + 1)]
        same("counts.workers_by_players", counts.workers_by_players, players)
        if len(set(counts.splicing_slots)) < len(counts.splicing_slots):
            raise ComponentError("counts.splicing_slots", "names a slot twice")
        if len(written.reactor.rewards) != counts.reactor_spaces:
            raise ComponentError("reactor.rewards", f"are {len(written.reactor.rewards)} of {counts.reactor_spaces}")
        same("boiler_room.per_component", written.boiler_room.per_component, KINDS)
        same("names", written.names, NAMED)
        modules = {each.id: each for each in (*self._base_modules(), *self._modules())}
        perks = {perk.id: perk for perk in self._perks()}
        return Material(
            id=written.id,
            components_per_kind=counts.components_per_kind,
            workers={int(players): number for players, number in counts.workers_by_players.items()},
            reserve=counts.reserve_workers,
            start_score=counts.start_score,
            perks_on_display=counts.perks_on_display,
            slots=counts.splicing_slots,
            rounds=counts.rounds,
            reactor=tuple(gains(reward) for reward in written.reactor.rewards),
            boiler={kind: self._boiler(kind) for kind in KINDS},
            modules=modules,
            spaces=self._spaces(modules),
            cards=self._cards(),
            perks=perks,
            boards=self._boards(),
            names={name: written.names[name].both for name in NAMED},
        )

    def _base_modules(self) -> Iterator[Module]:
        read = dict(self._entries.read("base_modules", self._written.base_modules, forms.BaseModuleForm))
        same("base_modules", [each.id for each in read.values()], BASE_MODULES)
        for place, each in read.items():
            rules = BASE_MODULES[each.id]
            hub = rules.on_map
            if hub == (each.hex is None):
                raise ComponentError(f"{place}.hex", "is missing" if hub else "only hubs stand on the map")
            if hub == (each.value is not None):
                raise ComponentError(f"{place}.value", "hubs have none" if hub else "is missing")
            space = None if each.hex is None else space_id(*each.hex)
            yield Module(
                id=each.id,
                names=each.name.both,
                effects=rules.effects,
                value=each.value,
                cost=0,
                gold=each.gold,
                base=True,
                space=space,
                opens=rules.opens,
                protects=False,
                certain=is_certain(rules.effects),
                positional=is_positional(rules.effects),
            )

    def _modules(self) -> Iterator[Module]:
        read = dict(self._entries.read("modules", self._written.modules, forms.ModuleForm))
        same("modules", [each.id for each in read.values()], MODULES)
        for each in read.values():
            rules = MODULES[each.id]
            yield Module(
                id=each.id,
                names=each.name.both,
                effects=rules.effects,
                value=each.value,
                cost=each.cost,
                gold=each.gold,
                base=False,
                space=None,
                opens=rules.opens,
                protects=Protection() in rules.effects,
                certain=is_certain(rules.effects),
                positional=is_positional(rules.effects),
            )

    def _perks(self) -> Iterator[Perk]:
        read = dict(self._entries.read("perks", self._written.perks, forms.PerkForm))
        same("perks", [each.id for each in read.values()], PERKS)
        for place, each in read.items():
            effects = PERKS[each.id].effects
            kind = "module" if effects else "passive"
            if each.kind != kind:
                raise ComponentError(f"{place}.kind", f"is {each.kind}, and its rules are those of a {kind} perk")
            yield Perk(
                id=each.id,
                names=each.name.both,
                is_module=kind == "module",
                effects=effects,
                protects=Protection() in effects,
                certain=is_certain(effects),
                positional=is_positional(effects),
            )

    def _spaces(self, modules: Mapping[str, Module]) -> Mapping[str, Space]:
        taken = {module.space: module.id for module in modules.values() if module.space is not None}
        if len(taken) < _HUBS:
            raise ComponentError("base_modules", "both hubs stand in one hex")
        spaces: dict[str, Space] = {}
        for index, raw in enumerate(self._written.build_spaces):
            place = f"build_spaces[{index}]"
            entry = converted(place, raw, forms.SpaceForm)
            name = space_id(*entry.hex)
            if name in taken:
                raise ComponentError(f"{place}.hex", f"is taken by {taken[name]}")
            taken[name] = place
            spaces[name] = _space(place, name, entry.bonus)
        _reach(spaces, {module.space for module in modules.values() if module.space is not None})
        return spaces

    def _cards(self) -> Mapping[str, Card]:
        read = dict(self._entries.read("starting_cards", self._written.starting_cards, forms.CardForm))
        for players in range(SEATS[0], SEATS[1] + 1):
            dealt = sum(each.min_players <= players for each in read.values())
            if dealt < players:
                raise ComponentError("starting_cards", f"{dealt} are dealt to {players} players")
        return {each.id: Card(each.id, each.name.both, each.min_players, gains(each.gives)) for each in read.values()}

    def _boards(self) -> Mapping[str, Board]:
        same("boards", self._written.boards, BOARDS)
        return {name: self._board(name) for name in BOARDS}

    def _board(self, name: str) -> Board:
        place = f"boards.{name}"
        entry = converted(place, self._written.boards[name], forms.BoardForm)
        tiers = [str(tier) for tier in range(2, len(entry.tiers) + 2)]
        same(f"{place}.tiers", entry.tiers, tiers)
        start = entry.start_research or self._written.counts.start_research
        if not tiers or start > len(tiers) + 1:
            raise ComponentError(f"{place}.start_research", f"is {start}, past the end of the track")
        rewards = ((), (), *(gains(entry.tiers[tier]) for tier in tiers))
        return Board(name, entry.name.both, start, entry.start_component, entry.start_perks_from_deck, rewards)

    def _boiler(self, kind: Kind) -> tuple[Gain, ...]:
        given = gains(self._written.boiler_room.per_component[kind])
        if any(gain.what not in {"points", "coins", "food"} for gain in given):
            raise ComponentError(f"boiler_room.per_component.{kind}", "gives points, coins and food only")
        return given


def gains(rewards: forms.RewardsForm) -> tuple[Gain, ...]:
    """Rewards in the order in which they come: points, coins, food, components, worker, research, perk (R49)."""
    found: list[Gain] = []
    for what in _ORDER:
        if what == "any_components" and rewards.component is not None:
            found.append(Gain(rewards.component, 1))
        amount: int | None = getattr(rewards, what)
        if amount is not None:
            found.append(Gain(what, amount))
    return tuple(found)


def _space(place: str, name: str, bonus: forms.BonusForm) -> Space:
    kind = only_key(f"{place}.bonus", bonus)
    gain = BONUSES[kind].gain
    return Space(name, kind, ()) if gain is None else Space(name, "gains", (gain(getattr(bonus, kind)),))


def _reach(spaces: Mapping[str, Space], hubs: set[str]) -> None:
    """Every space can be built on once its neighbours are: a build is next to a hub or a module."""
    reached, new = set(hubs), set(hubs)
    while new:
        new = {other for each in new for other in hexes_around(each) if other in spaces} - reached
        reached |= new
    for index, space in enumerate(spaces):
        if space not in reached:
            raise ComponentError(f"build_spaces[{index}].hex", "no build can reach it from a hub")
