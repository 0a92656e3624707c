"""The log: one table, a few statements. Everything that is true of a game is a row here.

Event, expected version and idempotency key are decided by one INSERT: the primary key (game, version) and the unique
key index let exactly one of several writers in, and nothing is read first and written then. Commands of different
games that arrive together go in as one statement (`appender.py`), which says per row whether it is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
from msgspec import Struct

from domain.kernel import proof
from domain.kernel.ids import AccountId, GameId
from service.database.kept_connection import KeptConnection
from service.database.types import Pool

CHANNEL = "tablelog"
"""The channel of NOTIFY: `game:version` joined by commas. A wake-up, never a source: the log is."""

WAKE_LIMIT = 7_900
"""NOTIFY takes 7,999 bytes; `appender.py` cuts groups so that the wake-up of one stays below this."""


TOLERANCE_SECONDS = 5
"""How far ahead of the database's clock an event may be recorded."""


IMPORT_ATTEMPT = UUID(int=0)
"""The attempt of all events of games that are taken in as records: nobody asks whether these are in."""


class Entry(Struct, frozen=True):
    """An event on its way into the log. `seed` goes with a game's first event only.

    `epoch` is the history that it was decided on, None for any: the log takes nothing that belongs to another one, nor
    what somebody does who has no account there. `previous` is the hash that it follows, None for any. `ends_game` marks
    the event that does; one that is not marked here and does so all the same is marked by the database.
    """

    game_id: GameId
    version: int
    type: str
    actor: AccountId | None
    data: bytes
    rules_version: str
    hash: bytes
    recorded_at: datetime
    attempt: UUID
    idempotency_key: str | None = None
    request_hash: bytes | None = None
    seed: bytes | None = None
    epoch: str | None = None
    previous: bytes | None = None
    ends_game: bool = False


class Row(Struct, frozen=True):
    """An event as the log holds it."""

    game_id: GameId
    version: int
    type: str
    actor: AccountId | None
    data: bytes
    rules_version: str
    hash: bytes
    recorded_at: datetime
    request_hash: bytes | None


class Stretch(Struct, frozen=True):
    """A game's events in a row, as one JSON array, with what is needed to go on from there: last hash and seed.

    `rules_versions` is the rules version of each event, or the one of them all; `archived` whether the game was taken
    in as a record.
    """

    game_id: str
    data: str
    rules_versions: tuple[str, ...]
    version: int
    hash: bytes
    seed: bytes | None
    archived: bool
    recorded_at: datetime
    """When the last of them was recorded."""


_COLUMNS = "game_id, version, type, actor, data, rules_version, hash, recorded_at, request_hash"

# The last event is looked up by its key and the rules versions only where there are several: whole games are read here
# by the thousand, and each further aggregate over their events costs as much as the events.
_STRETCHES = """
select wanted.game_id, '[' || part.data || ']' as data, part.version, last.hash, last.recorded_at, seeds.seed,
       imports.game_id is not null as archived,
       case when part.first_rules = part.last_rules then array[part.first_rules]
            else (select array_agg(e.rules_version order by e.version) from events as e
                  where e.game_id = wanted.game_id and e.version between wanted.after + 1 and part.version)
       end as rules_versions
from unnest($1::text[], $2::bigint[], $3::bigint[]) as wanted (game_id, after, upto)
cross join lateral (
    select string_agg(e.data::text, ',' order by e.version) as data, max(e.version) as version,
           min(e.rules_version collate "C") as first_rules, max(e.rules_version collate "C") as last_rules
    from events as e
    where e.game_id = wanted.game_id and e.version > wanted.after
      and (wanted.upto is null or e.version <= wanted.upto)
) as part
join events as last on last.game_id = wanted.game_id and last.version = part.version
left join seeds on seeds.game_id = wanted.game_id
left join imports on imports.game_id = wanted.game_id
"""

_IN_TIME = f"input.recorded_at <= clock_timestamp() + interval '{TOLERANCE_SECONDS} seconds'"

