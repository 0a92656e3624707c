"""Building: pay, score, put down, gain the bonus, slide the reactor; then perhaps use what was built."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import Activation, Bonus, Onward, Owed, Slide, Space, Use
from domain.chimera.effects import Build, ModuleDraw, Zoning
from domain.chimera.evolve import evolve
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import ApplyEffect, BuildModule, ChooseModule, ChooseSpace
from domain.chimera.passives import has
from domain.chimera.pieces.index import bonus_effects
from domain.chimera.state import State, worker_of
from domain.chimera.station import beside, free_spaces, open_spaces
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs import decks
from domain.chimera.verbs.possible import can_resolve, purse_of
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.using import can_use, use
from domain.chimera.verbs.verb import (
    Declining,
    Offers,
    Possible,
    Purse,
    Question,
    consequence,
    effect,
    is_answerable,
    offer_one,
    require_module,
)
from domain.chimera.words import place_name
from domain.kernel.legal import Offer, OneOf
from domain.kernel.words import Names, put


def _affordable(material: Material, state: State, owed: Owed, build: Build, purse: Purse) -> list[tuple[str, str]]:
    """What can be paid for, and with what: Eco-Friendlies may pay wholly in food."""
    edible = has(state.players[owed.seat], "pays_in_food")
    found: list[tuple[str, str]] = []
    for module in state.reactor if build.source == "reactor" else state.discards:
        if module is None:
            continue
        cost = material.modules[module].cost
        if cost <= purse.coins:
            found.append((module, "coins"))
        if edible and 0 < cost <= purse.food:
            found.append((module, "food"))
    return found


def _can_build(material: Material, state: State, owed: Owed, build: Build, purse: Purse) -> bool:
    return bool(_affordable(material, state, owed, build, purse)) and bool(open_spaces(material, state))


def _builds(material: Material, state: State, owed: Owed, build: Build) -> Offers:
    """Each affordable module with each open space."""
    spaces = open_spaces(material, state)
    payable: dict[str, list[str]] = {}
    for module, pay in _affordable(material, state, owed, build, purse_of(state, owed)):
        payable.setdefault(pay, []).append(module)
    cases = tuple({"module": OneOf(tuple(each)), "space": OneOf(spaces), "pay": pay} for pay, each in payable.items())
    return (Offer(BuildModule, cases),) if spaces and cases else ()


def _build(resolution: Resolution, owed: Owed, move: BuildModule, build: Build) -> None:
    """A: pay the cost, wholly in coins or wholly in food; then the rest of the build and what follows it."""
    cost = resolution.material.modules[move.module].cost
    resolution.pay(owed.seat, *((cost, 0) if move.pay == "coins" else (0, cost)))
    _put_down(resolution, owed, move.module, move.space, build.source)
    if build.then == "move":
        resolution.then(owed, Onward(move.module))
    elif build.then == "apply":
        resolution.then(owed, Use(move.module))


def _put_down(
    resolution: Resolution, owed: Owed, module: str, space: str, source: Literal["reactor", "discards", "drawn"]
) -> None:
    """B to E: score the value, put the module down, gain the bonus; a build from the reactor slides it.

    While the bonus is gained the gap of the module counts as an empty space where it is (R10).
    """
    value = resolution.material.modules[module].value or 0
    resolution.score(owed, value * _multiplier(resolution.state.round), "build", module)
    resolution.emit(f.ModuleBuilt(owed.seat, module, space, source))
    resolution.then(owed, Bonus(space, built=True))
    if source == "reactor":
        resolution.then(owed, Slide())


def _multiplier(number: int) -> int:
    """Build points are x1 in rounds 1-2, x2 in 3-4, x3 in 5."""
    return (number + 1) // 2


effect(Build, possible=Possible(_can_build), fits=None, asks=Question(_builds, _build))


def _can_draw(material: Material, state: State, _owed: Owed, _effect: ModuleDraw, _purse: Purse) -> bool:
    return bool(state.deck or state.discards) and bool(open_spaces(material, state))


def _draw(resolution: Resolution, owed: Owed, _effect: ModuleDraw) -> None:
    resolution.then(owed, Space(decks.draw_module(resolution)))


effect(ModuleDraw, possible=Possible(_can_draw), fits=None, resolve=_draw)


def _open(material: Material, state: State, _owed: Owed, _effect: Space) -> Offers:
    return offer_one(ChooseSpace, "space", open_spaces(material, state))


def _build_drawn(resolution: Resolution, owed: Owed, move: ChooseSpace, space: Space) -> None:
    """The module drawn is built at no cost."""
    _put_down(resolution, owed, space.module, move.space, "drawn")


consequence(Space, fits=None, asks=Question(_open, _build_drawn))


def _is_space(material: Material, _state: State, _owed: Owed, at: Bonus | Activation) -> None:
    require(at.space in material.spaces, "agenda", f"{at.space} is no build space")


def _bonus(resolution: Resolution, owed: Owed, bonus: Bonus) -> None:
    cause = replace(owed, source="bonus", piece=bonus.space)
    resolution.then(cause, *bonus_effects(resolution.material.spaces[bonus.space], built=bonus.built))


consequence(Bonus, fits=_is_space, resolve=_bonus)


def _activations(material: Material, state: State, owed: Owed, at: Activation) -> Offers:
    """The modules next to a space whose effect can be resolved without a worker (R30)."""
    found = [module for module in beside(material, state, at.space) if can_use(material, state, owed, module, None)]
    return offer_one(ChooseModule, "module", found)


def _activate(resolution: Resolution, owed: Owed, move: ChooseModule, _effect: Activation) -> None:
    use(resolution, owed, move.module, None)


consequence(Activation, possible=Possible(is_answerable), fits=_is_space, asks=Question(_activations, _activate))


def _zones(material: Material, state: State, owed: Owed, _effect: Zoning) -> Offers:
    """The free spaces whose bonus can be resolved now; one with a yield of zero can (R50)."""
    found = [
        space
        for space in free_spaces(material, state)
        if can_resolve(material, state, owed, bonus_effects(material.spaces[space], built=False))
    ]
    return offer_one(ChooseSpace, "space", found)


def _zone(resolution: Resolution, owed: Owed, move: ChooseSpace, _effect: Zoning) -> None:
    """The bonus of a free space; its recall is not the bonus of a build."""
    resolution.then(owed, Bonus(move.space, built=False))


effect(Zoning, possible=Possible(is_answerable, positional=True), fits=None, asks=Question(_zones, _zone))


def _is_built(material: Material, state: State, owed: Owed, at: Onward | Use) -> None:
    require_module(material, state, owed, at)
    require(at.module in [each.module for each in state.built], "agenda", f"{at.module} is not built")


def _can_move(material: Material, state: State, owed: Owed, module: str) -> bool:
    """Whether this worker still stands where the effect takes place, and could resolve what it would move onto."""
    if owed.worker is None or worker_of(state, owed.worker).place != owed.place:
        return False
    moved = evolve(state, f.WorkerMoved(owed.worker, module))
    return can_use(material, moved, owed, module, owed.worker)


def _may_go_onward(material: Material, state: State, owed: Owed, onward: Onward) -> Offers:
    return (Offer(ApplyEffect, ({},)),) if _can_move(material, state, owed, onward.module) else ()


def _onward(resolution: Resolution, owed: Owed, _move: ApplyEffect, onward: Onward) -> None:
    """This worker moves onto the module just built and applies its effect; moving is not being placed."""
    resolution.emit(f.WorkerMoved(owed.own, onward.module))
    use(resolution, owed, onward.module, owed.own)


def _stays(scene: Scene, _crew: Crew, _owed: Owed, onward: Onward) -> Names:
    name = place_name(scene.material, onward.module)
    return put("does not move the worker onto {}", "ワーカーを{}に移動させない", name)


consequence(Onward, fits=_is_built, asks=Question(_may_go_onward, _onward, Declining(_stays)))


def _use(resolution: Resolution, owed: Owed, built: Use) -> None:
    """Foundry and Workshop: the built module's effect, if it can be resolved (R34).

    It uses this worker's components and the built module's place. If the bonus has recalled the worker from the perk,
    it is an effect without a worker (R30).
    """
    stays = owed.worker is not None and worker_of(resolution.state, owed.worker).place == owed.place
    worker = owed.worker if stays else None
    if can_use(resolution.material, resolution.state, owed, built.module, worker):
        use(resolution, owed, built.module, worker)


consequence(Use, fits=_is_built, resolve=_use)
