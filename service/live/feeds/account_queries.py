"""What the feed of an account reads of the log: its tables, and what has happened there.

No statement costs more for tables that have ended, or that the account has left, before the place from which the feed
goes on. The projection leads to the tables: a row of the history says whether its game goes on, and otherwise where it
has ended. For what lies beyond the projection's checkpoint the account's own seat events lead there. Both may name a
table too many, so each is then looked up in the log.
"""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg
from msgspec import Struct

from domain.kernel.terms import LARGEST_INTEGER
from service.database.types import Pool
from service.live.feeds.queries import ACCOUNT, FINAL, SEATS, WHOSE, EventRef, event_ref
from service.log.events import IMPORT_ATTEMPT
from service.log.safe_order import LogPosition, position_of

_NOT_IMPORTED = f"attempt <> '{IMPORT_ATTEMPT}'"
# A scalar subquery, which is looked up for each table that was found, and never by going through all imports.
_NO_IMPORT = "coalesce((select false from imports where imports.game_id = {}.game_id), true)"

# $1 is the account, $2 and $3 the place. Games that cannot be read may have no row, or one that is out of date.
_CANDIDATES = f"""
served as materialized (
    select generation,
           case when (xid, position) < ($2::xid8, $3::bigint) then xid else $2::xid8 end as xid,
           case when (xid, position) < ($2::xid8, $3::bigint) then position else $3::bigint end as position
    from projection
), candidates as materialized (
    select game_id from history
    where generation = (select generation from served) and account = $1 and ended_xid is null
    union
    select game_id from history
    where generation = (select generation from served) and account = $1
      and (ended_xid, ended_position) > ($2::xid8, $3::bigint)
    union
    select game_id from events
    where {WHOSE} = $1 and {SEATS} and {_NOT_IMPORTED}
      and (xid, position) > ((select xid from served), (select position from served))
    union
    select game_id from unreadable_games cross join lateral (
        select from events where {WHOSE} = $1 and {SEATS} and events.game_id = unreadable_games.game_id limit 1
    ) as own
), tables as materialized (
    select candidates.game_id, last.xid, last.position, last.ended
    from candidates cross join lateral (
        select xid, position, ends_game is true as ended from events
        where events.game_id = candidates.game_id order by version desc limit 1
    ) as last
    where {_NO_IMPORT.format("candidates")}
)"""  # noqa: S608 - the names put in are constants

# A table that the account has left before the place, or whose game has ended before it, has nothing more for it.
_TABLES = f"""
with {_CANDIDATES}
select tables.game_id
from tables cross join lateral (
    select type, xid, position from events
    where {WHOSE} = $1 and {SEATS} and events.game_id = tables.game_id order by version desc limit 1
) as own
where ((tables.xid, tables.position) > ($2::xid8, $3::bigint) or not tables.ended)
  and (own.type = 'seat_taken' or (own.xid, own.position) > ($2::xid8, $3::bigint))
"""  # noqa: S608 - as above

# Where the account has left afterwards, only what was before that is looked through.
_TABLES_THEN = f"""
with {_CANDIDATES}
select tables.game_id, head.version
from tables cross join lateral (
    select type from events
    where {WHOSE} = $1 and {SEATS} and events.game_id = tables.game_id
      and (xid, position) <= ($2::xid8, $3::bigint) order by version desc limit 1
) as own cross join lateral (
    select version from events
    where events.game_id = tables.game_id and (xid, position) <= ($2::xid8, $3::bigint)
      and version < coalesce((
          select later.version from events as later
          where later.{WHOSE} = $1 and later.{SEATS} and later.game_id = tables.game_id
            and (later.xid, later.position) > ($2::xid8, $3::bigint)
          order by later.version limit 1), {LARGEST_INTEGER})
    order by version desc limit 1
) as head
where own.type = 'seat_taken' and (tables.xid, tables.position) > ($2::xid8, $3::bigint)
"""  # noqa: S608 - as above

_TAKEN_SEATS = f"""
select xid, position, game_id, version from events
where {WHOSE} = $1 and {SEATS} and {_NOT_IMPORTED} and type = 'seat_taken'
  and (xid, position) > ($2::xid8, $3::bigint) and (xid, position) <= ($4::xid8, $5::bigint)
  and {_NO_IMPORT.format("events")}
order by xid, position limit $6
"""  # noqa: S608 - as above

