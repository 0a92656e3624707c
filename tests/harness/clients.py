"""Clients on plain blocking sockets, to be run in a thread: they leave nothing behind in the process they share."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from tests.harness.raw import CLOSE, RawSocket, frame_head


class BlockingClient:
    """One connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), timeout=20)

    def send(self, data: bytes) -> None:
        self._sock.sendall(data)

    def read_until(self, end: bytes) -> None:
        """Read up to some bytes, and what came with them."""
        received = b""
        while end not in received:
            data = self._sock.recv(65_536)
            assert data, received
            received += data

    def read_to_end(self) -> None:
        """Read until the server closes the connection."""
        with suppress(ConnectionResetError):
            while self._sock.recv(65_536):
                pass

    def close_frame(self) -> None:
        """Close a websocket, or answer the server's close frame."""
        self.send(frame_head(2, CLOSE) + struct.pack("!H", 1000))
        self.read_to_end()

    def half_close(self) -> None:
        """Send no more, and read what still comes."""
        self._sock.shutdown(socket.SHUT_WR)
        self.read_to_end()

    def reset(self) -> None:
        """Be gone at once: the server sees a reset."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        self._sock.close()


Step: TypeAlias = Callable[[BlockingClient], None]
Steps: TypeAlias = Sequence[Step]

END, RESET, HALF_CLOSE = BlockingClient.read_to_end, BlockingClient.reset, BlockingClient.half_close
CLOSE_FRAME = BlockingClient.close_frame


def run(port: int, steps: Steps) -> None:
    """What a client does with one connection, which it closes at last."""
    client = BlockingClient(port)
    for step in steps:
        step(client)
    client.close()


def send(data: bytes) -> Step:
    return lambda client: client.send(data)


def frames(*payloads: bytes) -> Step:
    return send(b"".join(frame_head(len(each)) + each for each in payloads))


def until(end: bytes) -> Step:
    return lambda client: client.read_until(end)


def http_clients(game: str, token: str) -> dict[str, Steps]:
    """What clients that speak HTTP do with a connection, by what it is called."""

    def request(path: str, *headers: str, method: str = "GET", body: str = "", missing: int = 0) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {token}", *headers]
        lines += ["Content-Type: application/json", f"Content-Length: {len(body) + missing}", "", body]
        return "\r\n".join(lines).encode()

    view, half_a_head = request(game), send(request(game)[:30])
    stream = (send(request(f"{game}/events", "Accept: text/event-stream")), until(b"data:"))
    half_a_body = send(request("/v1/games", method="POST", body='{"title": "spacelab"', missing=9))
    answered = (send(view), until(b"\r\n\r\n"))
    return {
        "silent": (),
        "closed after answers": (*answered, *answered),
        "reset after an answer": (*answered, RESET),
        "closed by the server": (*answered, send(request(game, "Connection: close")), END),
        "closed in a head": (half_a_head,),
        "reset in a head": (half_a_head, RESET),
        "half-closed in a head": (half_a_head, HALF_CLOSE),
        "closed in a body": (half_a_body,),
        "reset in a body": (half_a_body, RESET),
        "half-closed in a body": (half_a_body, HALF_CLOSE),
        "reset before the answer": (send(view), RESET),
        "reset in an answer": (send(request("/openapi.json") * 40), RESET),
        "half-closed behind a request": (send(view), HALF_CLOSE),
        "closed behind pipelined requests": (send(view * 5),),
        "half-closed behind pipelined requests": (send(view * 5), HALF_CLOSE),
        "no request": (send(b"NONSENSE\r\n\r\n"), END),
        "no request behind one": (send(view + b"NONSENSE\r\n\r\n"), END),
        "a head that is too large": (send(b"GET / HTTP/1.1\r\nA: " + b"a" * 70_000), END),
        "HTTP/1.0": (send(view.replace(b"HTTP/1.1", b"HTTP/1.0")), END),
        "an upgrade to HTTP/2": (send(request(game, "Connection: upgrade, close", "Upgrade: h2c")), END),
        "a stream that its client closes": stream,
        "a stream that its client resets": (*stream, RESET),
        "a stream with a half-closed client": (*stream, HALF_CLOSE),
    }


def socket_clients(game: str, token: str) -> dict[str, Steps]:
    """The same, of clients that ask for a websocket."""
    identity = json.dumps({"type": "auth", "token": token}).encode()
    subscription = json.dumps({"type": "subscribe", "game": game.rpartition("/")[2]}).encode()
    feeds = [json.dumps({"type": "follow", "feed": feed}).encode() for feed in ("lobby", "account")]

    def opened(path: str) -> Steps:
        return (send(RawSocket.request(path)), until(b"101 Switching"))

    handshake, live = RawSocket.request("/v1/live"), opened("/v1/live")
    subscribed = (*live, frames(identity, subscription), until(b'"hello"'))
    following = (*live, frames(identity, *feeds), until(b'"account"'))
    return {
        "a reset in the handshake": (send(handshake[:60]), RESET),
        "a reset behind the handshake": (send(handshake), RESET),
        "a path that has no socket": (send(RawSocket.request("/nowhere")), END),
        "a handshake without a key": (send(handshake.replace(b"Sec-WebSocket-Key", b"X")), END),
        "a handshake of another version": (send(handshake.replace(b"Version: 13", b"Version: 8")), END),
        "a websocket that its client closes": (*live, CLOSE_FRAME),
        "a websocket whose connection is closed": live,
        "a websocket that is reset": (*live, RESET),
        "a half-closed websocket": (*live, HALF_CLOSE),
        "subscribed, closed": (*subscribed, CLOSE_FRAME),
        "subscribed, reset": (*subscribed, RESET),
        "following, closed": (*following, CLOSE_FRAME),
        "following, reset": (*following, RESET),
        "reset while subscribing": (*live, frames(identity, subscription, *feeds), RESET),
        "the socket of a game": (*opened(f"{game}/live"), frames(identity), until(b'"hello"'), CLOSE_FRAME),
        "closed for the game": (*opened("/v1/games/none/live"), frames(b"{}"), until(b"such"), CLOSE_FRAME),
        "closed for the token": (
            *live, frames(identity.replace(b"tl_", b"tl_0")), until(b"invalid-token"), CLOSE_FRAME
        ),
        "a frame that is refused": (*live, frames(b"{}"), until(b"invalid-frame"), CLOSE_FRAME),
        "a frame without a mask": (*live, send(frame_head(2, masked=False) + b"{}"), END),
        "a frame that is too large": (*live, frames(bytes(70_000)), END),
        "a fragment": (*live, send(frame_head(100, last=False) + bytes(50)), RESET),
    }  # fmt: skip
