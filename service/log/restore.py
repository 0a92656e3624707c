"""Make a restored database one that can be worked with: it gets a new epoch, and transaction ids that fit.

Each event carries the id of the transaction that wrote it, and a reader of the whole log reads what lies below the
ids that are still running (`safe_order.py`). A dump carries these ids into another server, which counts its own and may
be far behind: the restored events would lie beyond the horizon, where no list would ever find them, and what is
appended would stand before them in the order. So if there is any such event, all of them are given the id 1, which is
below every id that a server hands out. Their order is that of `position` then. Within a game this is the order of
versions, because version v+1 is written by a statement that saw v committed, and so took its position later. Across
games the order may differ from what it was; a checkpoint is therefore set back to before the first event that its
reader had yet to come to.

Where the ids fit (a copy on the same server, a standby that was promoted, a recovery to an earlier moment), they stay,
and so do checkpoints. The epoch is a new one in any case. Nothing that is hashed is touched.
"""

from __future__ import annotations

import asyncpg
from msgspec import Struct

from service.database.connect import reached
from service.database.migrate import migrate
from service.database.types import Connection
from service.log.epoch import AHEAD, new_epoch
from service.log.events import CHANNEL
from service.log.listener import EPOCH_CHANGED

_LOCKED = "lock table events, projection, history, epoch in access exclusive mode"

_REWIND = """
update projection set xid = '1', position = coalesce(
    (select min(position) - 1 from events where (xid, position) > (projection.xid, projection.position)),
    (select max(position) from events),
    0)
"""

# This writes the table anew, so that no row is updated: the log refuses that, also here.
_REBASE = "alter table events alter column xid type xid8 using '1'::xid8"

_REBASE_ENDS = "update history set ended_xid = '1' where ended_xid is not null"

_PAST_THE_LAST = """
select setval(pg_get_serial_sequence('events', 'position'), greatest(
    (select max(position) from events),
    (select last_value from pg_sequences
     where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence('events', 'position'))))
where exists (select from events)
"""


class NoTablelog(Exception):
    """The database was never one of Tablelog."""


class Restored(Struct, frozen=True):
    """What was done: the epochs, how many events and games there are, and whether new ids had to be assigned."""

    epoch: str
    before: str
    games: int
    events: int
    rebased: bool


async def restored(dsn: str) -> Restored:
    """Prepare a restored database, in one transaction; may be done again. Raises `NoTablelog`."""
    async with reached(dsn) as connection:
        if not await connection.fetchval("select to_regclass('migrations') is not null"):
            raise NoTablelog("this is no database of Tablelog: there is no table `migrations`")
        await migrate(dsn)  # a backup may be that of an earlier release
        while True:
            try:
                async with connection.transaction():
                    done = await _prepare(connection)
                break
            except asyncpg.DeadlockDetectedError:
                continue  # with a process at work on this very database, which goes on
        # A restored table has no statistics until somebody looks, and plans are slow without.
        await connection.execute("analyze")
    return done


async def _prepare(connection: Connection) -> Restored:
    await connection.execute(_LOCKED)
    rebased: bool = await connection.fetchval(f"select {AHEAD}")
    if rebased:
        await connection.execute(_REWIND)
        await connection.execute(_REBASE)
        await connection.execute(_REBASE_ENDS)
    await connection.execute(_PAST_THE_LAST)
    before: str = await connection.fetchval("select epoch from epoch")
    epoch = new_epoch()
    await connection.execute("update epoch set epoch = $1, home = this_database()", epoch)
    # For processes that are at work on this very database already.
    await connection.execute("select pg_notify($1, $2)", CHANNEL, EPOCH_CHANGED)
    games = await connection.fetchval("select count(*) from events where version = 1")
    events = await connection.fetchval("select count(*) from events")
    return Restored(epoch=epoch, before=before, games=games, events=events, rebased=rebased)
