"""Who watches misses nothing and sees nothing twice, whatever breaks: joins, processes, connections, the database.

A follower (`tests/harness/following.py`) fails by itself on any frame that breaks a promise of the feed. After each
test what it was sent is held to what the events of the log are for it.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import asyncpg
import pytest

from service.database.errors import Unavailable
from service.log.listener import APPLICATION_NAME, Wake
from service.transport.close_codes import GOING_AWAY
from tests.harness.faults import fail_commits
from tests.harness.following import Follower
from tests.harness.living import living, watching
from tests.harness.postgres import OwnServer
from tests.harness.processes import Processes, spoken_to, started
from tests.harness.raw import raw_socket
from tests.harness.server import Client, Service, Table, expect

Following = TypeVar("Following", bound=Follower)


@asynccontextmanager
async def own_processes(database: str, count: int) -> AsyncGenerator[Processes]:
    """Processes of the test's own, which it may stop and kill."""
    with started(database, count) as services:
        async with spoken_to(database, services) as processes:
            yield processes


async def fidget(processes: Processes, table: Table, times: int, pause: float = 0.0) -> None:
    """Add an even number of versions to a waiting game, through one process and the other in turn."""
    for number in range(times):
        await fidget_once(processes, table, number)
        await asyncio.sleep(pause)


