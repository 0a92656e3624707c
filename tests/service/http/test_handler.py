"""Answers on their way out: streams that break off, and clients that do not take them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from litestar import Litestar
from litestar.datastructures import State

from service.app import OPERATIONS
from service.auth.guards import Access
from service.counters import Counters
from service.deadlines import Deadlines
from service.http import reply
from service.http.handler import again, handler
from service.http.operation import Answer, Call, Operation, Stream, operation
from service.http.reply import Reply
from service.limits.address import TrustedProxies
from service.limits.limit_settings import LimitSettings
from service.limits.limiter import Limiter
from service.media_types import NDJSON
from service.play.turns import Turns
from service.transport.asgi_extension import cut
from service.transport.body_budget import BodyBudget
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import uvicorn_options
from tests.harness.living import ListeningServer

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@asynccontextmanager
async def answering(parts: AsyncIterator[bytes], **options: Any) -> AsyncGenerator[int]:
    """A server that answers with a stream; gives its port."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await Reply(200, [(b"content-type", b"text/plain")], parts)(scope, receive, send)

    config = uvicorn.Config(
        application,
        http=RequestProtocol,
        interface="asgi3",
        port=0,
        lifespan="off",
        log_config=None,
        **options,
        **uvicorn_options(),
    )
    async with ListeningServer(config) as server:
        yield server.port


async def read_all(port: int) -> bytes:
    """Everything that the server sends until the connection ends, however it does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(GET)
    received = b""
    with suppress(ConnectionResetError):
        while part := await reader.read(65_536):
            received += part
    writer.close()
    return received


async def breaking(error: Exception) -> AsyncIterator[bytes]:
    yield b"one\n"
    await asyncio.sleep(0.01)
    raise error


@pytest.mark.parametrize(
    "error,level,traceback", [(ConnectionResetError("gone"), "WARNING", False), (ValueError("a bug"), "WARNING", True)]
)
async def test_a_stream_that_breaks_off_is_not_taken_for_a_whole_one(
    error: Exception, level: str, *, traceback: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with answering(breaking(error)) as port:
        received = await read_all(port)
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert received.endswith(b"4\r\none\n\r\n"), "the last chunk, which says that it is whole, never comes"
    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert (record.name, record.levelname, record.exc_info is not None) == ("tablelog.streams", level, traceback)


async def test_a_stream_that_outlives_the_server_is_broken_off_without_noise(caplog: pytest.LogCaptureFixture) -> None:
    async def waiting() -> AsyncIterator[bytes]:
        yield b"one\n"
        await asyncio.Event().wait()

    async with answering(waiting(), timeout_graceful_shutdown=0) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET)
        received = await reader.readuntil(b"one\n")
    with suppress(ConnectionResetError):
        received += await reader.read()
    writer.close()
    assert received.endswith((b"4\r\none\n", b"4\r\none\n\r\n"))
    found = [(each.name, each.exc_info) for each in caplog.records if each.levelno >= logging.WARNING]
    assert found == [("uvicorn.error", None), ("tablelog.streams", None)]


async def test_a_client_that_takes_nothing_of_a_stream_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply, "STALL_SECONDS", 0.2)
    made = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal made
        while True:
            made += 1
            yield b"x" * 100_000

    async with answering(endless()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1_000)
        writer.write(GET)
        before = -1
        while before < made:
            before = made
            await asyncio.sleep(0.5)
        assert before > 0
        # What the kernel holds can still be read; then comes the end, though the stream has none.
        await read_out(reader)
        writer.close()


async def read_out(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionResetError):
        while await reader.read(1_000_000):
            pass


def test_a_server_that_cannot_cut_says_so() -> None:
    with pytest.raises(RuntimeError, match="RequestProtocol"):
        cut({"type": "http"})


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_what_is_told_of_sending_a_request_again_fits_the_operation(operation: Operation) -> None:
    with_key = again(operation, [(b"idempotency-key", b"k")])
    assert ("with the same Idempotency-Key nothing is done twice" in with_key) == operation.idempotent
    without = again(operation, [])
    assert "with the same" not in without
    assert ("has an Idempotency-Key" in without) == operation.idempotent
    changes = operation.method != "GET" and operation.known is None
    assert ("whether this was done is not known" in without) == changes


class Produced:
    """An operation whose answer is a stream, which counts the parts that were asked for."""

    def __init__(self, parts: int, *, breaks: bool = False) -> None:
        self.made = 0
        self._parts = parts
        self._breaks = breaks

    async def run(self, call: Call) -> Answer[Stream]:
        del call
        return Answer(self._lines())

    async def _lines(self) -> AsyncIterator[bytes]:
        for _ in range(self._parts):
            self.made += 1
            yield b"x" * 99_999 + b"\n"
        if self._breaks:
            message = "gone"
            raise ConnectionResetError(message)


@dataclass
class Past:
    """As much of the tables."""

    turns: Turns = field(default_factory=Turns)


@dataclass
class Parts:
    """As much of a node as this takes."""

    bodies: BodyBudget = field(default_factory=BodyBudget)
    counters: Counters = field(default_factory=Counters)
    deadlines: Deadlines = field(default_factory=Deadlines)
    limits: Limiter = field(default_factory=lambda: Limiter(LimitSettings(), TrustedProxies(())))
    tables: Past = field(default_factory=Past)
    tokens: None = None


async def answer_of(produced: Produced, request: bytes) -> bytes:
    declare = operation("GET", "/x", tag="x", summary="x", access=Access.anyone, media=(NDJSON,))
    state = State({"node": Parts()})
    app = Litestar([handler(declare(produced.run))], state=state, openapi_config=None, logging_config=None)
    config = uvicorn.Config(app, http=RequestProtocol, port=0, lifespan="off", log_config=None, **uvicorn_options())
    async with ListeningServer(config) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(request)
        received = await reader.read()
        writer.close()
    return received


async def test_a_stream_that_breaks_over_http_1_0_is_a_refusal_and_a_whole_one_has_its_length() -> None:
    request = b"GET /x HTTP/1.0\r\n\r\n"
    assert (await answer_of(Produced(3, breaks=True), request)).startswith(b"HTTP/1.1 503 ")
    head, _, body = (await answer_of(Produced(3), request)).partition(b"\r\n\r\n")
    assert b"\r\ncontent-length: 300000" in head
    assert len(body) == 300_000


async def test_a_stream_too_large_to_be_held_is_refused_over_http_1_0() -> None:
    received = await answer_of(Produced(200), b"GET /x HTTP/1.0\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 505 ")
    assert b'"code":"http-version-not-supported"' in received


async def test_head_of_a_stream_does_not_produce_it() -> None:
    for version in (b"1.0", b"1.1"):
        produced = Produced(3)
        head = b"HEAD /x HTTP/%b\r\nHost: x\r\nConnection: close\r\n\r\n" % version
        received = await answer_of(produced, head)
        assert received.startswith(b"HTTP/1.1 200 ")
        assert received.endswith(b"\r\n\r\n")
        assert b"content-type: application/x-ndjson" in received
        assert produced.made == 0
