"""Tests of the databases that the other tests stand on."""

import asyncpg
import pytest

from tests.harness.postgres import OwnServer, PostgresServer, fresh_database


async def _count(dsn: str, statement: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


@pytest.mark.parametrize("time", ["first", "second"])
async def test_a_test_finds_nothing_of_what_another_wrote(database: str, time: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute(f"create table {time} ()")
    tables = "select count(*) from pg_tables where tablename in ('first', 'second')"
    assert await connection.fetchval(tables) == 1
    await connection.close()


async def test_a_database_is_migrated(database: str) -> None:
    assert await _count(database, "select count(*) from migrations") != 0


async def test_an_empty_database_holds_no_table(empty_database: str) -> None:
    assert await _count(empty_database, "select count(*) from pg_tables where schemaname = 'public'") == 0


async def test_a_database_is_dropped_while_a_connection_is_still_open(postgres: PostgresServer) -> None:
    async with fresh_database(postgres) as dsn:
        left_open = await asyncpg.connect(dsn)
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
        await left_open.fetchval("select 1")
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await asyncpg.connect(dsn)


async def test_a_server_that_crashed_comes_back_at_the_same_address_with_what_was_committed(
    own_postgres: OwnServer,
) -> None:
    dsn = own_postgres.dsn()
    connection = await asyncpg.connect(dsn)
    await connection.execute("create table kept ()")
    own_postgres.go_down()
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
        await connection.fetchval("select 1")
    own_postgres.come_back()
    assert own_postgres.dsn() == dsn
    assert await _count(dsn, "select count(*) from kept") == 0
