"""Time limits that cost next to nothing where they are kept, which is nearly always.

`asyncio.timeout` starts a timer of the event loop and stops it again: 7 us, and a request has three phases, each with
its own limit. Here a limit is an entry in a dictionary, and one timer looks at all of them every `TICK` seconds; so a
limit may be that much late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic
from types import TracebackType
from typing import Self

TICK = 0.1
"""Seconds between two looks at all limits."""


class Deadlines:
    """The time limits that are open in a process."""

    def __init__(self) -> None:
        self._open: dict[Deadline, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def within(self, seconds: float | None) -> Deadline:
        """A context whose body is cancelled after `seconds`, which raises `TimeoutError`; None is no limit."""
        return Deadline(self, seconds)

    def add(self, deadline: Deadline) -> None:
        self._open[deadline] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TICK, self._look)

    def remove(self, deadline: Deadline) -> None:
        del self._open[deadline]

    def _look(self) -> None:
        now = monotonic()
        for deadline in self._open:
            deadline.expire_by(now)
        self._timer = asyncio.get_running_loop().call_later(TICK, self._look) if self._open else None


class Deadline:
    """The limit of one task, which may have phases: `restart` begins the next one."""

    __slots__ = ("_all", "_cancelling", "_end", "_expired", "_late", "_task")

    def __init__(self, deadlines: Deadlines, seconds: float | None) -> None:
        self._all = deadlines
        self._expired = False
        self._task = task = asyncio.current_task()
        if task is None:
            message = "a time limit is for a task"
            raise RuntimeError(message)
        self._cancelling = task.cancelling()
        self._end = inf if seconds is None else monotonic() + seconds
        self._late: Callable[[], Exception] = TimeoutError

    def restart(self, seconds: float | None, late: Callable[[], Exception] = TimeoutError) -> float:
        """Begin a phase of at most `seconds`, None for no limit; `late` makes the error that ends it.

        Returns the seconds that were left of the phase before, negative if it was over and nobody has noticed yet.
        """
        now = monotonic()
        left = self._end - now
        self._end = inf if seconds is None else now + seconds
        self._late = late
        return left

    def expire_by(self, now: float) -> None:
        """Cancel the task, once, if the time is over."""
        if self._end <= now and not self._expired and self._task is not None:
            self._expired = True
            self._task.cancel()

    def __enter__(self) -> Self:
        self._all.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error of the phase in place of the cancellation, as `asyncio.timeout` does."""
        self._all.remove(self)
        if self._expired and self._task is not None:
            cancelled_by_others = self._task.uncancel() > self._cancelling
            if kind is asyncio.CancelledError and not cancelled_by_others:
                raise self._late() from error
