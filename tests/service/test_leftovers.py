"""Requests and connections leave nothing that only the cyclic collector can find: it would stop the process to look."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
import uvloop

from domain.catalogue import TITLES
from service.app import application
from service.process import running
from service.settings import Settings
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import SocketProtocol, uvicorn_options
from tests.harness.clients import Steps, http_clients, run, socket_clients
from tests.harness.living import WIDE_NUMBERS, ListeningServer

REQUESTS = 50
ALLOWED = 2 * REQUESTS
"""Objects in all, which is what the projections and the loop may leave meanwhile. A cycle has ten and more."""

CONNECTIONS = 10
"""Connections of each kind, which leave fewer objects than there were of them."""


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
    with uncollected() as garbage:
        for _ in range(REQUESTS):
            await connection.request(method, path, body, token)
    return garbage


@contextmanager
def uncollected() -> Generator[Counter[str]]:
    """The types of the garbage that is made meanwhile, which is known afterwards."""
    garbage: Counter[str] = Counter()
    gc.collect()
    gc.collect()  # of what a weak dictionary had until then
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield garbage
        gc.collect()
        garbage.update(type(each).__qualname__ for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@asynccontextmanager
async def served(database: str) -> AsyncGenerator[ListeningServer]:
    """The whole application, with limits that no test meets."""
    async with running(Settings(database_url=database, port=0, limits=WIDE_NUMBERS), TITLES) as process:
        app = application(process)
        config = uvicorn.Config(app, http=RequestProtocol, port=0, lifespan="off", log_config=None, **uvicorn_options())
        async with ListeningServer(config) as server:
            yield server


async def opened(connection: Connection) -> tuple[str, str]:
    """The path of a new game, and the token of its player."""
    _, made = await connection.request("POST", "/v1/accounts", {"name": "Ada"})
    token = json.loads(made)["token"]
    _, made = await connection.request("POST", "/v1/games", {"title": "spacelab", "seats": 2}, token)
    return f"/v1/games/{json.loads(made)['id']}", token


async def test_no_request_leaves_garbage_for_the_collector(database: str) -> None:
    async with served(database) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        connection = Connection(reader, writer)
        game, token = await opened(connection)
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


async def leftovers_of_connections(server: ListeningServer, steps: Steps) -> Counter[str]:
    """The types of what a few connections leave behind once they are gone, as garbage or alive."""

    async def connect(times: int) -> None:
        for _ in range(times):
            await asyncio.to_thread(run, server.port, steps)
        while server.server_state.connections or server.server_state.tasks:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.005)

    await connect(1)
    with uncollected() as garbage:
        await connect(CONNECTIONS)
    garbage.update(
        f"{type(each).__qualname__}, alive"
        for each in gc.get_objects()
        if isinstance(each, RequestProtocol | SocketProtocol)
    )
    return garbage


async def leftovers_of_clients(database: str) -> dict[str, Counter[str]]:
    async with served(database) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        game, token = await opened(Connection(reader, writer))
        writer.close()
        clients = {**http_clients(game, token), **socket_clients(game, token)}
        return {kind: await leftovers_of_connections(server, steps) for kind, steps in clients.items()}


def test_no_connection_leaves_garbage_for_the_collector(database: str) -> None:
    # On uvloop, as in production: the transports of asyncio's own loop are cycles themselves.
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        left = runner.run(leftovers_of_clients(database))
    assert not {kind: objects.most_common(9) for kind, objects in left.items() if objects.total() >= CONNECTIONS}