# `wake` must be referenced, or it never runs. Without the ORDER BY, groups of two processes deadlock.
# The EXISTS keeps the versions of a game without a gap, and each on the very event that its writer saw, whatever a
# writer believes and whatever was done to the database. A writer whose log is gone since a backup was put back (the
# epoch tells, and the table that is at home there: history.py), or whose account is, writes nothing.
# `recorded_at` never goes back within a game, nor far ahead of the database's clock: a process with a wrong clock must
# neither reveal nor withhold what a spectator delay covers. The previous event's own time is always accepted, so that
# games go on when the database's clock was set back.
_APPEND = f"""
with input as (
    select * from unnest(
        $1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[],
        $9::uuid[], $10::text[], $11::bytea[], $12::bytea[], $13::text[], $14::bytea[], $15::boolean[]
    ) as t (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt, idempotency_key,
            request_hash, seed, epoch, previous, ends_game)
), first as (
    insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt,
                        idempotency_key, request_hash, ends_game)
    select game_id, version, type, actor, data::json, rules_version, hash, recorded_at, attempt, idempotency_key,
           request_hash, ends_game
    from input
    where (version = 1 and ({_IN_TIME}) or exists (
        select from events as e where e.game_id = input.game_id and e.version = input.version - 1
            and (input.previous is null or e.hash = input.previous)
            and (input.recorded_at = e.recorded_at or input.recorded_at > e.recorded_at and {_IN_TIME})))
      and (input.epoch is null or (
        input.epoch = (select epoch from epoch where split_part(home, '/', 3) = 'events'::regclass::oid::text)
        and exists (select from accounts where accounts.id = input.actor)))
    order by game_id, version
    on conflict do nothing
    returning game_id, version, attempt
), secret as (
    insert into seeds (game_id, seed)
    select game_id, seed from input join first using (game_id, version, attempt) where seed is not null
), wake as (
    select pg_notify('{CHANNEL}', (select string_agg(game_id || ':' || version, ',') from first))
    where exists (select from first)
)
select attempt from first left join wake on true
"""  # noqa: S608 - what is put in are the constants above


async def append(pool: Pool | KeptConnection, entries: Sequence[Entry]) -> set[UUID]:
    """Append what still fits, all in one commit and one wake-up; gives the attempts that are in."""
    columns: tuple[list[Any], ...] = (
        [entry.game_id for entry in entries],
        [entry.version for entry in entries],
        [entry.type for entry in entries],
        [entry.actor for entry in entries],
        [entry.data.decode() for entry in entries],
        [entry.rules_version for entry in entries],
        [entry.hash for entry in entries],
        [entry.recorded_at for entry in entries],
        [entry.attempt for entry in entries],
        [entry.idempotency_key for entry in entries],
        [entry.request_hash for entry in entries],
        [entry.seed for entry in entries],
        [entry.epoch for entry in entries],
        [entry.previous for entry in entries],
        [entry.ends_game or None for entry in entries],
    )
    return {row["attempt"] for row in await pool.fetch(_APPEND, *columns)}


async def attempts(pool: Pool, entries: Sequence[Entry]) -> set[UUID]:
    """The attempts among these that are in the log: asked after a connection was lost in the middle of a commit."""
    found = await pool.fetch(
        "select attempt from unnest($1::text[], $2::bigint[]) as t (game_id, version)"
        " join events using (game_id, version) where attempt = any($3::uuid[])",
        [entry.game_id for entry in entries],
        [entry.version for entry in entries],
        [entry.attempt for entry in entries],
    )
    return {row["attempt"] for row in found}


async def read(pool: Pool, game_id: str, after: int = 0, limit: int | None = None) -> list[Row]:
    """A game's events with versions above `after`, in order."""
    query = f"select {_COLUMNS} from events where game_id = $1 and version > $2 order by version limit $3"  # noqa: S608 - constants
    return [row_of(record) for record in await pool.fetch(query, game_id, after, limit)]


async def read_stretch(pool: Pool, game_id: str, after: int = 0, upto: int | None = None) -> Stretch | None:
    """A game's events above `after`, up to `upto`, in one value: folding is many times faster than from rows."""
    record = await pool.fetchrow(_STRETCHES, [game_id], [after], [upto])
    return None if record is None else _stretch(record)


async def read_stretches(pool: Pool, wanted: Sequence[tuple[str, int, int | None]]) -> list[Stretch]:
    """Events of several games, each above one version and up to another (None: all); a game without any is left out."""
    columns = [list(column) for column in zip(*wanted, strict=True)] or [[], [], []]
    return [_stretch(record) for record in await pool.fetch(_STRETCHES, *columns)]