async def fidget_once(processes: Processes, table: Table, number: int) -> None:
    """Sit down, or get up if the number is odd."""
    player = processes.through(table.seats[0], number // 2 + number)
    if number % 2:
        expect(await player.delete(f"{table.path}/seats/me"), 200)
    else:
        expect(await player.post(f"{table.path}/seats", {"seat": 0}), 201)


def follower(processes: Processes, table: Table, number: int = 0, **position: Any) -> Follower:
    """A spectator who begins at one of the processes, and may go to the others."""
    urls = [service.url for service in processes.services]
    first = number % len(urls)
    return Follower(urls[first:] + urls[:first], table.id, **position)


async def require_agreement(processes: Processes, table: Table, followers: Sequence[Follower]) -> None:
    """Hold what followers were sent to the events that the service has for them."""
    for each in followers:
        client = Client(processes.http, each.token)
        page = expect(await client.get(f"{table.path}/events?limit=1000"), 200)["events"]
        sent = [frame["event"] for frame in each.frames if frame["type"] == "event"]
        assert sent == page[each.versions[0] - 1 : each.versions[-1]]
        assert each.versions == list(range(each.versions[0], each.versions[-1] + 1))


# Who joins while moves are made misses one or sees one twice.


@pytest.mark.parametrize("joins,moves", [(100, 100), pytest.param(1_000, 200, marks=pytest.mark.fuzz)])
async def test_who_joins_in_a_storm_of_moves_gets_every_version_once(
    processes: Processes, joins: int, moves: int
) -> None:
    table = await processes.new_game(2, seated=0)
    followers = await joined_in_a_storm(processes, table, follower, joins, moves)
    assert len(followers) == joins
    late = follower(processes, table, after=0)
    assert await late.through(moves + 1) == list(range(1, moves + 2))
    await require_agreement(processes, table, [each for each in (*followers, late) if each.versions])


async def joined_in_a_storm(
    processes: Processes, table: Table, made: Callable[..., Following], joins: int, moves: int
) -> list[Following]:
    """Those who joined from every kind of position while moves were made, and saw them all; `made` as `follower`."""
    picks = random.Random(joins)
    epoch = expect(await processes.http.get(f"{table.path}/events"), 200)["epoch"]

    async def join(number: int, head: int) -> Following:
        position = (
            {},  # a hello
            {"after": 0},
            {"after": head, "epoch": epoch},
            {"after": picks.randrange(head), "epoch": epoch},
        )[number % 4]
        each = made(processes, table, number, **position)
        await each.through(moves + 1)
        return each

    at = [picks.randrange(moves) for _ in range(joins)]
    joining: list[asyncio.Task[Following]] = []
    for number in range(moves):
        joining += [asyncio.create_task(join(each, number + 1)) for each in range(joins) if at[each] == number]
        await fidget_once(processes, table, number)
    return await asyncio.gather(*joining)


async def test_a_move_made_in_the_handshake_is_in_the_hello_or_after_it(processes: Processes) -> None:
    table = await processes.new_game(2, seated=0)
    followers: list[Follower] = []
    for number in range(30):
        each = follower(processes, table, number)
        following = asyncio.create_task(each.through(number + 2))
        await fidget_once(processes, table, number)
        await following
        followers.append(each)
    await require_agreement(processes, table, [each for each in followers if each.versions])


# After a restart the server takes any claimed position for current. Duplicates at the border of catch-up and live.


async def test_a_restarted_process_gives_what_came_after_a_position_or_says_that_it_means_nothing(
    database: str,
) -> None:
    async with own_processes(database, 1) as processes:
        table = await processes.new_game(2, seated=0)
        await fidget(processes, table, 6)
        epoch = expect(await processes.http.get(f"{table.path}/events"), 200)["epoch"]
        (service,) = processes.services
        service.kill()
        service.start()
        assert await follower(processes, table, after=4, epoch=epoch).through(7) == [5, 6, 7]
        for position in ({"after": 12, "epoch": epoch}, {"after": 7, "epoch": "another"}, {"after": 7}):
            assert await answer_to(service, table, position) == ["resync", "hello"]
        for after in ("-1", str(2**63), "abc", "7.0", ""):
            assert await answer_to(service, table, {"after": after, "epoch": epoch}) == ["error", 4400]
        await processes.require_order()


async def answer_to(service: Service, table: Table, query: dict[str, Any]) -> list[str | int | None]:
    """What a process says to a position: its first two frames, or its error and close code."""
    parameters = "&".join(f"{name}={value}" for name, value in query.items())
    async with watching(
        f"ws{service.url.removeprefix('http')}{table.path}/live?{parameters}", {"type": "auth"}
    ) as feed:
        first = (await feed.next())["type"]
        return [first, await feed.close_code() if first == "error" else (await feed.next())["type"]]


# State is sent out before it is stored.


async def test_nobody_is_sent_an_event_whose_commit_failed(database: str) -> None:
    async with living(database, heartbeat_seconds=0.2) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        tokens = [players[0].token, players[1].token, None]
        path = f"/v1/games/{table.id}/live"
        async with AsyncExitStack() as stack:
            feeds = [
                await stack.enter_async_context(process.watching(path, {"type": "auth", "token": token}))
                for token in tokens
            ]
            for feed in feeds:
                assert (await feed.next())["version"] == table.version
            await fail_commits(database, 4)
            for _ in range(2):  # each command is tried twice
                with pytest.raises(Unavailable):
                    await process.moved(table, players, random.Random(1))
            for feed in feeds:
                beats = [await feed.connection.recv() for _ in range(5)]
                assert set(beats) == {'{"type":"heartbeat"}'}
            table = await process.played(table, players, 2)
            for feed in feeds:
                assert [(await feed.next())["version"] for _ in range(2)] == [table.version - 1, table.version]


# The stream dies silently.


async def test_a_process_that_stops_tells_its_watchers_to_go_on_elsewhere_and_they_miss_nothing(
    database: str,
) -> None:
    async with own_processes(database, 2) as processes:
        table = await processes.new_game(2, seated=0)
        other = Processes(processes.database, processes.services[1:], processes.https[1:], 0)
        followers = [follower(processes, table, after=0) for _ in range(20)]
        following = [asyncio.create_task(each.through(101)) for each in followers]
        await asyncio.gather(*(each.begun.wait() for each in followers))
        port = int(processes.services[0].url.rpartition(":")[2])
        async with raw_socket(port, f"{table.path}/live?after=0"):  # which never reads, and holds nothing up
            storm = asyncio.create_task(fidget(other, table, 100, pause=0.005))
            while await processes.versions(table.id) < 30:  # noqa: ASYNC110 - the log tells nobody but listeners
                await asyncio.sleep(0.01)
            await asyncio.to_thread(processes.services[0].interrupt, signal.SIGTERM)
        assert await asyncio.gather(*following) == [list(range(1, 102))] * 20
        await storm
        assert [each.closes for each in followers] == [[GOING_AWAY.code]] * 20
        processes.services[0].start()
        await require_agreement(processes, table, followers)
        await processes.require_order()


async def test_a_process_that_is_killed_and_comes_back_costs_its_watchers_nothing(database: str) -> None:
    async with own_processes(database, 2) as processes:
        table = await processes.new_game(2, seated=0)
        other = Processes(processes.database, processes.services[1:], processes.https[1:], 0)
        followers = [follower(processes, table, number, after=0) for number in range(20)]
        following = [asyncio.create_task(each.through(101)) for each in followers]
        await asyncio.gather(*(each.begun.wait() for each in followers))
        storm = asyncio.create_task(fidget(other, table, 100, pause=0.005))
        while await processes.versions(table.id) < 30:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        await asyncio.to_thread(processes.services[0].kill)
        await asyncio.to_thread(processes.services[0].start)
        assert await asyncio.gather(*following) == [list(range(1, 102))] * 20
        await storm
        assert sum(len(each.closes) for each in followers) >= 10
        await require_agreement(processes, table, followers)
        await processes.require_order()


# The LISTEN connection dies and nobody notices.


async def test_a_terminated_listening_backend_costs_watchers_neither_a_frame_nor_the_connection(
    processes: Processes,
) -> None:
    table = await processes.new_game(2, seated=0)
    followers = [follower(processes, table, number) for number in range(10)]
    following = [asyncio.create_task(each.through(61)) for each in followers]
    await asyncio.gather(*(each.begun.wait() for each in followers))
    storm = asyncio.create_task(fidget(processes, table, 60))
    connection = await asyncpg.connect(processes.database)
    killed = 0
    while not storm.done():
        killed += await connection.fetchval(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            " where datname = current_database() and application_name = $1",
            APPLICATION_NAME,
        )
        await asyncio.sleep(0.1)
    await connection.close()
    assert await asyncio.gather(*following) == [list(range(2, 62))] * 10
    assert [each.closes for each in followers] == [[]] * 10
    assert killed >= 4
    await require_agreement(processes, table, followers)


async def test_a_restarted_database_costs_watchers_neither_a_frame_nor_the_connection(
    own_postgres: OwnServer,
) -> None:
    async with own_processes(own_postgres.dsn(), 2) as processes:
        table = await processes.new_game(2, seated=0)
        followers = [follower(processes, table, number) for number in range(10)]
        following = [asyncio.create_task(each.through(13)) for each in followers]
        await asyncio.gather(*(each.begun.wait() for each in followers))
        await fidget(processes, table, 4)
        for times in (4, 4):
            await asyncio.to_thread(own_postgres.go_down)
            await asyncio.to_thread(own_postgres.come_back)
            for http in processes.https:
                while (await http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 - it has to be asked
                    await asyncio.sleep(0.05)  # until the process has found the database again
            await fidget(processes, table, times)
        assert await asyncio.gather(*following) == [list(range(2, 14))] * 10
        assert [each.closes for each in followers] == [[]] * 10
        await require_agreement(processes, table, followers)
        await processes.require_order(outage=True)


async def test_a_lost_wake_up_costs_no_frame(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            await feed.next()
            monkeypatch.setattr(process.node.hub, "wake", deaf)
            table = await process.played(table, players, 3)
            assert [frame["version"] for frame in await feed.through(table.version)] == [4, 5, 6]


def deaf(_: Wake) -> None:
    """Hear nothing."""


# A NOTIFY of 8,000 bytes or more fails and rolls the insert back.


async def test_events_of_any_size_are_stored_and_delivered(database: str) -> None:
    async with living(database) as process:
        ada = await process.player("Ada")
        table = (await process.node.commands.create(ada.account, "toy", 2)).table
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            await feed.next()
            for size in (7_000, 8_000, 8_001, 100_000, 900_000):
                await process.node.commands.take_seat(ada.account, table.id, entropy="x" * size)
                assert len((await feed.next())["event"]["data"]["entropy"]) == size
                await process.node.commands.leave_seat(ada.account, table.id)
                assert (await feed.next())["event"]["data"]["type"] == "seat_left"


async def test_a_wake_up_for_as_many_games_as_there_are_reaches_the_watchers_of_each(database: str) -> None:
    async with living(database) as process:
        ada = await process.player("Ada")
        commands = process.node.commands
        games = [(await commands.create(ada.account, "toy", 2)).table.id for _ in range(400)]
        async with AsyncExitStack() as stack:
            feeds = [
                await stack.enter_async_context(
                    process.watching("/v1/live", *({"type": "subscribe", "game": game} for game in games[start::4]))
                )
                for start in range(4)
            ]
            for feed in feeds:
                for _ in range(100):
                    assert (await feed.next())["type"] == "hello"
            await asyncio.gather(*(commands.take_seat(ada.account, game) for game in games))
            for start, feed in enumerate(feeds):
                frames = [await feed.next() for _ in range(100)]
                assert {(frame["game"], frame["version"]) for frame in frames} == {
                    (game, 2) for game in games[start::4]
                }
