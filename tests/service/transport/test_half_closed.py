"""A client that closes its sending side after a request has its answer; one that is gone is not waited for."""

from __future__ import annotations

import asyncio

import pytest
import uvloop

from tests.service.transport.test_connections import LARGE, LargeServer
from tests.service.transport.test_http_protocol import GET, POST, Server, code, split
from tests.service.transport.test_protocol_streams import StreamingServer


async def half_closed(server: Server, sent: bytes) -> bytes:
    """All that is answered to some bytes and the end of the sending side."""
    async with server.connection() as (reader, writer):
        writer.write(sent)
        writer.write_eof()
        await asyncio.sleep(0.02)  # so that the end is there before the answer is
        server.may_answer.set()
        return await reader.read()


async def check_all() -> None:
    server = Server()
    async with server.uvicorn:
        for sent, expected in (
            (POST % (3, b"one"), [b"200 one"]),
            (POST % (3, b"one") + POST % (3, b"two"), [b"200 one", b"200 two"]),
            (POST % (3, b"one") * 20, [b"200 one"] * 20),
            (POST % (3, b"one") + b"POST / HT", [b"200 one"]),
            (POST % (3, b"one") + POST % (3, b"tw"), [b"200 one"]),
        ):
            server.may_answer.clear()
            received = await half_closed(server, sent)
            assert split(received) == expected
        server.may_answer.clear()
        answered, refused = split(await half_closed(server, POST % (3, b"one") + b"NONSENSE\r\n\r\n"))[0], None
        assert (answered, refused) == (b"200 one", None)
        assert code(split(await half_closed(server, b"NONSENSE\r\n\r\n"))[0]) == (400, "invalid-request")
        for sent in (b"", b"GET / HT", POST % (3, b"tw")):
            assert await half_closed(server, sent) == b""
        while server.uvicorn.server_state.connections:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)
    large = LargeServer()
    async with large.uvicorn:
        assert len(await half_closed(large, LARGE)) > 8_000_000
    streaming = StreamingServer()
    streaming.may_answer.clear()
    async with streaming.uvicorn:
        assert (await half_closed(streaming, GET)).endswith(b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")


def test_whole_requests_are_answered_after_the_client_has_closed_its_sending_side_on_uvloop() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(asyncio.wait_for(check_all(), 30))


async def test_whole_requests_are_answered_after_the_client_has_closed_its_sending_side() -> None:
    await check_all()


@pytest.mark.parametrize("sent", [POST % (3, b"tw"), b"GET / HT"])
async def test_a_request_that_never_comes_to_its_end_ends_with_its_connection(sent: bytes) -> None:
    server = Server()
    async with server.uvicorn:
        assert await half_closed(server, sent) == b""
        while server.uvicorn.server_state.tasks:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.01)
