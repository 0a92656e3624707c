"""Rate limits that several processes share through Redis: the sliding window counter of the `limits` package.

No request waits for Redis. A process takes from its own windows and reports the amounts in the background. Redis
refuses a report with which the processes together exceed the limit: then the process owes that amount, and blocks the
key until Redis accepts it. So every amount is counted, and a limit is exceeded only by what is taken between reports.

Without Redis each process limits on its own; unreported amounts are dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple, TypeAlias

from limits import RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.limits.windows import wait_for

Key: TypeAlias = tuple[str, str]
"""The name of a limit, and the account or address."""

REPORT_SECONDS = 0.02
"""How long amounts are gathered, so that a busy key costs one report."""

TIMEOUT_SECONDS = 0.08
"""For connecting, and for each command."""

FAILURES = 3
"""Batches that fail in a row before Redis counts as unavailable; a stall of this process may fail one."""

RETRY_SECONDS = 1.0
"""How often an unavailable Redis is tried."""

CONNECTIONS = 4
KEYS = 10_000
"""Maximum number of keys that wait to be reported, and of blocked keys; others are limited by each process alone."""

_LEAST_WAIT = 0.1
_GRACE_SECONDS = 1.0
"""How long a key stays blocked while the amount it owes is reported again."""

_PROBE = RateLimitItemPerSecond(1_000_000, 1, "probe")
_log = logging.getLogger("tablelog.limits")


class Report(NamedTuple):
    """An amount that is not counted in Redis yet."""

    item: RateLimitItemPerSecond
    key: str
    amount: int


class RedisCounts:
    """Counts of all processes with the same Redis database; implements `windows.Shared`."""

    def __init__(self, url: str) -> None:
        self._pool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - its options have no types
            url,
            max_connections=CONNECTIONS,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        options = {"connection_pool": self._pool}
        self._storage = RedisStorage(
            f"async+{url}",
            implementation="redispy",
            key_prefix="tablelog",
            **options,  # pyright: ignore[reportArgumentType] - documented, but missing from its type
        )
        self._limiter = SlidingWindowCounterRateLimiter(self._storage)
        self._waiting: dict[Key, Report] = {}
        self._blocked: dict[Key, float] = {}
        """When the amount that each key owes is reported again, on the monotonic clock."""
        self._owed: list[tuple[float, int, Report]] = []
        """A heap by that time; the number decides between equal ones."""
        self._numbers = count()
        self._wake = asyncio.Event()
        self._failures = 0
        self._available = True

    def blocked(self, item: RateLimitItemPerSecond, key: str) -> float:
        """Seconds until the amount that a key owes may be accepted; 0 if it owes nothing."""
        until = self._blocked.get((item.namespace, key))
        if until is None:
            return 0
        left = until - time.monotonic()
        return max(left, _LEAST_WAIT) if left + _GRACE_SECONDS > 0 else 0

    def report(self, item: RateLimitItemPerSecond, key: str, amount: int) -> None:
        """Queue an amount; dropped while Redis is unavailable."""
        at = (item.namespace, key)
        waiting = self._waiting.get(at)
        if not self._available or (waiting is None and len(self._waiting) >= KEYS):
            return
        # Redis never accepts more than a whole window at once.
        total = min(item.amount, amount if waiting is None else waiting.amount + amount)
        self._waiting[at] = Report(item, key, total)
        self._wake.set()

    async def run(self) -> None:
        """Report until cancelled."""
        while True:
            await self._something_to_report()
            batch = self._take_batch()
            for first in range(0, len(batch), CONNECTIONS):
                answered = await asyncio.gather(*map(self._count, batch[first : first + CONNECTIONS]))
                self._failures = 0 if all(answered) else self._failures + 1
                if self._failures >= FAILURES:
                    await self._outage()
                    break

    async def close(self) -> None:
        with contextlib.suppress(RedisError, OSError):
            await self._pool.disconnect()

    async def _something_to_report(self) -> None:
        due = self._owed[0][0] - time.monotonic() if self._owed else None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(due):
                await self._wake.wait()
        await asyncio.sleep(REPORT_SECONDS)
        self._wake.clear()

    def _take_batch(self) -> list[Report]:
        batch = self._waiting
        self._waiting = {}
        now = time.monotonic()
        while self._owed and self._owed[0][0] <= now:
            _, _, owed = heapq.heappop(self._owed)
            at = (owed.item.namespace, owed.key)
            more = batch[at].amount if at in batch else 0
            batch[at] = owed._replace(amount=min(owed.item.amount, owed.amount + more))
        return [*batch.values()]

    async def _count(self, report: Report) -> bool:
        """Report an amount, and block its key if it is refused; returns whether Redis answered."""
        item, key, amount = report
        at = (item.namespace, key)
        try:
            if await self._limiter.hit(item, key, cost=amount):
                if self._blocked.get(at, 0.0) <= time.monotonic():  # otherwise it owes another amount
                    self._blocked.pop(at, None)
                return True
            counts = await self._storage.get_sliding_window(item.key_for(key), item.get_expiry())
        except (RedisError, OSError):
            self._blocked.pop(at, None)
            return False
        if at in self._blocked or len(self._blocked) < KEYS:
            due = time.monotonic() + max(_LEAST_WAIT, wait_for(counts, item, amount))
            self._blocked[at] = due
            heapq.heappush(self._owed, (due, next(self._numbers), report))
        return True

    async def _outage(self) -> None:
        """Limit without Redis until it answers again."""
        self._available = False
        _log.warning("Redis does not answer: each process limits on its own until it does")
        for kept in (self._waiting, self._blocked, self._owed):
            kept.clear()
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            with contextlib.suppress(RedisError, OSError):
                await self._limiter.hit(_PROBE, "probe")
                break
        self._failures = 0
        self._available = True
        _log.info("Redis answers again: limits are shared")


@asynccontextmanager
async def shared_counts(url: str) -> AsyncGenerator[RedisCounts]:
    """Share limits through the Redis at a URL, which need not be available yet."""
    counts = RedisCounts(url)
    reporting = asyncio.create_task(counts.run(), name="shared limits")
    try:
        yield counts
    finally:
        reporting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reporting
        await counts.close()
