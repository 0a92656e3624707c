"""Requests and connections leave nothing that only the cyclic collector can find: it would stop the process to look."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest
import uvicorn
import uvloop

from domain.catalogue import TITLES
from service.app import application
from service.node import running
from service.settings import Settings
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import uvicorn_options
from tests.harness.clients import BlockingClient, Behaviour, http_behaviours, socket_behaviours
from tests.harness.living import WIDE_NUMBERS, ListeningServer

REQUESTS = 50
ALLOWED = 2 * REQUESTS
"""Objects in all, which is what the projections and the loop may leave meanwhile. A cycle has ten and more."""


class Connection:
    """A kept connection that leaves nothing behind itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def request(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, bytes]:
        """Status and body of an answer."""
        sent = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(sent)}\r\nContent-Type: application/json\r\n"
        )
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self._writer.write(f"{head}\r\n".encode() + sent)
        status, *headers = (await self._reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        length = next(int(each[16:]) for each in headers if each.startswith(b"content-length: "))
        return int(status.split()[1]), await self._reader.readexactly(length)


async def leftovers(connection: Connection, *request: str, body: object = None, token: str = "") -> Counter[str]:
    """The types of what a few requests of a kind leave behind."""
    method, path = request
    await connection.request(method, path, body, token)  # the first one fills caches
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for _ in range(REQUESTS):
            await connection.request(method, path, body, token)
        gc.collect()
        return Counter(type(each).__qualname__ for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


async def test_no_request_leaves_garbage_for_the_collector(database: str) -> None:
    async with running(Settings(database_url=database, port=0), TITLES) as node:
        app = application(node)
        config = uvicorn.Config(app, http=RequestProtocol, port=0, lifespan="off", log_config=None, **uvicorn_options())
        async with ListeningServer(config) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            connection = Connection(reader, writer)
            _, made = await connection.request("POST", "/v1/accounts", {"name": "Ada"})
            token = json.loads(made)["token"]
            _, made = await connection.request("POST", "/v1/games", {"title": "spacelab", "seats": 2}, token)
            game = f"/v1/games/{json.loads(made)['id']}"
            opening, no_move = {"title": "spacelab", "seats": 2}, {"expected_version": 1}
            left = {
                "a view": await leftovers(connection, "GET", game, token=token),
                "a list": await leftovers(connection, "GET", "/v1/games", token=token),
                "a command": await leftovers(connection, "POST", "/v1/games", body=opening, token=token),
                "a refusal": await leftovers(connection, "POST", f"{game}/moves", body=no_move, token=token),
                "no path": await leftovers(connection, "GET", "/nowhere"),
                "no method": await leftovers(connection, "DELETE", game),
            }
            writer.close()
    for kind, objects in left.items():
        assert objects.total() <= ALLOWED, (kind, objects.most_common(9))


CONNECTIONS = 20


async def leftovers_of_connections(server: ListeningServer, behave: Behaviour) -> Counter[str]:
    """The types of what a few connections leave behind once they are gone."""

    def connect(times: int) -> None:
        for _ in range(times):
            behave(BlockingClient(server.port))

    state = server.server_state
    await asyncio.to_thread(connect, 2)
    while state.connections or state.tasks:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.01)
    with uncollected() as garbage:
        await asyncio.to_thread(connect, CONNECTIONS)
        while state.connections or state.tasks:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
    return garbage


@contextmanager
def uncollected() -> Generator[Counter[str]]:
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    found: Counter[str] = Counter()
    try:
        yield found
        gc.collect()
        found.update(type(each).__qualname__ for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_no_connection_leaves_garbage_for_the_collector(
    database: str, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        left = runner.run(all_leftovers(database))
    for k, v in left.items(): print(v.total(), k, v.most_common(40))
    too_many = {kind: objects.most_common(9) for kind, objects in left.items() if objects.total() >= CONNECTIONS}
    assert not too_many


async def all_leftovers(database: str) -> dict[str, Counter[str]]:
    left: dict[str, Counter[str]] = {}
    async with running(Settings(database_url=database, port=0, limits=WIDE_NUMBERS), TITLES) as node:
        app = application(node)
        config = uvicorn.Config(app, http=RequestProtocol, port=0, lifespan="off", log_config=None, **uvicorn_options())
        async with ListeningServer(config) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            connection = Connection(reader, writer)
            _, made = await connection.request("POST", "/v1/accounts", {"name": "Ada"})
            token = json.loads(made)["token"]
            _, made = await connection.request("POST", "/v1/games", {"title": "spacelab", "seats": 2}, token)
            game = f"/v1/games/{json.loads(made)['id']}"
            writer.close()
            for kind, behave in {**http_behaviours(game, token), **socket_behaviours(game, token)}.items():
                print(kind, flush=True)
                left[kind] = await asyncio.wait_for(leftovers_of_connections(server, behave), 20)
    return left
