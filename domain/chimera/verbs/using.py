"""Effects of modules that are used where they stand or copied, and effects to choose from."""

from __future__ import annotations

from domain.chimera.agenda import Owed
from domain.chimera.effects import Choice, Copy
from domain.chimera.material import Material
from domain.chimera.moves import ChooseModule, ChooseOption
from domain.chimera.state import State
from domain.chimera.station import beside, is_usable, occupants, space_of, station
from domain.chimera.verbs.possible import can_resolve, purse_of
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import Offers, Possible, Purse, Question, effect, offer_one, require_printed


def _at(owed: Owed, module: str, worker: str | None) -> Owed:
    """What a module's effect is resolved with when it is used where it stands: it is the first link of the chain."""
    return Owed(owed.seat, owed.effect, worker, owed.acting, module, (module,), "effect", module)


def can_use(material: Material, state: State, owed: Owed, module: str, worker: str | None) -> bool:
    """Whether a module has an effect now that can be resolved where it stands, with a worker or without."""
    return is_usable(material, state, module) and can_resolve(
        material, state, _at(owed, module, worker), material.modules[module].effects
    )


def use(resolution: Resolution, owed: Owed, module: str, worker: str | None) -> None:
    """Apply the effect of a module where it stands."""
    resolution.then(_at(owed, module, worker), *resolution.material.modules[module].effects)


def _in_copy(owed: Owed, module: str) -> Owed:
    """What a copied effect is resolved with: the copier's place (R14), one more link (R16)."""
    chain = (*owed.chain, module)
    return Owed(owed.seat, owed.effect, owed.worker, owed.acting, owed.place, chain, "effect", module)


def _copyable(material: Material, state: State, owed: Owed, copy: Copy, purse: Purse) -> list[str]:
    if copy.of == "adjacent":
        around = beside(material, state, space_of(material, state, owed.place))
        return [each for each in around if _is_copyable(material, state, owed, each, purse)]
    occupied = occupants(state)
    found: list[str] = []
    for module in station(material, state):
        value = material.modules[module].value
        if module in occupied and value is not None and value <= purse.food:
            rest = Purse(purse.coins, purse.food - value)
            if _is_copyable(material, state, owed, module, rest):
                found.append(module)
    return found


def _is_copyable(material: Material, state: State, owed: Owed, module: str, purse: Purse) -> bool:
    if module in owed.chain or not is_usable(material, state, module):
        return False
    rest = Purse(purse.coins, purse.food)
    return can_resolve(material, state, _in_copy(owed, module), material.modules[module].effects, rest)


def _can_copy(material: Material, state: State, owed: Owed, copy: Copy, purse: Purse) -> bool:
    return bool(_copyable(material, state, owed, copy, purse))


def _copies(material: Material, state: State, owed: Owed, copy: Copy) -> Offers:
    return offer_one(ChooseModule, "module", _copyable(material, state, owed, copy, purse_of(state, owed)))


def _copy(resolution: Resolution, owed: Owed, move: ChooseModule, copy: Copy) -> None:
    """Catering Service pays the module's value first."""
    module = resolution.material.modules[move.module]
    if copy.of == "occupied":
        resolution.pay(owed.seat, 0, module.value or 0)
    cause = _in_copy(owed, move.module)
    resolution.then(cause, *module.effects)


effect(Copy, possible=Possible(_can_copy, positional=True), fits=None, asks=Question(_copies, _copy))


def _can_choose(material: Material, state: State, owed: Owed, choice: Choice, purse: Purse) -> bool:
    return any(
        can_resolve(material, state, owed, option.effects, Purse(purse.coins, purse.food)) for option in choice.options
    )


def _options(material: Material, state: State, owed: Owed, choice: Choice) -> Offers:
    able = [option.id for option in choice.options if can_resolve(material, state, owed, option.effects)]
    return offer_one(ChooseOption, "option", able)


def _choose(resolution: Resolution, owed: Owed, move: ChooseOption, choice: Choice) -> None:
    for option in choice.options:
        if option.id == move.option:
            resolution.then(owed, *option.effects)


effect(Choice, possible=Possible(_can_choose), fits=require_printed, asks=Question(_options, _choose))
