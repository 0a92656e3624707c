"""What a backup is made of and held to: games that went on after it, and those who watched them meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
from websockets.exceptions import ConnectionClosed

from service.transport.close_codes import GOING_AWAY, NO_SUCH_GAME
from tests.harness.backup import dump
from tests.harness.lists import eventually
from tests.harness.living import Feed, watching
from tests.harness.postgres import OwnServer
from tests.harness.processes import Processes, due_move
from tests.harness.server import Client, Service, Table, account, expect, play
from tests.harness.server_sent import Events, listening

NAME = "tablelog"
KEY = {"Idempotency-Key": '"before the dump"'}
LATE_KEY = {"Idempotency-Key": '"after the dump"'}
AUTH = {"type": "auth"}
LOBBY = {"type": "follow", "feed": "lobby"}


@dataclass
class Past:
    """What there was when the backup was made, and what has been lost since."""

    file: Path
    log: list[asyncpg.Record]
    finished: Table
    running: Table
    long: Table
    """A game of Space Lab that is under way."""
    lost: Table
    """Made after the dump."""
    newcomer: Client
    """An account that was made after it."""
    epoch: str
    version: int
    """Of `running`, in the dump."""
    keyed: tuple[Client, dict[str, Any], dict[str, Any]]
    """Who made the last move before the dump, with what body, and the answer."""
    late: tuple[Client, dict[str, Any]]
    """The same of the first move after it."""
    cursor: str
    left: list[str]
    """What was left of the list at the cursor."""

    @property
    def tables(self) -> list[Table]:
        return [self.finished, self.running, self.long]


async def undone(table: Table, picks: Random) -> None:
    """Make moves until one of them may be taken back, and take it back."""
    while True:
        who, body = await due_move(table, picks)
        made = expect(await who.post(f"{table.path}/moves", body), 201)
        taken = await who.post(f"{table.path}/undo", {"expected_version": made["version"]})
        if taken.status_code == 201:
            return
        assert made["status"] == "running", "no move of this game could be taken back"


async def log_of(database: str) -> list[asyncpg.Record]:
    """Every row of the log, but for the transactions that wrote them here."""
    connection = await asyncpg.connect(database)
    columns = "game_id, version, type, actor, data::text, rules_version, hash, recorded_at, attempt, idempotency_key"
    query = f"select {columns}, request_hash, position from events order by position"  # noqa: S608 - the names above
    found = await connection.fetch(query)
    await connection.close()
    return found


async def listed(who: Client, query: str, cursor: str | None = None) -> list[str]:
    """The games of a list, from a cursor to the end."""
    games: list[str] = []
    while True:
        page = expect(await who.get(f"/v1/games?{query}" + (f"&cursor={cursor}" if cursor else "")), 200)
        games += [game["id"] for game in page["games"]]
        cursor = page["next"]
        if cursor is None:
            return games


async def live_a_while(processes: Processes, server: OwnServer, file: Path) -> Past:
    """Play, make a backup on the way, and play on."""
    picks = Random(7)
    finished = await processes.new_game(2, options={"rounds": 3})
    running = await processes.new_game(3, options={"rounds": 6})
    long = await processes.new_game(2, "spacelab")
    await play(finished, picks=picks)
    await undone(running, picks)
    await play(long, 12, picks)
    public = Client(processes.http)
    await eventually_listed(public, {table.id for table in (finished, running, long)})
    page = expect(await public.get("/v1/games?limit=1"), 200)
    who, body = await due_move(running, picks)
    made = expect(await who.post(f"{running.path}/moves", body, KEY), 201)
    log = await log_of(server.dsn(NAME))
    await asyncio.to_thread(dump, server.dsn(NAME), file)
    late_who, late_body = await due_move(running, picks)
    expect(await late_who.post(f"{running.path}/moves", late_body, LATE_KEY), 201)
    await play(running, 3, picks)
    await play(long, 3, picks)
    newcomer = await account(processes.http)
    for number in range(2):  # so that both processes know the token
        expect(await processes.through(newcomer, number).get("/v1/accounts/me"), 200)
    events = expect(await public.get(f"{running.path}/events"), 200)
    return Past(
        file=file,
        log=log,
        finished=finished,
        running=running,
        long=long,
        lost=await processes.new_game(2),
        newcomer=newcomer,
        epoch=events["epoch"],
        version=made["version"],
        keyed=(who, body, made),
        late=(late_who, late_body),
        cursor=page["next"],
        left=await listed(public, "limit=1", page["next"]),
    )


async def eventually_listed(who: Client, games: set[str]) -> None:
    """Wait until the list has these games."""

    async def holds() -> bool:
        return games <= set(await listed(who, "limit=200"))

    await eventually(holds)


def live_url(service: Service, table: Table, query: str = "") -> str:
    return f"ws{service.url.removeprefix('http')}{table.path}/live{query}"


def feeds_url(service: Service) -> str:
    return f"ws{service.url.removeprefix('http')}/v1/live"


@dataclass
class Watchers:
    """Those who watch through one process, in every way there is."""

    service: Service
    past: Past
    stack: AsyncExitStack
    """The connections."""
    present: Feed
    """From a hello on."""
    resumed: Feed
    lost: Feed
    """At the game that is gone."""
    lobby: Feed
    sent: Events

    @classmethod
    @asynccontextmanager
    async def through(cls, service: Service, past: Past) -> AsyncGenerator[Watchers]:
        """Connect to a process."""
        resume = f"?after=2&epoch={past.epoch}"
        async with AsyncExitStack() as stack:
            yield cls(
                service=service,
                past=past,
                stack=stack,
                present=await stack.enter_async_context(watching(live_url(service, past.running), AUTH)),
                resumed=await stack.enter_async_context(watching(live_url(service, past.running, resume), AUTH)),
                lost=await stack.enter_async_context(watching(live_url(service, past.lost), AUTH)),
                lobby=await stack.enter_async_context(watching(feeds_url(service), LOBBY)),
                sent=await stack.enter_async_context(listening(f"{service.url}{past.running.path}/events")),
            )

    async def arrive(self, reached: int) -> None:
        """Have all that there is to see before the database is replaced."""
        for feed, kind in ((self.present, "hello"), (self.resumed, "resumed"), (self.lost, "hello")):
            first = await feed.next()
            assert (first["type"], first["epoch"]) == (kind, self.past.epoch)
        await self.resumed.through(reached)
        assert (await self.lobby.next())["epoch"] == self.past.epoch
        assert (await self.sent.next()).id == f"{self.past.epoch}:{reached}"

    async def begin_anew(self, reached: int) -> None:
        """Be sent away and nothing else, and hear of the other epoch when coming back with positions of the old one."""
        for feed in (self.present, self.resumed, self.lost):
            assert await rest(feed) == []
        late = await rest(self.lobby)
        assert {frame["game"] for frame in late} <= {self.past.lost.id}
        assert (await self.sent.end(), self.sent.comments) == ([], ["going-away"])
        await self._come_back(reached, late[-1]["cursor"] if late else "0")
        for feed in (self.present, self.resumed):
            told, then = await feed.next(), await feed.next()
            assert (told["type"], told["reason"], told["version"]) == ("resync", "epoch", self.past.version)
            assert (then["type"], then["version"], then["epoch"]) == ("hello", self.past.version, told["epoch"])
            assert then["epoch"] != self.past.epoch
        assert (await self.lost.next())["code"] == "no-such-game"
        assert await self.lost.close_code() == NO_SUCH_GAME.code
        told, then = await self.lobby.next(), await self.lobby.next()
        assert (told["type"], told["reason"], then["type"]) == ("refollow", "epoch", "following")
        resync, hello = await self.sent.next(), await self.sent.next()
        assert (resync.event, resync.frame["reason"], hello.event) == ("resync", "epoch", "hello")
        assert hello.id == f"{hello.frame['epoch']}:{self.past.version}"

    async def _come_back(self, reached: int, cursor: str) -> None:
        service, past = self.service, self.past
        position = f"?after={reached}&epoch={past.epoch}"
        follow = {**LOBBY, "after": cursor, "epoch": past.epoch}
        last_id = {"Last-Event-ID": self.sent.last_id}
        enter = self.stack.enter_async_context
        self.present = await enter(watching(live_url(service, past.running, position), AUTH))
        self.resumed = await enter(watching(live_url(service, past.running, position), AUTH))
        self.lost = await enter(watching(live_url(service, past.lost, f"?after=1&epoch={past.epoch}"), AUTH))
        self.lobby = await enter(watching(feeds_url(service), follow))
        self.sent = await enter(listening(f"{service.url}{past.running.path}/events", headers=last_id))

    async def go_on(self, fresh: Table) -> None:
        """See what has been done in the other epoch, and miss nothing of it."""
        last = self.past.version + 3
        due = list(range(self.past.version + 1, last + 1))
        for feed in (self.present, self.resumed):
            assert [frame["version"] for frame in await feed.through(last)] == due
        assert [each.frame["version"] for each in await self.sent.through(last)] == due
        *late, created = await self.lobby.until(lambda frame: frame["game"] == fresh.id)
        assert {frame["game"] for frame in late} <= {table.id for table in self.past.tables}, "what lists had not yet"
        assert created["what"] == ["created"]
        assert ["seat_taken" in (await self.lobby.next())["what"] for _ in fresh.seats] == [True, True]


async def rest(feed: Feed) -> list[dict[str, Any]]:
    """The frames of a socket until it is closed because its process restarts."""
    frames: list[dict[str, Any]] = []
    with suppress(ConnectionClosed):
        while True:
            frames.append(await feed.next())
    assert await feed.close_code() == GOING_AWAY.code
    return frames
