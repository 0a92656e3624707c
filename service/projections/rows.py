"""The rows of the lobby and the history: how they are written, by whomever, and how far they are complete.

A row is a function of its game alone and moves on only to a later version, so it does not matter who writes it, how
often, or in which order: the projector, a rebuild, or a process that is about to serve a list.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import asyncpg
import msgspec
from msgspec import Struct

from service.database.types import Connection
from service.log.safe_order import LogPosition, position_of
from service.projections.summaries import Fault, Summaries, Summary, fault

log = logging.getLogger(__name__)


class Checkpoint(Struct, frozen=True):
    """The generation of rows that is served, and up to where in the log it is complete."""

    generation: int
    position: LogPosition


async def checkpoint(connection: Connection) -> Checkpoint:
    """The checkpoint as it is now."""
    return _checkpoint(await connection.fetchrow("select generation, xid, position from projection"))


async def hold_checkpoint(connection: Connection) -> Checkpoint:
    """The checkpoint, which nobody else can move until the end of the transaction."""
    return _checkpoint(await connection.fetchrow("select generation, xid, position from projection for update"))


async def advance(connection: Connection, known: Checkpoint, position: LogPosition) -> bool:
    """Move the checkpoint on, unless it is no longer where it was; holds it until the end of the transaction."""
    status = await connection.execute(
        "update projection set xid = $4, position = $5"
        " where generation = $1 and (xid, position) = ($2::xid8, $3::bigint)",
        known.generation,
        known.position.xid,
        known.position.number,
        position.xid,
        position.number,
    )
    return status == "UPDATE 1"


async def serve(connection: Connection, generation: int, position: LogPosition) -> None:
    """Have lists read another generation, which is complete up to a place in the log."""
    await connection.execute(
        "update projection set generation = $1, xid = $2, position = $3", generation, position.xid, position.number
    )


# The times and the place in the order of lists are not folded: they stand on the rows of the log.
_WRITE_LOBBY = """
with input as (
    select * from json_to_recordset($2::text::json) as t (
        game_id text, version bigint, title text, component_set text, visibility text, sandbox boolean,
        delayed boolean, creator text, status text,
        seat_count bigint, open_seats bigint, reveal_by timestamptz, to_move bigint[], winners bigint[])
)
insert into lobby (generation, game_id, version, position, title, component_set, visibility, sandbox, delayed,
                   creator, status, seat_count, open_seats, reveal_by, to_move, winners, created_at, updated_at)
select $1, game_id, input.version, first.position, title, component_set, visibility, sandbox, delayed,
       creator, status, seat_count, open_seats, reveal_by, to_move, winners, first.recorded_at, last.recorded_at
from input
join events as first using (game_id)
join events as last using (game_id)
where first.version = 1 and last.version = input.version
order by game_id
on conflict (generation, game_id) do update set
    version = excluded.version, status = excluded.status, open_seats = excluded.open_seats,
    reveal_by = excluded.reveal_by,
    to_move = excluded.to_move, winners = excluded.winners, updated_at = excluded.updated_at
where lobby.version < excluded.version
returning game_id
"""

# A statement of its own: it must see what the one before it waited for. A row that is right already is left alone.
_WRITE_HISTORY = """
with input as (
    select $1::bigint as generation, game_id, seats.*
    from json_to_recordset($2::text::json) as game (game_id text, seats json),
         json_to_recordset(game.seats)
         as seats (seat bigint, account text, name text, entropy text, rank bigint, points bigint)
    where game_id = any($3::text[])
), left_again as (
    delete from history
    where generation = $1 and game_id = any($3::text[])
      and not exists (select from input where input.game_id = history.game_id and input.seat = history.seat)
)
insert into history (generation, game_id, seat, account, name, entropy, position, rank, points,
                     ended_at, ended_xid, ended_position, sandbox, unlisted)
select generation, game_id, seat, input.account, input.name, input.entropy, lobby.position, input.rank, input.points,
       case when lobby.status = 'finished' then lobby.updated_at end, ended.xid, ended.position,
       lobby.sandbox, lobby.visibility <> 'public'
from input
join lobby using (generation, game_id)
left join lateral (
    select events.xid, events.position from events
    where lobby.status = 'finished' and events.game_id = lobby.game_id and events.version = lobby.version
) as ended on true
left join history as known using (generation, game_id, seat)
where (known.account, known.name, known.entropy, known.rank, known.points)
      is distinct from (input.account, input.name, input.entropy, input.rank, input.points)
order by game_id, seat
on conflict (generation, game_id, seat) do update set
    account = excluded.account, name = excluded.name, entropy = excluded.entropy,
    rank = excluded.rank, points = excluded.points,
    ended_at = excluded.ended_at, ended_xid = excluded.ended_xid, ended_position = excluded.ended_position,
    sandbox = excluded.sandbox, unlisted = excluded.unlisted
"""


async def write(connection: Connection, generation: int, found: Summaries) -> None:
    """Bring the rows of some games up to date and note which games can be read and which cannot, in a transaction."""
    # Rows that are lost in a crash are lost together with the checkpoint, and made again: no commit need wait for it.
    await connection.execute("set local synchronous_commit = off")
    refused = await _written(connection, generation, found.games)
    faults = [*found.faults, *refused]
    broken = {each.game_id for each in refused}
    readable = [*(each.game_id for each in found.games if each.game_id not in broken), *found.archived]
    await connection.execute("delete from unreadable_games where game_id = any($1::text[])", readable)
    await note(connection, faults)


async def _written(connection: Connection, generation: int, summaries: Sequence[Summary]) -> list[Fault]:
    """Write what can be written; gives the games with something that the database does not take (a NUL in a name)."""
    try:
        async with connection.transaction():
            await _write(connection, generation, summaries)
    except asyncpg.DataError as error:
        if len(summaries) == 1:
            return [fault(summaries[0].game_id, summaries[0].version, error)]
        return [each for one in summaries for each in await _written(connection, generation, [one])]
    return []


async def _write(connection: Connection, generation: int, summaries: Sequence[Summary]) -> None:
    text = msgspec.json.encode(summaries).decode()
    moved = [record["game_id"] for record in await connection.fetch(_WRITE_LOBBY, generation, text)]
    if moved:
        await connection.execute(_WRITE_HISTORY, generation, text, moved)


async def note(connection: Connection, faults: Sequence[Fault]) -> None:
    """Note unreadable games for the operator and for lists; each is logged when it is noted first or has changed."""
    for of in faults:
        changed = await connection.fetchval(
            "insert into unreadable_games as known (game_id, version, error) values ($1, $2, $3)"
            " on conflict (game_id) do update set version = $2, error = $3, noted_at = now()"
            " where (known.version, known.error) is distinct from ($2, $3) returning true",
            of.game_id,
            of.version,
            of.error,
        )
        if changed:
            log.error("game %s cannot be read at version %d: %s", of.game_id, of.version, of.error)


async def unreadable(connection: Connection) -> dict[str, int]:
    """The unreadable games that were noted, and the versions from which they cannot be read."""
    return {row["game_id"]: row["version"] for row in await connection.fetch("select * from unreadable_games")}


def _checkpoint(record: asyncpg.Record | None) -> Checkpoint:
    if record is None:
        message = "the table projection has lost its row"
        raise LookupError(message)
    return Checkpoint(record["generation"], position_of(record))
