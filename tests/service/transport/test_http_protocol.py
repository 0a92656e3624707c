"""uvicorn's HTTP protocol with bounds: each promise that rests on uvicorn's insides is held here."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from service.transport import http_protocol
from service.transport.http_protocol import RequestProtocol
from service.transport.request_head import HEAD_BYTES
from service.transport.websocket_protocol import uvicorn_options
from tests.harness.living import ListeningServer

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"


class Server:
    """A server whose application answers with the body that it was sent, once it is allowed to."""

    reads = True
    """Whether it waits for the body, and not just answers."""

    def __init__(self) -> None:
        config = uvicorn.Config(
            self._application,
            http=RequestProtocol,
            interface="asgi3",
            port=0,
            lifespan="off",
            log_config=None,
            **uvicorn_options(),
        )
        self.uvicorn = ListeningServer(config)
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.heard: list[str] = []

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        self.heard.append(scope["type"])
        body, more = b"", self.reads
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.heard.append("disconnect")
                return
            body, more = body + message["body"], message["more_body"]
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})

    async def called(self, times: int) -> None:
        while self.heard.count("http") < times:  # noqa: ASYNC110 - it is heard of soon
            await asyncio.sleep(0)

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.uvicorn.port)
        try:
            yield reader, writer
        finally:
            writer.close()


@pytest.fixture
async def server() -> AsyncGenerator[Server]:
    made = Server()
    async with made.uvicorn:
        yield made


async def answer_to(server: Server, *sent: bytes) -> list[bytes]:
    """The answers to some bytes, status line and body, until the server ends the connection."""
    async with server.connection() as (reader, writer):
        for part in sent:
            writer.write(part)
            await writer.drain()
        return split(await reader.read())


def split(received: bytes) -> list[bytes]:
    answers: list[bytes] = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        status, *headers = head.lower().split(b"\r\n")
        length = next(int(each[16:]) for each in headers if each.startswith(b"content-length: "))
        answers.append(status.split(b" ")[1] + b" " + received[:length])
        received = received[length:]
    return answers


def code(answer: bytes) -> tuple[int, str]:
    status, _, body = answer.partition(b" ")
    problem = json.loads(body)
    assert problem["status"] == int(status)
    return int(status), problem["code"]


NO_REQUESTS = {
    "nonsense": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a method that is none": b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a target for proxies": b"CONNECT a.example:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "no path": b"GET http://a.example HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path that is no ASCII": b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    "a space in the path": b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "NUL in a header": b"GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n",
    "a folded header": b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}1",
    "a length and chunks": b"POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}",
    "a length beyond all": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
async def test_what_is_no_request_is_answered_with_a_problem_and_the_connection_ends(
    server: Server, sent: bytes
) -> None:
    (answer,) = await answer_to(server, sent)
    assert code(answer) == (400, "invalid-request")
    assert await answer_to(server, sent[:-1], sent[-1:] + b"x" * 100_000) == [answer], "whatever follows"


@pytest.mark.parametrize(
    "parts",
    [
        (b"GET /" + b"a" * HEAD_BYTES + b" HTTP/1.1\r\n\r\n",),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * HEAD_BYTES + b"\r\n\r\n",),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * HEAD_BYTES + b"\r\n",),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", *[b"a" * 10_000] * 1_000),
        (b"GET /", *[b"a" * 10_000] * 1_000),
        (b"GET / HTTP/1.1\r\n", *[b"A: b\r\n" * 1_000] * 1_000),
        (GET + b"GET / HTTP/1.1\r\nHost: x\r\nA: ", *[b"a" * 10_000] * 1_000),
    ],
    ids=["path", "header", "headers", "endless header", "endless path", "endless headers", "second request"],
)
async def test_a_head_that_is_too_large_is_refused_with_the_bound(server: Server, parts: tuple[bytes, ...]) -> None:
    *_, answer = await answer_to(server, *parts)
    assert code(answer) == (431, "headers-too-large")
    assert json.loads(answer[4:])["most"] == HEAD_BYTES


async def test_what_is_not_of_the_head_does_not_count_as_such(server: Server) -> None:
    """Large bodies and heads, over and over, in packets that hold the end of one and the beginning of the next."""
    body = b"x" * 60_000
    request = b"POST / HTTP/1.1\r\nHost: x\r\nA: %b\r\nContent-Length: 60000\r\n\r\n%b" % (b"a" * 60_000, body)
    sent = request * 5
    parts = [sent[start : start + 50_000] for start in range(0, len(sent), 50_000)]
    async with server.connection() as (reader, writer):
        for part in parts:
            writer.write(part)
            await writer.drain()
        received = b""
        while received.count(body) < 5:
            received += await reader.read(1_000_000)
        assert received.count(b"HTTP/1.1 200 OK") == 5


async def test_what_is_left_of_a_body_that_was_answered_early_is_let_go(server: Server) -> None:
    server.reads = False
    async with server.connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        for _ in range(100):
            writer.write(b"x" * 10_000)
            await writer.drain()
        writer.write(GET)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")


async def test_a_head_that_does_not_come_to_its_end_is_refused_in_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.1)
    for sent in ((b"GET / HT",), (GET, b"GET / HT")):
        *_, answer = await answer_to(server, *sent)
        assert code(answer) == (408, "request-timeout")


@pytest.mark.parametrize("sent", [b"", b"\r\n\r\n"])
async def test_who_says_nothing_is_left_in_time(server: Server, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.1)
    assert await answer_to(server, sent) == []
    async with server.connection() as (reader, writer):
        writer.write(GET)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        writer.write(b"\r\n")
        assert await reader.read() == b""


async def test_a_request_that_is_there_is_not_hurried(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its answer nor its body is the head's concern."""
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.05)
    server.may_answer.clear()
    async with server.connection() as (reader, writer):
        writer.write(POST % (4, b"ab"))
        await asyncio.sleep(0.2)
        writer.write(b"cd")
        await asyncio.sleep(0.2)
        server.may_answer.set()
        assert (await reader.readuntil(b"abcd")).startswith(b"HTTP/1.1 200 ")


