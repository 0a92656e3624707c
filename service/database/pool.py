"""The pool of connections, for everything but the listener."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Protocol

import asyncpg

from service.database.types import Connection, Pool

STATEMENT_SECONDS = 20.0
"""Default timeout of a statement."""

CHECKOUT_SECONDS = 4.0
"""How long a request may keep a connection, including the wait for a free one, before it is cut."""

SERVER_SECONDS = 3.5
"""When the server cancels a statement of a request: one that waits for a lock so leaves a sound connection."""

RELEASE_SECONDS = 0.3
"""How long the server may take to confirm a cancellation before the connection is cut."""

STOP_SECONDS = 4.0
"""How long the database may take to answer when the process stops."""

_TRANSACTION_SECONDS = 10.0
"""When the server ends a session that is idle in a transaction, as when the network is down."""

if TYPE_CHECKING:
    from asyncpg.pool import PoolAcquireContext, PoolConnectionProxy

    _AnyPool = asyncpg.Pool[asyncpg.Record]
    _Checkout = PoolAcquireContext[asyncpg.Record]
    _Proxy = PoolConnectionProxy[asyncpg.Record]
else:
    from asyncpg.pool import PoolAcquireContext as _Checkout

    _AnyPool = asyncpg.Pool

_log = logging.getLogger(__name__)


class Epoch(Protocol):
    """Makes sure that every connection leads to the log that the node works on."""

    async def check(self, connection: Connection) -> None:
        """Check a new connection; raises `EpochChanged`."""
        ...

    def require_current(self) -> None:
        """Raises `EpochChanged` once a connection has led to another log."""
        ...


class _BoundedCheckout(_Checkout):
    """A connection that is cut after some seconds: whatever waits for its answer fails at once.

    Cancelling is not enough: asyncpg waits for the server to confirm it, also before the rollback of a transaction.
    """

    def __init__(self, pool: _AnyPool, seconds: float) -> None:
        super().__init__(pool, seconds)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._was_cut = False

    async def __aenter__(self) -> _Proxy:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds
        connection = await super().__aenter__()
        self._timer = loop.call_at(end, self._cut, connection)
        return connection

    async def __aexit__(self, *exc: Any) -> None:  # noqa: PYI036 - as in the base class
        try:
            await super().__aexit__(*exc)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._was_cut:
                # The others may lead to the same unresponsive network or server: connect again.
                await self.pool.expire_connections()

    def _cut(self, connection: _Proxy) -> None:
        self._was_cut = True
        with suppress(asyncpg.InterfaceError):  # closed already
            connection.terminate()


class _BoundedPool(_AnyPool):
    """A pool with a default timeout for every wait; asyncpg bounds only those whose caller gives a timeout."""

    checkout_seconds: float | None = None
    epoch: Epoch | None = None

    def acquire(self, *, timeout: float | None = None) -> PoolAcquireContext[asyncpg.Record]:
        """A connection; raises `TimeoutError` and `EpochChanged`."""
        if self.epoch is not None:
            self.epoch.require_current()
        if timeout is None and self.checkout_seconds is not None:
            return _BoundedCheckout(self, self.checkout_seconds)
        return super().acquire(timeout=STATEMENT_SECONDS if timeout is None else timeout)

    async def release(self, connection: _Proxy, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 - asyncpg's
        await super().release(connection, timeout=RELEASE_SECONDS if timeout is None else timeout)


def acquire_to_keep(pool: Pool) -> PoolAcquireContext[asyncpg.Record]:
    """A connection without a time limit; only the wait for it is bounded."""
    return pool.acquire(timeout=CHECKOUT_SECONDS)


@asynccontextmanager
async def open_pool(
    dsn: str, connections: int, epoch: Epoch | None = None, *, checkout_seconds: float | None = None
) -> AsyncGenerator[Pool]:
    """A pool on a database, closed at the end; `epoch` checks every new connection.

    With `checkout_seconds` a connection that is kept for longer is cut, unless it was acquired to keep.
    """
    server: dict[str, str] = {}
    if checkout_seconds is not None:
        server["statement_timeout"] = _milliseconds(min(SERVER_SECONDS, checkout_seconds))
        server["idle_in_transaction_session_timeout"] = _milliseconds(_TRANSACTION_SECONDS)
    # No minimum size: while the database is away asyncpg would try to restore it, and log a traceback each time.
    pool = _BoundedPool(
        dsn,
        min_size=0,
        max_size=connections,
        command_timeout=STATEMENT_SECONDS,
        server_settings=server,
        init=None if epoch is None else _bounded_init(epoch),
        reset=_nothing,
        # The defaults of `asyncpg.create_pool`.
        max_queries=50_000,
        max_inactive_connection_lifetime=300.0,
        loop=None,
        connection_class=asyncpg.Connection,
        record_class=asyncpg.Record,
    )
    pool.checkout_seconds = checkout_seconds
    pool.epoch = epoch
    await pool
    try:
        yield pool
    finally:
        async with impatient(pool):
            await pool.close()


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1_000))


def _bounded_init(epoch: Epoch) -> Callable[[Connection], CoroutineType[Any, Any, None]]:
    """Check a new connection; one that does not answer is cut, since asyncpg would wait for the server to close it."""

    async def check(connection: Connection) -> None:
        try:
            async with asyncio.timeout(CHECKOUT_SECONDS):
                await epoch.check(connection)
        except (TimeoutError, asyncio.CancelledError):
            connection.terminate()
            raise

    return check


@asynccontextmanager
async def impatient(pool: Pool, still: Callable[[], bool] = lambda: True) -> AsyncGenerator[None]:
    """Cut all connections if the work within takes longer than `STOP_SECONDS`, and `still` holds.

    Cancelling the work would not end it: asyncpg waits for the server to confirm.
    """

    def give_up() -> None:
        if still():
            _log.warning("the database does not answer: no longer waiting for it")
            pool.terminate()

    timer = asyncio.get_running_loop().call_later(STOP_SECONDS, give_up)
    try:
        yield
    finally:
        timer.cancel()


async def _nothing(_connection: object) -> None:
    """Do not reset a session: no statement here changes it, and a reset costs a round trip each time."""
