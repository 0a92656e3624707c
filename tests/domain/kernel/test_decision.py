"""A decision while it is worked out."""

from __future__ import annotations

from domain.kernel.chance import Chance
from domain.kernel.decision import Decision


def added(state: int | None, fact: int) -> int:
    return fact if state is None else state + fact


def test_a_fact_is_folded_as_soon_as_it_is_emitted() -> None:
    decision = Decision[tuple[()], int, int](added, (), 5, Chance(b"key", 1))
    decision.emit(2)
    assert (decision.state, decision.facts) == (7, [2])
    decision.emit(decision.state)
    assert (decision.state, decision.facts) == (14, [2, 7])


def test_a_beginning_has_the_fact_that_made_its_state() -> None:
    decision = Decision[tuple[()], int, int](added, (), added(None, 3), Chance(b"key", 0), (3,))
    decision.emit(1)
    assert (decision.state, decision.facts) == (4, [3, 1])
