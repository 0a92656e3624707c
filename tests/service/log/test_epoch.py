"""Whoever connects finds out which history the log has, and works with none that was not prepared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from service.auth import accounts
from service.auth.tokens import Tokens, token_hash
from service.database.errors import NotPrepared, is_lost
from service.database.migrate import migrate
from service.database.pool import open_pool
from service.database.types import Pool
from service.log.epoch import History, entered
from service.log.restore import restored
from service.play.component_sets import Sets
from tests.harness.backup import tablelog
from tests.harness.lists import eventually
from tests.harness.living import living
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.writing import writing
from tests.toy import TITLE as TOY


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
        except NotPrepared:
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
            await entered(copy)
        assert is_lost(refused.value), "clients hear that it cannot be worked with now"
        for command in ("serve", "rebuild"):
            done = await asyncio.to_thread(tablelog, command, copy)
            assert (done.returncode, "tablelog restored" in done.stderr) == (2, True)
        prepared = await restored(copy)
        assert (await entered(copy)).epoch == prepared.epoch
    assert (await entered(empty_database)).epoch == prepared.before, "the original is as it was"


async def test_a_copy_without_events_gets_an_epoch_of_its_own_by_itself(
    postgres: PostgresServer, empty_database: str
) -> None:
    await migrate(empty_database)
    async with copied(postgres, empty_database) as copy:
        epochs = [(await entered(each)).epoch for each in (empty_database, copy, copy)]
    assert epochs[0] != epochs[1] == epochs[2]


@pytest.mark.parametrize("without", ["drop table epoch", "delete from epoch", "drop function this_database"])
async def test_a_database_that_is_not_whole_is_not_worked_with(database: str, without: str) -> None:
    async with open_pool(database, 1, await entered(database)) as pool:
        await execute(database, without, CUT)
        with pytest.raises(NotPrepared, match="not whole"):
            await ask(pool)


async def test_a_new_connection_that_finds_another_epoch_has_everything_forgotten_before_it_is_used(
    database: str,
) -> None:
    history = await entered(database)
    forgotten: list[str | None] = []
    history.follow(lambda: forgotten.append(history.epoch))
    async with open_pool(database, 2, history) as pool:
        assert await ask(pool) == 1
        await execute(database, CUT)
        assert await ask(pool) == 1
        assert forgotten == [], "the same epoch is no news"
        epoch = (await restored(database)).epoch
        await execute(database, CUT)
        assert await ask(pool) == 1
        assert forgotten == [epoch]


async def test_connections_that_were_made_before_another_epoch_was_found_are_not_used_again(database: str) -> None:
    history = await entered(database)
    async with open_pool(database, 2, history) as pool:
        async with pool.acquire() as first:
            old = await first.fetchval("select pg_backend_pid()")
            await execute(database, NEW_EPOCH)
            async with pool.acquire() as second:
                await second.execute("select")
        pids = {await pool.fetchval("select pg_backend_pid()") for _ in range(5)}
    assert old not in pids


async def test_offered_component_sets_are_stored_again_in_a_database_that_has_never_seen_them(database: str) -> None:
    history = await entered(database)
    async with open_pool(database, 2, history) as pool:
        sets = Sets(pool, {"toy": TOY})
        await sets.load(None)
        history.prepare(sets.store)
        await execute(database, "delete from component_sets", NEW_EPOCH, CUT)
        assert await ask(pool, "select count(*) from component_sets") == len(sets.offered("toy"))


async def test_an_account_that_went_with_its_history_is_nobody_again(database: str) -> None:
    history = await entered(database)
    async with open_pool(database, 2, history) as pool, writing(database) as process:
        tokens = Tokens(pool, history=history)
        history.follow(tokens.forget)
        account = await process.account("Ann")
        await pool.execute("update accounts set token_hash = $1 where id = $2", token_hash("tl_a"), account.id)
        assert await tokens.account("tl_a") == await accounts.by_id(pool, account.id)
        await execute(database, "delete from accounts", NEW_EPOCH, CUT)
        await ask(pool)
        assert await tokens.account("tl_a") is None


async def test_a_process_that_is_at_work_hears_of_a_new_epoch_and_connects_anew(database: str) -> None:
    async with living(database) as process:
        before = await process.node.pool.fetchval("select pg_backend_pid()")
        epoch = (await restored(database)).epoch

        async def known() -> bool:
            return process.node.epoch == epoch

        await eventually(known)
        assert await process.node.pool.fetchval("select pg_backend_pid()") != before


async def test_a_history_of_no_epoch_takes_the_first_one_without_a_word(database: str) -> None:
    history = History()
    forgotten: list[str | None] = []
    history.follow(lambda: forgotten.append(history.epoch))
    async with open_pool(database, 1, history) as pool:
        assert await ask(pool, "select epoch from epoch") == history.epoch
    assert forgotten == []
