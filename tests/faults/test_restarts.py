"""The log gets another epoch under processes at work: each starts its node again, and serves on the same port.

Watchers are closed with 4001 and come back; requests hear 503 meanwhile, and none a 500 or a refused connection; what
belongs to the process (limits, counters) goes on.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random

import asyncpg
import httpx
import pytest

from service.log.events import CHANNEL
from service.log.listener import EPOCH_CHANGED
from service.log.restore import restored
from service.transport.close_codes import GOING_AWAY
from tablelog_client import Client as Watcher
from tablelog_client import EventFrame, Hello
from tablelog_client.models import Following, Notice
from tests.faults.past import AUTH, LOBBY, feeds_url, live_url, rest
from tests.harness.lists import eventually
from tests.harness.living import Feed, watching
from tests.harness.postgres import OwnServer
from tests.harness.processes import Processes, spoken_to, started
from tests.harness.server import Client, Service, Table, account, expect, http_client, play, serving
from tests.harness.server_sent import Events, listening


@pytest.fixture
async def pair(database: str) -> AsyncGenerator[Processes]:
    """Two processes of the test's own on a database of its own."""
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            yield processes
            await processes.require_order(outage=True)


@asynccontextmanager
async def held(database: str) -> AsyncGenerator[asyncpg.Connection[asyncpg.Record]]:
    """Give the log another epoch, on which no node can start as long as this lasts."""
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("begin; lock table component_sets in share mode")
        other = await asyncpg.connect(database)
        await other.execute("update epoch set epoch = replace(gen_random_uuid()::text, '-', '')")
        await other.execute("select pg_notify($1, $2)", CHANNEL, EPOCH_CHANGED)
        await other.close()
        yield connection
    finally:
        connection.terminate()


async def require_restarting(service: Service, http: httpx.AsyncClient) -> None:
    """Wait until a process says that it restarts."""

    async def restarting() -> bool:
        answer = await http.get("/readyz")
        return answer.status_code == 503 and "restarting" in answer.json()["detail"]

    await eventually(restarting)
    assert "the log has another epoch" in service.log


async def ready(https: list[httpx.AsyncClient]) -> None:
    """Wait until processes are ready."""

    async def all_are() -> bool:
        return all([(await http.get("/readyz")).status_code == 200 for http in https])

    await eventually(all_are)


def epochs(service: Service) -> list[str]:
    """The epochs on which a process says that it is back."""
    return re.findall("back in service on epoch (.*) after", service.log)


class Asking:
    """Asks for something over and over, each time on a new connection, and counts the answers."""

    def __init__(self, service: Service, who: Client, table: Table) -> None:
        self.service, self.who, self.table = service, who, table
        self.heard: Counter[tuple[str, int]] = Counter()
        self.codes: set[str] = set()
        self._stop = asyncio.Event()
        self._task = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        paths = ("/healthz", "/readyz", "/v1/accounts/me", "/v1/games", self.table.path, f"{self.table.path}/moves")
        while not self._stop.is_set():
            async with http_client(self.service.url) as http:
                for path in paths:
                    answer = await http.get(path, headers=self.who.headers)
                    self.heard[path, answer.status_code] += 1
                    if answer.status_code == 503:
                        assert int(answer.headers["retry-after"]) >= 1
                        self.codes.add(answer.json()["code"])

    async def stop(self) -> None:
        """Stop, and hold what was heard to what may be."""
        self._stop.set()
        await self._task
        assert {status for _, status in self.heard} <= {200, 503}
        assert self.heard["/healthz", 503] == 0
        assert self.codes <= {"unavailable"}


