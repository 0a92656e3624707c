"""The memory for request bodies: one budget for a process, from which each request reserves its body's bytes.

A body is admitted if it leaves room for `SPARE` more of its size: as the budget fills, large bodies are refused first
and smaller ones, moves above all, still go in; those up to `SMALL` always do. Refusals come at once (`overloaded`):
waiting would hold a connection, and what it has sent, for every body that waits.

One account or client address may reserve a fraction of the budget (`rate-limited` beyond that), so that a client that
withholds the last byte of many uploads leaves room for others.
"""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Self, TypeAlias

from domain.kernel.rejected import Rejected
from service.limits.windows import rate_limited

BODY_BYTES = 64 * 1024 * 1024
"""The default budget."""

SPARE = 3

SMALL = 4_096
"""Size up to which a body is always admitted, and not counted for its holders; the number of connections bounds it."""

LARGEST = 8 * 1024 * 1024
"""The largest body, that of a record: the budget has room for one whatever a single account or address reserved."""

ACCOUNT, ADDRESS = "body-bytes-per-account", "body-bytes-per-address"

RETRY_SECONDS = 5

_FRACTIONS = {ACCOUNT: 6, ADDRESS: 4}

_Holder: TypeAlias = tuple[str, str]
"""One of the two limits, and the account or address."""


class BodyBudget:
    """Counts the bytes of all bodies that are being received or processed."""

    def __init__(self, limit: int = BODY_BYTES) -> None:
        self._limit = limit
        self._most = {name: max(LARGEST, limit // fraction) for name, fraction in _FRACTIONS.items()}
        self._held: Counter[_Holder] = Counter()
        self.used = 0

    def body(self, address: str, account: str | None = None) -> BodyShare:
        """The share of one request, a context manager; empty at first, and given back at the end."""
        holders: tuple[_Holder, ...] = ((ADDRESS, address),)
        return BodyShare(self, holders if account is None else (*holders, (ACCOUNT, account)))

    def require_room(self, before: int, after: int, holders: tuple[_Holder, ...]) -> None:
        """Raise `rate-limited` or `overloaded` unless a share may grow."""
        for holder in holders:
            name = holder[0]
            if self._held[holder] + after - _held(before) > self._most[name]:
                raise rate_limited(name, self._most[name], RETRY_SECONDS)
        if self.used + (after - before) * (1 + SPARE) > self._limit:
            raise Rejected("overloaded", "too many large request bodies are in flight")

    def count(self, before: int, after: int, holders: tuple[_Holder, ...]) -> None:
        """Count a share whose size changes."""
        self.used += after - before
        if before > SMALL or after > SMALL:
            for holder in holders:
                self._held[holder] += _held(after) - _held(before)
                if not self._held[holder]:
                    del self._held[holder]


def _held(size: int) -> int:
    """The bytes of a share that count for its holders."""
    return size if size > SMALL else 0


class BodyShare:
    """The bytes that one request has reserved."""

    __slots__ = ("_budget", "_holders", "size")

    def __init__(self, budget: BodyBudget, holders: tuple[_Holder, ...]) -> None:
        self._budget = budget
        self._holders = holders
        self.size = 0

    def reserve(self, size: int) -> None:
        """Make the share at least `size` bytes; raises `overloaded` and `rate-limited`."""
        if size <= self.size:
            return
        if size > SMALL:
            self._budget.require_room(self.size, size, self._holders)
        self._budget.count(self.size, size, self._holders)
        self.size = size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.count(self.size, 0, self._holders)
        self.size = 0
