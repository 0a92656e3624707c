"""Keeps the lobby and the history up with the log: in one process at a time, whichever that may be.

The work is shared out by an advisory lock on a session of the database: who holds it works, and the others try for it
once a second. The lock goes with the session, so it is free when its process dies; and a process that hangs, or that
the network has lost, has its session ended by the server after a while of silence. The lock only saves work. That
nothing goes wrong when two work at once is seen to elsewhere: rows move on only to later versions, and the checkpoint
moves on only from where its mover read it (`rows.py`).
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack, suppress

import asyncpg

from service.database.pool import STATEMENT_SECONDS, acquire_to_keep
from service.database.types import Connection, Pool
from service.log import safe_order
from service.log.log_reader import (
    AT_ONCE,
    BATCH_PAUSE,
    BATCH_STOP_SECONDS,
    HORIZON_SECONDS,
    STANDBY_SECONDS,
    LogReader,
    Pause,
)
from service.play.game_cache import GameCache
from service.projections import rows
from service.projections.summaries import fault, summarize

log = logging.getLogger(__name__)

BATCH = 1_000
"""Events that are looked at in one go."""

SILENCE = "10s"
"""A session that holds the lock and has not been heard of for so long is ended by the server."""

_LOCK = 7_305_911_045
"""Any fixed number: the advisory lock of the process that works."""


class Projector:
    """The projections of a process."""

    def __init__(self, pool: Pool, tables: GameCache) -> None:
        self._pool = pool
        self._tables = tables
        self._session = AsyncExitStack()
        self._connection: Connection | None = None
        self._reader = LogReader("projector", log, self._read)

    async def start(self) -> None:
        """Begin to work, or to stand by."""
        await self._reader.start()

    async def stop(self) -> None:
        """Finish the batch that is under way and leave the work to others."""
        # A database that does not answer must not keep the process from going.
        await self._reader.stop(BATCH_STOP_SECONDS)
        await self._resign()

    def wake(self, what: object) -> None:
        """Something was appended; what it was is read from the log."""
        del what
        self._reader.wake()

    async def _read(self) -> Pause:
        try:
            return await self._next_batch()
        except BaseException:
            await self._resign()
            raise

    async def _next_batch(self) -> Pause:
        connection = self._connection or await self._lead()
        if connection is None:
            return Pause(rest=STANDBY_SECONDS)
        await note_unreadable(connection, self._tables)
        if await step(connection, self._tables):
            return AT_ONCE
        return Pause(rest=BATCH_PAUSE, poll=HORIZON_SECONDS)

    async def _lead(self) -> Connection | None:
        """Take over the work on a connection of its own; None while another process has it."""
        async with AsyncExitStack() as session:
            connection = await session.enter_async_context(acquire_to_keep(self._pool))
            await note_unreadable(connection, self._tables)
            if not await connection.fetchval("select pg_try_advisory_lock($1)", _LOCK):
                return None
            # The session ends with its settings, and the lock with it: the pool makes another one.
            session.callback(_terminate, connection)
            await connection.execute(f"set idle_session_timeout = '{SILENCE}'")
            await connection.execute(f"set idle_in_transaction_session_timeout = '{SILENCE}'")
            await connection.execute(f"set statement_timeout = '{STATEMENT_SECONDS:.0f}s'")
            await recheck(connection, self._tables)
            self._session, self._connection = session.pop_all(), connection
        return self._connection

    async def _resign(self) -> None:
        """End the session, which frees the lock for another process."""
        self._connection = None
        await self._session.aclose()


async def step(connection: Connection, tables: GameCache) -> bool:
    """Bring the games of the next batch up to date; gives whether there is more to do at once."""
    at = await rows.checkpoint(connection)
    marks = await safe_order.read(connection, at.position, BATCH)
    if not marks:
        return False
    found = await summarize(tables, safe_order.newest(marks))
    async with connection.transaction():
        if not await rows.advance(connection, at, marks[-1].position):
            return True  # another process or a rebuild has moved on meanwhile: see what is left
        await rows.write(connection, at.generation, found)
    return len(marks) == BATCH


async def recheck(connection: Connection, tables: GameCache) -> None:
    """Read again the games that could not be read: a process with other rules or component sets may read them."""
    broken = await rows.unreadable(connection)
    if broken:
        found = await summarize(tables, broken)
        async with connection.transaction():
            await rows.write(connection, (await rows.hold_checkpoint(connection)).generation, found)


async def note_unreadable(connection: Connection, tables: GameCache) -> None:
    """Note the games that this process found unreadable, whatever it was asked for."""
    if tables.unreadable:
        faults = [fault(game_id, error.version, error) for game_id, error in tables.unreadable.items()]
        await rows.note(connection, faults)
        for each in faults:
            tables.unreadable.pop(each.game_id, None)


def _terminate(connection: Connection) -> None:
    with suppress(asyncpg.InterfaceError):  # the server has ended the session, and the pool has taken it back
        connection.terminate()
