"""What is delivered to one who catches up counts as requests, and nothing that was delivered is refused."""

from __future__ import annotations

import asyncio

import pytest

from service.limits.delivery import EVENTS_PER_REQUEST, Delivery
from service.limits.windows import rate_limited


class Limit:
    """A limit that is used up, until it is lifted."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.asked = 0

    def charge(self, cost: int) -> None:
        self.asked += 1
        if cost > self.left:
            raise rate_limited("requests-per-account", 1, 0, 60)
        self.left -= cost


async def count(events: int, at_once: int, paid: int) -> int:
    """How many requests a delivery counts for."""
    limit = Limit(1_000_000)
    delivery = Delivery(limit.charge, paid)
    for _ in range(events // at_once):
        await delivery.count(at_once)
    return 1_000_000 - limit.left


@pytest.mark.parametrize("at_once", [1, 10, 100, 2_300])
async def test_a_delivery_counts_by_its_length_however_it_is_divided(at_once: int) -> None:
    assert await count(2_300, at_once, 5) == 2_300 // EVENTS_PER_REQUEST - 5


async def test_what_the_request_has_paid_for_is_free() -> None:
    assert await count(5 * EVENTS_PER_REQUEST, 10, 5) == 0
    assert await count(6 * EVENTS_PER_REQUEST, 10, 5) == 1


async def test_a_delivery_beyond_the_limit_waits_until_there_is_room() -> None:
    limit = Limit(1)
    delivery = Delivery(limit.charge, 0)
    await delivery.count(EVENTS_PER_REQUEST)
    waiting = asyncio.create_task(delivery.count(2 * EVENTS_PER_REQUEST))
    while limit.asked < 5:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0)
    assert not waiting.done()
    limit.left = 2
    await waiting
    assert limit.left == 0
