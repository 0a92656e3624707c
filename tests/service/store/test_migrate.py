"""Migrations apply in order, once, whoever comes first."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from service.store.migrate import MigrationChanged, migrate


async def test_two_processes_that_start_at_once_apply_each_migration_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_database) for _ in range(4)))
    names = sorted(name for each in applied for name in each)
    assert names[0] == "0001_log.sql"
    assert names == sorted(set(names))
    assert [each for each in applied if each] == [sorted(names)]
    assert await migrate(empty_database) == []


async def test_a_migration_that_changed_after_it_was_applied_is_refused(empty_database: str) -> None:
    await migrate(empty_database)
    connection = await asyncpg.connect(empty_database)
    await connection.execute("update migrations set hash = 'another' where name = '0001_log.sql'")
    await connection.close()
    with pytest.raises(MigrationChanged, match=r"0001_log\.sql"):
        await migrate(empty_database)


async def test_every_database_has_an_epoch_and_a_key_of_its_own(empty_database: str, database: str) -> None:
    await migrate(empty_database)
    told: set[tuple[str, bytes]] = set()
    for dsn in (empty_database, database):
        connection = await asyncpg.connect(dsn)
        told.add(
            (
                await connection.fetchval("select epoch from epoch"),
                await connection.fetchval("select key from service_key"),
            )
        )
        await connection.close()
    assert len({epoch for epoch, _ in told}) == len({key for _, key in told}) == 2