@dataclass
class Trio:
    """Those who watch a game and the lobby through one process: two sockets and an event stream."""

    service: Service
    table: Table
    game: Feed
    lobby: Feed
    sent: Events
    cursor: str = ""

    @classmethod
    @asynccontextmanager
    async def at(
        cls, service: Service, table: Table, resume: str = "", last_id: str = "", **place: str
    ) -> AsyncGenerator[Trio]:
        """Watch from now on, or from some position."""
        headers = {"Last-Event-ID": last_id} if last_id else {}
        async with (
            watching(live_url(service, table, resume), AUTH) as game,
            watching(feeds_url(service), {**LOBBY, **place}) as lobby,
            listening(f"{service.url}{table.path}/events", headers=headers) as sent,
        ):
            yield cls(service, table, game, lobby, sent)

    async def arrive(self, version: int) -> None:
        assert (await self.game.next())["version"] == version
        self.cursor = (await self.lobby.next())["cursor"]
        await self.sent.next()

    async def sent_away(self, before: str, version: int) -> AbstractAsyncContextManager[Trio]:
        """Be closed because the process restarts, and by nothing else; gives those who come back from there."""
        assert await rest(self.game) == []
        for late in await rest(self.lobby):
            self.cursor = late["cursor"]
        assert (await self.sent.end(), self.sent.comments) == ([], [GOING_AWAY.name])
        resume = f"?after={version}&epoch={before}"
        return Trio.at(self.service, self.table, resume, self.sent.last_id, after=self.cursor, epoch=before)

    async def begin_anew(self, epoch: str, version: int) -> None:
        """Hear of the other epoch, and have the game as it is there."""
        told, hello = await self.game.next(), await self.game.next()
        assert (told["type"], told["reason"], told["epoch"]) == ("resync", "epoch", epoch)
        assert (hello["type"], hello["version"], hello["epoch"]) == ("hello", version, epoch)
        told, begun = await self.lobby.next(), await self.lobby.next()
        assert (told["type"], told["reason"], begun["type"], begun["epoch"]) == (
            "refollow",
            "epoch",
            "following",
            epoch,
        )
        assert [(await self.sent.next()).event for _ in range(2)] == ["resync", "hello"]
        assert self.sent.last_id == f"{epoch}:{version}"


async def test_two_restores_in_a_row_cost_watchers_nothing_but_a_new_beginning(pair: Processes) -> None:
    table = await pair.new_game(2, options={"rounds": 6})
    version, before = await play_on(table, 2), await epoch_of(pair)
    asking = [Asking(service, table.seats[0], table) for service in pair.services]
    for count in (1, 2):
        async with AsyncExitStack() as stack:
            trios = [await stack.enter_async_context(Trio.at(service, table)) for service in pair.services]
            for each in trios:
                await each.arrive(version)
            epoch = (await restored(pair.database)).epoch
            again = [await each.sent_away(before, version) for each in trios]
            await back(pair.services, count)
            trios = [await stack.enter_async_context(each) for each in again]
            for each in trios:
                await each.begin_anew(epoch, version)
            version, before = await play_on(table, 1), epoch
            for each in trios:
                assert (await each.game.next())["version"] == (await each.sent.next()).frame["version"] == version
    for each in asking:
        await each.stop()
    for service in pair.services:
        assert len(epochs(service)) == service.log.count("the log has another epoch") == 2


async def play_on(table: Table, moves: int) -> int:
    """Make some moves; gives the version then."""
    await play(table, moves, Random(2))
    return expect(await table.seats[0].get(table.path), 200)["version"]


async def epoch_of(processes: Processes) -> str:
    return expect(await processes.http.get(f"{processes.tables[0].path}/events"), 200)["epoch"]


async def back(services: Sequence[Service], count: int) -> None:
    """Wait until processes have restarted so often."""

    async def all_are() -> bool:
        return all(len(epochs(service)) == count for service in services)

    await eventually(all_are)


async def test_the_client_goes_on_by_itself(pair: Processes) -> None:
    table = await pair.new_game(2, options={"rounds": 6})
    version = await play_on(table, 2)
    async with AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(Watcher(service.url)) for service in pair.services]
        games = [await stack.enter_async_context(each.live(table.id)) for each in watchers]
        lobbies = [await stack.enter_async_context(each.follow("lobby")) for each in watchers]
        for game, lobby in zip(games, lobbies, strict=True):
            assert isinstance(await anext(game), Hello)
            assert isinstance(await anext(lobby), Following)
        for _ in range(2):
            before = {each.epoch for each in (*games, *lobbies)}
            assert len(before) == 1
            await restored(pair.database)
            for game, lobby in zip(games, lobbies, strict=True):
                hello = await anext(game)
                assert isinstance(hello, Hello)
                assert hello.version == version
                while isinstance(await anext(lobby), Notice):
                    pass  # what happened before, which comes when the lists have it
                assert game.epoch == lobby.epoch not in before
            version = await play_on(table, 1)
            fresh = await pair.new_game(2, seated=0)
            for game, lobby in zip(games, lobbies, strict=True):
                frame, notice = await anext(game), await anext(lobby)
                assert isinstance(frame, EventFrame)
                assert frame.version == version
                while isinstance(notice, Notice) and notice.game != fresh.id:
                    notice = await anext(lobby)
                assert isinstance(notice, Notice)


