"""The listener: wake-ups arrive while there is a database, and whatever was missed is asked for when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from service.log.events import CHANNEL
from service.log.listener import APPLICATION_NAME, PING_SECONDS, Listener, Wake
from tests.harness.postgres import OwnServer


class Heard:
    """What a listener has told."""

    def __init__(self) -> None:
        self._wakes: asyncio.Queue[Wake] = asyncio.Queue()

    def __call__(self, what: Wake) -> None:
        self._wakes.put_nowait(what)

    async def next(self) -> Wake:
        return await self._wakes.get()

    def nothing_more(self) -> bool:
        return self._wakes.empty()


@asynccontextmanager
async def listening(dsn: str, ping_seconds: float = PING_SECONDS) -> AsyncGenerator[Heard]:
    heard = Heard()
    listener = Listener(dsn, heard, ping_seconds)
    await listener.start()
    try:
        yield heard
    finally:
        await listener.stop()


async def notify(dsn: str, payload: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("select pg_notify($1, $2)", CHANNEL, payload)
    await connection.close()


async def listeners(dsn: str) -> list[int]:
    """The backends of this database that are listening."""
    connection = await asyncpg.connect(dsn)
    query = "select pid from pg_stat_activity where datname = current_database() and application_name = $1"
    found = await connection.fetch(query, APPLICATION_NAME)
    await connection.close()
    return [row["pid"] for row in found]


async def terminate(dsn: str, pid: int) -> None:
    connection = await asyncpg.connect(dsn)
    assert await connection.fetchval("select pg_terminate_backend($1)", pid)
    await connection.close()


async def test_listening_begins_with_a_wake_up_for_everything(database: str) -> None:
    async with listening(database) as heard:
        assert await heard.next() is None
        assert heard.nothing_more()


async def test_a_wake_up_names_games_and_their_newest_versions(database: str) -> None:
    async with listening(database) as heard:
        await heard.next()
        await notify(database, "g1:3,g2:1,g1:4")
        assert await heard.next() == {"g1": 4, "g2": 1}


@pytest.mark.parametrize("payload", ["", "g1", "g1:", ":1", "g1:-1", "g1:1,,g2:2", "g1:x", "g1:¹", "nonsense"])
async def test_a_wake_up_that_cannot_be_read_means_that_anything_may_have_happened(database: str, payload: str) -> None:
    async with listening(database) as heard:
        await heard.next()
        await notify(database, payload)
        assert await heard.next() is None


async def test_a_terminated_backend_is_replaced_and_everything_is_woken(database: str) -> None:
    async with listening(database) as heard:
        await heard.next()
        for version in range(1, 4):
            (pid,) = await listeners(database)
            await terminate(database, pid)
            assert await heard.next() is None
            await notify(database, f"g1:{version}")
            assert await heard.next() == {"g1": version}


async def test_a_restarted_server_is_found_again(own_postgres: OwnServer) -> None:
    dsn = own_postgres.dsn("postgres")
    async with listening(dsn) as heard:
        await heard.next()
        own_postgres.go_down()
        own_postgres.come_back()
        assert await heard.next() is None
        await notify(dsn, "g1:1")
        assert await heard.next() == {"g1": 1}


async def test_listening_starts_without_a_database_and_begins_when_there_is_one(own_postgres: OwnServer) -> None:
    dsn = own_postgres.dsn("postgres")
    own_postgres.go_down("fast")
    async with listening(dsn) as heard:
        assert heard.nothing_more()
        own_postgres.come_back()
        assert await heard.next() is None


async def test_a_connection_that_has_gone_silent_is_given_up(database: str) -> None:
    async with silencable(database) as (dsn, silence), listening(dsn, ping_seconds=0.2) as heard:
        await heard.next()
        silence()  # nothing is closed: what is sent just no longer arrives
        assert await heard.next() is None
        await notify(database, "g1:1")
        assert await heard.next() == {"g1": 1}


async def test_a_stopped_listener_leaves_no_connection(database: str) -> None:
    async with listening(database) as heard:
        await heard.next()
        assert len(await listeners(database)) == 1
    async with asyncio.timeout(10):
        while await listeners(database):  # noqa: ASYNC110 - the database tells nobody when a backend has gone
            await asyncio.sleep(0.01)


@asynccontextmanager
async def silencable(dsn: str) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """A way to a database on which the connections of a moment can be made to go silent."""
    parts = urlsplit(dsn)
    connections: list[asyncio.Event] = []

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silent: asyncio.Event) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if not silent.is_set():
                    writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(parts.hostname, parts.port)
        silent = asyncio.Event()
        connections.append(silent)
        await asyncio.gather(carry(reader, up_writer, silent), carry(up_reader, writer, silent))

    def silence() -> None:
        for connection in connections:
            connection.set()

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        host = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield urlunsplit(parts._replace(netloc=host)), silence
    finally:
        server.close()
        await server.wait_closed()
