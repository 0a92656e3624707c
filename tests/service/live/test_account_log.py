"""The events of many tables in the order of the log, and what it costs to read them page by page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from service.live.account_log import AccountLog
from service.store import feeds, positions
from service.store.events import Pool
from service.store.feeds import Sighting
from service.store.positions import START, Position
from tests.harness.writing import writing

IDLE = 60


async def test_each_table_is_read_once_however_many_pages_are_taken(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    real = feeds.next_of_tables

    async def counting(pool: Pool, known: Mapping[str, int], upto: Position, each: int) -> list[Sighting]:
        nonlocal asked
        asked += len(known)
        return await real(pool, known, upto, each)

    monkeypatch.setattr(feeds, "next_of_tables", counting)
    async with writing(database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        idle = [(await process.commands.create(ann, "toy", 2)).table.id for _ in range(IDLE)]
        busy = [(await process.started("toy", ann, bob)).id for _ in range(4)]
        async with process.pool.acquire() as connection:
            goal = await positions.final(connection)
        log = AccountLog(process.pool, dict.fromkeys(idle, 1) | dict.fromkeys(busy, 0), goal)
        found: list[Sighting] = []
        while page := await log.page(3):
            found += page
        everything = await feeds.everything(process.pool, START, 1_000)
        due = [(each.game_id, each.version) for each in everything if each.game_id in busy]
        assert [(each.game_id, each.version) for each in found] == due
        assert asked <= IDLE + len(busy) + len(due)


async def test_the_events_of_some_tables_come_in_the_order_of_the_log_page_by_page(database: str) -> None:
    async with writing(database) as process:
        ada, bo = await process.account("Ada"), await process.account("Bo")
        one, two, _ = [(await process.commands.create(bo, "toy", 2)).table.id for _ in range(3)]
        for game in (one, two, one, two):
            await process.commands.take_seat(ada, game)
            await process.commands.leave_seat(ada, game)
        async with process.pool.acquire() as connection:
            end = await positions.final(connection)
        log, found = AccountLog(process.pool, {one: 1, two: 1}, end), list[Sighting]()
        while page := await log.page(3):
            found += page
        due = [(game, n + by) for n in (2, 4) for game in (one, two) for by in (0, 1)]
        assert [(each.game_id, each.version) for each in found] == due
        assert [each.position for each in found] == sorted(each.position for each in found)
        assert await AccountLog(process.pool, {one: 1, two: 1}, found[2].position).page(100) == found[:3]
