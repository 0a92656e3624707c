"""The pool of connections that everything but the listener works with."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg

from service.store.events import Pool
from service.store.history import History


@asynccontextmanager
async def open_pool(dsn: str, connections: int, history: History | None = None) -> AsyncGenerator[Pool]:
    """A pool on a database, closed at the end; every new connection says which history of the log it leads to."""
    # No least size: while the database is away asyncpg would try to restore it, and write a traceback each time.
    async with asyncpg.create_pool(
        dsn,
        min_size=0,
        max_size=connections,
        command_timeout=20,
        init=None if history is None else history.reach,
        reset=_nothing,
    ) as pool:
        if history is not None:
            history.leave(pool.expire_connections)
        yield pool


async def _nothing(_connection: object) -> None:
    """Leave a session as it is: no statement here changes one, and resetting costs a round trip per statement."""
