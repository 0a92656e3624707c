"""Bodies in memory: large ones leave room for small ones, and everything is given back."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from service.contract.body_budget import BodyBudget

MEBIBYTE = 1024 * 1024


def fill(budget: BodyBudget, size: int) -> int:
    """Take bodies of a size until one is refused; gives how many were taken."""
    before = budget.used
    with pytest.raises(Rejected, match="in flight"):
        take_for_ever(budget, size)
    return (budget.used - before) // size


def take_for_ever(budget: BodyBudget, size: int) -> None:
    while True:
        budget.take(size)


def test_uploads_that_fill_their_part_leave_room_for_smaller_bodies() -> None:
    budget = BodyBudget(64 * MEBIBYTE)
    assert fill(budget, 8 * MEBIBYTE) > 3
    assert fill(budget, 65_536) > 100
    assert fill(budget, 200) > 500
    assert budget.used <= 64 * MEBIBYTE


def test_what_a_request_reserved_is_given_back_when_it_is_done_or_refused() -> None:
    budget = BodyBudget(1_000)
    with budget.body() as share:
        share.reserve(100)
        share.reserve(50)
        assert budget.used == 100
        share.reserve(200)
        assert budget.used == 200
        with pytest.raises(Rejected):
            share.reserve(1_000)
        assert budget.used == 200
    assert budget.used == 0
