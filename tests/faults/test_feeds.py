"""The feeds of the lobby and of accounts lose nothing and repeat nothing, whatever breaks.

A follower (`tests/harness/noticing.py`) fails by itself on any frame that breaks a promise. What it was told is held
to what is due by the log, in the log's order.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg
import pytest

from service.database.errors import Unavailable, is_lost
from service.live.feeds import reader as feed_reader
from service.log.listener import APPLICATION_NAME
from service.play.game_cache import LoadedGame
from tests.harness.held import held_commits
from tests.harness.living import Player, living
from tests.harness.noticing import FeedFollower, Told, due, told
from tests.harness.postgres import OwnServer
from tests.harness.processes import Processes, spoken_to, started
from tests.harness.server import Client, account, expect, one_move
from tests.harness.server import Table as HttpTable
from tests.harness.writing import writing

LOBBY = {"type": "follow", "feed": "lobby"}
ACCOUNT = {"type": "follow", "feed": "account"}


def auth(player: Player) -> dict[str, Any]:
    return {"type": "auth", "token": player.token}


async def due_now(database: str, of: str | None = None) -> list[Told]:
    async with writing(database) as reader:
        return await due(reader, of)


# Storms of games, while processes are killed and stopped, and while people come.


async def played(
    processes: Processes, players: list[Client], number: int = 0, moves: int = 4, **options: object
) -> str:
    """A game that somebody opens and others come to, leave, and play a little, through one process and another."""
    picks = random.Random(number)
    here = [processes.through(player, number + turn) for turn, player in enumerate(players)]
    made = expect(await here[0].post("/v1/games", {"title": "toy", "seats": len(players), **options}), 201)
    table = HttpTable(made["id"], here)
    expect(await here[1].post(f"{table.path}/seats"), 201)
    expect(await here[1].delete(f"{table.path}/seats/me"), 200)
    for player in here:
        expect(await player.post(f"{table.path}/seats"), 201)
    for _ in range(moves):
        game = expect(await here[0].get(table.path), 200)
        if game["status"] != "running":
            break
        await one_move(table, game["to_move"][0], picks)
    return table.id


def follower(processes: Processes, number: int, of: Client | None, after: str | None = None) -> FeedFollower:
    """One who begins at one of the processes, and may go to the others."""
    urls = [service.url for service in processes.services]
    first = number % len(urls)
    feed, token = ("account", of.token) if of is not None else ("lobby", None)
    return FeedFollower(urls[first:] + urls[:first], feed, token, after)


async def end(processes: Processes, players: list[Client]) -> None:
    """A last event that the lobby is told of, and every player as well: see `is_end`."""
    made = expect(await players[0].post("/v1/games", {"title": "toy", "seats": 3}), 201)
    for player in players:
        expect(await processes.through(player, 0).post(f"/v1/games/{made['id']}/seats"), 201)


def is_end(players: list[Client]) -> Callable[[dict[str, Any]], bool]:
    """Whether a notice is the one of that event."""

    def found(frame: dict[str, Any]) -> bool:
        listed = frame["listed"]
        return (listed["creator"], len(listed["seats"]), listed["version"]) == (players[0].id, 3, 3)

    return found


async def test_followers_of_a_process_that_is_killed_or_stopped_get_every_notice_once_in_the_order_of_the_log(
    database: str,
) -> None:
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            writing_ones = Processes(database, services[1:], processes.https[1:], 0)
            players = [await account(processes.http) for _ in range(2)]
            followers = [follower(processes, 0, of, "0") for of in (None, None, *players)]
            following = [asyncio.create_task(each.until(is_end(players))) for each in followers]
            await asyncio.gather(*(each.begun.wait() for each in followers))
            for sent in (signal.SIGKILL, signal.SIGTERM):
                storm = asyncio.create_task(games(writing_ones, players, 5))
                while len(followers[0].notices) < 10 and not storm.done():  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(services[0].interrupt, sent)
                await storm
                await asyncio.to_thread(services[0].start)
            await end(writing_ones, players)
            await asyncio.gather(*following)
            await require_all_told(database, followers, [None, None, *players])
            assert all(each.closes for each in followers)
            await processes.require_order()


async def games(processes: Processes, players: list[Client], number: int) -> None:
    for each in range(number):
        await played(processes, players, each)


async def require_all_told(database: str, followers: Sequence[FeedFollower], of: Sequence[Client | None]) -> None:
    """Hold what came from the beginning to all that is due by now."""
    for each, player in zip(followers, of, strict=True):
        assert each.told == await due_now(database, player.id if player else None)


async def test_who_follows_at_one_process_and_lists_at_another_in_a_storm_has_seen_everything(
    processes: Processes,
) -> None:
    players = [await account(processes.http) for _ in range(2)]
    storm = asyncio.create_task(games(processes, players, 12))
    joined: list[tuple[FeedFollower, asyncio.Task[None], dict[str, int]]] = []
    while not storm.done():
        for of in (None, players[1]):
            each = follower(processes, len(joined), of)
            following = asyncio.create_task(each.until(is_end(players)))
            await each.begun.wait()
            elsewhere = processes.through(of or Client(processes.http), len(joined) + 1)
            path = "/v1/games?limit=200" + ("&account=me" if of else "")
            page = expect(await elsewhere.get(path), 200)
            joined.append((each, following, {game["id"]: game["version"] for game in page["games"]}))
        await asyncio.sleep(0.05)
    await end(processes, players)
    newest: dict[str, dict[str, int]] = {}
    for feed, of in (("lobby", None), ("account", players[1].id)):
        everything = [cursor.split(":") for cursor, _, _ in await due_now(processes.database, of)]
        newest[feed] = {game: int(version) for game, version in everything}
    assert len(joined) >= 4
    for each, following, known in joined:
        await following
        for cursor, _, _ in each.told:
            game, version = cursor.split(":")
            known[game] = max(int(version), known.get(game, 0))
        missing = {game for game, version in newest[each.feed].items() if known.get(game, 0) < version}
        assert missing == set()


async def test_a_terminated_listening_backend_costs_followers_nothing(processes: Processes) -> None:
    players = [await account(processes.http) for _ in range(2)]
    followers = [follower(processes, number, of) for number, of in enumerate((None, None, *players))]
    following = [asyncio.create_task(each.until(is_end(players))) for each in followers]
    await asyncio.gather(*(each.begun.wait() for each in followers))
    storm = asyncio.create_task(games(processes, players, 4))
    connection = await asyncpg.connect(processes.database)
    while not storm.done():
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and application_name = $1",
            APPLICATION_NAME,
        )
        await asyncio.sleep(0.05)
    await connection.close()
    await end(processes, players)
    await asyncio.gather(*following)
    for each, of in zip(followers, (None, None, *players), strict=True):
        everything = await due_now(processes.database, of.id if of else None)
        begun = [cursor for cursor, _, _ in everything].index(each.told[0][0])
        assert each.told == everything[begun : begun + len(each.told)]
        assert each.closes == []


async def test_a_database_that_goes_away_costs_followers_neither_a_notice_nor_the_connection(
    own_postgres: OwnServer,
) -> None:
    async with living(own_postgres.dsn()) as process:
        ada, bo = await process.player("Ada"), await process.player("Bo")
        async with (
            process.watching("/v1/live", LOBBY) as lobby,
            process.watching("/v1/live", auth(bo), ACCOUNT) as mine,
        ):
            await lobby.next()
            await mine.next()
            table = await process.started(ada, bo)
            await asyncio.to_thread(own_postgres.go_down)
            await asyncio.sleep(0.2)
            await asyncio.to_thread(own_postgres.come_back)
            table = await insisting(lambda: process.started(ada, bo))
            for feed, of in ((lobby, None), (mine, bo.account.id)):
                frames = await feed.until(lambda frame: frame["cursor"] == f"{table.id}:3")
                assert told(frames) == await due_now(own_postgres.dsn(), of)


async def insisting(act: Callable[[], Awaitable[LoadedGame]]) -> LoadedGame:
    while True:
        try:
            return await act()
        except Exception as error:
            if not (isinstance(error, Unavailable) or is_lost(error)):
                raise
            await asyncio.sleep(0.05)


# A reader of the whole log passes number 101 while 100 is uncommitted, or waits for ever for one that was rolled back.


@pytest.mark.parametrize("committed", [True, False])
async def test_what_commits_late_is_told_in_its_place_and_what_is_rolled_back_is_not_waited_for(
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    committed: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    monkeypatch.setattr(feed_reader, "POLL_SECONDS", 1_000)  # nobody is woken by what is rolled back
    async with living(database) as process, living(database) as other:
        slow, bo, quick = [await process.player(name) for name in ("Slow", "Bo", "Quick")]
        table = (await process.node.commands.create(bo.account, "toy", 3)).table
        async with (
            held_commits(database, slow.account.id) as held,
            other.watching("/v1/live", LOBBY) as lobby,
            other.watching("/v1/live", auth(bo), ACCOUNT) as mine,
        ):
            await other.node.commands.take_seat(bo.account, table.id)
            await lobby.until(lambda frame: frame.get("cursor") == f"{table.id}:2")
            await mine.until(lambda frame: frame.get("cursor") == f"{table.id}:2")
            early = asyncio.create_task(process.node.commands.create(slow.account, "toy", 2))
            await held.arrived()
            late = table
            for _ in range(3):
                late = (await other.node.commands.create(quick.account, "toy", 2)).table
                late = (await other.node.commands.take_seat(bo.account, late.id)).table
            # Whoever comes now begins before all that is not decided yet.
            async with process.watching("/v1/live", LOBBY) as newcomer:
                await newcomer.next()
                if committed:
                    await held.let_go()
                while not early.done():  # what is rolled back is tried once more
                    await held.kill()
                    await asyncio.sleep(0.01)
                frames = await lobby.until(lambda frame: frame["cursor"] == f"{late.id}:2")
                everything = await due_now(database)
                assert told(frames) == everything[2 : 2 + len(frames)]
                assert len(frames) == (7 if committed else 6)
                new = told(await newcomer.until(lambda frame: frame["cursor"] == f"{late.id}:2"))
                assert new[-len(frames) :] == told(frames)
                assert (
                    told(await mine.until(lambda frame: frame["cursor"] == f"{late.id}:2"))
                    == (await due_now(database, bo.account.id))[1:]
                )
            assert (early.exception() is None) is committed
