"""The events of the log that feeds may send, with their places in its safe order (`log/safe_order.py`).

All places here are final: nothing can appear before them later. What has been read up to a place has been read whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import asyncpg
from msgspec import Struct

from service.database.types import Pool
from service.log.events import Row, row_of
from service.log.safe_order import LogPosition, position_of


class EventRef(Struct, frozen=True):
    """An event in the order of the log. `listed`: one that the lobby may be about; `hidden`: known not to be listed."""

    position: LogPosition
    game_id: str
    version: int
    type: str
    account: str | None
    """Whose seat an event is about that takes, leaves or frees one."""
    listed: bool
    hidden: bool


class DatedRow(Struct, frozen=True):
    """A row of the log, and when its game was created."""

    row: Row
    created_at: datetime


# As the index of migration 0011 has it, word for word. Null where nothing applies.
_LISTED = "(type in ('game_created', 'seat_taken', 'seat_left', 'seat_freed', 'entropy_revealed') or ends_game)"
SEATS = "type in ('seat_taken', 'seat_left', 'seat_freed')"
WHOSE = "data ->> 'account'"
ACCOUNT = f"case when {SEATS} then {WHOSE} end as account"
FINAL = "xid < pg_snapshot_xmin(pg_current_snapshot())"

# Scalar subqueries: looked up for each event that was found, however large the lobby is. What a row of the lobby says
# of these two never changes; where there is no row yet, whoever folds the game finds out.
_ROW = "from lobby as l where l.generation = (select generation from projection) and l.game_id = found.game_id"
_SEEN = f"""
select found.*, exists (select from imports where imports.game_id = found.game_id)
       or coalesce((select l.visibility <> 'public' or l.sandbox {_ROW}), false) as hidden
from found order by xid, position
"""  # noqa: S608 - the names put in are constants

_LOBBY = f"""
with found as materialized (
    select xid, position, game_id, version, type, {ACCOUNT}, true as listed from events
    where {_LISTED} and {FINAL} and (xid, position) > ($1::xid8, $2::bigint)
      and ($4::bigint is null or (xid, position) <= ($3::xid8, $4::bigint))
    order by xid, position limit $5
)
{_SEEN}"""  # noqa: S608 - as above

_ALL = f"""
with found as materialized (
    select xid, position, game_id, version, type, {ACCOUNT}, {_LISTED} is true as listed from events
    where {FINAL} and (xid, position) > ($1::xid8, $2::bigint)
    order by xid, position limit $3
)
{_SEEN}"""  # noqa: S608 - as above

_NEWEST_LISTED = f"""
select game_id, version from events as found
where {_LISTED} and (xid, position) <= ($1::xid8, $2::bigint)
  and coalesce((select l.visibility = 'public' and not l.sandbox {_ROW}), false)
order by xid desc, position desc limit 1
"""  # noqa: S608 - as above

_ROWS = """
select e.game_id, e.version, e.type, e.actor, e.data, e.rules_version, e.hash, e.recorded_at, e.request_hash,
       first.recorded_at as created_at
from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (game_id, after, upto)
join events as e on e.game_id = wanted.game_id and e.version > wanted.after and e.version <= wanted.upto
join events as first on first.game_id = e.game_id and first.version = 1
order by e.game_id, e.version
"""


async def lobby(pool: Pool, after: LogPosition, limit: int, upto: LogPosition | None = None) -> list[EventRef]:
    """The next events that the lobby may be about, up to a place or as far as the log is final."""
    until = (None, None) if upto is None else (upto.xid, upto.number)
    return [event_ref(each) for each in await pool.fetch(_LOBBY, after.xid, after.number, *until, limit)]


async def everything(pool: Pool, after: LogPosition, limit: int) -> list[EventRef]:
    """The next events of the log, as far as it is final."""
    return [event_ref(each) for each in await pool.fetch(_ALL, after.xid, after.number, limit)]


async def unfinal(pool: Pool, after: LogPosition, *, lobby_only: bool) -> bool:
    """Whether events can be seen after a place, final or not."""
    query = "select exists (select from events where (xid, position) > ($1::xid8, $2::bigint){more})"
    return await pool.fetchval(query.format(more=f" and {_LISTED}" if lobby_only else ""), after.xid, after.number)


async def newest_listed(pool: Pool, at: LogPosition) -> tuple[str, int] | None:
    """The last event up to the checkpoint (or an earlier place) that the lobby is about: game and version."""
    record = await pool.fetchrow(_NEWEST_LISTED, at.xid, at.number)
    return None if record is None else (record["game_id"], record["version"])


async def place_of_listed(pool: Pool, game_id: str, version: int) -> LogPosition | None:
    """Where an event stands that the lobby may be about; whether its game is listed is for others to say."""
    query = f"select xid, position from events where game_id = $1 and version = $2 and {_LISTED} and {FINAL}"  # noqa: S608
    return _position(await pool.fetchrow(query, game_id, version))


async def rows(pool: Pool, wanted: Sequence[tuple[str, int, int]]) -> list[DatedRow]:
    """The events of several games, each above one version and up to another, in order within each game."""
    columns = [list(column) for column in zip(*wanted, strict=True)] or [[], [], []]
    return [_dated(each) for each in await pool.fetch(_ROWS, *columns)]


def _position(record: asyncpg.Record | None) -> LogPosition | None:
    return None if record is None else position_of(record)


def _dated(record: asyncpg.Record) -> DatedRow:
    return DatedRow(row_of(record), record["created_at"])


def event_ref(record: asyncpg.Record) -> EventRef:
    """An event as a query over these columns gives it."""
    return EventRef(
        position=position_of(record),
        game_id=record["game_id"],
        version=record["version"],
        type=record["type"],
        account=record["account"],
        listed=record["listed"],
        hidden=record["hidden"],
    )
