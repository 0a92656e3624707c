"""Group commit, and what it makes of a connection that is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.database.errors import Unavailable
from service.database.types import Pool
from service.log import events
from service.log.appender import GROUP_LIMIT, Appender, group_size
from tests.harness.faults import fail_commits, wire_to
from tests.service.log.test_events import entry


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    async with asyncpg.create_pool(database, min_size=1, max_size=4) as made:
        yield made


async def xids(pool: Pool) -> list[int]:
    return [int(row["xid"]) for row in await pool.fetch("select xid::text as xid from events order by position")]


async def grouped(pool: Pool) -> list[int]:
    """How many of forty commands that arrive at once go in with each transaction."""
    appender = Appender(pool)
    answers = await asyncio.gather(*(appender.append(entry(f"g{number}", 1)) for number in range(40)))
    assert answers == [True] * 40
    transactions = await xids(pool)
    assert len(transactions) == 40
    return [transactions.count(each) for each in dict.fromkeys(transactions)]


async def test_commands_that_arrive_together_go_in_by_halves_while_the_database_is_quick(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.log.appender.QUICK_SECONDS", 60)
    assert await grouped(pool) == [20, 10, 8, 2]


async def test_a_database_that_is_slow_gets_all_that_waits(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.log.appender.QUICK_SECONDS", 0)
    assert await grouped(pool) == [20, 20]


async def test_a_lone_command_waits_for_nobody_and_those_behind_it_form_the_next_group(pool: Pool) -> None:
    appender = Appender(pool)
    lone = asyncio.create_task(appender.append(entry("lone", 1)))
    await asyncio.sleep(0.001)
    behind = [appender.append(entry(f"g{number}", 1)) for number in range(40)]
    assert all([await lone, *await asyncio.gather(*behind)])
    transactions = await xids(pool)
    assert transactions[0] not in transactions[1:]
    assert len(set(transactions[1:])) <= 5


def test_half_of_those_that_wait_form_a_group_unless_they_are_few() -> None:
    due = {1: 1, 8: 8, 9: 8, 15: 8, 16: 8, 17: 8, 40: 20, 199: 99, 1_000: GROUP_LIMIT}
    assert {waiting: group_size(waiting, halved=True) for waiting in due} == due
    assert [group_size(waiting, halved=False) for waiting in (1, 40, 1_000)] == [1, 40, GROUP_LIMIT]


async def test_a_group_is_cut_so_that_its_wake_up_fits_into_a_notification(pool: Pool) -> None:
    appender = Appender(pool)
    names = [f"g{number:0>31}" for number in range(2 * GROUP_LIMIT + 1)]
    assert all(await asyncio.gather(*(appender.append(entry(name, 1)) for name in names)))
    assert GROUP_LIMIT * (len(names[0]) + len(":9007199254740991,")) < events.WAKE_LIMIT


async def test_each_of_a_group_hears_whether_its_own_entry_is_in(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1)])
    appender = Appender(pool)
    asked = [entry("b", 1), entry("a", 1), entry("a", 2), entry("a", 2), entry("a", 4)]
    assert await asyncio.gather(*(appender.append(each) for each in asked)) == [True, False, True, False, False]


async def test_a_commit_that_fails_is_made_again_and_leaves_one_row(pool: Pool, database: str) -> None:
    await fail_commits(database, times=1)
    assert await Appender(pool).append(entry("a", 1)) is True
    assert [row.version for row in await events.read(pool, "a")] == [1]


async def test_a_database_that_keeps_failing_is_told_as_unavailable_and_nothing_is_in(
    pool: Pool, database: str
) -> None:
    await fail_commits(database, times=2)
    appender = Appender(pool)
    with pytest.raises(Unavailable):
        await appender.append(entry("a", 1))
    assert await events.head(pool, "a") == 0
    assert await appender.append(entry("a", 1)) is True


async def test_a_retry_after_a_lost_answer_knows_the_row_that_it_wrote_itself(database: str) -> None:
    async with wire_to(database) as (wire, dsn), asyncpg.create_pool(dsn, min_size=1, max_size=2) as pool:
        appender = Appender(pool)
        assert await appender.append(entry("warm", 1)) is True  # the statement is prepared from here on
        wire.lose_answer_to(b"lost-answer")
        assert await appender.append(entry("a", 1, b'{"type":"lost-answer"}')) is True
        assert wire.lost == 1
        assert [row.version for row in await events.read(pool, "a")] == [1]


async def test_a_rival_that_wrote_first_is_not_taken_for_an_own_row_after_a_lost_connection(
    pool: Pool, database: str
) -> None:
    await events.append(pool, [entry("a", 1)])
    await fail_commits(database, times=1)
    appender = Appender(pool)
    assert await asyncio.gather(appender.append(entry("b", 1)), appender.append(entry("a", 1))) == [True, False]


async def test_a_caller_that_goes_away_takes_no_one_with_it(pool: Pool) -> None:
    appender = Appender(pool)
    impatient = asyncio.create_task(appender.append(entry("a", 1)))
    patient = asyncio.create_task(appender.append(entry("b", 1)))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient is True
    await appender.close()
    assert await events.head(pool, "a") == 0, "nobody waits for it, and it was not on its way"
