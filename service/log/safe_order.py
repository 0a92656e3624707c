"""Reading the whole log in one safe order, with any number of writers.

A reader of a single game goes by version, and a gap there means loss. Across games there is no such number, and the
obvious one is a trap. A sequence hands out its numbers when a row is written, but a row is seen when its transaction
commits, and the two orders differ: 100 may be handed out first, and 101 be committed first. A reader that follows the
numbers passes 101 while 100 is still on its way, and never sees 100. Waiting for the gap to close does not help,
because a transaction that is rolled back leaves a permanent gap. A lock that makes writers take turns helps, and costs
most of the speed of the log.

PostgreSQL knows better than any sequence who is still writing. Each row carries the id of the transaction that wrote
it (`xid`, an xid8: 64 bits, it does not wrap around), and `pg_snapshot_xmin(pg_current_snapshot())` is the lowest id
that was still running when the statement began. Everything below it has been decided: what was committed is seen by
this very statement, what was rolled back will never be, and no id below it can ever be handed out again. So

    where (xid, position) > (the last one read)  and  xid < pg_snapshot_xmin(pg_current_snapshot())
    order by xid, position

reads a part of the log that is final: nothing can appear in it later. Rows of one transaction have the same xid and
become final together; `position`, the sequence, orders them. No writer is held up, and a number that was rolled back
is merely not there.

Two things follow. The order is not the order of commits: a transaction that began early and committed late comes
early. That is no harm to a reader that only wants each event once, with those of one game in their order (version v+1
is written by a statement that saw v committed, so its transaction's id is later). And a
transaction that stays open, in any database of the server, holds the horizon back: this reader stalls until it ends,
and nobody else does. Therefore live feeds read by game and version instead, and lists ask for what lies beyond the
horizon where it matters (`beyond`): such rows are committed and true, but there may be gaps below them, so a position
read there must never be kept as the place to go on from.
"""

from __future__ import annotations

import asyncpg
from msgspec import Struct

from service.database.types import Connection


class LogPosition(Struct, frozen=True, order=True):
    """A place in the log: everything up to it, and nothing after it, has been read."""

    xid: int
    number: int


START = LogPosition(xid=0, number=0)
"""The place before the first event."""


class Mark(Struct, frozen=True):
    """Where in the log an event stands, and which one it is."""

    position: LogPosition
    game_id: str
    version: int


async def read(connection: Connection, after: LogPosition, limit: int) -> list[Mark]:
    """The next events after a place, in order, as far as the log is final. The last one is the place to go on from."""
    records = await connection.fetch(
        "select xid, position, game_id, version from events"
        " where (xid, position) > ($1::xid8, $2::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())"
        " order by xid, position limit $3",
        after.xid,
        after.number,
        limit,
    )
    return [_mark(record) for record in records]


async def beyond(connection: Connection, after: LogPosition, actor: str | None = None) -> list[Mark]:
    """All events after a place that can be seen, final or not; those of one actor, if one is named."""
    records = await connection.fetch(
        "select xid, position, game_id, version from events"
        " where (xid, position) > ($1::xid8, $2::bigint) and ($3::text is null or actor = $3)"
        " order by xid, position",
        after.xid,
        after.number,
        actor,
    )
    return [_mark(record) for record in records]


async def final(connection: Connection) -> LogPosition:
    """The last place up to which the log is final now."""
    record = await connection.fetchrow(
        "select xid, position from events where xid < pg_snapshot_xmin(pg_current_snapshot())"
        " order by xid desc, position desc limit 1"
    )
    return START if record is None else position_of(record)


def newest(marks: list[Mark]) -> dict[str, int]:
    """The games of some events, each with its highest version among them."""
    games: dict[str, int] = {}
    for mark in marks:
        games[mark.game_id] = max(mark.version, games.get(mark.game_id, 0))
    return games


def position_of(record: asyncpg.Record) -> LogPosition:
    """The place that a row of the log stands at."""
    return LogPosition(xid=record["xid"], number=record["position"])


def _mark(record: asyncpg.Record) -> Mark:
    return Mark(position=position_of(record), game_id=record["game_id"], version=record["version"])
