"""Whether an effect can be resolved (R2).

It can if every mandatory payment can be made and every mandatory choice has a candidate. A yield of zero is fine, and
so is a gain that meets an empty supply. Candidates are judged in a state in which the acting worker already stands
where it is to be placed and the ejected one lies in the lounge (`as_if_placed`); payments from what the seat has now,
with what the effect itself gives before (the two coins of the Integrated Constructor, the one of the Workshop), but
without anything that the ejection brings: hence the purse, which is filled from the seat's own coins and food and not
from what the agenda still owes it.

Copying asks the same question of the module to be copied, with one link more in the chain; a module in the chain is no
candidate again, so this comes to an end (R16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.chimera.agenda import Owed
from domain.chimera.candidates import (
    affordable,
    ejectable,
    has_room,
    implantable,
    in_supply,
    recallable,
    scorable_perks,
    swappable,
)
from domain.chimera.effects import (
    Build,
    Choice,
    Copy,
    Detachment,
    Effect,
    Ejection,
    Gain,
    Implant,
    ModuleDraw,
    Payment,
    PerkScoring,
    Placement,
    ReactorDiscard,
    ReactorRewards,
    Recall,
    Return,
    Rework,
    Swap,
    Zoning,
)
from domain.chimera.evolve import evolve
from domain.chimera.facts import WorkerEjected, WorkerPlaced
from domain.chimera.material import Material
from domain.chimera.passives import need_not_detach
from domain.chimera.state import State, worker_of
from domain.chimera.station import (
    amount,
    beside,
    free_spaces,
    has_pool,
    is_usable,
    occupants,
    open_spaces,
    space_of,
    station,
)


class Purse:
    """What a seat can pay with while an effect is judged."""

    __slots__ = ("coins", "food")

    def __init__(self, coins: int, food: int) -> None:
        self.coins = coins
        self.food = food


def purse_of(state: State, owed: Owed) -> Purse:
    """All that a seat has."""
    player = state.players[owed.seat]
    return Purse(player.coins, player.food)


def can_resolve(
    material: Material, state: State, owed: Owed, effects: tuple[Effect, ...], purse: Purse | None = None
) -> bool:
    """Whether effects can be resolved one after the other, for the seat, worker and place that `owed` names."""
    purse = purse or purse_of(state, owed)
    for effect in effects:
        if type(effect) is ReactorDiscard:
            # What is affordable shows only after the refill, so Foundry may be used before that is known (R41).
            return bool(open_spaces(material, state)) and bool(state.deck or state.discards or any(state.reactor))
        judge = _JUDGES.get(type(effect))
        if judge is not None and not judge(material, state, owed, effect, purse):
            return False
    return True


def at_module(owed: Owed, module: str, worker: str | None) -> Owed:
    """What a module's effect is resolved with when it is used where it stands: it is the first link of the chain."""
    return Owed(owed.seat, owed.effect, worker, owed.acting, module, (module,), "effect", module)


def in_copy(owed: Owed, module: str) -> Owed:
    """What a copied effect is resolved with: the copier's place (R14), one more link (R16)."""
    chain = (*owed.chain, module)
    return Owed(owed.seat, owed.effect, owed.worker, owed.acting, owed.place, chain, "effect", module)


def as_if_placed(state: State, worker: str, to: str, victim: str | None) -> State:
    """The state in which a worker already stands there and the ejected one lies in the lounge."""
    if victim is not None:
        state = evolve(state, WorkerEjected(victim, worker))
    return evolve(state, WorkerPlaced(worker, to))


def copyable(material: Material, state: State, owed: Owed, copy: Copy, purse: Purse | None = None) -> list[str]:
    """The modules that can be copied."""
    purse = purse or purse_of(state, owed)
    if copy.of == "adjacent":
        around = beside(material, state, space_of(material, state, owed.place))
        return [each for each in around if _can_copy(material, state, owed, each, purse)]
    occupied = occupants(state)
    found: list[str] = []
    for module in station(material, state):
        value = material.modules[module].value
        if module in occupied and value is not None and value <= purse.food:
            rest = Purse(purse.coins, purse.food - value)
            if _can_copy(material, state, owed, module, rest):
                found.append(module)
    return found


def _can_copy(material: Material, state: State, owed: Owed, module: str, purse: Purse) -> bool:
    if module in owed.chain or not is_usable(material, state, module):
        return False
    rest = Purse(purse.coins, purse.food)
    return can_resolve(material, state, in_copy(owed, module), material.modules[module].effects, rest)


def activatable(material: Material, state: State, owed: Owed, space: str) -> list[str]:
    """The modules next to a space whose effect can be resolved without a worker (R30)."""
    return [
        module
        for module in beside(material, state, space)
        if is_usable(material, state, module)
        and can_resolve(material, state, at_module(owed, module, None), material.modules[module].effects)
    ]