async def test_requests_are_refused_while_a_process_restarts_and_its_health_is_not(pair: Processes) -> None:
    table = await pair.new_game(2, options={"rounds": 6})
    await play_on(table, 2)
    who, body = table.seats[0], {"title": "toy", "seats": 2}
    async with held(pair.database):
        for service, http in zip(pair.services, pair.https, strict=True):
            await require_restarting(service, http)
            expect(await http.get("/healthz"), 200)
            assert "tablelog_live_watchers 0\n" in (await http.get("/metrics")).text
            via = Client(http, who.token)
            for path in ("/v1/accounts/me", "/v1/games", table.path, f"{table.path}/moves", f"{table.path}/events"):
                answer = await via.get(path)
                assert expect(answer, 503)["code"] == "unavailable"
                assert "restarting" in answer.json()["detail"]
                assert answer.headers["retry-after"] == "1"
            assert expect(await via.post("/v1/games", body), 503)["code"] == "unavailable"
            assert expect(await http.post("/v1/accounts", json={"name": "Newcomer"}), 503)["code"] == "unavailable"
            async with watching(live_url(service, table), AUTH) as feed:
                assert await rest(feed) == []
        assert [epochs(service) for service in pair.services] == [[], []]
    await ready(list(pair.https))
    await play_on(table, 1)


async def test_a_database_that_goes_away_while_a_process_restarts_is_waited_for(own_postgres: OwnServer) -> None:
    with started(own_postgres.dsn(), 2) as services:
        async with spoken_to(own_postgres.dsn(), services) as processes:
            table = await processes.new_game(2, options={"rounds": 6})
            version = await play_on(table, 2)
            async with held(processes.database):
                for service, http in zip(services, processes.https, strict=True):
                    await require_restarting(service, http)
                own_postgres.go_down()
                for service, http in zip(services, processes.https, strict=True):

                    async def waits(service: Service = service) -> bool:
                        return "cannot restart, trying again" in service.log

                    await eventually(waits)
                    assert expect(await http.get(table.path), 503)["code"] == "unavailable"
                    expect(await http.get("/healthz"), 200)
            own_postgres.come_back()
            await ready(list(processes.https))
            for service in services:
                assert len(epochs(service)) == 1
                async with watching(live_url(service, table), AUTH) as feed:
                    hello = await feed.next()
                    assert (hello["version"], hello["epoch"]) == (version, epochs(service)[0])
            await play_on(table, 1)
            await processes.require_order(outage=True)


async def test_a_process_that_restarts_stops_at_once_when_it_is_told_to(database: str) -> None:
    with serving(database) as service:
        async with http_client(service.url) as http, held(database):
            await require_restarting(service, http)
            assert await asyncio.to_thread(service.interrupt) == 0


async def test_limits_and_counters_go_on(database: str) -> None:
    with serving(database, {"TABLELOG_ACCOUNTS_PER_ADDRESS": "3", "TABLELOG_COMMANDS_PER_ACCOUNT": "4"}) as service:
        async with http_client(service.url) as http:
            ann, _ = await account(http), await account(http)
            for _ in range(3):
                expect(await ann.post("/v1/games", {"title": "toy", "seats": 2}), 201)
            counted = started_and_made((await http.get("/metrics")).text)
            await restored(database)
            await back([service], 1)
            expect(await ann.post("/v1/games", {"title": "toy", "seats": 2}), 201)
            assert expect(await ann.post("/v1/games", {"title": "toy", "seats": 2}), 429)["code"] == "rate-limited"
            await account(http)
            assert expect(await http.post("/v1/accounts", json={"name": "Fourth"}), 429)["code"] == "rate-limited"
            begun, made = started_and_made((await http.get("/metrics")).text)
            assert (begun, made) == (counted[0], counted[1] + 1)


def started_and_made(metrics: str) -> tuple[str, int]:
    """When the process began, and how many accounts it has made."""
    begun = re.search(r"^tablelog_start_time_seconds (.*)$", metrics, re.MULTILINE)
    made = re.search(r'operation="create_account",status="201"} (\d+)$', metrics, re.MULTILINE)
    assert begun is not None
    assert made is not None
    return begun[1], int(made[1])
