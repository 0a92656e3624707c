"""The cost of catching up: a request per `EVENTS_PER_REQUEST` events, however long the game or the feed is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from domain.kernel.rejected import Rejected

EVENTS_PER_REQUEST = 50
"""Events that cost about as much CPU time as a plain request: a millisecond."""

Charge: TypeAlias = Callable[[int], None]
"""Counts a number of requests; raises `rate-limited`."""


def free_of_charge(_cost: int) -> None:
    """Count nothing, for watchers without limits."""


class Delivery:
    """Counts the events of one catch-up, beyond those that its request has paid for.

    Over a limit it is not refused midway but waits for room, so that nothing has to be delivered again.
    """

    __slots__ = ("_charge", "_events")

    def __init__(self, charge: Charge, paid: int) -> None:
        self._charge = charge
        self._events = -paid * EVENTS_PER_REQUEST

    async def count(self, events: int) -> None:
        """Count events, and wait until the limit has room for them."""
        self._events += events
        if self._events < EVENTS_PER_REQUEST:
            return
        cost, self._events = divmod(self._events, EVENTS_PER_REQUEST)
        while True:
            try:
                self._charge(cost)
            except Rejected as refused:
                await asyncio.sleep(_retry_after(refused))
            else:
                return


def _retry_after(refused: Rejected) -> int:
    seconds = refused.facts.get("retry_after")
    return seconds if isinstance(seconds, int) else 1
