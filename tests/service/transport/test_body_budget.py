"""Bodies in memory: large ones leave room for small ones, one client's for those of others, and all is given back."""

from __future__ import annotations

from itertools import count

import pytest

from domain.kernel.rejected import Rejected
from service.transport.body_budget import LARGEST, SMALL, BodyBudget

MEBIBYTE = 1024 * 1024


def fill(budget: BodyBudget, size: int) -> int:
    """Take bodies of a size, each from another address, until one is refused; gives how many were taken."""
    before = budget.used
    with pytest.raises(Rejected, match="in flight"):
        take_for_ever(budget, size)
    return (budget.used - before) // size


def take_for_ever(budget: BodyBudget, size: int) -> None:
    for number in count():
        budget.body(f"{size}:{number}").reserve(size)


def withhold(budget: BodyBudget, address: str, account: str | None) -> Rejected:
    """Reserve the largest bodies until one is refused."""
    while True:
        try:
            budget.body(address, account).reserve(LARGEST)
        except Rejected as refused:
            return refused


@pytest.mark.parametrize("mebibytes", [48, 64, 1_024])
@pytest.mark.parametrize("account", [None, "ada"])
def test_one_who_withholds_bodies_leaves_room_for_the_largest_body_of_another(
    mebibytes: int, account: str | None
) -> None:
    budget = BodyBudget(mebibytes * MEBIBYTE)
    assert withhold(budget, "192.0.2.1", account).code == "rate-limited"
    assert budget.used <= mebibytes * MEBIBYTE // 4
    budget.body("192.0.2.2", "bob").reserve(LARGEST)


def test_an_account_is_bounded_wherever_it_sends_from_and_still_sends_what_is_small() -> None:
    budget = BodyBudget()
    budget.body("192.0.2.1", "ada").reserve(LARGEST)
    for address in ("192.0.2.1", "192.0.2.2"):
        with pytest.raises(Rejected, match="body-bytes-per-account"):
            budget.body(address, "ada").reserve(LARGEST)
    budget.body("192.0.2.1", "ada").reserve(SMALL)


def test_a_client_whose_body_is_done_may_send_the_next_one() -> None:
    budget = BodyBudget()
    for _ in range(20):
        with budget.body("192.0.2.1", "ada") as share:
            share.reserve(LARGEST)


def test_uploads_that_fill_their_part_leave_room_for_smaller_bodies() -> None:
    budget = BodyBudget(64 * MEBIBYTE)
    assert fill(budget, 8 * MEBIBYTE) > 3
    assert fill(budget, 65_536) > 100
    assert fill(budget, SMALL + 1) > 40
    assert budget.used <= 64 * MEBIBYTE


def test_what_a_request_reserved_is_given_back_when_it_is_done_or_refused() -> None:
    budget = BodyBudget(100_000)
    with budget.body("192.0.2.1") as share:
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
    budget.count(0, MEBIBYTE, ())
    with budget.body("192.0.2.1") as share, pytest.raises(Rejected, match="in flight"):
        share.reserve(SMALL + 1)
    full = budget.used
    with budget.body("192.0.2.1") as share:
        share.reserve(SMALL)
        assert budget.used == full + SMALL
    assert budget.used == full
