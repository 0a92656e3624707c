"""The epoch of the log: which of its histories a node of this process works on, and how it finds out about another.

When a backup is restored, moves that were made after it are gone, and other ones take their versions: what a process
or a client remembers by version no longer means anything. So `tablelog restored` gives the log a new epoch
(`restore.py`). A node works on one epoch all its life. Every new connection reads the epoch before it is handed out,
and a database cannot take the place of another while connections to that one are open; so the first connection to
another epoch is refused, and every one after it, and the process starts another node (service/process.py). Until that
is found out, the statement that appends compares epochs by itself (`events.py`).

A database that was made from a dump is recognized by its home, which the dump has brought along from elsewhere, or by
events from transactions that this server has yet to run, which no reader of the whole log would see (`safe_order.py`).
It is not used until `tablelog restored` has run there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from uuid import uuid4

import asyncpg

from service.database.errors import EpochChanged, NotPrepared
from service.database.types import Connection

_log = logging.getLogger(__name__)

AHEAD = """
coalesce((select xid from events order by xid desc, position desc limit 1)
         >= pg_snapshot_xmax(pg_current_snapshot()), false)
"""
"""Whether the last event is of a transaction that this server has yet to run: the ids are those of another one."""

_READ = f"select epoch, home = this_database() as at_home, {AHEAD} as ahead from epoch"  # noqa: S608 - the constant above

# With no event there is nothing to lose, as in a database that was made from a template.
_SETTLE = """
update epoch set epoch = $1, home = this_database()
where home <> this_database() and not exists (select from events)
"""


class LogEpoch:
    """The epoch that a node works on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.changed = False
        self._on_change: list[Callable[[], None]] = []

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call this when the log has another epoch: once, before anybody else hears of it."""
        self._on_change.append(callback)

    def require_current(self) -> None:
        """Raises `EpochChanged` once the log was found to have another epoch."""
        if self.changed:
            raise EpochChanged

    async def check(self, connection: Connection) -> None:
        """Read the epoch over a connection; raises `EpochChanged` and `NotPrepared`."""
        found = await read(connection)
        if found != self.name and not self.changed:
            self.changed = True
            _log.warning("the log has another epoch, %s instead of %s: restarting", found, self.name)
            for callback in self._on_change:
                callback()
        self.require_current()


async def read(connection: Connection) -> str:
    """The epoch of a database that can be worked with; raises `NotPrepared`."""
    try:
        found = await connection.fetchrow(_READ)
    except (asyncpg.UndefinedTableError, asyncpg.UndefinedFunctionError, asyncpg.UndefinedColumnError) as error:
        message = "the database is not one of Tablelog, or not whole: if a backup is being restored, wait for its end"
        raise NotPrepared(message) from error
    if found is None:
        raise NotPrepared("the database is not whole: if a backup is being restored, wait for its end")
    if not found["at_home"] or found["ahead"]:
        message = "the database was made from a backup or is a copy of another: run `tablelog restored` on it first"
        raise NotPrepared(message)
    return found["epoch"]


async def enter_epoch(dsn: str, *, settle: bool = True) -> LogEpoch:
    """The epoch of a database, to start working on; raises `NotPrepared`.

    With `settle` a copy of a database without events is given an epoch of its own; not to be done where a restore may
    be under way, which brings the events last.
    """
    connection = await asyncpg.connect(dsn, timeout=10, command_timeout=10)
    try:
        if settle:
            await connection.execute(_SETTLE, new_epoch())
        return LogEpoch(await read(connection))
    finally:
        await connection.close()


def new_epoch() -> str:
    """A name that no other epoch has."""
    return uuid4().hex
