"""The memory that request bodies may take: one budget for a process, from which each request reserves its body's bytes.

A body is admitted only if it leaves room for `SPARE` more of its size. So large uploads stop being admitted first, and
small bodies, moves above all, still go in while uploads take their share; those up to `SMALL` always do, also while
somebody fills the budget on purpose. What is not admitted is refused at once, with `overloaded`: waiting for room would
hold a connection, and what it has sent, for every body that waits.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from domain.kernel.rejected import Rejected

BODY_BYTES = 64 * 1024 * 1024
"""The default of the budget, in bytes."""

SPARE = 3

SMALL = 4_096
"""Bytes of a body that is always admitted: whoever fills the budget keeps no move out.

The number of connections bounds what all small bodies take.
"""


class BodyBudget:
    """Counts the bytes of all bodies that are being received or worked on."""

    def __init__(self, limit: int = BODY_BYTES) -> None:
        self._limit = limit
        self.used = 0

    def body(self) -> BodyShare:
        """The share of one request, empty at first; as a context manager it is given back at the end."""
        return BodyShare(self)

    def take(self, size: int, *, always: bool = False) -> None:
        """Take bytes out of the budget; unless `always`, raises `overloaded` if that leaves too little for others."""
        if not always and self.used + size * (1 + SPARE) > self._limit:
            raise Rejected("overloaded", "too many large request bodies are in flight")
        self.used += size


class BodyShare:
    """The bytes that one request has reserved."""

    __slots__ = ("_budget", "size")

    def __init__(self, budget: BodyBudget) -> None:
        self._budget = budget
        self.size = 0

    def reserve(self, size: int) -> None:
        """Make the share at least `size` bytes; raises `overloaded`."""
        if size > self.size:
            self._budget.take(size - self.size, always=size <= SMALL)
            self.size = size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.used -= self.size
        self.size = 0
