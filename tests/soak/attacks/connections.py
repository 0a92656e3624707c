"""Connections that hold memory: what is sent is never finished, what is answered is never read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from tests.harness.raw import PING, frame_head
from tests.soak.stranger import Connection, Stranger, request

_MEGABYTE = bytes(1 << 20)
_BODY_MEGABYTES = 8
_SMALL_BUFFER = 4_096
_HOLD_SECONDS = 15.0


@contextlib.asynccontextmanager
async def _connections(stranger: Stranger, count: int, receive_buffer: int | None) -> AsyncGenerator[list[Connection]]:
    opened = [await stranger.connect(receive_buffer) for _ in range(count)]
    try:
        yield opened
    finally:
        for each in opened:
            each.close()


async def _send(connection: Connection, data: bytes) -> None:
    connection.writer.write(data)
    async with asyncio.timeout(_HOLD_SECONDS):
        await connection.writer.drain()


async def _hold(stranger: Stranger, connections: list[Connection]) -> None:
    await stranger.pause(_HOLD_SECONDS)
    cut = sum(each.reader.at_eof() or each.writer.transport.is_closing() for each in connections)
    stranger.met["cut"] += cut
    stranger.met["held"] += len(connections) - cut


async def withheld_bodies(stranger: Stranger) -> None:
    """A hundred bodies of eight megabytes, each without its last byte."""
    async with _connections(stranger, 1, None) as (first,):
        token = await stranger.account(first) or "none"
    async with _connections(stranger, 100, None) as connections:
        head = request("POST", "/v1/records", token, b"", media="x-ndjson")
        head = head.replace(b"Content-Length: 0", b"Content-Length: %d" % (_BODY_MEGABYTES << 20))

        async def withhold(connection: Connection) -> None:
            with contextlib.suppress(OSError, TimeoutError):
                await _send(connection, head)
                for _ in range(_BODY_MEGABYTES - 1):
                    await _send(connection, _MEGABYTE)
                await _send(connection, _MEGABYTE[1:])

        await asyncio.gather(*map(withhold, connections))
        await _hold(stranger, connections)


async def unread_pongs(stranger: Stranger) -> None:
    """Sockets that ping without end and read nothing."""
    ping = (frame_head(125, PING) + bytes(125)) * 500

    async def flood() -> None:
        socket = await stranger.websocket("/v1/live", _SMALL_BUFFER)
        if socket is None:
            return
        try:
            async with asyncio.timeout(_HOLD_SECONDS):
                while True:
                    await socket.send_bytes(ping)
        except TimeoutError:
            stranger.met["held"] += 1
        except OSError:
            stranger.met["cut"] += 1
        finally:
            socket.cut()

    await asyncio.gather(*(flood() for _ in range(5)))


async def unread_answers(stranger: Stranger) -> None:
    """Large answers, asked for again and again on one connection, and never read."""
    async with _connections(stranger, 20, _SMALL_BUFFER) as connections:
        for each in connections:
            each.writer.write(request("GET", "/openapi.json") * 50)
            each.reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001
        await _hold(stranger, connections)


async def unread_streams(stranger: Stranger) -> None:
    """Streams of the newest games' events, which are never read."""
    async with _connections(stranger, 1, None) as (first,):
        answer = await stranger.ask(first, "GET", "/v1/games?limit=20")
        games = [each["id"] for each in answer.json["games"]] if answer.status == 200 else []
    async with _connections(stranger, max(1, len(games)), _SMALL_BUFFER) as connections:
        for each, game in zip(connections, games, strict=False):
            plain = request("GET", f"/v1/games/{game}/events")
            each.writer.write(plain.replace(b"\r\n\r\n", b"\r\nAccept: text/event-stream\r\n\r\n"))
            each.reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001
        await _hold(stranger, connections)


async def slow_heads(stranger: Stranger) -> None:
    """Requests whose heads arrive a byte at a time."""
    async with _connections(stranger, 100, None) as connections:
        for byte in b"GET /healthz HTTP/1.1\r\nHost: x\r\n":
            for each in connections:
                each.writer.write(bytes([byte]))
            await stranger.pause(1.0)
        await _hold(stranger, connections)


async def endless_fragments(stranger: Stranger) -> None:
    """A message of fragments, empty ones too, that never ends."""
    socket = await stranger.websocket("/v1/live")
    if socket is None:
        return
    try:
        async with asyncio.timeout(_HOLD_SECONDS):
            await socket.send_bytes(b"\x01\x81" + bytes(4) + b"a")  # a text that goes on
            while True:
                await socket.send_bytes((b"\x00\x80" + bytes(4)) * 500)
                await asyncio.sleep(0)
    except TimeoutError:
        stranger.met["held"] += 1
    except OSError:
        stranger.met["cut"] += 1
    finally:
        socket.cut()
