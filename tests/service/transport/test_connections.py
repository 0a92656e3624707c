"""Connections and the bytes that are held for them: each attack on a real socket, in small."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from service.transport import connections
from service.transport.connections import RESERVED, Peers, bind
from tests.service.transport.test_http_protocol import GET, POST, Server, code, split

HEALTH = GET.replace(b"/", b"/healthz", 1)


class LargeServer(Server):
    """A server with answers of 8 MB; once the path is another, of two bytes."""

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.heard.append(scope["type"])
        body = b"x" * 8_000_000 if scope["path"] == "/large" else b"ok"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})


LARGE = GET.replace(b"/", b"/large", 1)


@asynccontextmanager
async def counted(counting: Peers) -> AsyncGenerator[LargeServer]:
    server = LargeServer()
    async with server.uvicorn:
        bind(server.uvicorn.server_state, counting)
        yield server


@asynccontextmanager
async def silent(server: Server, sent: bytes = b"") -> AsyncGenerator[socket.socket]:
    """A client that sends something and reads only when the test does; its kernel buffers little."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        sock.setblocking(False)  # noqa: FBT003 - as it is called
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", server.uvicorn.port))
        await asyncio.get_running_loop().sock_sendall(sock, sent)
        yield sock


async def joined(counting: Peers, number: int) -> None:
    while len(counting) != number:  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.01)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ROUND_SECONDS", 0.02)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("closing", [b"", b"Connection: close\r\n"], ids=["kept", "closed"])
async def test_a_client_that_never_reads_its_answer_is_cut(monkeypatch: pytest.MonkeyPatch, closing: bytes) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 0.3)
    counting = Peers()
    async with counted(counting) as server, silent(server, LARGE.replace(b"\r\n\r\n", b"\r\n%b\r\n" % closing)):
        await server.called(1)
        await joined(counting, 0)
        assert server.uvicorn.server_state.connections == set()


@pytest.mark.usefixtures("quick")
async def test_a_client_that_reads_slowly_has_all_of_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALL_SECONDS", 1.0)
    async with counted(Peers()) as server, silent(server, LARGE + LARGE) as sock:
        received = 0
        while received < 16_000_000:
            part = await asyncio.get_running_loop().sock_recv(sock, 200_000)
            assert part, "it was cut"
            received += len(part)
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("seconds", [0.02, 60.0], ids=["in a round", "between rounds"])
async def test_when_unread_answers_exceed_their_bound_those_with_most_are_cut(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(connections, "ROUND_SECONDS", seconds)
    counting = Peers(unread_bytes=20_000_000)
    async with counted(counting) as server:
        clients = [silent(server, LARGE) for _ in range(6)]
        opened = [await each.__aenter__() for each in clients]
        await server.called(6)
        while len(counting) == 6:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)
        async with server.connection() as (reader, writer):
            writer.write(GET)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 ")
        assert counting.held <= 20_000_000
        assert len(counting) > 1, "no more than it takes"
        for each in opened:
            each.close()
    assert [each.levelname for each in caplog.records if each.name == "tablelog.connections"] == ["WARNING"]


async def test_pipelined_requests_that_wait_are_kept_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parsed one takes a hundred times what was sent."""
    monkeypatch.setattr(connections, "ROUND_SECONDS", 60.0)
    server = Server()
    server.may_answer.clear()
    async with server.uvicorn, server.connection() as (reader, writer):
        writer.write(GET * 1_000)
        await server.called(1)
        (connection,) = server.uvicorn.server_state.connections
        while connection.held < 900 * len(GET):  # type: ignore[union-attr] # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)
        assert len(connection.pipeline) <= 1  # type: ignore[union-attr]
        server.may_answer.set()
        received = b""
        while received.count(b"HTTP/1.1 200 ") < 1_000:
            received += await reader.read(1_000_000)


async def test_a_client_that_only_sends_requests_stops_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ROUND_SECONDS", 60.0)
    server = Server()
    server.may_answer.clear()
    async with server.uvicorn, silent(server) as sock:
        with pytest.raises(BlockingIOError):
            await send_for_ever(sock, GET * 1_000)
        (connection,) = server.uvicorn.server_state.connections
        assert connection.held < 1_000_000  # type: ignore[union-attr]
        server.may_answer.set()


async def send_for_ever(sock: socket.socket, data: bytes) -> None:
    while True:
        await asyncio.sleep(0)
        sock.send(data)


async def refusal_of(server: Server, sent: bytes) -> tuple[bytes, tuple[int, str]]:
    async with server.connection() as (reader, writer):
        writer.write(sent)
        received = await reader.read()
    return received.partition(b"\r\n\r\n")[0].lower(), code(split(received)[0])


async def test_one_connection_too_many_is_refused_but_for_health_checks_and_that_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    counting = Peers(most=2)
    async with counted(counting) as server, silent(server), silent(server):
        await joined(counting, 2)
        for _ in range(3):
            head, refused = await refusal_of(server, GET.replace(b"\r\n\r\n", b"\r\nOrigin: https://a.example\r\n\r\n"))
            assert refused == (503, "overloaded")
            assert b"\r\nretry-after: " in head
            assert b"\r\naccess-control-allow-origin: *" in head
        async with server.connection() as (reader, writer):
            writer.write(HEALTH)
            received = await reader.read()
        assert received.startswith(b"HTTP/1.1 200 ")
        assert received.endswith(b"\r\n\r\nok")
        assert [each.levelname for each in caplog.records if each.name == "tablelog.connections"] == ["WARNING"]
        await joined(counting, 2)
    await joined(counting, 0)


async def test_silent_connections_do_not_keep_a_health_check_out() -> None:
    counting = Peers(most=1)
    async with counted(counting) as server:
        clients = [silent(server) for _ in range(1 + 3 * RESERVED)]
        opened = [await each.__aenter__() for each in clients]
        await joined(counting, 1 + RESERVED)
        async with server.connection() as (reader, writer):
            writer.write(HEALTH)
            assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
        for each in opened:
            each.close()


async def test_whoever_watches_connections_may_refuse_them_and_hears_when_they_end() -> None:
    counting, ended = Peers(), list[str]()
    counting.watch = lambda peer: lambda: ended.append(str(peer.client))
    async with counted(counting) as server:
        async with server.connection() as (reader, writer):
            writer.write(GET)
            await reader.readuntil(b"ok")
            assert ended == []
        await joined(counting, 0)
        assert len(ended) == 1


@pytest.mark.parametrize("kept", [True, False])
async def test_a_body_is_counted_until_the_application_takes_it(*, kept: bool) -> None:
    server = Server()
    server.reads = False
    server.may_answer.clear()
    async with server.uvicorn, server.connection() as (_, writer):
        writer.write(POST % (50_000 + kept, b"x" * 50_000))
        await server.called(1)
        (connection,) = server.uvicorn.server_state.connections
        while connection.held < 50_000:  # type: ignore[union-attr] # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)
        server.may_answer.set()
