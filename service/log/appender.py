"""Group commit: commands that arrive while a group is being written form the next group; a lone one waits for nobody.

A group is one statement, one commit and one wake-up. Of many that wait only half form it, as long as the database is
quick: had it all of them, the process would have nothing to do until it is written, and then the database nothing until
their clients come again.

When the connection is lost on the way, nobody knows whether the commit happened: the same group is sent again, and rows
that are met there with the group's own attempt ids are its own.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from uuid import UUID

from service.database.errors import LOST, Unavailable, is_lost
from service.database.kept_connection import KeptConnection
from service.database.types import Pool
from service.log import events
from service.log.events import Entry

GROUP_LIMIT = 100
"""Entries in a statement: with ids of at most 32 characters the wake-up stays below `events.WAKE_LIMIT`."""

GROUP_WORTH = 8
"""Entries that are worth a statement: fewer are not halved."""

QUICK_SECONDS = 0.01
"""A database that takes longer for a group gets all that waits: then it is the number of statements that counts."""

APPEND_SECONDS = 4.0
"""How long a group may take, its second attempt included."""


class Appender:
    """The one writer of a process. `append` says whether the entry is in; False means that its place is taken."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept = KeptConnection(pool)
        self._waiting: deque[tuple[Entry, asyncio.Future[bool]]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._quick = True

    async def append(self, entry: Entry) -> bool:
        """Append an entry; raises `Unavailable`."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        # Who gives up cancels this future, never the write: others are in the same group.
        return await future

    async def close(self) -> None:
        """Wait until everything that was taken on is written."""
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        try:
            while self._waiting:
                # Who has given up was answered that nothing is known: what is not on its way yet is left undone.
                self._waiting = deque(each for each in self._waiting if not each[1].done())
                size = group_size(len(self._waiting), halved=self._quick)
                if not size:
                    break
                begun = time.perf_counter()
                await self._write_group([self._waiting.popleft() for _ in range(size)])
                self._quick = time.perf_counter() - begun < QUICK_SECONDS
        finally:
            self._writing = None
            with suppress(*LOST):  # then what was written is answered already, and the pool connects again
                await self._kept.release()

    async def _write_group(self, group: list[tuple[Entry, asyncio.Future[bool]]]) -> None:
        try:
            async with asyncio.timeout(APPEND_SECONDS):
                written = await self._append([entry for entry, _ in group])
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            for _, future in group:
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # marks it as heard: a client that has gone does not make the loop complain
            return
        for entry, future in group:
            if not future.done():
                future.set_result(entry.attempt in written)

    async def _append(self, entries: list[Entry]) -> set[UUID]:
        try:
            return await events.append(self._kept, entries)
        except Exception as error:
            if not is_lost(error):
                raise
        try:
            written = await events.append(self._pool, entries)
            return written | await events.attempts(self._pool, entries)
        except Exception as error:
            if is_lost(error):
                raise Unavailable from error
            raise


def group_size(waiting: int, *, halved: bool) -> int:
    """How many of the entries that wait form the next group."""
    wanted = max(GROUP_WORTH, waiting // 2) if halved else waiting
    return min(waiting, wanted, GROUP_LIMIT)
