"""Ranks and winners."""

from __future__ import annotations

import pytest

from domain.kernel.results import ScoreLine, ranked


def lines(*points: int) -> list[list[ScoreLine]]:
    return [[ScoreLine("hand", each)] for each in points]


def test_most_points_win_and_equal_points_share_a_rank_and_the_victory() -> None:
    result = ranked(lines(3, 7, 7, 5))
    assert [score.rank for score in result.scores] == [4, 1, 1, 3]
    assert result.winners == (1, 2)


def test_points_are_the_sum_of_the_lines_which_are_kept() -> None:
    own = (ScoreLine("trophy", 4, "ant_1"), ScoreLine("hand", -1))
    result = ranked([own, ()])
    assert [(score.seat, score.points, score.lines) for score in result.scores] == [(0, 3, own), (1, 0, ())]


@pytest.mark.parametrize(
    "tie_breaks,ranks",
    [([1, 2, 9], [2, 1, 3]), ([2, 2, 9], [1, 1, 3]), ([(1, 5), (1, 6), (9, 9)], [2, 1, 3])],
)
def test_a_tie_break_decides_between_equal_points_and_between_no_others(
    tie_breaks: list[int | tuple[int, ...]], ranks: list[int]
) -> None:
    assert [score.rank for score in ranked(lines(7, 7, 3), tie_breaks).scores] == ranks


def test_a_tie_break_is_needed_for_each_seat() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ranked(lines(1, 2), [1])
