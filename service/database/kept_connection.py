"""A connection of the pool that is kept from one statement to the next.

Acquiring and releasing a connection costs asyncpg a task and half a dozen timers, nearly as much as a small statement.
A busy writer saves them.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import asyncpg

from service.database.types import Pool

KEEP_SECONDS = 0.5
"""Must leave time for a last statement: the pool cuts a connection after `pool.CHECKOUT_SECONDS`."""

if TYPE_CHECKING:
    from asyncpg.pool import PoolAcquireContext, PoolConnectionProxy

    _Checkout = PoolAcquireContext[asyncpg.Record]
    _Connection = PoolConnectionProxy[asyncpg.Record]


class KeptConnection:
    """Runs the statements of one task, one at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._checkout: _Checkout | None = None
        self._connection: _Connection | None = None
        self._end = 0.0

    async def fetch(self, statement: str, *args: Any) -> list[asyncpg.Record]:
        """The rows of a statement; after a failure the next one uses another connection."""
        if asyncio.get_running_loop().time() >= self._end:
            await self.release()
        connection = await self._acquired()
        try:
            return await connection.fetch(statement, *args)
        except BaseException:
            await self.release()
            raise

    async def release(self) -> None:
        checkout, self._checkout, self._connection = self._checkout, None, None
        if checkout is not None:
            await checkout.__aexit__(*sys.exc_info())

    async def _acquired(self) -> _Connection:
        if self._connection is None:
            checkout = self._pool.acquire()
            self._connection = await checkout.__aenter__()
            self._checkout = checkout
            self._end = asyncio.get_running_loop().time() + KEEP_SECONDS
        return self._connection
