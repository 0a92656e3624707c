"""Answers of which nobody knows the length, or that have no end, and clients that leave in the midst of them."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from typing import Any

import pytest

from service.problems import ENDING
from service.transport.asgi_extension import endless
from tests.service.transport.test_http_protocol import GET, Server


def reset(writer: asyncio.StreamWriter) -> None:
    """Be gone in a way that cannot be taken for a client that has only sent all it has to send."""
    linger = struct.pack("ii", 1, 0)
    writer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


class EndlessServer(Server):
    """A server whose application answers for as long as it is let."""

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        self.heard.append(scope["type"])
        await self.may_answer.wait()
        over = asyncio.Event()
        await send({"type": "http.response.start", "status": 200, "headers": [ENDING]})
        endless(scope, over.set)
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        hearing = asyncio.create_task(self._hang_up(receive, over))
        await over.wait()
        hearing.cancel()
        await send({"type": "http.response.body", "body": b"two", "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _hang_up(self, receive: Any, over: asyncio.Event) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.heard.append("disconnect")
        over.set()


@pytest.mark.parametrize("begun", [True, False], ids=["on its way", "about to begin"])
async def test_an_answer_without_an_end_is_ended_when_the_server_stops(*, begun: bool) -> None:
    server = EndlessServer()
    if not begun:
        server.may_answer.clear()
    async with server.uvicorn, server.connection() as (reader, writer):
        writer.write(GET)
        await server.called(1)
        if begun:
            await reader.readuntil(b"one")
        server.uvicorn.should_exit = True
        while server.uvicorn.servers[0].is_serving():  # noqa: ASYNC110 - it says nothing when it stops
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        server.may_answer.set()
        assert (await reader.read()).endswith(b"0\r\n\r\n")
        await server.uvicorn.stop()  # while the client holds its half


@pytest.mark.parametrize("gone", ["before it begins", "half", "wholly", "with a reset"])
async def test_whoever_has_left_an_answer_without_an_end_is_heard_of_at_once(
    gone: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = EndlessServer()
    async with server.uvicorn, server.connection() as (reader, writer):
        if gone == "before it begins":
            server.may_answer.clear()
        # With others behind it, what was not read does not come to an end before the answer begins.
        writer.write(GET if gone == "before it begins" else GET * 3)
        await server.called(1)
        if gone != "before it begins":
            await reader.readuntil(b"one")
            writer.write(b"NONSENSE")
        match gone:
            case "half":
                writer.write_eof()
            case "with a reset":
                reset(writer)
            case _:
                writer.close()
        if gone == "before it begins":
            await asyncio.sleep(0.05)
            server.may_answer.set()
        while "disconnect" not in server.heard:  # noqa: ASYNC110 - it is heard of soon
            await asyncio.sleep(0.01)
        while server.uvicorn.server_state.tasks:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)
        assert server.heard == ["http", "disconnect"]
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_requests_behind_an_answer_without_an_end_are_never_begun() -> None:
    server = EndlessServer()
    async with server.uvicorn, server.connection() as (reader, writer):
        writer.write(GET * 2 + b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.lower().count(b"connection: close\r\n") == 1
        writer.write(GET)
        await asyncio.sleep(0.05)
        server.uvicorn.should_exit = True
        assert await reader.read() == b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        assert server.heard == ["http"]


class StreamingServer(Server):
    """A server whose application answers with parts of which it does not know the length."""

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.heard.append(scope["type"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in (b"one", b"", b"two"):
            await self.may_answer.wait()
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def test_a_client_without_chunks_has_a_stream_as_it_is_and_then_the_end() -> None:
    keep = b"Connection: keep-alive\r\nExpect: 100-continue\r\n"
    server = StreamingServer()
    async with server.uvicorn:
        for method, body in ((b"GET", b"onetwo"), (b"HEAD", b"")):
            async with server.connection() as (reader, writer):
                writer.write(b"%b / HTTP/1.0\r\n%b\r\n" % (method, keep))
                head, _, received = (await reader.read()).partition(b"\r\n\r\n")
                assert (head.split(b"\r\n")[0], received) == (b"HTTP/1.1 200 OK", body)
                assert b"transfer-encoding" not in head
                assert b"connection: close" in head


class HearingServer(EndlessServer):
    """A server whose application waits until its client has gone."""

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        self.heard.append(scope["type"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await self._hang_up(receive, asyncio.Event())


async def test_a_request_that_others_wait_behind_hears_that_its_client_has_gone() -> None:
    server = HearingServer()
    async with server.uvicorn, server.connection() as (reader, writer):
        writer.write(GET * 3)
        await reader.readuntil(b"\r\n\r\n")
        reset(writer)
        while "disconnect" not in server.heard:  # noqa: ASYNC110 - it is heard of soon
            await asyncio.sleep(0.01)
    assert server.heard == ["http", "disconnect"]
