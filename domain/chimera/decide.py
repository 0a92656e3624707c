"""What a legal move brings about: the answer to the first question, and all that follows up to the next one."""

from __future__ import annotations

from typing import Any

from domain.chimera.agenda import Owed
from domain.chimera.facts import Fact
from domain.chimera.legal import answers, question_of
from domain.chimera.material import Material
from domain.chimera.moves import Move
from domain.chimera.state import State
from domain.chimera.verbs.table import VERBS
from domain.chimera.verbs.verb import Question
from domain.chimera.verbs.working import Working
from domain.kernel.chance import Chance
from domain.kernel.terms import Seat


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """The facts of a move, up to the next question. A move answers the question that stands first in the agenda."""
    del seat
    working = Working(material, state, chance)
    owed = working.agenda.pop(0)
    _answer(working, owed, question_of(owed), move)
    go_on(working)
    return working.finish()


def go_on(working: Working) -> None:
    """Resolve what is owed until somebody must answer, or nothing is owed any more."""
    while working.agenda:
        owed = working.agenda[0]
        resolve = VERBS[type(owed.effect)].resolve
        if resolve is not None:
            del working.agenda[0]
            resolve(working, owed, owed.effect)
            working.settle()
        elif _waits(working, owed, question_of(owed)):
            return


def _waits(working: Working, owed: Owed, question: Question[Any]) -> bool:
    """Whether a question must be answered; it settles itself where there is nothing to ask, or one answer (R25)."""
    if question.always is not None:
        if question.always(working.state, owed, owed.effect):
            return True
        del working.agenda[0]
        return False
    legal = answers(working.material, working.state, owed)
    if legal.count() > 1:
        return True
    del working.agenda[0]
    if legal:
        _answer(working, owed, question, next(iter(legal)))
    elif question.unanswerable is not None:
        question.unanswerable(working, owed, owed.effect)
        working.settle()
    return False


def _answer(working: Working, owed: Owed, question: Question[Any], move: Any) -> None:
    question.answer(working, owed, move, owed.effect)
    working.settle()
