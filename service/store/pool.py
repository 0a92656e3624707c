"""The pool of connections that everything but the listener works with."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg

from service.store.events import Pool
from service.store.history import History
from service.store.positions import Connection


@asynccontextmanager
async def open_pool(dsn: str, connections: int, history: History | None = None) -> AsyncGenerator[Pool]:
    """A pool on a database, closed at the end; every new connection says which history of the log it leads to."""

    async def greet(connection: Connection) -> None:
        if history is not None and await history.reach(connection):
            await pool.expire_connections()  # others may lead elsewhere still

    # No least size: while the database is away asyncpg would try to restore it, and write a traceback each time.
    async with asyncpg.create_pool(
        dsn, min_size=0, max_size=connections, command_timeout=20, init=greet, reset=_nothing
    ) as pool:
        yield pool


async def _nothing(_connection: object) -> None:
    """Leave a session as it is: no statement here changes one, and resetting costs a round trip per statement."""
