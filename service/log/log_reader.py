"""The background loop of each part that reads the log as it grows: the hub, the feeds and the projector.

A part says how to read and how long to pause; the loop wakes it, polls in case a wake-up was lost, backs off when a
read fails, and logs an unreachable database once per outage. It ends only when it is stopped: a reader that gives up
is worse than one that is late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from service.database.errors import EpochChanged, is_lost
from service.loop_lag import why_lost

POLL_SECONDS = 2.0
"""How long a lost wake-up can go unnoticed."""

HORIZON_SECONDS = 1.0
"""The projector polls more often: no wake-up announces that the safe order's horizon has moved on."""

STANDBY_SECONDS = 1.0
"""How often a projector on standby tries for the lock."""

RETRY_SECONDS = 0.5
"""How long to wait after a read that failed."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 0.5
"""The feeds rest at least this long between two reads, so that one read carries many events under load, and ask at
most this rarely for committed events that are still beyond the horizon."""

BATCH_PAUSE = 0.2
"""How long the projector rests between two batches, for the same reason."""

STOP_SECONDS = 2.0
"""How long a stopping process waits for a read in progress."""

BATCH_STOP_SECONDS = 5.0
"""The same for a batch of the projector, which takes longer."""


class Pause(NamedTuple):
    """What comes between two reads: a rest that no wake-up cuts short, then at most `poll` seconds until a wake-up."""

    rest: float = 0.0
    poll: float | None = 0.0
    """None: only a wake-up ends the pause."""


AT_ONCE = Pause()
UNTIL_WOKEN = Pause(poll=None)


class LogReader:
    """Calls `read` over and over, with the pauses it returns, from `start` to `stop`."""

    def __init__(self, name: str, log: logging.Logger, read: Callable[[], Awaitable[Pause]]) -> None:
        self._name = name
        self._log = log
        self._read = read
        self._woken = asyncio.Event()
        self._stopping = asyncio.Event()
        self._outage = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to read; a reader that was stopped can start again."""
        self._stopping.clear()
        self._task = asyncio.create_task(self._run(), name=f"reader of {self._name}")

    async def stop(self, patience: float = STOP_SECONDS) -> None:
        """Let the read in progress finish; after `patience` seconds cancel it."""
        if self._task is None:
            return
        self._stopping.set()
        self._woken.set()
        # Cancelling comes last: asyncpg would open another connection to ask the server to cancel the query.
        _, late = await asyncio.wait({self._task}, timeout=patience)
        for task in late:
            task.cancel()
            await asyncio.wait({task})
        self._task = None

    def wake(self) -> None:
        """End the current pause, or skip the one after the read in progress; a rest is still observed."""
        self._woken.set()

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                pause = await self._read()
            except Exception as error:  # noqa: BLE001 - whatever it is, reading resumes once it is over
                self._report(error)
                pause = Pause(rest=RETRY_SECONDS)
            else:
                self._outage = False
            await _wait(self._stopping, pause.rest)
            await _wait(self._woken, pause.poll)

    def _report(self, error: Exception) -> None:
        if not is_lost(error):
            self._log.error("%s: reading the log failed, trying again", self._name, exc_info=error)
            return
        if not (self._outage or self._stopping.is_set() or isinstance(error, EpochChanged)):
            self._log.warning("%s: waiting for the database: %s", self._name, why_lost(error))
        self._outage = True


async def _wait(event: asyncio.Event, seconds: float | None) -> None:
    """Wait for an event, at most `seconds`; returns at once for none."""
    if seconds == 0:
        return
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
