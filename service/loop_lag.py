"""How late the event loop runs, so that a busy process is not taken for a database that hangs.

A timeout that expires cannot tell the two apart: while one callback keeps the loop for seconds, or the machine stops
the process, the answer of the database lies unread in the kernel. So a timer measures how late it fires.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

import asyncpg

SAMPLE_SECONDS = 0.1

WINDOW_SECONDS = 5.0
"""How far back lateness counts: a little longer than a request or a frame may take."""

HELD_UP_SECONDS = 2.0
"""From this much lateness in the window on, the loop and not the database is the reason for a timeout."""

_BY_TIMEOUT = (
    TimeoutError,
    asyncpg.ConnectionDoesNotExistError,  # the pool cuts a connection that is kept for too long
    asyncpg.InterfaceError,
)


class LoopLag:
    """The lateness of one loop, measured between `start` and `stop`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._late: deque[tuple[float, float]] = deque()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Measure from now on."""
        self._due = self._loop.time() + SAMPLE_SECONDS
        self._timer = self._loop.call_at(self._due, self._sample)

    def stop(self) -> None:
        """End the timer."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def seconds(self) -> float:
        """How much of the last `WINDOW_SECONDS` the loop was late, up to this moment."""
        now = self._loop.time()
        begin = now - WINDOW_SECONDS
        late = sum(end - max(since, begin) for since, end in self._late if end > begin)
        return late + max(0.0, now - max(self._due, begin))

    def _sample(self) -> None:
        now = self._loop.time()
        while self._late and self._late[0][1] < now - WINDOW_SECONDS:
            self._late.popleft()
        self._late.append((self._due, now))
        self.start()


_measured: list[LoopLag] = []
"""The loops that are measured: one in a process."""


@contextmanager
def measuring_lag() -> Generator[LoopLag]:
    """Measure the running loop."""
    lag = LoopLag(asyncio.get_running_loop())
    _measured.append(lag)
    lag.start()
    try:
        yield lag
    finally:
        lag.stop()
        _measured.remove(lag)


def held_up() -> str | None:
    """Says that the loop was late for so long that timeouts prove nothing about the database; else None."""
    seconds = max((lag.seconds for lag in _measured), default=0.0)
    if seconds < HELD_UP_SECONDS:
        return None
    return f"the event loop was held up for {seconds:.1f} of the last {WINDOW_SECONDS:g} s"


def why_lost(error: Exception) -> str:
    """Why a statement failed although the database did not refuse it (`errors.is_lost`), for the log."""
    if isinstance(error, _BY_TIMEOUT) and not (isinstance(error, OSError) and error.errno):
        held = held_up()
        if held is not None:
            return f"{held}, too long for an answer of the database to be read in time: {error!r}"
    return f"the database is out of reach: {error!r}"
