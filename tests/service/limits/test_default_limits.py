"""The default limits: a crowd behind one address plays undisturbed, and one who floods from another is held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from tests.harness.contract import check_async
from tests.harness.server import DEFAULT_LIMITS, Client, Service, Table, account, expect, one_move, serving

PLAYERS = 60
TABS = 2
CROWD, FLOOD = "127.3.0.1", "127.3.0.2"


@pytest.fixture
def service(database: str) -> Generator[Service]:
    with serving(database, DEFAULT_LIMITS) as running:
        yield running


def http_from(service: Service, address: str) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=address)
    hooks = {"response": [check_async]}
    return httpx.AsyncClient(base_url=service.url, timeout=60, transport=transport, event_hooks=hooks)


@asynccontextmanager
async def tab(service: Service, player: Client, game: str) -> AsyncGenerator[ClientConnection]:
    """A page that watches a game as one of its players."""
    url = f"{service.url.replace('http', 'ws', 1)}/v1/games/{game}/live"
    async with connect(url, local_addr=(CROWD, 0), compression=None, proxy=None) as socket:
        await socket.send(msgspec.json.encode({"type": "auth", "token": player.token}).decode())
        assert msgspec.json.decode(await socket.recv())["type"] == "hello"
        yield socket


async def test_sixty_players_with_two_tabs_each_behind_one_address_register_and_play(service: Service) -> None:
    """In less time than the ten minutes that they may take, which the limits make no easier."""
    async with http_from(service, CROWD) as http, AsyncExitStack() as stack:
        players = await asyncio.gather(*(account(http) for _ in range(PLAYERS)))
        tables = await asyncio.gather(
            *(_seated(players[number : number + 2], Random(number)) for number in range(0, PLAYERS, 2))
        )
        tabs = [
            await stack.enter_async_context(tab(service, player, table.id))
            for table in tables
            for player in table.seats
            for _ in range(TABS)
        ]
        assert len(tabs) == PLAYERS * TABS
        versions = await asyncio.gather(*(_played(table, Random(number)) for number, table in enumerate(tables)))
        for number, socket in enumerate(tabs):
            while (frame := msgspec.json.decode(await socket.recv()))["type"] != "event" or (
                frame["version"] < versions[number // (2 * TABS)]
            ):
                assert frame["type"] in {"event", "heartbeat"}, frame
        metrics = (await http.get("/metrics")).text
        assert "tablelog_limited_total{" not in metrics


async def _seated(players: list[Client], picks: Random) -> Table:
    title = picks.choice(["toy", "spacelab"])
    game: str = expect(await players[0].post("/v1/games", {"title": title, "seats": 2}), 201)["id"]
    table = Table(game, players)
    for seat, player in enumerate(players):
        expect(await player.post(f"{table.path}/seats", {"seat": seat}), 201)
    return table


async def _played(table: Table, picks: Random) -> int:
    """Ten moves, or as many as the game has; gives its version."""
    for _ in range(10):
        game = expect(await table.seats[0].get(table.path), 200)
        if game["status"] != "running":
            break
        await one_move(table, game["to_move"][0], picks)
    return expect(await table.seats[0].get(table.path), 200)["version"]


async def test_one_who_floods_is_held_while_others_are_served(service: Service) -> None:
    async with http_from(service, FLOOD) as flood, http_from(service, CROWD) as crowd, AsyncExitStack() as stack:
        made = [await flood.post("/v1/accounts", json={"name": f"x {number}"}) for number in range(305)]
        assert [answer.status_code for answer in made] == [201] * 300 + [429] * 5
        assert int(made[-1].headers["retry-after"]) > 0
        one = Client(flood, made[0].json()["token"])
        tables = [await one.post("/v1/games", {"title": "toy", "seats": 2}) for _ in range(22)]
        assert [answer.status_code for answer in tables] == [201] * 20 + [409] * 2
        assert tables[-1].json()["code"] == "too-many-open-tables"
        opened = 0
        url = f"{service.url.replace('http', 'ws', 1)}/v1/live"
        with pytest.raises(InvalidStatus) as refused:  # noqa: PT012 - the last of many is the one that is refused
            while opened <= 500:
                socket = connect(url, local_addr=(FLOOD, 0), compression=None, proxy=None)
                await stack.enter_async_context(socket)
                opened += 1
        assert (opened, refused.value.response.status_code) == (500, 429)
        expect(await (await account(crowd)).get("/v1/games"), 200)
