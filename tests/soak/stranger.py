"""An attacker: connections from a few addresses of its own, on which everything is sent by hand."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import secrets
import socket
import time
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from tests.harness.raw import RawSocket

ADDRESSES = 3


class Answer:
    """The status and body of an answer."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self._body = body

    @property
    def json(self) -> Any:
        """The decoded body."""
        return json.loads(self._body)


class Connection:
    """A connection over which requests go one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def close(self) -> None:
        """Reset the connection, leaving nothing behind on this side."""
        transport = self.writer.transport
        assert isinstance(transport, asyncio.WriteTransport)
        transport.abort()


class Stranger:
    """One attacker, until its time is up. `met` counts what it was answered."""

    def __init__(self, url: str, network: str, end: float, met: Counter[str]) -> None:
        self.met = met
        self._network = network
        self._end = end
        self._port = urlsplit(url).port or 80
        self._next = 0

    @property
    def seconds_left(self) -> float:
        """How long it may go on."""
        return max(0.0, self._end - time.monotonic())

    @property
    def has_time(self) -> bool:
        """Whether it may go on."""
        return self.seconds_left > 0

    async def pause(self, seconds: float) -> None:
        """Sleep, at most until the end."""
        await asyncio.sleep(min(seconds, self.seconds_left))

    def _address(self) -> tuple[str, int]:
        self._next += 1
        return (f"{self._network}.{self._next % ADDRESSES + 1}", 0)

    async def connect(self, receive_buffer: int | None = None) -> Connection:
        """A connection from the next of its addresses."""
        sock = await self.raw(receive_buffer)
        reader, writer = await asyncio.open_connection(sock=sock)
        return Connection(reader, writer)

    async def raw(self, receive_buffer: int | None = None) -> socket.socket:
        """A bare connected socket."""
        sock = socket.socket()
        sock.setblocking(False)  # noqa: FBT003 - as the socket has it
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            sock.bind(self._address())
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self._port))
        except OSError:
            sock.close()
            raise
        return sock

    async def websocket(self, path: str, receive_buffer: int | None = None) -> RawSocket | None:
        """A websocket, or None if it was refused, which is counted."""
        sock = await self.raw(receive_buffer)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(sock, RawSocket.request(path))
        head = b""
        while b"\r\n\r\n" not in head:
            data = await loop.sock_recv(sock, 1)
            if not data:
                break
            head += data
        status = head[9:12].decode() or "closed"
        self.met[status] += 1
        if status != "101":
            sock.close()
            return None
        return RawSocket(sock)

    async def ask(
        self, connection: Connection, method: str, path: str, token: str | None = None, body: object = None
    ) -> Answer:
        """Send a request and read its answer, which is counted."""
        connection.writer.write(request(method, path, token, body))
        return await self.answer(connection)

    async def answer(self, connection: Connection) -> Answer:
        """Read the next answer, which is counted."""
        head = (await connection.reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split(b" ", 2)[1])
        _, known, rest = head.partition(b"content-length:")
        body = await connection.reader.readexactly(int(rest.split(b"\r\n", 1)[0])) if known and status != 304 else b""
        self.met[str(status)] += 1
        return Answer(status, body)

    async def account(self, connection: Connection) -> str | None:
        """The token of a new account, or None if none was made."""
        made = await self.ask(connection, "POST", "/v1/accounts", body={"name": f"x {secrets.token_hex(8)}"})
        return made.json["token"] if made.status == 201 else None


def request(method: str, path: str, token: str | None = None, body: object = None, media: str = "json") -> bytes:
    """The bytes of a request."""
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: tablelog"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += [f"Content-Type: application/{media}", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


def random_token() -> str:
    """A token that nobody has."""
    return "tl_" + base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
