"""What a move decides, in words, where its facts do not show it or say it less well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.chimera import agenda as a
from domain.chimera import facts as f
from domain.chimera import moves as m
from domain.chimera.effects import Copy
from domain.chimera.state import LAB
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs.table import VERBS
from domain.chimera.words import at, counted, goods, perk_name, place_name
from domain.kernel.sentences import Clause
from domain.kernel.words import Names, both, enumerated, put

Facts: TypeAlias = Sequence[Struct]
Decision: TypeAlias = tuple[list[Names], int]
"""Clauses of the seat that moves, and how many of the first facts they tell already."""

_YIELDING = (m.PlaceWorker, m.ChooseOption, m.ChooseModule, m.ApplyEffect)
"""Moves after which something is expected to happen."""


def decision(scene: Scene, facts: Facts, crew: Crew) -> Decision:
    """What the seat decided; nothing where the facts tell it all."""
    write = WRITE.get(type(scene.move))
    return ([], 0) if write is None else write(scene, facts, crew, scene.move)


def with_nothing(scene: Scene, clauses: list[Clause], end: int) -> list[Clause]:
    """The clauses, with a further one where an action is over and those up to `end` say of no effect of it."""
    action, asked = scene.finished, scene.asked
    ejected = asked is not None and asked.outside and any(isinstance(each.effect, a.Arrival) for each in scene.owed)
    first = 1 if ejected or isinstance(scene.move, m.PlaceWorker) else 0
    if action is None or end > first or not (ejected or isinstance(scene.move, _YIELDING)):
        return clauses
    place = scene.move.to if isinstance(scene.move, m.PlaceWorker) else Crew(scene.before).place(action.worker)
    if place == LAB:
        words = both("splices nothing", "何も組み込まない")
    elif isinstance(scene.move, m.PlaceWorker):
        words = both("gets nothing there", "そこでは何も得ない")
    elif place is None:
        words = both("gets nothing", "何も得ない")
    else:
        words = put("gets nothing {}", "{}では何も得ない", at(scene.material, place))
    return [*clauses[:end], Clause(action.seat, words), *clauses[end:]]


def _food_and_coins(scene: Scene, facts: Facts, _crew: Crew, move: m.TakeCoinsAndFood) -> Decision:
    """What is taken and what for. Food that Grocer asks about comes with the next move."""
    taken, asked = goods({"coins": move.coins, "food": move.food}), scene.asked
    if taken is None:
        return [both("takes nothing", "何も取らない")], 0
    expected = [f.ResourcesChanged(scene.seat, move.coins, 0), f.ResourcesChanged(scene.seat, 0, move.food)]
    expected = [each for each in expected if each.coins or each.food]
    used = next((n for n in (len(expected), 1) if list(facts[:n]) == expected[:n]), 0)
    if not used:
        used = int(facts[:1] == (f.ResourcesChanged(scene.seat, move.coins, move.food),))
    for_what = both("", "")
    if asked is not None and isinstance(asked.effect, a.FoodExchange):
        if move.coins:
            for_what = put(" instead of {}", "{}の代わりに", counted("food", asked.effect.food))
    elif asked is not None and asked.outside:
        for_what = both(" for the ejection", "追い出しの分として")
    elif asked is not None and asked.piece is not None and asked.piece in scene.material.perks:
        for_what = put(" from {}", "{}で", perk_name(scene.material, asked.piece))
    return [put("takes {}{}", "{1}{0}を取る", taken, for_what)], used


def _give(scene: Scene, facts: Facts, _crew: Crew, move: m.Give) -> Decision:
    """The gift, with what the one pays and the other gains by it."""
    asked = scene.asked
    given = counted("coins" if move.resource == "coin" else "food", 1)
    if asked is None or not isinstance(asked.effect, a.Gift):
        return [put("gives {}", "{}を渡す", given)], int(isinstance(facts[:1], f.ResourcesChanged))
    to = both(scene.names[asked.effect.to], scene.names[asked.effect.to])
    words, used = [put("gives {1} {0}", "{1}に{0}を渡す", given, to)], 0
    coins, food = (1, 0) if move.resource == "coin" else (0, 1)
    story = (
        f.ResourcesChanged(scene.seat, -coins, -food),
        f.PointsScored(scene.seat, 1, asked.source, asked.piece),
        f.ResourcesChanged(asked.effect.to, coins, food),
    )
    for fact, happens in zip(facts, story, strict=False):
        if fact != happens:
            break
        used += 1
    if used > 1:
        words.append(put("scores {}", "{}を得る", counted("points", 1)))
    return words, used


def _tribute(scene: Scene, facts: Facts, _crew: Crew, move: m.TakeTribute) -> Decision:
    """The coins, with what the opponents pay and the seat gains by it."""
    givers, each = [scene.names[seat] for seat in move.seats], counted("coins", move.coins)
    total = move.coins * len(move.seats)
    story = (
        *(f.ResourcesChanged(seat, -move.coins, 0) for seat in move.seats),
        f.ResourcesChanged(scene.seat, total, 0),
    )
    used = len(story) if tuple(facts[: len(story)]) == story else 0
    names = both(enumerated(givers), "と".join(givers))
    if len(givers) == 1:
        return [put("takes {} from {}", "{1}から{0}を奪う", each, names)], used
    return [put("takes {} each from {}", "{1}から{0}ずつ奪う", each, names)], used


def _choose_module(scene: Scene, facts: Facts, _crew: Crew, move: m.ChooseModule) -> Decision:
    """A copy, with the food that it costs; or the module that a build bonus activates."""
    module, asked = place_name(scene.material, move.module), scene.asked
    if asked is None or not isinstance(asked.effect, Copy):
        return [put("activates {}", "{}の効果を適用する", module)], 0
    match facts[:1]:
        case (f.ResourcesChanged(_, 0, food),) if food < 0 and asked.effect.of == "occupied":
            return [put("pays {} to copy {}", "{}を払って{}の効果をコピーする", counted("food", -food), module)], 1
        case _:
            return [put("copies {}", "{}の効果をコピーする", module)], 0


def _choose_space(scene: Scene, facts: Facts, _crew: Crew, move: m.ChooseSpace) -> Decision:
    """The bonus of a space; a module that is built there names its space itself."""
    del scene
    if any(isinstance(fact, f.ModuleBuilt) for fact in facts):
        return [], 0
    return [both(f"claims the build bonus of {move.space}", f"{move.space}の建設ボーナスを得る")], 0


def _apply(scene: Scene, facts: Facts, crew: Crew, _move: m.ApplyEffect) -> Decision:
    """The effect of the module that a swapped worker stands on; a move onto a module just built tells itself."""
    if any(isinstance(fact, f.WorkerMoved) for fact in facts):
        return [], 0
    asked = scene.asked
    place = None if asked is None or asked.worker is None else crew.place(asked.worker)
    if place is None:
        return [both("applies the effect", "効果を適用する")], 0
    return [put("applies the effect of {}", "{}の効果を適用する", place_name(scene.material, place))], 0


def _decline(scene: Scene, _facts: Facts, crew: Crew, _move: m.Decline) -> Decision:
    """What is declined, by the question."""
    asked = scene.asked
    question = None if asked is None else VERBS[type(asked.effect)].asks
    if asked is None or question is None or question.declines is None:
        return [both("declines", "見送る")], 0
    return [question.declines.words(scene, crew, asked, asked.effect)], 0


def _nothing(en: str, ja: str) -> Callable[[Scene, Facts, Crew, Any], Decision]:
    """A choice of components that may be empty, which no fact tells then."""

    def write(_scene: Scene, facts: Facts, _crew: Crew, move: Any) -> Decision:
        changes = (f.WorkerSpliced, f.ComponentsRemoved, f.ComponentsReturned)
        if facts and isinstance(facts[0], changes):
            return [], 0
        del move
        return [both(en, ja)], 0

    return write


def _ends_turn(_scene: Scene, _facts: Facts, _crew: Crew, _move: m.EndTurn) -> Decision:
    return [both("ends the turn", "手番を終える")], 0


WRITE: Mapping[type, Callable[[Scene, Facts, Crew, Any], Decision]] = {
    m.TakeCoinsAndFood: _food_and_coins,
    m.Give: _give,
    m.TakeTribute: _tribute,
    m.ChooseModule: _choose_module,
    m.ChooseSpace: _choose_space,
    m.ApplyEffect: _apply,
    m.Decline: _decline,
    m.EndTurn: _ends_turn,
    m.SpliceWorker: _nothing("splices nothing", "何も組み込まない"),
    m.AttachComponents: _nothing("attaches nothing", "何も付けない"),
    m.DetachComponents: _nothing("detaches nothing", "何も外さない"),
    m.RemoveComponents: _nothing("removes nothing", "何も除去しない"),
}
"""Of all other moves the facts say what was decided: a worker is placed, a module built, a perk taken."""
