"""What may be done: the answers to the question that stands first in the agenda."""

from __future__ import annotations

from typing import Any

from domain.chimera.agenda import Owed
from domain.chimera.material import Material
from domain.chimera.state import State
from domain.chimera.verbs.table import VERBS
from domain.chimera.verbs.verb import Question
from domain.kernel.legal import LegalMoves
from domain.kernel.terms import Seat


def to_move(state: State) -> tuple[Seat, ...]:
    """The seat that the game waits for."""
    return (state.agenda[0].seat,) if state.agenda else ()


def legal_moves(material: Material, state: State, seat: Seat) -> LegalMoves:
    """What a seat may do now."""
    if not state.agenda or state.agenda[0].seat != seat:
        return LegalMoves(seat)
    return answers(material, state, state.agenda[0])


def answers(material: Material, state: State, owed: Owed) -> LegalMoves:
    """The answers to a question; none where there is nothing to ask."""
    return LegalMoves(owed.seat, question_of(owed).offers(material, state, owed, owed.effect))


def question_of(owed: Owed) -> Question[Any]:
    """The question that an effect asks; a game never waits for one that asks none."""
    question = VERBS[type(owed.effect)].asks
    if question is None:
        raise TypeError(f"{owed.effect} asks nothing")
    return question
