"""A migration runs while others play, and goes on wherever it was killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from service.database import migration_run
from service.database.connect import UnfitDatabase
from service.database.migrate import migrate
from service.database.types import Connection
from service.live.feeds import queries
from service.log.safe_order import START
from tests.harness.earlier_release import (
    ENDINGS,
    MARKED_WRONGLY,
    MIGRATION_LOCK,
    fill,
    migrate_before,
    migrating,
    writing_as_before,
)
from tests.harness.writing import writing

GAMES = 600
LENGTH = 10

_WAITING = """
select pid from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock' and query ~ 'do \\$\\$|create index concurrently'
"""
_ENDED = "select 1 where not exists (select from pg_stat_activity where pid = $1)"
_VALID = "select indisvalid from pg_index where indexrelid = to_regclass('events_listed')"
_MARKED = "select count(*) from events where ends_game and game_id ~ '^old'"


@pytest.fixture
async def connection(empty_database: str) -> AsyncGenerator[Connection]:
    made = await asyncpg.connect(empty_database)
    yield made
    await made.close()


@asynccontextmanager
async def open_transaction(dsn: str, statement: str) -> AsyncGenerator[None]:
    """A transaction that has run a statement and keeps its locks and its snapshot."""
    other = await asyncpg.connect(dsn)
    try:
        async with other.transaction(isolation="repeatable_read"):
            await other.execute(statement)
            yield
    finally:
        await other.close()


async def shown(connection: Connection, query: str, *args: Any) -> Any:
    """What a query gives, once it gives anything."""
    while True:
        if (value := await connection.fetchval(query, *args)) is not None:
            return value
        await asyncio.sleep(0.02)


async def killed_where_it_waits(dsn: str, connection: Connection) -> None:
    """Begin to migrate, and kill process and session where they wait for a lock."""
    async with migrating(dsn) as process:
        waiting = await shown(connection, _WAITING)
        process.kill()
        await process.wait()
        await connection.execute("select pg_terminate_backend($1)", waiting)
        await shown(connection, _ENDED, waiting)


async def test_endings_of_an_earlier_release_are_marked_though_the_migration_is_killed_and_play_goes_on(
    empty_database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate_before(empty_database, "0010", monkeypatch)
    await fill(connection, GAMES, LENGTH)
    async with writing_as_before(empty_database) as (older,):
        await older.played_on()
        await migrate_before(empty_database, "0011", monkeypatch)
        # Killed in the midst of the batches.
        late = f"select from events where game_id = 'old{GAMES - 10}' for update"
        async with open_transaction(empty_database, late):
            await killed_where_it_waits(empty_database, connection)
        assert 0 < await connection.fetchval(_MARKED) < GAMES
        # Killed while the index is built, for which another transaction has to end.
        async with open_transaction(empty_database, "select from events limit 1"):
            await killed_where_it_waits(empty_database, connection)
            assert await connection.fetchval(_MARKED) == GAMES
            assert await connection.fetchval(_VALID) is False
            await older.played_on()
        assert await migrate(empty_database) == ["0011_ending_index.sql"]
        assert await connection.fetchval(_VALID) is True
        assert await connection.fetchval("select to_regclass('events_of_lobby')") is None
        await older.played_on()
        assert await migrate(empty_database) == []
    assert await connection.fetchval(MARKED_WRONGLY) == 0
    async with writing(empty_database) as process:
        found = await queries.lobby(process.pool, START, 100 * GAMES)
    ended = sorted(each.game_id for each in found if each.version == LENGTH)
    assert ended == sorted(row["game_id"] for row in await connection.fetch(ENDINGS))
    assert len(ended) >= GAMES + older.games


async def test_a_migration_killed_after_its_last_step_is_noted_by_the_next_start(
    empty_database: str, connection: Connection
) -> None:
    await migrate(empty_database)
    await connection.execute("delete from migrations where name = '0011_ending_index.sql'")
    assert await migrate(empty_database) == ["0011_ending_index.sql"]
    assert await connection.fetchval(_VALID) is True


async def test_a_process_of_an_earlier_release_that_starts_during_the_steps_is_not_held_up(
    empty_database: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate_before(empty_database, "0011", monkeypatch)
    async with open_transaction(empty_database, "select from events limit 1"), migrating(empty_database) as process:
        await shown(connection, _WAITING)
        second = asyncio.create_task(migrate(empty_database))
        await connection.execute("select pg_advisory_lock($1)", MIGRATION_LOCK)
        await connection.execute("select pg_advisory_unlock($1)", MIGRATION_LOCK)
        assert process.returncode is None
        assert not second.done()
    # The context has killed the one: the other does its work.
    assert await second == ["0011_ending_index.sql"]


async def test_play_goes_on_while_a_migration_waits_for_a_transaction_that_stays_open(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate_before(empty_database, "0010", monkeypatch)
    async with writing_as_before(empty_database) as (older,):
        async with open_transaction(empty_database, "select from events limit 1"):
            with monkeypatch.context() as hasty:
                hasty.setattr(migration_run, "TRIES", 2)
                with pytest.raises(UnfitDatabase, match="0010_endings"):
                    await migrate(empty_database)
            migration = asyncio.create_task(migrate(empty_database))
            await older.played_on(4)
            assert not migration.done()
        assert await migration == ["0010_endings.sql", "0011_ending_index.sql"]
        await older.played_on()