async def read_many(pool: Pool, after: Sequence[tuple[str, int]]) -> list[Row]:
    """The events of several games above each one's own version, in order within each game."""
    query = (
        f"select {', '.join('e.' + name for name in _COLUMNS.split(', '))}"  # noqa: S608 - constants
        " from unnest($1::text[], $2::bigint[]) as t (game_id, after)"
        " join events as e on e.game_id = t.game_id and e.version > t.after order by e.game_id, e.version"
    )
    records = await pool.fetch(query, [game for game, _ in after], [version for _, version in after])
    return [row_of(record) for record in records]


async def find_key(pool: Pool, game_id: str, actor: str, type: str, key: str) -> Row | None:  # noqa: A002 - the column
    """The event that an idempotency key stands for, or None."""
    record = await pool.fetchrow(
        f"select {_COLUMNS} from events"  # noqa: S608 - constants
        " where game_id = $1 and actor = $2 and type = $3 and idempotency_key = $4",
        game_id,
        actor,
        type,
        key,
    )
    return None if record is None else row_of(record)


async def head(pool: Pool, game_id: str) -> int:
    """The version of a game, 0 if there is none of this id."""
    return await pool.fetchval("select coalesce(max(version), 0) from events where game_id = $1", game_id)


async def heads(pool: Pool, game_ids: Sequence[str]) -> dict[str, int]:
    """The versions of several games; a game that is not there is left out."""
    found = await pool.fetch(
        "select t.game_id, head.version from unnest($1::text[]) as t (game_id) cross join lateral"
        " (select version from events where events.game_id = t.game_id order by version desc limit 1) as head",
        game_ids,
    )
    return {record["game_id"]: record["version"] for record in found}


async def versions_before(pool: Pool, seconds: Mapping[GameId, int]) -> dict[GameId, int]:
    """`version_before` of several games, each with seconds of its own."""
    found = await pool.fetch(
        "select t.game_id, coalesce((select max(e.version) from events as e where e.game_id = t.game_id"
        " and e.recorded_at <= statement_timestamp() - make_interval(secs => t.seconds)), 0) as version"
        " from unnest($1::text[], $2::bigint[]) as t (game_id, seconds)",
        list(seconds),
        list(seconds.values()),
    )
    return {record["game_id"]: record["version"] for record in found}


async def version_before(pool: Pool, game_id: str, seconds: int) -> int:
    """The version that a game had some seconds ago, 0 before its first event. `recorded_at` never goes back in a game.

    Costs as much as the events since then.
    """
    return await pool.fetchval(
        "select coalesce(max(version), 0) from events"
        " where game_id = $1 and recorded_at <= statement_timestamp() - make_interval(secs => $2)",
        game_id,
        seconds,
    )


async def epoch(pool: Pool) -> str:
    """The id of this log's history."""
    return await pool.fetchval("select epoch from epoch")


async def service_key(pool: Pool) -> bytes:
    """The key that all processes on this database share."""
    return await pool.fetchval("select key from service_key")


def moment(recorded_at: datetime) -> str:
    """A time of the log as it is hashed."""
    return recorded_at.isoformat(timespec="microseconds")


def header(entry: Entry | Row) -> bytes:
    """What is hashed beside an event's data."""
    return proof.header(
        entry.game_id,
        entry.version,
        event_type=entry.type,
        actor=entry.actor,
        rules_version=entry.rules_version,
        recorded_at=moment(entry.recorded_at),
    )


def chain(previous: bytes, game_seed: bytes, entry: Entry | Row) -> bytes:
    """The hash of an event that follows one with the hash `previous`."""
    return proof.link(previous, proof.salt(game_seed, entry.version), header(entry), entry.data)


def _stretch(record: asyncpg.Record) -> Stretch:
    return Stretch(
        game_id=record["game_id"],
        data=record["data"],
        rules_versions=tuple(record["rules_versions"]),
        version=record["version"],
        hash=record["hash"],
        seed=record["seed"],
        archived=record["archived"],
        recorded_at=record["recorded_at"],
    )


def row_of(record: asyncpg.Record) -> Row:
    """A row of the log as a query over its columns gives it."""
    return Row(
        game_id=record["game_id"],
        version=record["version"],
        type=record["type"],
        actor=record["actor"],
        data=record["data"].encode(),
        rules_version=record["rules_version"],
        hash=record["hash"],
        recorded_at=record["recorded_at"],
        request_hash=record["request_hash"],
    )
