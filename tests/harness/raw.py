"""A websocket client without a library, for peers that behave badly: it reads only when told to."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Received(NamedTuple):
    """One frame of the server."""

    opcode: int
    payload: bytes

    @property
    def close_code(self) -> int:
        """The code of a close frame."""
        assert self.opcode == CLOSE, self
        return int(struct.unpack("!H", self.payload[:2])[0])


class RawSocket:
    """A connection after its handshake. Nothing is read, and no ping is answered, unless a test does so."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._buffer = b""

    async def send(self, payload: bytes, opcode: int = TEXT, *, masked: bool = True) -> None:
        """Send one frame."""
        await self.send_bytes(frame_head(len(payload), opcode, masked=masked) + payload)

    async def send_bytes(self, data: bytes) -> None:
        """Send whatever this is."""
        await asyncio.get_running_loop().sock_sendall(self._sock, data)

    async def receive(self) -> Received:
        """The next frame; raises `ConnectionError` where there is none."""
        first, length = await self._read(2)
        if length == 126:
            (length,) = struct.unpack("!H", await self._read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", await self._read(8))
        return Received(first & 15, await self._read(length))

    async def receive_all(self) -> list[Received]:
        """All frames until the connection ends."""
        frames: list[Received] = []
        try:
            while True:
                frames.append(await self.receive())
        except ConnectionError:
            return frames

    def cut(self) -> None:
        """Be gone at once: the peer sees a reset."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._sock.close()

    @staticmethod
    def request(path: str) -> bytes:
        """What a client sends to become a websocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        return (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()

    async def _read(self, count: int) -> bytes:
        while len(self._buffer) < count:
            data = await asyncio.get_running_loop().sock_recv(self._sock, 65_536)
            if not data:
                raise ConnectionResetError
            self._buffer += data
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    async def handshake(self, path: str) -> None:
        """Become a websocket."""
        await self.send_bytes(self.request(path))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += await self._read(1)
        assert answer.startswith(b"HTTP/1.1 101 "), answer


def frame_head(length: int, opcode: int = TEXT, *, masked: bool = True, last: bool = True) -> bytes:
    """The head of a frame, or of a fragment that is not the last; its mask, if any, is zero and changes nothing."""
    mark = 128 if masked else 0
    opcode |= 128 if last else 0
    if length < 126:
        head = struct.pack("!BB", opcode, mark | length)
    elif length < 65_536:
        head = struct.pack("!BBH", opcode, mark | 126, length)
    else:
        head = struct.pack("!BBQ", opcode, mark | 127, length)
    return head + (bytes(4) if masked else b"")


@asynccontextmanager
async def raw_socket(port: int, path: str, receive_buffer: int = 4_096) -> AsyncGenerator[RawSocket]:
    """A websocket on a port of this machine, with as little room for what is not read as the kernel allows."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(0)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        raw = RawSocket(sock)
        await raw.handshake(path)
        yield raw
