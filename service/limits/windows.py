"""A limit on the amount within a sliding window, by key: an account or a client address.

A key takes a fiftieth of its window at once and uses that up at the cost of a dictionary. A chunk that is not used up
within a window is lost: up to 2 % of a limit.
"""

from __future__ import annotations

import math
import time
from typing import Protocol

from limits import RateLimitItemPerSecond

from domain.kernel.rejected import Rejected
from service.limits.memory import Memory

CHUNKS = 50

_MARGIN = 0.01
"""Seconds that put the end of a wait clearly after the moment at which enough is left."""


class Shared(Protocol):
    """Counts of several processes."""

    def blocked(self, item: RateLimitItemPerSecond, key: str) -> float:
        """For how many seconds a key is used up for all processes; 0 if it is not, or is not known to be."""
        ...

    def report(self, item: RateLimitItemPerSecond, key: str, amount: int) -> None:
        """Count an amount in a moment; never waits and never fails."""
        ...


class Window:
    """A limit of `amount` in `seconds`."""

    def __init__(self, name: str, amount: int, seconds: int, shared: Shared | None = None) -> None:
        self.name = name
        self.amount = amount
        self.seconds = seconds
        self._item = RateLimitItemPerSecond(amount, seconds, name)
        self._chunk = max(1, amount // CHUNKS)
        self._memory = Memory(amount, seconds)
        self._leases: dict[str, int] = {}
        self._leases_end = 0.0
        self._shared = shared

    def __len__(self) -> int:
        """Keys in memory."""
        return len(self._memory)

    def take(self, key: str, cost: int = 1) -> None:
        """Take `cost`; raises `rate-limited`, with the seconds until there will be as much, if less is left."""
        held = self._leases.get(key, 0) - cost
        if held >= 0:
            self._leases[key] = held
        else:
            self._lease(key, cost)

    def is_used_up(self, key: str) -> bool:
        """Whether nothing is left to take."""
        if self._leases.get(key, 0) > 0:
            return False
        previous, previous_seconds, current, _ = self._memory.window(key)
        return previous * previous_seconds / self.seconds + current >= self.amount or self._blocked(key) > 0

    def refuse(self, key: str, cost: int = 1) -> Rejected:
        """The refusal where less than `cost` is left."""
        wait = max(self._wait(key, min(cost, self.amount)), self._blocked(key))
        return rate_limited(self.name, self.amount, math.ceil(wait + _MARGIN), self.seconds)

    def sweep(self) -> None:
        """Free what has expired; to be called every few seconds."""
        self._memory.sweep()
        now = time.monotonic()
        if now >= self._leases_end:
            self._leases = {}
            self._leases_end = now + self.seconds

    def _lease(self, key: str, cost: int) -> None:
        cost = min(cost, self.amount)  # what costs more than a whole window can still be done once in it
        if self._blocked(key) > 0:
            raise self.refuse(key, cost)
        held = self._leases.pop(key, 0)
        wanted = cost - held
        for amount in {max(wanted, self._chunk): None, wanted: None}:
            if self._memory.acquire(key, amount):
                self._leases[key] = amount - wanted
                if self._shared is not None:
                    self._shared.report(self._item, key, amount)
                return
        self._leases[key] = held
        raise self.refuse(key, cost)

    def _blocked(self, key: str) -> float:
        return 0 if self._shared is None else self._shared.blocked(self._item, key)

    def _wait(self, key: str, cost: int) -> float:
        return wait_for(self._memory.window(key), self._item, cost)


def wait_for(counts: tuple[int, float, int, float], item: RateLimitItemPerSecond, cost: int) -> float:
    """Seconds until `cost` can be taken, if nothing else is; `counts` as by `Memory.window`."""
    previous, _, current, current_ttl = counts
    seconds = item.get_expiry()
    left = max(0.0, current_ttl - seconds)
    free = item.amount - cost
    if current <= free:  # the previous window slides out, in proportion to time
        return 0.0 if not previous else max(0.0, left - (free - current + 1) / previous * seconds)
    return left + max(0.0, seconds - (free + 1) / current * seconds)


def rate_limited(name: str, most: int, retry_after: int, seconds: int | None = None) -> Rejected:
    """The refusal by a limit; without `seconds` it bounds what is open at once."""
    if seconds is None:
        return Rejected(
            "rate-limited", f"{name}: at most {most} at once", limit=name, most=most, retry_after=retry_after
        )
    span = {1: "second", 60: "minute", 3_600: "hour"}.get(seconds, f"{seconds} seconds")
    detail = f"{name}: at most {most} per {span}; try again in {retry_after} s"
    return Rejected("rate-limited", detail, limit=name, most=most, seconds=seconds, retry_after=retry_after)
