"""All records by their ids, and by what they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeVar, get_args

from domain.chimera.agenda import Activation
from domain.chimera.effects import Choice, Effect
from domain.chimera.material import Space
from domain.chimera.pieces import base_modules, boards, bonuses, kinds, module_perks, modules, passive_perks
from domain.chimera.pieces.records import BoardRules, Modifier, PerkRules, Trigger


class _Record(Protocol):
    @property
    def id(self) -> str: ...


_Any = TypeVar("_Any", bound=_Record)


def by_id(records: Iterable[_Any]) -> Mapping[str, _Any]:
    """Records by their ids; a second record with the same id is an error."""
    found: dict[str, _Any] = {}
    for each in records:
        if each.id in found:
            raise ValueError(f"{each.id} has two records")
        found[each.id] = each
    return MappingProxyType(found)


def by_modifier(records: Iterable[PerkRules | BoardRules]) -> Mapping[Modifier, str]:
    """The id of the one record that has each modifier; one with none or with several is an error."""
    found: list[tuple[Modifier, str]] = [(modifier, each.id) for each in records for modifier in each.modifies]
    if sorted(modifier for modifier, _ in found) != sorted(get_args(Modifier)):
        raise ValueError("every modifier belongs to exactly one piece")
    return MappingProxyType(dict(found))


KIND_RULES = by_id(kinds.KIND_RULES)
BASE_MODULES = by_id(base_modules.BASE_MODULES)
MODULES = by_id(modules.MODULES)
ALL_MODULES = by_id((*base_modules.BASE_MODULES, *modules.MODULES))
PERKS = by_id((*module_perks.MODULE_PERKS, *passive_perks.PASSIVE_PERKS))
BOARDS = by_id(boards.BOARDS)
BONUSES = by_id(bonuses.BONUSES)

MODIFIED_BY = by_modifier((*PERKS.values(), *BOARDS.values()))
"""The piece behind each modifier."""

TRIGGERS: Mapping[type, tuple[tuple[str, Trigger], ...]] = {
    fact: tuple((perk.id, perk.triggers[fact]) for perk in PERKS.values() if fact in perk.triggers)
    for fact in {fact for perk in PERKS.values() for fact in perk.triggers}
}
"""The perks that a type of fact triggers."""


def _printed() -> frozenset[Effect]:
    on_modules = [effect for each in ALL_MODULES.values() for effect in each.effects]
    options = [option for each in on_modules if isinstance(each, Choice) for option in each.options]
    return frozenset((*on_modules, *(effect for option in options for effect in option.effects)))


PRINTED = _printed()
"""The effects that are written on modules and in their options."""


def bonus_effects(space: Space, *, built: bool) -> tuple[Effect | Activation, ...]:
    """What is printed on a build space, which may have just been built on."""
    rules = BONUSES.get(space.bonus)
    return space.gains if rules is None or rules.effect is None else (rules.effect(space.id, built),)
