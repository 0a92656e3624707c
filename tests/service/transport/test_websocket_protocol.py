"""uvicorn's protocol with what the feed needs: each promise that rests on uvicorn's insides is held here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from service.transport import connections, websocket_protocol
from service.transport import http_protocol as contract
from service.transport.close_codes import SLOW_READER
from service.transport.connections import Peers, bind
from service.transport.websocket_protocol import CLIENT_FRAME_BYTES, SocketProtocol, pipe, text_frame, uvicorn_options
from tests.harness.living import ListeningServer
from tests.harness.raw import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, RawSocket, frame_head, raw_socket


@dataclass
class Socket:
    """One websocket as the application has it."""

    pipe: SocketProtocol
    messages: asyncio.Queue[Any]
    ended: asyncio.Event


class Server:
    """A server whose application takes every websocket and hands it to the test."""

    def __init__(self, **options: Any) -> None:
        config = uvicorn.Config(
            self._application, interface="asgi3", port=0, lifespan="off", log_config=None, **options
        )
        self.uvicorn = ListeningServer(config)
        self._opened: asyncio.Queue[Socket] = asyncio.Queue()
        self.may_receive = asyncio.Event()
        self.may_receive.set()

    @property
    def port(self) -> int:
        return self.uvicorn.port

    async def opened(self) -> Socket:
        return await self._opened.get()

    async def without_connections(self) -> None:
        while self.uvicorn.server_state.connections:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        socket = Socket(pipe(scope), asyncio.Queue(), asyncio.Event())
        self._opened.put_nowait(socket)
        await self.may_receive.wait()
        message: Any = {"type": ""}
        while message["type"] != "websocket.disconnect":
            message = await receive()
            socket.messages.put_nowait(message)
        socket.ended.set()


@asynccontextmanager
async def serving(**options: Any) -> AsyncGenerator[Server]:
    server = Server(**{**uvicorn_options(), **options})
    async with server.uvicorn:
        yield server


@asynccontextmanager
async def client_of(server: Server) -> AsyncGenerator[tuple[ClientConnection, Socket]]:
    async with connect(f"ws://127.0.0.1:{server.port}/", compression=None, proxy=None, max_size=None) as client:
        yield client, await server.opened()


@asynccontextmanager
async def raw_client_of(server: Server) -> AsyncGenerator[tuple[RawSocket, Socket]]:
    async with raw_socket(server.port, "/") as client:
        yield client, await server.opened()


def fill(socket: Socket, frame: bytes) -> int:
    """Send a frame as often as the transport takes it; gives how often."""
    count = 0
    while socket.pipe.ready:
        socket.pipe.send_frames(frame)
        count += 1
    return count


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 1_000_000])
async def test_a_serialized_frame_arrives_as_one_text_message(size: int) -> None:
    async with serving() as server, client_of(server) as (client, socket):
        socket.pipe.send_frames(text_frame(b"x" * size) + text_frame("é".encode()))
        assert await client.recv() == "x" * size
        assert await client.recv() == "é"


async def test_a_closed_socket_has_had_all_that_was_sent_and_then_the_code() -> None:
    async with serving() as server, client_of(server) as (client, socket):
        socket.pipe.send_frames(text_frame(b"last"))
        socket.pipe.close_for(SLOW_READER)
        assert not socket.pipe.ready
        assert await client.recv() == "last"
        await client.wait_closed()
        assert (client.close_code, client.close_reason) == (SLOW_READER.code, SLOW_READER.name)
        assert (await socket.messages.get())["code"] == SLOW_READER.code


async def test_closing_twice_or_after_the_peer_has_closed_does_nothing() -> None:
    async with serving() as server, client_of(server) as (client, socket):
        await client.close(1000)
        await socket.ended.wait()
        socket.pipe.close_for(SLOW_READER)
    async with serving() as server, raw_client_of(server) as (raw, socket):
        socket.pipe.close_for(SLOW_READER)
        socket.pipe.close_for(SLOW_READER)
        await raw.send((1000).to_bytes(2, "big"), CLOSE)
        assert [frame.opcode for frame in await raw.receive_all()] == [CLOSE]


async def test_a_peer_that_stops_reading_is_noticed_before_much_is_buffered_for_it() -> None:
    async with serving() as server, raw_client_of(server) as (_, socket):
        taken = fill(socket, text_frame(b"x" * 1_000)) * 1_000
        while socket.pipe.ready:
            await asyncio.sleep(0.01)
            taken += fill(socket, text_frame(b"x" * 1_000)) * 1_000
        assert taken < 1_000_000


async def test_a_peer_that_reads_again_is_told_of() -> None:
    async with serving() as server, raw_client_of(server) as (raw, socket):
        writable = asyncio.Event()
        socket.pipe.on_writable = writable.set
        sent = fill(socket, text_frame(b"x" * 1_000))
        assert not writable.is_set()
        for _ in range(sent):
            await raw.receive()
        await writable.wait()
        assert socket.pipe.ready


async def test_a_peer_that_does_not_take_its_close_frame_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.1)
    async with serving() as server, raw_client_of(server) as (raw, socket):
        fill(socket, text_frame(b"x" * 300_000))
        socket.pipe.close_for(SLOW_READER)
        await server.without_connections()
        assert all(frame.opcode != CLOSE for frame in await raw.receive_all())


async def test_a_peer_that_closes_and_reads_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.1)
    async with serving() as server, raw_client_of(server) as (raw, socket):
        fill(socket, text_frame(b"x" * 300_000))
        await raw.send((1000).to_bytes(2, "big"), CLOSE)
        await server.without_connections()


async def test_a_peer_that_answers_no_ping_is_closed_and_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.1)
    async with serving(ws_ping_interval=0.05, ws_ping_timeout=0.05) as server:
        async with raw_client_of(server) as (raw, socket):
            frames = await raw.receive_all()
            assert [frame.opcode for frame in frames] == [PING, CLOSE]
            assert frames[-1].close_code == 1011
            await socket.ended.wait()
        async with raw_client_of(server) as (_, socket):
            fill(socket, text_frame(b"x" * 300_000))
            await socket.ended.wait()


@pytest.mark.parametrize("size", [CLIENT_FRAME_BYTES + 1, 1_000_000])
async def test_a_frame_that_is_too_large_is_answered_with_1009(size: int) -> None:
    async with serving() as server, client_of(server) as (client, socket):
        with suppress(ConnectionClosed):
            await client.send("x" * size)
        await client.wait_closed()
        assert client.close_code == 1009
        assert (await socket.messages.get())["type"] == "websocket.disconnect"


async def test_a_peer_that_goes_on_sending_a_frame_that_is_too_large_still_gets_its_code() -> None:
    async with serving() as server, raw_client_of(server) as (raw, _):
        await raw.send(b"x" * 50_000_000)
        assert (await raw.receive()).close_code == 1009


async def test_a_message_of_many_frames_that_is_too_large_is_answered_with_1009() -> None:
    async with serving() as server, client_of(server) as (client, _):
        with suppress(ConnectionClosed):
            await client.send("x" * 1_000 for _ in range(10_000))
        await client.wait_closed()
        assert client.close_code == 1009


async def test_the_largest_frame_that_is_allowed_arrives() -> None:
    async with serving() as server, client_of(server) as (client, socket):
        await client.send("x" * CLIENT_FRAME_BYTES)
        assert len((await socket.messages.get())["text"]) == CLIENT_FRAME_BYTES


@pytest.mark.parametrize(
    "sent,code",
    [
        (frame_head(2) + b"\xff\xfe", 1007),
        (frame_head(2, masked=False) + b"{}", 1002),
        (frame_head(2, opcode=3) + b"{}", 1002),
        (b"\xf1" + frame_head(0)[1:], 1002),
    ],
    ids=["not UTF-8", "unmasked", "unknown opcode", "reserved bits"],
)
async def test_what_breaks_the_protocol_is_answered_with_its_code(
    sent: bytes, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving() as server, raw_client_of(server) as (raw, socket):
        await raw.send_bytes(sent)
        assert (await raw.receive()).close_code == code
        await socket.ended.wait()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_socket_outlives_the_time_that_a_request_has_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "HEAD_SECONDS", 0.05)
    async with serving(http=contract.RequestProtocol) as server, raw_client_of(server) as (raw, socket):
        await asyncio.sleep(0.2)
        await raw.send(b"still there")
        assert (await socket.messages.get())["text"] == "still there"
        socket.pipe.send_frames(text_frame(b"here too"))
        assert (await raw.receive()).payload == b"here too"


async def test_a_binary_message_arrives_as_one() -> None:
    async with serving() as server, raw_client_of(server) as (raw, socket):
        await raw.send(b"{}", BINARY)
        assert (await socket.messages.get())["bytes"] == b"{}"


async def test_a_server_that_stops_tells_its_peers_to_resume_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.1)
    async with serving() as server, client_of(server) as (client, _), raw_client_of(server) as (raw, deaf):
        fill(deaf, text_frame(b"x" * 300_000))
        server.uvicorn.should_exit = True
        await client.wait_closed()
        assert (client.close_code, client.close_reason) == (4001, "going-away")
        await server.without_connections()  # the one that does not read holds nothing up
        assert all(frame.opcode != CLOSE for frame in await raw.receive_all())


async def test_a_scope_of_another_protocol_says_how_to_start_the_server() -> None:
    with pytest.raises(RuntimeError, match="uvicorn_options"):
        pipe({"type": "websocket", "extensions": {"websocket.http.response": {}}})


class RefusingServer(Server):
    """A server whose application knows no path."""

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        transport = scope["extensions"]["tablelog.pipe"]["pipe"].transport
        while self.gone and not transport.is_closing():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        await send({"type": "websocket.accept" if self.gone else "websocket.close"})
        self.answered = True

    gone = False
    """Whether it takes the socket after all, once its client has gone."""

    answered = False


@pytest.mark.parametrize("gone", [False, True], ids=["refused", "given up"])
async def test_a_handshake_that_comes_to_nothing_is_answered_with_a_problem_and_makes_no_noise(
    caplog: pytest.LogCaptureFixture, *, gone: bool
) -> None:
    server = RefusingServer(**uvicorn_options())
    server.gone = gone
    async with server.uvicorn:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(RawSocket.request("/"))
        if gone:
            writer.transport.abort()
        else:
            received = await reader.read()
            assert received.startswith(b"HTTP/1.1 404 ")
            assert b"content-type: application/problem+json\r\n" in received
            assert b'"code":"not-found"' in received
            writer.close()
        await server.without_connections()
    assert server.answered != gone
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("more", [b"A: b\r\n" * 200, b"A: " + b"b" * 9_000 + b"\r\n"], ids=["many", "long"])
async def test_a_handshake_that_is_too_large_is_answered_and_ends(more: bytes) -> None:
    async with serving() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(RawSocket.request("/").replace(b"Host", more + b"Host", 1))
        received = await reader.read()
        assert received.startswith(b"HTTP/1.1 431 ")
        assert b'"code":"headers-too-large"' in received
        writer.close()
        await server.without_connections()


async def test_a_handshake_that_websockets_cannot_read_is_not_said_to_be_too_large() -> None:
    async with serving() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(RawSocket.request("/").replace(b"Host", b"Content-Length: 3\r\nHost", 1) + b"abc")
        received = await reader.read()
        assert received.startswith(b"HTTP/1.1 400 ")
        assert b'"code":"invalid-request"' in received
        writer.close()
        await server.without_connections()


async def test_a_message_in_ever_so_many_fragments_is_held_as_what_it_is() -> None:
    async with serving() as server, raw_client_of(server) as (raw, socket):
        await raw.send_bytes(frame_head(1, TEXT, masked=True, last=False) + b"a")
        fragment = frame_head(2, CONTINUATION, masked=True, last=False) + b"bc"
        empty = frame_head(0, CONTINUATION, masked=True, last=False)
        for _ in range(20):
            await raw.send_bytes(fragment * 100 + empty * 1_000)
        await raw.send(b"", PING)
        assert (await raw.receive()).opcode == PONG, "all before it is parsed"
        assert len(socket.pipe.frames) < 1_000
        assert socket.pipe.held < 5_000
        await raw.send(b"z", CONTINUATION)
        assert (await socket.messages.get())["text"] == "a" + "bc" * 2_000 + "z"


async def test_messages_that_come_faster_than_they_are_handled_stay_bytes() -> None:
    async with serving() as server, raw_client_of(server) as (raw, socket):
        message = frame_head(1, TEXT, masked=True) + b"x"
        await raw.send_bytes(message * 20_000)
        for _ in range(20_000):
            assert (await socket.messages.get())["text"] == "x"
            assert socket.pipe.queue.qsize() < 1_000


async def test_messages_that_come_in_one_packet_are_all_parsed_for_an_application_that_takes_its_time() -> None:
    server = Server(**uvicorn_options())
    server.may_receive.clear()
    async with server.uvicorn, raw_client_of(server) as (raw, socket):
        await raw.send_bytes((frame_head(1, TEXT, masked=True) + b"x") * 500)
        while not socket.pipe.held:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)  # so that parsing has come to wait for the application
        server.may_receive.set()
        for _ in range(500):
            assert (await socket.messages.get())["text"] == "x"


async def test_a_socket_that_makes_unread_bytes_exceed_their_bound_is_cut_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "ROUND_SECONDS", 60.0)
    async with serving() as server:
        bind(server.uvicorn.server_state, Peers(unread_bytes=10_000))
        async with raw_client_of(server) as (_, socket):
            fill(socket, text_frame(b"x" * 10_000))
            await socket.ended.wait()


async def test_pings_of_a_peer_that_does_not_read_are_answered_once_it_does_with_the_latest() -> None:
    async with serving() as server, raw_socket(server.port, "/", receive_buffer=65_536) as raw:
        socket = await server.opened()
        fill(socket, text_frame(b"x" * 10_000))
        before = socket.pipe.transport.get_write_buffer_size()
        for number in range(2_000):
            await raw.send(b"%d" % number, PING)
        await raw.send(b"done")
        assert (await socket.messages.get())["text"] == "done"
        assert socket.pipe.transport.get_write_buffer_size() <= before
        answer = await raw.receive()
        while answer.opcode != PONG:
            answer = await raw.receive()
        assert answer.payload == b"1999"
