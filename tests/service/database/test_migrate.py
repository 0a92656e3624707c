"""Migrations apply in order, once, whoever comes first."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from domain.kernel.game import Status
from service.database import migrate as module
from service.database.migrate import MigrationChanged, migrate
from service.projections.projector import step
from tests.harness.lists import history_rows
from tests.harness.server import account, expect, http_client, new_game, serving
from tests.harness.writing import writing


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


async def test_a_database_from_before_there_were_commitments_is_brought_up_to_date_by_a_restart(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What an earlier release has brought along.
    everything = module._migrations()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    before = [(name, text) for name, text in everything if name < "0006"]
    with monkeypatch.context() as earlier:
        earlier.setattr(module, "_migrations", lambda: before)
        await migrate(empty_database)
        async with writing(empty_database) as one:
            # It wrote no such column, as this release does.
            await one.pool.execute("alter table events add column ends_game boolean")
            seated = [await one.account(name) for name in ("Ann", "Bob")]
            old = await one.started("toy", *seated)
            await one.pool.execute("alter table events drop column ends_game")
    with serving(empty_database) as service:
        async with http_client(service.url) as http:
            table = await new_game(http)
            async with asyncio.timeout(60):
                while True:
                    games = expect(await http.get("/v1/games?status=running"), 200)["games"]
                    if {game["id"] for game in games} == {old.id, table.id}:
                        break
                    await asyncio.sleep(0.05)
            assert [seat["entropy"] for game in games for seat in game["seats"]] == [None] * 4
            waiting = await new_game(http, 2, seated=0)
            stranger = await account(http)
            body = {"entropy_commitment": "0" * 64}
            assert expect(await stranger.post(f"{waiting.path}/seats", body), 201)["status"] == "waiting"


_WITHOUT_0008_AND_0009 = """
alter table history drop column ended_xid, drop column ended_position, drop column sandbox, drop column unlisted;
drop index events_of_account, lobby_public, lobby_public_by_status, lobby_public_by_title, lobby_unlisted;
create index lobby_newest on lobby (generation, position);
create index lobby_newest_by_status on lobby (generation, status, position);
delete from migrations where name in ('0008_account_feeds.sql', '0009_lists.sql')
"""


async def test_what_lists_and_feeds_look_for_is_noted_of_games_from_before(empty_database: str) -> None:
    await migrate(empty_database)
    async with writing(empty_database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        table, picks = await process.started("toy", ann, bob), random.Random(1)
        while table.game.status is Status.running:
            table = (await process.moved(table, (ann, bob), picks)).table
        await process.commands.create(ann, "toy", 2, visibility="unlisted")
        await process.started("toy", ann, bob)
        async with process.pool.acquire() as connection:
            await step(connection, process.tables)
        rows = await history_rows(process.pool)
        assert [row["ended_xid"] is None for row in rows].count(True) == 2
        await process.pool.execute(_WITHOUT_0008_AND_0009)
    await migrate(empty_database)
    async with writing(empty_database) as process:
        assert await history_rows(process.pool) == rows
