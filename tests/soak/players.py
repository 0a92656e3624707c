"""Normal play: tables of two with watchers, at a steady pace, each player from an address of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tests.harness.contract import check_async
from tests.harness.play import random_wire_move
from tests.harness.server import Client, account, expect

TITLES = ("spacelab", "chimera", "toy")
MOVE_SECONDS = 0.5
"""Between two moves at a table."""

WATCHERS = 3
_WATCHER_SECONDS = 20.0


@dataclass
class Played:
    """What the players met."""

    seconds: list[float] = field(default_factory=list[float])
    """How long each move took, from its request to its answer."""

    games: dict[str, int] = field(default_factory=dict[str, int])
    """The version that the players of each game were at last."""

    watched: int = 0
    """How many watchers were sent every version of their game, up to the last."""

    def quantile(self, part: float) -> float:
        """The time below which this part of the moves stayed."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


async def play(url: str, seconds: float, tables: int) -> Played:
    """Play at so many tables for so long; any answer but the right one is an error."""
    played = Played()
    end = time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(1, tables + 1):
            group.create_task(_Pair(url, f"127.1.1.{number}", Random(number), end, played).play())
    return played


@dataclass(frozen=True)
class _Pair:
    """Two players at one address, who play one game after the other."""

    url: str
    address: str
    picks: Random
    end: float
    played: Played

    async def play(self) -> None:
        async with AsyncExitStack() as stack:
            https = [await stack.enter_async_context(_from(self.url, self.address)) for _ in range(2)]
            seated = [await account(http) for http in https]
            number = 0
            while time.monotonic() < self.end:
                await self._one_game(seated, TITLES[number % len(TITLES)])
                number += 1

    async def _one_game(self, seated: Sequence[Client], title: str) -> None:
        game: str = expect(await seated[0].post("/v1/games", {"title": title, "seats": 2}), 201)["id"]
        path = f"/v1/games/{game}"
        latest: dict[str, Any] = {}
        for seat, player in enumerate(seated):
            latest = expect(await player.post(f"{path}/seats", {"seat": seat}), 201)
        async with AsyncExitStack() as stack:
            watchers = [
                await stack.enter_async_context(_watching(self.url, self.address, game)) for _ in range(WATCHERS)
            ]
            while latest["status"] == "running" and time.monotonic() < self.end:
                to_move: list[int] = latest["to_move"]
                player = seated[self.picks.choice(to_move)]
                legal = expect(await player.get(f"{path}/moves"), 200)
                body = {"expected_version": legal["version"], "move": random_wire_move(legal, self.picks)}
                begun = time.perf_counter()
                latest = expect(await player.post(f"{path}/moves", body), 201)
                self.played.seconds.append(time.perf_counter() - begun)
                for watcher in watchers:  # as each event comes, so that none of them is a slow reader
                    await watcher.read_through(latest["version"])
                await asyncio.sleep(MOVE_SECONDS)
            self.played.games[game] = latest["version"]
            self.played.watched += len(watchers)


class _Watcher:
    """Reads a feed from the first version on, and demands that no version is missing and none comes twice."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._version = 0

    async def read_through(self, version: int) -> int:
        """Read until a version was sent; gives the last one."""
        async with asyncio.timeout(_WATCHER_SECONDS):
            while self._version < version:
                frame = msgspec.json.decode(await self._socket.recv())
                assert frame["type"] not in {"error", "resync"}, frame
                if frame["type"] == "event":
                    assert frame["version"] == self._version + 1, frame
                    self._version = frame["version"]
        return self._version


@asynccontextmanager
async def _watching(url: str, address: str, game: str) -> AsyncGenerator[_Watcher]:
    socket_url = f"{url.replace('http', 'ws', 1)}/v1/games/{game}/live?after=0"
    async with connect(socket_url, local_addr=(address, 0), compression=None, proxy=None) as socket:
        yield _Watcher(socket)


def _from(url: str, address: str) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(base_url=url, timeout=30, transport=transport, event_hooks={"response": [check_async]})
