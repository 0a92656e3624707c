"""What feeds read of the log: the right events in the right order, and no more of it than they need."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from service.database.pool import open_pool
from service.database.types import Pool
from service.live.feeds import queries
from service.live.feeds.queries import EventRef
from service.log.safe_order import START
from tests.harness.writing import Writing, writing


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


def cursors(refs: list[EventRef]) -> list[tuple[str, int]]:
    return [(each.game_id, each.version) for each in refs]


async def test_the_lobby_reads_what_lists_are_about_in_pages_up_to_a_place(process: Writing) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    first, second = await process.finished(ada, bo), await process.finished(ada, bo)
    wanted = [(table.id, version) for table in (first, second) for version in (1, 2, 3, table.version)]
    assert cursors(await queries.lobby(process.pool, START, 100)) == wanted
    page = await queries.lobby(process.pool, START, 3)
    assert cursors(page) == wanted[:3]
    assert cursors(await queries.lobby(process.pool, page[-1].position, 100)) == wanted[3:]
    assert cursors(await queries.lobby(process.pool, START, 100, page[-1].position)) == wanted[:3]
    everything = await queries.everything(process.pool, START, 1_000)
    assert cursors([each for each in everything if each.listed]) == wanted
    assert len(everything) == first.version + second.version


async def test_reading_the_lobby_fetches_no_moves_however_many_there_are(database: str, process: Writing) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    await process.finished(ada, bo)
    await process.pool.execute(
        "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
        " select 'g' || g, v, case v when 1 then 'game_created' else 'move_made' end, 'a', '{\"type\":\"move_made\"}',"
        " '1', sha256(''), now(), gen_random_uuid() from generate_series(1, 40) as g, generate_series(1, 100) as v"
    )
    await process.pool.execute("analyze events")
    async with open_pool(database, 1) as pool:
        before = await fetched(pool)
        assert len(await queries.lobby(pool, START, 1_000)) == 44
        assert not await queries.unfinal(pool, await process.end_of_log(), lobby_only=True)
        assert await fetched(pool) - before < 100


async def fetched(pool: Pool) -> int:
    """How many rows of the log were read by now, whatever for."""
    await pool.execute("select pg_stat_force_next_flush()")
    query = "select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = 'events'"
    return await pool.fetchval(query)
