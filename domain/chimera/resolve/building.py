"""Building: pay, score, put down, gain the bonus, slide the reactor; then perhaps use what was built."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import Activation, Bonus, Onward, Owed, Slide, Space, Use
from domain.chimera.effects import Build, ModuleDraw, ReactorDiscard, Zoning
from domain.chimera.moves import ApplyEffect, BuildModule, ChooseModule, ChooseSpace, Decline
from domain.chimera.pieces.index import bonus_effects
from domain.chimera.possible import at_module, can_resolve
from domain.chimera.resolve import decks
from domain.chimera.resolve.working import Working
from domain.chimera.state import worker_of
from domain.chimera.station import is_usable


def build(working: Working, owed: Owed, move: BuildModule, effect: Build) -> None:
    """A: pay the cost, wholly in coins or wholly in food; then the rest of the build and what follows it."""
    cost = working.material.modules[move.module].cost
    working.pay(owed.seat, *((cost, 0) if move.pay == "coins" else (0, cost)))
    _put_down(working, owed, move.module, move.space, effect.source)
    if effect.then == "move":
        working.then(owed, Onward(move.module))
    elif effect.then == "apply":
        working.then(owed, Use(move.module))


def draw_module(working: Working, owed: Owed, _effect: ModuleDraw) -> None:
    """The top module of the deck is drawn; its space is chosen after seeing it."""
    module = decks.draw_module(working)
    working.then(owed, Space(module))


def build_drawn(working: Working, owed: Owed, move: ChooseSpace, effect: Space) -> None:
    """The module drawn is built at no cost."""
    _put_down(working, owed, effect.module, move.space, "drawn")


def _put_down(
    working: Working, owed: Owed, module: str, space: str, source: Literal["reactor", "discards", "drawn"]
) -> None:
    """B to E: score the value, put the module down, gain the bonus; a build from the reactor slides it.

    While the bonus is gained the gap of the module counts as an empty space where it is (R10).
    """
    value = working.material.modules[module].value or 0
    working.score(owed, value * multiplier(working.state.round), "build", module)
    working.emit(f.ModuleBuilt(owed.seat, module, space, source))
    working.then(owed, Bonus(space, built=True))
    if source == "reactor":
        working.then(owed, Slide())


def multiplier(number: int) -> int:
    """Build points are x1 in rounds 1-2, x2 in 3-4, x3 in 5."""
    return (number + 1) // 2


def bonus(working: Working, owed: Owed, effect: Bonus) -> None:
    """What is printed on a space."""
    space = working.material.spaces[effect.space]
    cause = replace(owed, source="bonus", piece=effect.space)
    for each in bonus_effects(space, built=effect.built):
        working.then(cause, each)


def activate(working: Working, owed: Owed, move: ChooseModule, _effect: Activation) -> None:
    """The effect of an adjacent module without a worker (R30); it is the first link of its chain."""
    cause = at_module(owed, move.module, None)
    for effect in working.material.modules[move.module].effects:
        working.then(cause, effect)


def zone(working: Working, owed: Owed, move: ChooseSpace, _effect: Zoning) -> None:
    """The bonus of a free space; its recall is not the bonus of a build."""
    working.then(owed, Bonus(move.space, built=False))


def slide(working: Working, _owed: Owed, _effect: Slide) -> None:
    """E: the reactor slides to the right."""
    decks.slide(working)


def onward(working: Working, owed: Owed, move: ApplyEffect | Decline, effect: Onward) -> None:
    """This worker moves onto the module just built and applies its effect; moving is not being placed."""
    if isinstance(move, Decline):
        return
    working.emit(f.WorkerMoved(owed.own, effect.module))
    cause = at_module(owed, effect.module, owed.own)
    for each in working.material.modules[effect.module].effects:
        working.then(cause, each)


def use(working: Working, owed: Owed, effect: Use) -> None:
    """Foundry and Workshop: the built module's effect, if it can be resolved (R34).

    It uses this worker's components and the built module's place. If the bonus has recalled the worker from the perk,
    it is an effect without a worker (R30).
    """
    module = working.material.modules[effect.module]
    stays = owed.worker is not None and worker_of(working.state, owed.worker).place == owed.place
    cause = at_module(owed, effect.module, owed.worker if stays else None)
    if is_usable(working.material, working.state, effect.module) and can_resolve(
        working.material, working.state, cause, module.effects
    ):
        for each in module.effects:
            working.then(cause, each)


def discard_reactor(working: Working, _owed: Owed, _effect: ReactorDiscard) -> None:
    """All modules of the reactor are discarded."""
    decks.discard_reactor(working, tuple(module for module in working.state.reactor if module is not None))
