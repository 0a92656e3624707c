"""Every connection finds out which epoch the log has, and is refused if it is another one or was not prepared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from service.database.errors import EpochChanged, NotPrepared, is_lost
from service.database.migrate import migrate
from service.database.pool import open_pool
from service.database.types import Pool
from service.log.epoch import enter_epoch
from service.log.restore import restored
from tests.harness.backup import tablelog
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.writing import writing


async def execute(database: str, *statements: str) -> None:
    connection = await asyncpg.connect(database)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


CUT = """
select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
"""
NEW_EPOCH = "update epoch set epoch = replace(gen_random_uuid()::text, '-', '')"


async def ask(pool: Pool, query: str = "select 1") -> Any:
    """An answer over a connection that has not been cut."""
    while True:
        try:
            return await pool.fetchval(query)
        except (NotPrepared, EpochChanged):
            raise
        except Exception as error:
            if not is_lost(error):  # the pool has yet to hear that its connections are gone
                raise


@asynccontextmanager
async def copied(postgres: PostgresServer, database: str) -> AsyncGenerator[str]:
    """A copy of a database."""
    async with fresh_database(postgres) as copy:
        name, of = copy.rpartition("/")[2], database.rpartition("/")[2]
        await execute(postgres.dsn(), f'drop database "{name}"', f'create database "{name}" template "{of}"')
        yield copy


async def test_a_copy_with_events_in_it_is_not_worked_with_until_it_is_prepared(
    postgres: PostgresServer, empty_database: str
) -> None:
    await migrate(empty_database)
    async with writing(empty_database) as process:
        await process.started("toy", await process.account("Ann"), await process.account("Bob"))
    async with copied(postgres, empty_database) as copy:
        with pytest.raises(NotPrepared, match="tablelog restored") as refused:
            await enter_epoch(copy)
        assert is_lost(refused.value), "clients hear that it cannot be worked with now"
        for command in ("serve", "rebuild"):
            done = await asyncio.to_thread(tablelog, command, copy)
            assert (done.returncode, "tablelog restored" in done.stderr) == (2, True)
        prepared = await restored(copy)
        assert (await enter_epoch(copy)).name == prepared.epoch
    assert (await enter_epoch(empty_database)).name == prepared.before, "the original is as it was"


async def test_a_copy_without_events_gets_an_epoch_of_its_own_by_itself(
    postgres: PostgresServer, empty_database: str
) -> None:
    await migrate(empty_database)
    async with copied(postgres, empty_database) as copy:
        epochs = [(await enter_epoch(each)).name for each in (empty_database, copy, copy)]
    assert epochs[0] != epochs[1] == epochs[2]


@pytest.mark.parametrize("without", ["drop table epoch", "delete from epoch", "drop function this_database"])
async def test_a_database_that_is_not_whole_is_not_worked_with(database: str, without: str) -> None:
    async with open_pool(database, 1, await enter_epoch(database)) as pool:
        await execute(database, without, CUT)
        with pytest.raises(NotPrepared, match="not whole"):
            await ask(pool)


async def test_a_connection_that_leads_to_another_epoch_is_refused_and_so_is_every_one_after_it(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    epoch = await enter_epoch(database)
    changes: list[str] = []
    epoch.on_change(lambda: changes.append("changed"))
    async with open_pool(database, 2, epoch) as pool:
        assert await ask(pool) == 1
        await execute(database, CUT)
        assert await ask(pool) == 1
        assert changes == [], "the same epoch is no news"
        found = (await restored(database)).epoch
        await execute(database, CUT)
        for _ in range(3):
            with pytest.raises(EpochChanged):
                await ask(pool)
        await execute(database, f"update epoch set epoch = '{epoch.name}'")  # noqa: S608 - made by the service
        with pytest.raises(EpochChanged):
            await ask(pool)
    assert changes == ["changed"]
    assert [record.getMessage() for record in caplog.records if record.name == "service.log.epoch"] == [
        f"the log has another epoch, {found} instead of {epoch.name}: restarting"
    ]


async def test_connections_that_were_made_before_another_epoch_was_found_are_not_used_again(database: str) -> None:
    async with open_pool(database, 2, await enter_epoch(database)) as pool:
        async with pool.acquire() as first:
            await first.execute("select")
            await execute(database, NEW_EPOCH)
            with pytest.raises(EpochChanged):
                await pool.execute("select")
        assert pool.get_idle_size() == 1
        with pytest.raises(EpochChanged):
            await pool.execute("select")


async def test_a_copy_whose_events_may_still_come_is_not_given_an_epoch(
    postgres: PostgresServer, empty_database: str
) -> None:
    await migrate(empty_database)
    async with copied(postgres, empty_database) as copy:
        with pytest.raises(NotPrepared):
            await enter_epoch(copy, settle=False)