async def test_answers_that_are_due_come_before_the_end_of_a_connection_that_went_wrong(server: Server) -> None:
    server.may_answer.clear()
    asking = asyncio.create_task(answer_to(server, POST % (3, b"one") + POST % (3, b"two") + b"NONSENSE\r\n\r\n"))
    await server.called(1)
    server.may_answer.set()
    assert await asking == [b"200 one", b"200 two"]


async def test_a_body_that_cannot_be_read_is_refused_and_the_application_hears_that_nobody_waits(
    server: Server,
) -> None:
    chunks = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
    (answer,) = await answer_to(server, chunks, b"ZZ\r\n")
    assert code(answer) == (400, "invalid-request")
    assert server.heard == ["http", "disconnect"]


@pytest.mark.parametrize("wish", [b"websocket", b"h2c", b"h2c, websocket", b"tls/1.0"])
async def test_a_request_that_asks_for_an_upgrade_it_does_not_get_is_a_request(server: Server, wish: bytes) -> None:
    """Java's client asks for HTTP/2 with its first request, whatever that is."""
    upgrade = (
        b"Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: %b\r\nHTTP2-Settings: AAMAAABkAARAAAAA\r\n" % wish
    )
    post = (POST % (3, b"one")).replace(b"Host: x\r\n", upgrade)
    last = (POST % (3, b"two")).replace(b"Host: x\r\n", upgrade.replace(b"Settings\r\n", b"Settings, close\r\n", 1))
    assert await answer_to(server, post + last) == [b"200 one", b"200 two"]
    assert await answer_to(server, *(bytes([byte]) for byte in post + last)) == [b"200 one", b"200 two"]
    chunked = post.replace(b"Content-Length: 3", b"Transfer-Encoding: chunked").replace(
        b"one", b"3\r\nabc\r\n0\r\n\r\n"
    )
    assert await answer_to(server, chunked + last) == [b"200 abc", b"200 two"]


async def test_a_request_without_one_host_is_refused(server: Server) -> None:
    for hosts in (b"", b"Host: a\r\nHost: a\r\n", b"Host: a\r\nHOST: b\r\n", b"Host: a b\r\n", b"Host: a:b\r\n"):
        (answer,) = await answer_to(server, b"GET / HTTP/1.1\r\n%b\r\n" % hosts)
        assert code(answer) == (400, "invalid-request")
        assert json.loads(answer[4:])["field"] == "Host"
    assert server.heard == []