_NEXT = f"""
select e.xid, e.position, e.game_id, e.version, e.type, e.account, false as listed, false as hidden
from unnest($1::text[], $2::bigint[]) as known (game_id, version)
cross join lateral (
    select xid, position, game_id, version, type, {ACCOUNT} from events
    where events.game_id = known.game_id and events.version > known.version
    order by events.version limit $5
) as e
where (e.xid, e.position) <= ($3::xid8, $4::bigint)
order by e.game_id, e.version
"""  # noqa: S608 - as above

# The last of: an event at a table where the account sits, the end of a game that it sat to, its own last seat event.
_NEWEST = f"""
with {_CANDIDATES}
(select e.xid, e.position, e.game_id, e.version
 from tables cross join lateral (
     select type, version from events
     where {WHOSE} = $1 and {SEATS} and events.game_id = tables.game_id
       and (xid, position) <= ($2::xid8, $3::bigint) order by version desc limit 1
 ) as own cross join lateral (
     select xid, position, game_id, version from events
     where events.game_id = tables.game_id and (xid, position) <= ($2::xid8, $3::bigint)
       and version <= case own.type when 'seat_taken' then {LARGEST_INTEGER} else own.version end
     order by version desc limit 1
 ) as e
 order by e.xid desc, e.position desc limit 1)
union all
(select ended.ended_xid, ended.ended_position, ended.game_id, lobby.version
 from (select game_id, ended_xid, ended_position, generation from history
       where generation = (select generation from served) and account = $1
         and (ended_xid, ended_position) <= ($2::xid8, $3::bigint)
       order by ended_xid desc, ended_position desc limit 1) as ended
 join lobby using (generation, game_id))
union all
(select xid, position, game_id, version from events
 where {WHOSE} = $1 and {SEATS} and {_NOT_IMPORTED} and (xid, position) <= ($2::xid8, $3::bigint)
   and {_NO_IMPORT.format("events")}
 order by xid desc, position desc limit 1)
order by xid desc, position desc limit 1
"""  # noqa: S608 - as above

_ACCOUNT_KNOWS = f"""
select xid, position from events
where game_id = $2 and version = $3 and {FINAL}
  and not exists (select from imports where imports.game_id = $2)
  and (({WHOSE} = $1 and type in ('seat_left', 'seat_freed')) or 'seat_taken' = (
      select own.type from events as own
      where own.{WHOSE} = $1 and own.game_id = $2 and own.version <= $3 and own.{SEATS}
      order by own.version desc limit 1))
"""  # noqa: S608 - as above


class SeatEvent(Struct, frozen=True, gc=False):
    """Where in the log the account takes a seat."""

    position: LogPosition
    game_id: str
    version: int


async def tables_after(pool: Pool, account: str, at: LogPosition) -> set[str]:
    """The tables where something may concern an account after a place."""
    return {each["game_id"] for each in await pool.fetch(_TABLES, account, at.xid, at.number)}


async def tables_at(pool: Pool, account: str, at: LogPosition) -> dict[str, int]:
    """The tables with events after a place where an account sat at that place, each with its version there."""
    return {each["game_id"]: each["version"] for each in await pool.fetch(_TABLES_THEN, account, at.xid, at.number)}


async def taken_seats(pool: Pool, account: str, after: LogPosition, upto: LogPosition, limit: int) -> list[SeatEvent]:
    """The next events by which an account takes a seat, in the order of the log."""
    found = await pool.fetch(_TAKEN_SEATS, account, after.xid, after.number, upto.xid, upto.number, limit)
    return [SeatEvent(position_of(each), each["game_id"], each["version"]) for each in found]


async def next_of_tables(pool: Pool, known: Mapping[str, int], upto: LogPosition, each: int) -> list[EventRef]:
    """The next `each` events of every game above the version known of it, up to a place, in order within each game."""
    found = await pool.fetch(_NEXT, list(known), list(known.values()), upto.xid, upto.number, each)
    return [event_ref(record) for record in found]


async def newest(pool: Pool, account: str, at: LogPosition) -> tuple[str, int] | None:
    """The last event up to a place at a table where the account sat, or that it left by it: game and version."""
    record = await pool.fetchrow(_NEWEST, account, at.xid, at.number)
    return None if record is None else (record["game_id"], record["version"])


async def place_of(pool: Pool, account: str, game_id: str, version: int) -> LogPosition | None:
    """Where an event stands at which the account had a seat, right before it or right after it."""
    record: asyncpg.Record | None = await pool.fetchrow(_ACCOUNT_KNOWS, account, game_id, version)
    return None if record is None else position_of(record)
