"""The events at an account's tables in the order of the log, and what it costs to read them page by page."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from domain.kernel.game import Status
from service.auth.accounts import Account
from service.database.types import Pool
from service.live.feeds import account_queries, queries
from service.live.feeds.account_log import TABLES, AccountLog
from service.live.feeds.account_queries import SeatEvent
from service.live.feeds.queries import EventRef
from service.log.safe_order import START, LogPosition
from service.play.game_cache import LoadedGame
from service.projections import projector
from tests.harness.writing import Writing, writing

IDLE = 100


async def read(log: AccountLog, limit: int) -> list[EventRef]:
    found: list[EventRef] = []
    while page := await log.page(limit):
        found += page
    return found


def cursors(events: list[EventRef]) -> list[tuple[str, int]]:
    return [(each.game_id, each.version) for each in events]


async def test_tables_are_read_as_far_as_their_events_are_taken(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found = 0
    next_of_tables, taken_seats = account_queries.next_of_tables, account_queries.taken_seats

    async def counting(pool: Pool, known: Mapping[str, int], upto: LogPosition, each: int) -> list[EventRef]:
        nonlocal asked
        asked += len(known)
        return await next_of_tables(pool, known, upto, each)

    async def finding(pool: Pool, account: str, after: LogPosition, upto: LogPosition, limit: int) -> list[SeatEvent]:
        nonlocal found
        found += limit
        return await taken_seats(pool, account, after, upto, limit)

    monkeypatch.setattr(account_queries, "next_of_tables", counting)
    monkeypatch.setattr(account_queries, "taken_seats", finding)
    async with writing(database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        idle = [(await process.commands.create(bob, "toy", 2)).table.id for _ in range(IDLE)]
        for game in idle:
            await process.commands.take_seat(ann, game)
        busy = [(await process.started("toy", ann, bob)).id for _ in range(4)]
        due = [(game, 2) for game in idle] + [(game, version) for game in busy for version in (2, 3)]
        log = AccountLog(process.pool, ann.id, START, await process.end_of_log())
        assert cursors(await log.page(3)) == due[:3]
        assert asked <= 2 * TABLES
        assert found == TABLES
        assert cursors(await read(log, 3)) == due[3:]
        assert asked <= 2 * len(due)
        assert found <= len(due) + TABLES


@pytest.mark.parametrize("seed", range(4))
async def test_from_every_place_the_events_with_a_seat_come_once_in_the_order_of_the_log(
    database: str, seed: int
) -> None:
    """However far the projections are, with whatever the account took, left, and took again."""
    picks = random.Random(seed)
    async with writing(database) as process:
        ann, bob, cid = [await process.account(name) for name in ("Ann", "Bob", "Cid")]
        await storm(process, [ann, bob, cid], picks, 160)
        everything = await queries.everything(process.pool, START, 10_000)
        goal = everything[-1].position
        due, seated = list[tuple[LogPosition, str, int]](), set[str]()
        for each in everything:
            if each.account == ann.id or each.game_id in seated:
                due.append((each.position, each.game_id, each.version))
            if each.account == ann.id:
                (seated.add if each.type == "seat_taken" else seated.discard)(each.game_id)
        assert len(due) > 40
        for place in [START, *(each.position for each in everything)]:
            later = [(game, version) for position, game, version in due if position > place]
            log = AccountLog(process.pool, ann.id, place, goal)
            assert cursors(await read(log, picks.choice((1, 3, 100)))) == later, place
            before = [(game, version) for position, game, version in due if position <= place]
            newest = await account_queries.newest(process.pool, ann.id, place)
            assert newest == (before[-1] if before else None), place
            expected = await account_queries.tables_after(process.pool, ann.id, place)
            assert expected >= {game for game, _ in later}, place
        middle = everything[len(everything) // 2].position
        log = AccountLog(process.pool, ann.id, START, middle)
        assert cursors(await read(log, 7)) == [(game, version) for position, game, version in due if position <= middle]


async def storm(process: Writing, accounts: list[Account], picks: random.Random, steps: int) -> None:
    """Tables are opened, seats taken and left, moves made; the projections follow now and then."""
    tables: list[LoadedGame] = []
    for _ in range(steps):
        if len(tables) < 8 or picks.random() < 0.05:
            tables.append((await process.commands.create(picks.choice(accounts), "toy", 2)).table)
        number = picks.randrange(len(tables))
        table, who = tables[number], picks.choice(accounts)
        seats = [seat.account for seat in table.game.seats if seat is not None]
        if table.game.status is Status.waiting:
            command = process.commands.leave_seat if who.id in seats else process.commands.take_seat
            tables[number] = (await command(who, table.id)).table
        elif table.game.status is Status.running:
            players = {account.id: account for account in accounts}
            for _ in range(picks.choice((1, 2, 40))):
                if tables[number].game.status is Status.running:
                    seated = tuple(players[seat] for seat in seats)
                    tables[number] = (await process.moved(tables[number], seated, picks)).table
        if picks.random() < 0.06:
            async with process.pool.acquire() as connection:
                await projector.step(connection, process.tables)