async def test_a_host_is_taken_as_it_may_be_written(server: Server) -> None:
    for host in (b"", b"a", b"a.example:8000", b"127.0.0.1:80", b"[::1]:8000", b"a_b", b"a: ", b"\ta"):
        request = b"GET / HTTP/1.1\r\nConnection: close\r\nHost:%b\r\n\r\n" % host
        assert await answer_to(server, request) == [b"200 "]


async def test_a_refusal_of_head_has_no_body(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.1)
    chunks = b"HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
    for sent in (b"HEAD / HTTP/1.1\r\n\r\n", b"HEAD / HTTP/1.1\r\nA: \x00", b"HEAD / HTTP/1.1\r\n", chunks):
        async with server.connection() as (reader, writer):
            writer.write(sent)
            received = await reader.read()
        assert received.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 408 "))
        assert b"content-type: application/problem+json\r\n" in received
        assert received.endswith(b"\r\n\r\n")


async def test_a_body_that_cannot_be_read_costs_those_before_it_nothing(server: Server) -> None:
    server.may_answer.clear()
    chunks = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
    asking = asyncio.create_task(answer_to(server, POST % (3, b"one") + POST % (3, b"two") + chunks))
    await server.called(1)
    server.may_answer.set()
    *answers, refused = await asking
    assert answers == [b"200 one", b"200 two"]
    assert code(refused) == (400, "invalid-request")


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def test_another_version_of_websockets_is_told_the_one_that_is_spoken(server: Server) -> None:
    for right, wrong in ((b"13", b"12"), (b"13", b"13, 8"), (b"Version", b"Versions")):
        async with server.connection() as (reader, writer):
            writer.write(HANDSHAKE.replace(right, wrong))
            received = await reader.read()
        assert {b"upgrade: websocket", b"sec-websocket-version: 13"} <= set(received.split(b"\r\n"))
        assert code(split(received)[0]) == (426, "upgrade-required")


async def test_a_handshake_without_a_key_is_refused(server: Server) -> None:
    for wrong in (b"X: ", b"Sec-WebSocket-Key: AA\r\nSec-WebSocket-Key: ", b"Sec-WebSocket-Key: ,"):
        (answer,) = await answer_to(server, HANDSHAKE.replace(b"Sec-WebSocket-Key: ", wrong))
        assert code(answer) == (400, "invalid-request")
        assert json.loads(answer[4:])["field"] == "Sec-WebSocket-Key"


@pytest.mark.parametrize(
    "header,body",
    [(b"Content-Length: 3", b"abc"), (b"Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n")],
    ids=["with a length", "in chunks"],
)
async def test_a_handshake_with_a_body_is_refused_for_its_body(server: Server, header: bytes, body: bytes) -> None:
    (answer,) = await answer_to(server, HANDSHAKE.replace(b"Host: x", b"Host: x\r\n" + header) + body)
    assert code(answer) == (400, "invalid-request")
    assert json.loads(answer[4:])["detail"] == "a WebSocket handshake has no request body"
    assert json.loads(answer[4:])["field"].encode() == header.partition(b":")[0]
    assert server.heard == []


async def test_a_handshake_behind_a_request_that_is_being_answered_does_not_come_into_its_answer(
    server: Server,
) -> None:
    server.may_answer.clear()
    asking = asyncio.create_task(answer_to(server, POST % (3, b"one") + HANDSHAKE))
    await server.called(1)
    server.may_answer.set()
    assert await asking == [b"200 one"]
    assert server.heard == ["http"]


async def test_a_server_that_stops_answers_what_is_complete_and_cuts_what_is_not(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.may_answer.clear()
    complete = asyncio.create_task(answer_to(server, POST % (3, b"all")))
    half = [asyncio.create_task(answer_to(server, sent)) for sent in (POST % (3, b"ha"), b"GET / HT", b"")]
    await server.called(2)
    while len(server.uvicorn.server_state.connections) < 4:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.01)
    server.uvicorn.should_exit = True
    assert await asyncio.gather(*half) == [[], [], []]
    server.may_answer.set()
    assert await complete == [b"200 all"]
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_a_client_without_chunks_has_what_has_a_length_with_it(server: Server) -> None:
    old = (POST % (3, b"one")).replace(b"1.1", b"1.0").replace(b"Host: x\r\n", b"")
    assert await answer_to(server, old) == [b"200 one"]
