"""The memory that request bodies may take: one budget for a process, from which each request reserves its body's bytes.

A body is admitted only if it leaves room for `SPARE` more of its size. So large uploads stop being admitted first, and
small bodies, moves above all, still go in while uploads take their share; those up to `SMALL` always do, also while
somebody fills the budget on purpose. What is not admitted is refused at once, with `overloaded`: waiting for room would
hold a connection, and what it has sent, for every body that waits.

One account, or one client address, may reserve a fraction of the budget (`rate-limited` beyond that): a client that
withholds the last byte of many uploads leaves room for the uploads of others.
"""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Self, TypeAlias

from domain.kernel.rejected import Rejected
from service.limits.windows import rate_limited

BODY_BYTES = 64 * 1024 * 1024
"""The default of the budget, in bytes."""

SPARE = 3

SMALL = 4_096
"""Bytes of a body that is always admitted: whoever fills the budget keeps no move out.

The number of connections bounds what all small bodies take.
"""


LARGEST = 8 * 1024 * 1024
"""Bytes of the largest body there is, that of a record: most have a hundred kilobytes or two.

The budget has room for one whatever a single account or address has reserved.
"""

ACCOUNT, ADDRESS = "body-bytes-per-account", "body-bytes-per-address"

RETRY_SECONDS = 5

_FRACTIONS = {ACCOUNT: 6, ADDRESS: 4}

_Holder: TypeAlias = tuple[str, str]
"""One of the two limits, and the account or address."""


class BodyBudget:
    """Counts the bytes of all bodies that are being received or worked on."""

    def __init__(self, limit: int = BODY_BYTES) -> None:
        self._limit = limit
        self._most = {name: max(LARGEST, limit // fraction) for name, fraction in _FRACTIONS.items()}
        self._held: Counter[_Holder] = Counter()
        self.used = 0

    def body(self, address: str, account: str | None = None) -> BodyShare:
        """The share of one request, empty at first; as a context manager it is given back at the end."""
        holders: tuple[_Holder, ...] = ((ADDRESS, address),)
        return BodyShare(self, holders if account is None else (*holders, (ACCOUNT, account)))

    def require_room(self, size: int, held: int, holders: tuple[_Holder, ...]) -> None:
        """Raise `rate-limited` if a holder would have too much, and `overloaded` if too little were left for others.

        `size` more bytes would be in flight, and `held` more would count for the holders.
        """
        for name, key in holders:
            if self._held[name, key] + held > self._most[name]:
                raise rate_limited(name, self._most[name], RETRY_SECONDS)
        if self.used + size * (1 + SPARE) > self._limit:
            raise Rejected("overloaded", "too many large request bodies are in flight")

    def add(self, size: int) -> None:
        """Count bytes, or give them back where `size` is negative."""
        self.used += size

    def add_held(self, size: int, holders: tuple[_Holder, ...]) -> None:
        """Count them for the account and the address as well."""
        for holder in holders:
            self._held[holder] += size
            if not self._held[holder]:
                del self._held[holder]


class BodyShare:
    """The bytes that one request has reserved."""

    __slots__ = ("_budget", "_held", "_holders", "size")

    def __init__(self, budget: BodyBudget, holders: tuple[_Holder, ...]) -> None:
        self._budget = budget
        self._holders = holders
        self._held = 0
        self.size = 0

    def reserve(self, size: int) -> None:
        """Make the share at least `size` bytes; raises `overloaded` and `rate-limited`.

        A small body is always admitted, so it is not counted for its holders, which would cost more than reading it.
        """
        if size <= self.size:
            return
        if size > SMALL:
            self._budget.require_room(size - self.size, size - self._held, self._holders)
            self._budget.add_held(size - self._held, self._holders)
            self._held = size
        self._budget.add(size - self.size)
        self.size = size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.add(-self.size)
        if self._held:
            self._budget.add_held(-self._held, self._holders)
        self.size = self._held = 0
