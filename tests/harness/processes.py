"""Several processes of the service on one database, and clients that speak to one or another of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import asyncpg
import httpx

from tests.harness.aftermath import Truth, require_order
from tests.harness.play import Picks, random_wire_move
from tests.harness.server import Client, Service, Table, expect, http_client, new_game


@dataclass
class Processes:
    """Running processes on one database, and the games that a test has made there."""

    database: str
    services: Sequence[Service]
    https: Sequence[httpx.AsyncClient]
    since: int
    """The position of the log before the test."""
    tables: list[Table] = field(default_factory=list[Table])

    @property
    def http(self) -> httpx.AsyncClient:
        """A client of the first process."""
        return self.https[0]

    def through(self, client: Client, number: int) -> Client:
        """The same account, speaking to another process (the number goes round)."""
        return replace(client, http=self.https[number % len(self.https)])

    async def new_game(self, seats: int = 2, title: str = "toy", *, seated: int | None = None, **more: object) -> Table:
        """A game as `server.new_game` makes it, which is looked at from all its seats when the test is over."""
        table = await new_game(self.http, seats, title, seated=seated, **more)
        self.tables.append(table)
        return table

    async def require_order(self, *, outage: bool = False) -> list[Truth]:
        """Hold everything that the test has made to what is true after any fault."""
        return await require_order(self.database, self.services, self.tables, since=self.since, outage=outage)

    async def versions(self, game_id: str) -> int:
        """How many events the log has of a game."""
        connection = await asyncpg.connect(self.database)
        try:
            return await connection.fetchval("select count(*) from events where game_id = $1", game_id)
        finally:
            await connection.close()


@contextmanager
def started(database: str, count: int) -> Generator[tuple[Service, ...]]:
    """Run several processes on a database."""
    with started_apart([database] * count) as services:
        yield services


@contextmanager
def started_apart(databases: Sequence[str]) -> Generator[tuple[Service, ...]]:
    """Run a process on each of several databases."""
    with all_started(tuple(Service(database) for database in databases)) as services:
        yield services


@contextmanager
def all_started(services: tuple[Service, ...]) -> Generator[tuple[Service, ...]]:
    """Run processes."""
    try:
        with ThreadPoolExecutor(len(services)) as threads:
            list(threads.map(Service.start, services))
        yield services
    finally:
        for service in services:
            service.stop()


@asynccontextmanager
async def spoken_to(database: str, services: Sequence[Service]) -> AsyncGenerator[Processes]:
    """Clients of running processes, in the loop of the test."""
    connection = await asyncpg.connect(database)
    since = await connection.fetchval("select coalesce(max(position), 0) from events")
    await connection.close()
    async with AsyncExitStack() as stack:
        https = [await stack.enter_async_context(http_client(service.url)) for service in services]
        yield Processes(database, services, https, since)


async def due_move(table: Table, picks: Picks | None = None) -> tuple[Client, dict[str, Any]]:
    """Somebody whom the game waits for, and the body of a legal move of theirs."""
    picks = picks or Random(0)
    game = expect(await table.seats[0].get(table.path), 200)
    waiting: list[int] = game["to_move"]
    player = table.seats[waiting[picks.randrange(len(waiting))]]
    legal = expect(await player.get(f"{table.path}/moves"), 200)
    return player, {"expected_version": legal["version"], "move": random_wire_move(legal, picks)}
