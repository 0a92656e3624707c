"""Watchers in a process of their own: `python -m tests.bench.crowd PORT PATH COUNT`.

They are bare sockets, so that what is measured is the sender. For each line on standard input, a text that the last
frame to wait for holds, a line is printed when every watcher has had it: the time, and the bytes that each one got.
"""

from __future__ import annotations

import base64
import os
import selectors
import socket
import sys
import time

from tests.harness.raw import PONG, frame_head


def joined(port: int, path: str) -> socket.socket:
    """A watcher that has had its first frame."""
    sock = socket.create_connection(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    sock.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    read_past(sock, b"\r\n\r\n")
    first = b'{"type":"auth"}'
    sock.sendall(frame_head(len(first)) + first)
    read_past(sock, b"")
    sock.setblocking(False)  # noqa: FBT003 - as the socket has it
    return sock


def read_past(sock: socket.socket, mark: bytes) -> None:
    """Read something, until a mark has come."""
    received = b""
    while not received or mark not in received:
        data = sock.recv(65_536)
        assert data, received
        received += data


class Crowd:
    """Watchers who count what they get."""

    def __init__(self, watchers: list[socket.socket]) -> None:
        self.watchers = watchers
        self._last = b""
        self._received: dict[socket.socket, int] = {}
        self._tails: dict[socket.socket, bytes] = {}
        self._waiting: set[socket.socket] = set()

    def wait_for(self, last: bytes) -> None:
        """Count anew, until every watcher has had a text."""
        self._last = last
        self._received = dict.fromkeys(self.watchers, 0)
        self._tails = dict.fromkeys(self.watchers, b"")
        self._waiting = set(self.watchers)

    def read(self, sock: socket.socket) -> None:
        """Take what has come; tells when it was the last that was waited for."""
        data = sock.recv(262_144)
        assert data, f"a watcher was closed after {self._tails.get(sock, b'')!r}"
        if (ping := data.find(b"\x89\x04")) >= 0:  # which is in no text of ASCII
            sock.sendall(frame_head(4, PONG) + data[ping + 2 : ping + 6])
        if sock not in self._waiting:
            return
        self._received[sock] += len(data)
        if self._last in self._tails[sock] + data:  # which may come in two parts
            self._waiting.remove(sock)
            if not self._waiting:
                print(time.monotonic(), min(self._received.values()), max(self._received.values()), flush=True)
        self._tails[sock] = data[-len(self._last) :]


def main(port: int, path: str, count: int) -> None:
    """Watch until standard input ends."""
    crowd = Crowd([joined(port, path) for _ in range(count)])
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    for watcher in crowd.watchers:
        selector.register(watcher, selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        for key, _ in selector.select():
            if isinstance(key.fileobj, socket.socket):
                crowd.read(key.fileobj)
            elif line := sys.stdin.readline():
                crowd.wait_for(line.strip().encode())
            else:
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
