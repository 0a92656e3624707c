"""What the rules of titles share."""

from __future__ import annotations

from domain.kernel.rules import BoundRules, ComponentSet, bound
from domain.kernel.value import Value


def counted(material: tuple[int, ...], state: int, *, factor: int = 1) -> int:
    """How often a state is in the component set, times a factor."""
    return material.count(state) * factor


class Count(Value, frozen=True, tag="counting.count"):
    """The move of this game."""


class Counting(BoundRules[tuple[int, ...], int, Count, int]):
    """Rules of a game in which facts are added up."""

    counted = bound(counted)

    def evolve(self, state: int | None, fact: int) -> int:
        return fact if state is None else state + fact


RULES = Counting((1, 2, 2), ComponentSet("one", "counting", ()))


def test_a_bound_function_gets_the_component_set_first() -> None:
    assert (RULES.counted(2), RULES.counted(2, factor=3), RULES.counted(5)) == (2, 6, 0)


def test_facts_are_folded_one_by_one_where_a_title_has_nothing_faster() -> None:
    assert RULES.fold(None, [1, 2, 3]) == 6
    assert RULES.fold(4, []) == 4
    assert RULES.fold(None, []) is None


def test_a_move_is_open_to_all_where_a_title_does_not_hide_it() -> None:
    assert [RULES.redact_move(Count(), 0, viewer) for viewer in (None, 0, 1)] == [Count()] * 3


def test_any_options_fit_where_a_title_has_nothing_to_refuse() -> None:
    RULES.check_options({"rounds": 3}, 2)
