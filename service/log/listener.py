"""The dedicated connection that LISTENs for wake-ups, and notices when it has died.

A wake-up says that something may have happened, never what: it may come twice, late, or be lost while the connection
is down. Its receivers read the log. So that nothing is missed there, every new connection begins with a wake-up for
everything; before that `on_connect` checks which database it leads to. Death is noticed in two ways: asyncpg reports a
connection that was closed (a terminated backend, a restarted server), and a ping finds one that has silently stopped
answering.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import asyncpg

from service.database.errors import EpochChanged, NotPrepared
from service.log.events import CHANNEL

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
    AnyConnection: TypeAlias = Connection | PoolConnectionProxy[asyncpg.Record]

Wake: TypeAlias = Mapping[str, int] | None
"""The newest version heard of by game, or None: anything may have happened."""

PING_SECONDS = 5.0
"""How long a silent connection is trusted, and how long its answer to a ping may take."""

EPOCH_CHANGED = "another history"
"""A wake-up for a new epoch, in the words of earlier releases: the listener connects again, which finds it out."""

APPLICATION_NAME = "tablelog listener"
"""What the connection is called in pg_stat_activity."""

_FIRST_DELAY = 0.05
_LONGEST_DELAY = 2.0

_log = logging.getLogger(__name__)


class Listener:
    """Calls `on_wake` for every wake-up of the database, from `start` to `stop`, whatever happens to the connection."""

    def __init__(
        self,
        dsn: str,
        on_wake: Callable[[Wake], None],
        ping_seconds: float = PING_SECONDS,
        on_connect: Callable[[Connection], Awaitable[None]] | None = None,
        ping: Callable[[Connection], Awaitable[object]] | None = None,
    ) -> None:
        """`ping` is a query that is made every `ping_seconds`, by default one that does nothing."""
        self._dsn = dsn
        self._on_wake = on_wake
        self._ping_seconds = ping_seconds
        self._on_connect = on_connect
        self._ping = _nothing if ping is None else ping
        self._lost = asyncio.Event()
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin, and wait for the first attempt to connect; one that failed is repeated in the background."""
        self._task = asyncio.create_task(self._run(), name="listener")
        await self._tried.wait()

    async def stop(self) -> None:
        """Close the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        delay = _FIRST_DELAY
        while True:
            try:
                connection = await asyncpg.connect(
                    self._dsn, timeout=self._ping_seconds * 2, server_settings={"application_name": APPLICATION_NAME}
                )
                try:
                    await self._listen(connection)
                    delay = _FIRST_DELAY
                    self._tried.set()
                    await self._until_dead(connection)
                    if connection.is_closed():
                        _log.warning("the listening connection was lost")
                finally:
                    connection.terminate()
            except EpochChanged:  # which ends the node, and this listener with it
                self._tried.set()
                return
            except (asyncpg.PostgresError, asyncpg.InterfaceError, NotPrepared, OSError, TimeoutError) as error:
                _log.warning("cannot listen, trying again: %s", str(error) or type(error).__name__)
                self._tried.set()
            await asyncio.sleep(delay)
            delay = min(delay * 2, _LONGEST_DELAY)

    async def _listen(self, connection: Connection) -> None:
        self._lost = lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(CHANNEL, self._notified)
        # After listening has begun, so that no new epoch comes in between.
        if self._on_connect is not None:
            await self._on_connect(connection)
        # What was committed before this moment was told to nobody, or to the connection before.
        self._on_wake(None)

    async def _until_dead(self, connection: Connection) -> None:
        lost = self._lost
        while not lost.is_set():
            try:
                async with asyncio.timeout(self._ping_seconds):
                    await lost.wait()
            except TimeoutError:
                # asyncpg's own timeout ends the statement as well, but is not the caller's to set in every query.
                async with asyncio.timeout(self._ping_seconds):
                    await self._ping(connection)

    def _notified(self, _connection: AnyConnection, _pid: int, _channel: str, payload: Any) -> None:
        if payload == EPOCH_CHANGED:
            self._lost.set()
        self._on_wake(_parsed(payload))


async def _nothing(connection: Connection) -> None:
    await connection.execute("select")


def _parsed(payload: object) -> Wake:
    """The games and versions of a wake-up; one that cannot be read (sent by hand, by a later release) means any."""
    newest: dict[str, int] = {}
    for part in str(payload).split(","):
        game, _, version = part.rpartition(":")
        if not (game and version.isascii() and version.isdigit()):
            return None
        newest[game] = max(int(version), newest.get(game, 0))
    return newest
