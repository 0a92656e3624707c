"""Bodies in memory: large ones leave room for small ones, and everything is given back."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from service.contract.body_budget import SMALL, BodyBudget

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
    budget = BodyBudget(100_000)
    with budget.body() as share:
        share.reserve(10_000)
        share.reserve(5_000)
        assert budget.used == 10_000
        share.reserve(20_000)
        assert budget.used == 20_000
        with pytest.raises(Rejected):
            share.reserve(100_000)
        assert budget.used == 20_000
    assert budget.used == 0


def test_a_small_body_is_admitted_however_full_the_budget_is() -> None:
    budget = BodyBudget(MEBIBYTE)
    for size in (65_536, 4_097, 200, 1):
        fill(budget, size)
    with budget.body() as share, pytest.raises(Rejected, match="in flight"):
        share.reserve(SMALL + 1)
    full = budget.used
    with budget.body() as share:
        share.reserve(SMALL)
        assert budget.used == full + SMALL
    assert budget.used == full
