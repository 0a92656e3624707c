"""What a legal move brings about: the answer to the first question, and all that follows up to the next one."""

from __future__ import annotations

from typing import Any

from domain.chimera.agenda import Owed
from domain.chimera.facts import Fact
from domain.chimera.legal import question_of
from domain.chimera.material import Material
from domain.chimera.moves import Decline, Move
from domain.chimera.state import State
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.table import VERBS
from domain.chimera.verbs.verb import Question
from domain.kernel.chance import Chance
from domain.kernel.legal import LegalMoves
from domain.kernel.terms import Seat


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """The facts of a move, up to the next question. A move answers the question that stands first in the agenda."""
    del seat
    resolution = Resolution(material, state, chance)
    owed = resolution.agenda.pop(0)
    _answer(resolution, owed, question_of(owed), move)
    go_on(resolution)
    return resolution.finish()


def go_on(resolution: Resolution) -> None:
    """Resolve what is owed until somebody must answer, or nothing is owed any more."""
    while resolution.agenda:
        owed = resolution.agenda[0]
        verb = VERBS[type(owed.effect)]
        if verb.resolve is not None:
            del resolution.agenda[0]
            verb.resolve(resolution, owed, owed.effect)
            resolution.settle()
        elif verb.asks is not None and _waits(resolution, owed, verb.asks):
            return


def _waits(resolution: Resolution, owed: Owed, question: Question[Any]) -> bool:
    """Whether a question must be answered; it settles itself where there is nothing to ask, or one answer (R25)."""
    if question.asked_if is not None:
        if question.asked_if(resolution.state, owed, owed.effect):
            return True
        del resolution.agenda[0]
        return False
    legal = LegalMoves(owed.seat, question.offers(resolution.material, resolution.state, owed, owed.effect))
    if legal.count() > 1:
        return True
    del resolution.agenda[0]
    if legal:
        _answer(resolution, owed, question, next(iter(legal)))
    elif question.unanswerable is not None:
        question.unanswerable(resolution, owed, owed.effect)
        resolution.settle()
    return False


def _answer(resolution: Resolution, owed: Owed, question: Question[Any], move: Any) -> None:
    if not isinstance(move, Decline):
        question.answer(resolution, owed, move, owed.effect)
    resolution.settle()