def zonable(material: Material, state: State, owed: Owed) -> list[str]:
    """The free spaces whose bonus can be resolved now; one with a yield of zero can (R50)."""
    found: list[str] = []
    for space in free_spaces(material, state):
        match material.spaces[space].bonus:
            case "recall":
                possible = bool(recallable(material, state, owed, bonus=False))
            case "adjacent_module":
                possible = bool(activatable(material, state, owed, space))
            case _:
                possible = True
        if possible:
            found.append(space)
    return found


def _gain(material: Material, state: State, owed: Owed, effect: Gain, purse: Purse) -> bool:
    if effect.what == "coins":
        purse.coins += amount(material, state, owed, effect)
    elif effect.what == "food":
        purse.food += amount(material, state, owed, effect)
    return True


def _payment(_material: Material, _state: State, _owed: Owed, effect: Payment, purse: Purse) -> bool:
    purse.coins -= effect.coins
    purse.food -= effect.food
    return purse.coins >= 0 and purse.food >= 0


def _choice(material: Material, state: State, owed: Owed, effect: Choice, purse: Purse) -> bool:
    return any(
        can_resolve(material, state, owed, option.effects, Purse(purse.coins, purse.food)) for option in effect.options
    )


def _reactor_rewards(_material: Material, _state: State, owed: Owed, effect: ReactorRewards, _purse: Purse) -> bool:
    # The Tanning Salon looks at this worker's components, so without a worker it cannot be used (R30).
    return owed.worker is not None or not effect.per_component


def _build(material: Material, state: State, owed: Owed, effect: Build, purse: Purse) -> bool:
    modules = state.reactor if effect.source == "reactor" else state.discards
    player = state.players[owed.seat]
    return bool(affordable(material, player, modules, purse.coins, purse.food)) and bool(open_spaces(material, state))


def _module_draw(material: Material, state: State, _owed: Owed, _effect: ModuleDraw, _purse: Purse) -> bool:
    return bool(state.deck or state.discards) and bool(open_spaces(material, state))


def _recall(material: Material, state: State, owed: Owed, effect: Recall, _purse: Purse) -> bool:
    return bool(recallable(material, state, owed, bonus=effect.bonus))


def _detachment(_material: Material, state: State, owed: Owed, _effect: Detachment, _purse: Purse) -> bool:
    if owed.worker is None:
        return False
    return bool(worker_of(state, owed.worker).components) or need_not_detach(state, owed)


def _implant(_material: Material, state: State, owed: Owed, _effect: Implant, _purse: Purse) -> bool:
    if owed.worker is None or not has_room(state, owed.worker):
        return False
    return bool(implantable(state, owed.worker)) or not in_supply(state)


def _rework(_material: Material, _state: State, owed: Owed, _effect: Rework, _purse: Purse) -> bool:
    return owed.worker is not None


def _return(_material: Material, state: State, owed: Owed, effect: Return, _purse: Purse) -> bool:
    return len(state.players[owed.seat].storage) >= effect.count


def _copy(material: Material, state: State, owed: Owed, effect: Copy, purse: Purse) -> bool:
    return bool(copyable(material, state, owed, effect, purse))


def _perk_scoring(_material: Material, state: State, owed: Owed, _effect: PerkScoring, _purse: Purse) -> bool:
    return bool(scorable_perks(state, owed))


def _placement(_material: Material, state: State, owed: Owed, effect: Placement, _purse: Purse) -> bool:
    return not effect.needed or has_pool(state, owed.seat)


def _ejection(material: Material, state: State, owed: Owed, effect: Ejection, _purse: Purse) -> bool:
    return len(ejectable(material, state, owed)) >= effect.count


def _swap(material: Material, state: State, owed: Owed, _effect: Swap, _purse: Purse) -> bool:
    return bool(swappable(material, state, owed))


def _zoning(material: Material, state: State, owed: Owed, _effect: Zoning, _purse: Purse) -> bool:
    return bool(zonable(material, state, owed))


_JUDGES: Mapping[type, Callable[[Material, State, Owed, Any, Purse], bool]] = {
    Gain: _gain,
    Payment: _payment,
    Choice: _choice,
    ReactorRewards: _reactor_rewards,
    Build: _build,
    ModuleDraw: _module_draw,
    Recall: _recall,
    Detachment: _detachment,
    Implant: _implant,
    Rework: _rework,
    Return: _return,
    Copy: _copy,
    PerkScoring: _perk_scoring,
    Placement: _placement,
    Ejection: _ejection,
    Swap: _swap,
    Zoning: _zoning,
}
"""Every other effect can always be resolved."""
