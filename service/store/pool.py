"""The pool of connections that everything but the listener works with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg

from service.store.events import Pool
from service.store.history import History

STATEMENT_SECONDS = 20.0
"""How long a statement may take."""

WAIT_SECONDS = 20.0
"""How long a connection that others hold is waited for: as they do, when the database does not answer."""

STOP_SECONDS = 4.0
"""How long a database may take for an answer when the process stops."""

if TYPE_CHECKING:
    from asyncpg.pool import PoolAcquireContext

    _AnyPool = asyncpg.Pool[asyncpg.Record]
else:
    _AnyPool = asyncpg.Pool

_log = logging.getLogger(__name__)


class _BoundedPool(_AnyPool):
    """A pool whose connections nobody waits for for ever; asyncpg itself has a bound only where a caller gives one."""

    def acquire(self, *, timeout: float | None = None) -> PoolAcquireContext[asyncpg.Record]:
        """A connection; raises `TimeoutError`."""
        return super().acquire(timeout=WAIT_SECONDS if timeout is None else timeout)


@asynccontextmanager
async def open_pool(dsn: str, connections: int, history: History | None = None) -> AsyncGenerator[Pool]:
    """A pool on a database, closed at the end; every new connection says which history of the log it leads to."""
    # No least size: while the database is away asyncpg would try to restore it, and write a traceback each time.
    pool = await _BoundedPool(
        dsn,
        min_size=0,
        max_size=connections,
        command_timeout=STATEMENT_SECONDS,
        init=None if history is None else history.reach,
        reset=_nothing,
        # What `asyncpg.create_pool` takes if nothing is said.
        max_queries=50_000,
        max_inactive_connection_lifetime=300.0,
        loop=None,
        connection_class=asyncpg.Connection,
        record_class=asyncpg.Record,
    )
    if history is not None:
        history.leave(pool.expire_connections)
    try:
        yield pool
    finally:
        async with impatient(pool):
            await pool.close()


@asynccontextmanager
async def impatient(pool: Pool, still: Callable[[], bool] = lambda: True) -> AsyncGenerator[None]:
    """Do something for the last time: what waits for an answer of the database too long, if `still`, fails then.

    Cancelling it would not end it: asyncpg then waits for the server to say that it has heard of that.
    """

    def give_up() -> None:
        if still():
            _log.warning("the database does not answer, and is not waited for any longer")
            pool.terminate()

    timer = asyncio.get_running_loop().call_later(STOP_SECONDS, give_up)
    try:
        yield
    finally:
        timer.cancel()


async def _nothing(_connection: object) -> None:
    """Leave a session as it is: no statement here changes one, and resetting costs a round trip per statement."""
