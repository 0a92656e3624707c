"""Keeps the lobby and the history up with the log: in one process at a time, whichever that may be.

The work is shared out by an advisory lock on a session of the database: who holds it works, and the others try for it
once a second. The lock goes with the session, so it is free when its process dies; and a process that hangs, or that
the network has lost, has its session ended by the server after a while of silence. The lock only saves work. That
nothing goes wrong when two work at once is seen to elsewhere: rows move on only to later versions, and the checkpoint
moves on only from where its mover read it (`rows.py`).
"""

from __future__ import annotations

import asyncio
import logging

from service.database.errors import is_lost
from service.database.pool import STATEMENT_SECONDS, acquire_to_keep
from service.database.types import Connection, Pool
from service.log import safe_order
from service.loop_lag import why_lost
from service.play.game_cache import Tables
from service.projections import rows
from service.projections.summaries import fault, summarise

log = logging.getLogger(__name__)

BATCH = 1_000
"""Events that are looked at in one go."""

BACKSTOP_SECONDS = 1.0
"""How long a wake-up may have gone astray unnoticed, and how often who stands by tries for the lock."""

REST_SECONDS = 0.2
"""At least this passes between two steps: when many moves are made, a step carries many, and costs next to nothing."""

PATIENCE_SECONDS = 5.0
"""How long a step that is under way may take when the process stops."""

SILENCE = "10s"
"""A session that holds the lock and has not been heard of for so long is ended by the server."""

_LOCK = 7_305_911_045
"""Any fixed number: the advisory lock of the process that works."""


class Projector:
    """The projections of a process."""

    def __init__(self, pool: Pool, tables: Tables) -> None:
        self._pool = pool
        self._tables = tables
        self._woken = asyncio.Event()
        self._stopping = asyncio.Event()
        self._elsewhere = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to work, or to stand by."""
        self._stopping.clear()
        self._task = asyncio.create_task(self._run(), name="projector")

    async def stop(self) -> None:
        """Finish the step that is under way and leave the work to others."""
        if self._task is None:
            return
        self._stopping.set()
        self._woken.set()
        # A database that does not answer must not keep the process from going.
        _, late = await asyncio.wait({self._task}, timeout=PATIENCE_SECONDS)
        for task in late:
            task.cancel()
            await asyncio.wait({task})
        self._task = None

    def wake(self, what: object) -> None:
        """Something was appended; what it was is read from the log."""
        del what
        self._woken.set()

    def reconnect(self) -> None:
        """Let go of the connection, which may lead to a database that is no longer the one."""
        self._elsewhere = True
        self._woken.set()

    async def _run(self) -> None:
        out_of_reach = False
        while not self._stopping.is_set():
            try:
                async with acquire_to_keep(self._pool) as connection:
                    self._elsewhere = False
                    await note_unreadable(connection, self._tables)
                    if await connection.fetchval("select pg_try_advisory_lock($1)", _LOCK):
                        try:
                            await self._work(connection)
                        finally:
                            # The session ends with its settings, and the lock with it: the pool makes another one.
                            connection.terminate()
                out_of_reach = False
            except Exception as error:  # a reader that gives up is worse than one that is late
                if not is_lost(error):
                    log.exception("the projections stopped short and go on in a moment")
                elif not out_of_reach:
                    log.warning("the projections wait for the database: %s", why_lost(error))
                out_of_reach = is_lost(error)
            await _happens(self._stopping, BACKSTOP_SECONDS)

    async def _work(self, connection: Connection) -> None:
        await connection.execute(f"set idle_session_timeout = '{SILENCE}'")
        await connection.execute(f"set idle_in_transaction_session_timeout = '{SILENCE}'")
        await connection.execute(f"set statement_timeout = '{STATEMENT_SECONDS:.0f}s'")
        await recheck(connection, self._tables)
        while not (self._stopping.is_set() or self._elsewhere):
            self._woken.clear()
            await note_unreadable(connection, self._tables)
            while await step(connection, self._tables) and not (self._stopping.is_set() or self._elsewhere):
                pass
            await _happens(self._stopping, REST_SECONDS)
            await _happens(self._woken, BACKSTOP_SECONDS)


async def step(connection: Connection, tables: Tables) -> bool:
    """Bring the games of the next batch up to date; gives whether there is more to do at once."""
    at = await rows.checkpoint(connection)
    marks = await safe_order.read(connection, at.position, BATCH)
    if not marks:
        return False
    found = await summarise(tables, safe_order.newest(marks))
    async with connection.transaction():
        if not await rows.advance(connection, at, marks[-1].position):
            return True  # another process or a rebuild has moved on meanwhile: see what is left
        await rows.write(connection, at.generation, found)
    return len(marks) == BATCH


async def recheck(connection: Connection, tables: Tables) -> None:
    """Read again the games that could not be read: a process with other rules or component sets may read them."""
    broken = await rows.unreadable(connection)
    if broken:
        found = await summarise(tables, broken)
        async with connection.transaction():
            await rows.write(connection, (await rows.hold_checkpoint(connection)).generation, found)


async def note_unreadable(connection: Connection, tables: Tables) -> None:
    """Note the games that this process found unreadable, whatever it was asked for."""
    if tables.unreadable:
        faults = [fault(game_id, error.version, error) for game_id, error in tables.unreadable.items()]
        await rows.note(connection, faults)
        for each in faults:
            tables.unreadable.pop(each.game_id, None)


async def _happens(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but no longer than this."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
