"""Which history of the log this process works on, and what is forgotten when the database holds another one.

An epoch names a history of the log. When a backup is put back, moves that were made after it are gone, and other ones
take their versions: what a process or a client remembers by version says nothing any more. So `tablelog restored` gives
the log a new epoch (`restore.py`), and everybody finds out before it uses what it remembers: every new connection to
the database reads the epoch before it is handed out, and a database cannot be put in the place of another while
connections to that one are open. Whoever keeps something follows this object and forgets it in the same breath. Work
that is under way is not told: it holds tables of the epoch that they were folded under, and the statement that appends
compares that with the epoch of the log (`events.py`).

A database that was made from a dump is recognised by its home, which the dump has taken along from elsewhere, or by
events from transactions that this server has yet to run, which no reader of the whole log would see (`safe_order.py`).
Until `tablelog restored` has run there, it is not worked with.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from uuid import uuid4

import asyncpg

from service.database.errors import NotPrepared
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


class History:
    """The history of the log that this process works on."""

    def __init__(self, epoch: str | None = None) -> None:
        """An epoch of None, before the first connection or for work on a single one, stands for any."""
        self.epoch = epoch
        self._preparing: list[Callable[[Connection], Awaitable[None]]] = []
        self._forgetting: list[Callable[[], None]] = []
        self._leaving: list[Callable[[], Awaitable[None]]] = []

    def prepare(self, prepare: Callable[[Connection], Awaitable[None]]) -> None:
        """Have this done in the database of another history before anything else is."""
        self._preparing.append(prepare)

    def follow(self, forget: Callable[[], None]) -> None:
        """Have this called whenever the history is another one."""
        self._forgetting.append(forget)

    def leave(self, leave: Callable[[], Awaitable[None]]) -> None:
        """Have this done after that, to let go of connections that may lead to the other history still."""
        self._leaving.append(leave)

    async def reach(self, connection: Connection) -> None:
        """See which history a connection leads to, and go over to it; raises `NotPrepared`."""
        found = await read(connection)
        if found == self.epoch:
            return
        for prepare in self._preparing:
            await prepare(connection)
        if self._change(found):
            for leave in self._leaving:
                await leave()

    def _change(self, epoch: str) -> bool:
        """Work on this history from now on, and forget what is known of another; gives whether there was one."""
        before, self.epoch = self.epoch, epoch
        if before in {None, epoch}:
            return False
        _log.warning("the log has another history: epoch %s, and no longer %s", epoch, before)
        for forget in self._forgetting:
            forget()
        return True


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


async def entered(dsn: str) -> History:
    """The history of a database that is up to date, to start working on; raises `NotPrepared`."""
    connection = await asyncpg.connect(dsn, timeout=10, command_timeout=10)
    try:
        await connection.execute(_SETTLE, new_epoch())
        return History(await read(connection))
    finally:
        await connection.close()


def new_epoch() -> str:
    """A name for a history that no other has."""
    return uuid4().hex
