"""What a legal move brings about: the answer to the first question, and all that follows up to the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.chimera import agenda as a
from domain.chimera import effects as e
from domain.chimera.agenda import Owed
from domain.chimera.facts import Fact
from domain.chimera.legal import ALWAYS_ASKED, QUESTIONS
from domain.chimera.material import Material
from domain.chimera.moves import Move
from domain.chimera.resolve import building, crew, dealings, gains, placing, rounds
from domain.chimera.resolve.working import Working
from domain.chimera.state import State
from domain.chimera.station import has_pool
from domain.kernel.chance import Chance
from domain.kernel.legal import LegalMoves
from domain.kernel.terms import Seat


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """The facts of a move, up to the next question. A move answers the question that stands first in the agenda."""
    del seat
    working = Working(material, state, chance)
    _answer(working, working.agenda.pop(0), move)
    go_on(working)
    return working.finish()


def go_on(working: Working) -> None:
    """Resolve what is owed until somebody must answer, or nothing is owed any more."""
    while working.agenda:
        owed = working.agenda[0]
        kind = type(owed.effect)
        resolve = _RESOLVED.get(kind)
        if resolve is not None:
            del working.agenda[0]
            resolve(working, owed, owed.effect)
            working.settle()
        elif kind in ALWAYS_ASKED:
            if _has_worker(working.state, owed):
                return
            del working.agenda[0]
        elif not _settle_question(working, owed):
            return


def _settle_question(working: Working, owed: Owed) -> bool:
    """Whether a question settles itself: there is nothing to ask, or exactly one answer (R25)."""
    offers = QUESTIONS[type(owed.effect)](working.material, working.state, owed, owed.effect)
    legal = LegalMoves(owed.seat, offers)
    if not offers:
        del working.agenda[0]
        lost = _UNANSWERABLE.get(type(owed.effect))
        if lost is not None:
            lost(working, owed, owed.effect)
            working.settle()
        return True
    if legal.count() > 1:
        return False
    del working.agenda[0]
    _answer(working, owed, next(iter(legal)))
    return True


def _answer(working: Working, owed: Owed, move: Any) -> None:
    _ANSWERED[type(owed.effect)](working, owed, move, owed.effect)
    working.settle()


def _has_worker(state: State, owed: Owed) -> bool:
    """Whether there is a worker to place: an empty pool skips a turn."""
    again = isinstance(owed.effect, a.Turn) and owed.effect.again is not None
    return again or has_pool(state, owed.seat)


_RESOLVED: Mapping[type, Callable[[Working, Owed, Any], None]] = {
    e.Gain: gains.gain,
    e.Payment: gains.pay,
    e.Command: dealings.command,
    e.Marker: dealings.take_marker,
    e.BoilerTable: gains.boiler_table,
    e.ReactorRewards: gains.reactor_rewards,
    e.Refill: gains.refill,
    e.ModuleDraw: building.draw_module,
    e.Protection: placing.protect,
    e.Gifts: dealings.ask_gifts,
    e.ReactorDiscard: building.discard_reactor,
    a.Weirdness: placing.weirdness,
    a.Bonus: building.bonus,
    a.Slide: building.slide,
    a.Use: building.use,
    a.Arrival: placing.arrive,
    a.ActionEnd: placing.end_action,
    a.ActionClose: placing.close_action,
    a.RoundStart: rounds.start_round,
    a.RoundOpening: rounds.open_round,
    a.Turns: rounds.turns,
    a.TurnClose: placing.close_turn,
    a.SlotTurn: rounds.slot_turn,
    a.Passes: rounds.passes,
    a.Redispatch: rounds.redispatch,
    a.Feeding: rounds.feed,
    a.Meal: rounds.eat,
    a.RoundEnd: rounds.end_round,
}
"""The effects that ask nobody."""

_ANSWERED: Mapping[type, Callable[[Working, Owed, Any, Any], None]] = {
    a.Turn: placing.take_turn,
    a.TurnEnd: placing.end_turn,
    e.Placement: placing.place_another,
    a.Draft: rounds.take_card,
    e.Mix: gains.take_mix,
    a.FoodExchange: gains.exchange_food,
    a.ComponentChoice: gains.take_component,
    a.ExtraComponent: gains.take_component,
    a.PerkChoice: gains.take_perk,
    e.Choice: dealings.choose,
    e.Build: building.build,
    a.Space: building.build_drawn,
    e.Zoning: building.zone,
    e.Copy: dealings.copy,
    a.Activation: building.activate,
    e.Recall: placing.recall,
    e.Ejection: placing.eject,
    e.Swap: placing.swap,
    a.Splice: crew.splice,
    e.Detachment: crew.detach,
    a.Overload: crew.detach,
    e.Implant: crew.implant,
    e.Rework: crew.rework,
    e.Return: crew.give_back,
    e.PerkScoring: dealings.score_perk,
    a.Onward: building.onward,
    a.SwappedUse: placing.use_swapped,
    a.Gift: dealings.give,
    a.Tribute: dealings.take_tribute,
    a.Hunger: rounds.starve,
}
"""What an answer brings about."""

_UNANSWERABLE: Mapping[type, Callable[[Working, Owed, Any], None]] = {
    e.Implant: crew.implant_shortage,
    a.Hunger: rounds.lose_points,
}
"""What comes of a question that nobody can answer; elsewhere the effect is lost."""
