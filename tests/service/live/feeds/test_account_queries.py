"""What the feed of an account reads of the log: its tables at any place, and what they cost."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator

import pytest

from domain.kernel.game import Status
from service.auth.accounts import Account
from service.database.pool import open_pool
from service.database.types import Pool
from service.live.feeds import account_queries
from service.live.feeds.account_log import AccountLog
from service.log.safe_order import START
from tests.harness.writing import Writing, writing


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


@pytest.mark.parametrize("projected", ["never", "early", "late"])
async def test_the_tables_of_an_account_are_those_where_something_may_still_concern_it(
    process: Writing, projected: str
) -> None:
    ada, bo, cy = [await process.account(name) for name in ("Ada", "Bo", "Cy")]
    over = await process.finished(ada, bo)
    running = await process.started("toy", ada, bo)
    left = (await process.commands.create(bo, "toy", 2)).table
    await process.commands.take_seat(ada, left.id)
    early = await process.end_of_log()
    if projected == "early":
        await process.project()
    await process.commands.leave_seat(ada, left.id)
    await process.started("toy", bo, cy)
    late = await process.end_of_log()
    if projected == "late":
        await process.project()
    pool, who = process.pool, ada.id
    assert await account_queries.tables_after(pool, who, START) == {over.id, running.id, left.id}
    assert await account_queries.tables_after(pool, who, early) == {running.id, left.id}
    assert await account_queries.tables_after(pool, who, late) == {running.id}
    assert await account_queries.tables_at(pool, who, early) == {left.id: 2}
    assert await account_queries.tables_at(pool, who, late) == {}
    assert await account_queries.newest(pool, who, early) == (left.id, 2)
    assert await account_queries.newest(pool, who, late) == (left.id, 3)
    assert await account_queries.newest(pool, cy.id, early) is None


async def test_a_game_whose_row_is_not_that_of_its_end_is_found_by_every_place(process: Writing) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    table = await process.started("toy", ada, bo)
    await process.project()
    early, picks = await process.end_of_log(), random.Random(1)
    while table.game.status is Status.running:
        table = (await process.moved(table, (ada, bo), picks)).table
    late = await process.end_of_log()
    for _ in range(2):
        assert await account_queries.tables_at(process.pool, ada.id, early) == {table.id: 3}
        assert await account_queries.tables_after(process.pool, ada.id, early) == {table.id}
        assert await account_queries.tables_after(process.pool, ada.id, late) == set()
        assert await account_queries.newest(process.pool, ada.id, late) == (table.id, table.version)
        await process.project()


async def test_whoever_is_called_like_an_ending_ends_no_game(process: Writing) -> None:
    ada = await process.account('Ada "type":"game.ended"')
    table = (await process.commands.create(ada, "toy", 2)).table
    await process.commands.take_seat(ada, table.id)
    assert await account_queries.tables_after(process.pool, ada.id, await process.end_of_log()) == {table.id}


async def test_a_game_that_the_projections_cannot_read_is_not_forgotten(process: Writing) -> None:
    ada = await process.account("Ada")
    table = (await process.commands.create(ada, "toy", 2)).table
    await process.commands.take_seat(ada, table.id)
    await process.project()
    await process.pool.execute("delete from history")
    await process.pool.execute("insert into unreadable_games (game_id, version, error) values ($1, 2, 'x')", table.id)
    assert await account_queries.tables_after(process.pool, ada.id, await process.end_of_log()) == {table.id}
    assert await account_queries.newest(process.pool, ada.id, await process.end_of_log()) == (table.id, 2)


async def test_what_a_follow_costs_does_not_grow_with_tables_that_are_over_or_left(
    database: str, process: Writing
) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    running = await process.started("toy", ada, bo)
    await add_old_tables(process, ada, 300)
    some = await cost(database, process, ada)
    await add_old_tables(process, ada, 1_500)
    await process.moved(running, (ada, bo), random.Random(1))
    await process.project()
    assert await cost(database, process, ada) <= some + 10
    assert some < 250


async def add_old_tables(process: Writing, account: Account, number: int) -> None:
    """Tables that the account has left, others where it sat to the end, and archived games that name it."""
    one = await process.finished(account, await process.account(f"Other {number}"))
    await process.project()
    await process.pool.execute(
        "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
        " select of.prefix || $2 || '-' || n, version, type, actor, data, rules_version, hash, recorded_at, of.attempt"
        " from events, generate_series(1, $2::int) as n,"
        " (values ('over', gen_random_uuid()), ('archived', uuid_nil)) as of (prefix, attempt)"
        " where game_id = $1 order by of.prefix, n, version".replace("uuid_nil", f"'{account_queries.IMPORT_ATTEMPT}'"),
        one.id,
        number,
    )
    await process.pool.execute(
        "insert into imports (game_id, account) select distinct game_id, $1 from events where game_id ~ '^archived'"
        " on conflict do nothing",
        account.id,
    )
    # What the projector would write; the archived games have no rows.
    await process.pool.execute(
        "insert into lobby select (jsonb_populate_record(lobby, jsonb_build_object('game_id', 'over' || $2 || '-' || n,"
        " 'position', first.position))).* from lobby, generate_series(1, $2::int) as n"
        " join events as first on first.game_id = 'over' || $2 || '-' || n and first.version = 1"
        " where lobby.game_id = $1",
        one.id,
        number,
    )
    await process.pool.execute(
        "insert into history select (jsonb_populate_record(history, jsonb_build_object("
        " 'game_id', last.game_id, 'ended_xid', last.xid::text, 'ended_position', last.position))).*"
        " from history, events as last"
        " where history.game_id = $1 and last.game_id ~ ('^over' || $2::int || '-') and last.version = $3",
        one.id,
        number,
        one.version,
    )
    for _ in range(min(number, 20)):
        table = (await process.commands.create(account, "toy", 2)).table
        await process.commands.take_seat(account, table.id)
        await process.commands.leave_seat(account, table.id)
    end = await process.end_of_log()
    await process.pool.execute("update projection set xid = $1, position = $2", end.xid, end.number)
    await process.pool.execute("vacuum analyze events, lobby, history, imports")


async def cost(database: str, process: Writing, account: Account) -> int:
    """How many rows are read to begin at the newest place, to go on from there, and to take a page from the start."""
    at, read = await process.end_of_log(), 0
    async with open_pool(database, 1) as pool:
        for _ in range(10):  # until the server has the plan that it keeps
            before = await fetched(pool)
            assert await account_queries.newest(pool, account.id, at) is not None
            assert len(await account_queries.tables_after(pool, account.id, at)) == 1
            assert await AccountLog(pool, account.id, at, at).page(100) == []
            assert len(await AccountLog(pool, account.id, START, at).page(5)) == 5
            read = await fetched(pool) - before
    return read


async def fetched(pool: Pool) -> int:
    """How many rows of any table, and entries of any index, were read by now, whatever for."""
    await pool.execute("select pg_stat_force_next_flush()")
    return await pool.fetchval(
        "select (select sum(seq_tup_read) from pg_stat_user_tables)"
        " + (select sum(idx_tup_read) from pg_stat_user_indexes)"
    )
