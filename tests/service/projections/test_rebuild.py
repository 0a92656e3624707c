"""Rebuilding the lists from the log while the service runs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator

import asyncpg
import pytest

from domain.catalogue import TITLES
from service.auth.accounts import Account
from service.database.types import Connection
from service.log.safe_order import LogPosition
from service.projections import rebuild as module
from service.projections import rows
from service.projections.lobby import Lobby
from service.projections.rebuild import RebuildRunning
from service.projections.rows import Checkpoint
from tests.harness.lists import agrees_with_log, eventually, history_rows, listed, lobby_rows
from tests.harness.projecting import projecting
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY

_REBUILDING = "select pg_advisory_lock($1)"


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


async def rebuild(database: str) -> int:
    return await module.rebuild(database, {**TITLES, "toy": TOY})


async def play(process: Writing, seated: tuple[Account, ...], picks: random.Random, moves: int) -> None:
    table = await process.started("toy", *seated)
    for _ in range(moves):
        if table.game.result is not None:
            return
        table = (await process.moved(table, seated, picks)).table


async def seated(process: Writing, number: int) -> tuple[Account, Account]:
    return await process.account(f"Ann {number}"), await process.account(f"Bob {number}")


async def test_a_rebuild_gives_row_for_row_what_the_projector_has(database: str, process: Writing) -> None:
    picks = random.Random(5)
    async with projecting(process):
        for number in range(12):
            await play(process, await seated(process, number), picks, picks.randrange(30))
        ann = await process.account("Ann")
        table = (await process.commands.create(ann, "toy", 2, visibility="unlisted")).table
        await process.commands.take_seat(ann, table.id)
        await process.commands.leave_seat(ann, table.id)
        await eventually(lambda: agrees_with_log(process))
        running = await lobby_rows(process.pool), await history_rows(process.pool)
    assert await rebuild(database) == 13
    assert (await lobby_rows(process.pool), await history_rows(process.pool)) == running


async def test_lists_stay_whole_while_games_go_on_and_the_rows_are_rebuilt(database: str, process: Writing) -> None:
    lobby, picks, rebuilt, over = Lobby(process.pool, process.tables), random.Random(6), 0, False

    async def play_on(number: int) -> None:
        while rebuilt < 4:
            await play(process, await seated(process, number), picks, 8)
            number += 100

    async def watch() -> int:
        known: dict[str, int] = {}
        looks = 0
        while not over:
            now = {game.id: game.version for game in await listed(lobby, limit=50)}
            assert known.keys() <= now.keys()
            assert all(now[game] >= version for game, version in known.items())
            known, looks = now, looks + 1
        return looks

    async with projecting(process):
        watching = asyncio.create_task(watch())
        playing = asyncio.gather(*(play_on(number) for number in range(4)))
        while rebuilt < 4:
            await rebuild(database)
            rebuilt += 1
        await playing
        over = True
        assert await watching
        await eventually(lambda: agrees_with_log(process))


async def test_what_came_at_the_last_moment_is_not_missing_though_it_is_not_final(
    database: str, process: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = rows.hold_checkpoint

    async def late(connection: Connection) -> Checkpoint:
        await play(process, await seated(process, 2), random.Random(1), 3)
        return await hold(connection)

    monkeypatch.setattr(rows, "hold_checkpoint", late)
    await play(process, await seated(process, 1), random.Random(1), 3)
    stranger = await asyncpg.connect(database)
    async with stranger.transaction():
        await stranger.fetchval("select pg_current_xact_id()")
        assert await rebuild(database) == 2
        assert await agrees_with_log(process)
    await stranger.close()


async def test_no_projector_can_move_the_checkpoint_while_the_rows_are_swapped(
    database: str, process: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = rows.serve
    refused: list[bool] = []

    async def watched(connection: Connection, generation: int, position: LogPosition) -> None:
        try:
            await process.pool.execute("select from projection for update nowait")
        except asyncpg.LockNotAvailableError:
            refused.append(True)
        await serve(connection, generation, position)

    monkeypatch.setattr(rows, "serve", watched)
    await rebuild(database)
    assert refused == [True]


async def test_an_empty_log_is_rebuilt_to_empty_lists(database: str, process: Writing) -> None:
    assert await rebuild(database) == 0
    assert await lobby_rows(process.pool) == []


async def test_there_is_one_rebuild_at_a_time(database: str) -> None:
    other = await asyncpg.connect(database)
    await other.execute(_REBUILDING, 7_305_911_046)
    with pytest.raises(RebuildRunning):
        await rebuild(database)
    await other.close()
    assert await rebuild(database) == 0


async def test_rows_that_a_killed_rebuild_has_left_do_no_harm(database: str, process: Writing) -> None:
    async with projecting(process):
        await play(process, await seated(process, 1), random.Random(1), 3)
        await eventually(lambda: agrees_with_log(process))
    before = await lobby_rows(process.pool)
    await process.pool.execute("update lobby set generation = 2, version = 1000, title = 'half made'")
    await process.pool.execute("update history set generation = 2, name = 'half made'")
    await rebuild(database)
    assert await lobby_rows(process.pool) == before
    assert {row["name"] for row in await history_rows(process.pool)} == {"Ann 1", "Bob 1"}


async def test_rows_of_former_generations_are_deleted(database: str, process: Writing) -> None:
    await play(process, await seated(process, 1), random.Random(1), 3)
    await rebuild(database)
    await rebuild(database)
    counts = "select (select count(*) from lobby), (select count(*) from history)"
    assert tuple(await process.pool.fetchrow(counts) or ()) == (1, 2)


async def test_a_game_that_could_not_be_read_is_read_again(database: str, process: Writing) -> None:
    await play(process, await seated(process, 1), random.Random(1), 3)
    assert await module.rebuild(database, {}) == 0
    assert await process.pool.fetchval("select count(*) from unreadable_games") == 1
    assert await rebuild(database) == 1
    assert await process.pool.fetchval("select count(*) from unreadable_games") == 0
    assert await agrees_with_log(process)
