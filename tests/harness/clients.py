"""Clients on plain blocking sockets, to be run in a thread: they leave nothing behind in the process they share."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from tests.harness.raw import CLOSE, TEXT, RawSocket, frame_head


class BlockingClient:
    """One connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port), timeout=20)

    def send(self, data: bytes) -> None:
        self._sock.sendall(data)

    def send_frame(self, payload: bytes, opcode: int = TEXT, *, masked: bool = True) -> None:
        """Send a frame of a websocket."""
        self.send(frame_head(len(payload), opcode, masked=masked) + payload)

    def read_until(self, end: bytes) -> bytes:
        """All up to some bytes and what came with them, or up to the end of the connection."""
        received = b""
        while end not in received and (data := self._sock.recv(65_536)):
            received += data
        return received

    def read_to_end(self) -> bytes:
        """All that comes until the server closes the connection."""
        received = b""
        with suppress(ConnectionResetError):
            while data := self._sock.recv(65_536):
                received += data
        return received

    def upgrade(self, path: str) -> None:
        """Become a websocket."""
        self.send(RawSocket.request(path))
        assert self.read_until(b"\r\n\r\n").startswith(b"HTTP/1.1 101 ")

    def close_frame(self) -> None:
        """Close a websocket, and read what comes until the connection ends."""
        self.send_frame(struct.pack("!H", 1000), CLOSE)
        self.read_to_end()

    def half_close(self) -> None:
        self._sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._sock.close()

    def reset(self) -> None:
        """Be gone at once: the server sees a reset."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._sock.close()


Behaviour = Callable[[BlockingClient], None]


def http_behaviours(game: str, token: str) -> dict[str, Behaviour]:
    """What clients that speak HTTP do with a connection, by what it is called; all of it ends the connection."""
    authorization = f"Authorization: Bearer {token}\r\n"

    def request(path: str, *headers: str, body: str = "", method: str = "GET", length: int | None = None) -> bytes:
        length = len(body) if length is None else length
        lines = f"{method} {path} HTTP/1.1\r\nHost: x\r\n{''.join(each + chr(13) + chr(10) for each in headers)}"
        return f"{lines}{authorization}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}".encode()

    opening = json.dumps({"title": "spacelab", "seats": 2})
    view, stream = request(game), request(f"{game}/events", "Accept: text/event-stream")

    def answered(client: BlockingClient) -> None:
        client.send(view)
        client.read_until(b"\r\n\r\n")

    def closed_after_an_answer(client: BlockingClient) -> None:
        answered(client)
        answered(client)
        client.close()

    def reset_after_an_answer(client: BlockingClient) -> None:
        answered(client)
        client.reset()

    def closed_by_the_server(client: BlockingClient) -> None:
        answered(client)
        client.send(request(game, "Connection: close"))
        client.read_to_end()
        client.close()

    def silent(client: BlockingClient) -> None:
        client.close()

    def sending(data: bytes, *, then: Callable[[BlockingClient], None]) -> Behaviour:
        def behave(client: BlockingClient) -> None:
            client.send(data)
            then(client)

        return behave

    def read_and_close(client: BlockingClient) -> None:
        client.read_to_end()
        client.close()

    def half_closed(client: BlockingClient) -> None:
        client.half_close()
        read_and_close(client)

    def begun(then: Callable[[BlockingClient], None]) -> Callable[[BlockingClient], None]:
        def behave(client: BlockingClient) -> None:
            client.read_until(b"event: hello" if False else b"data:")
            then(client)

        return behave

    post = request("/v1/games", body=opening, method="POST", length=len(opening) + 9)
    return {
        "closed after an answer": closed_after_an_answer,
        "reset after an answer": reset_after_an_answer,
        "closed by the server": closed_by_the_server,
        "silent": silent,
        "closed in a head": sending(view[:30], then=BlockingClient.close),
        "reset in a head": sending(view[:30], then=BlockingClient.reset),
        "closed in a body": sending(post, then=BlockingClient.close),
        "reset in a body": sending(post, then=BlockingClient.reset),
        "reset before the answer": sending(view, then=BlockingClient.reset),
        "reset in an answer": sending(request("/openapi.json") * 40, then=BlockingClient.reset),
        "closed behind pipelined requests": sending(view * 5, then=BlockingClient.close),
        "half-closed behind a request": sending(view, then=half_closed),
        "half-closed behind pipelined requests": sending(view * 5, then=half_closed),
        "half-closed in a head": sending(view[:30], then=half_closed),
        "half-closed in a body": sending(post, then=half_closed),
        "no request": sending(b"NONSENSE\r\n\r\n", then=read_and_close),
        "no request behind one": sending(view + b"NONSENSE\r\n\r\n", then=read_and_close),
        "a head that is too large": sending(b"GET / HTTP/1.1\r\nA: " + b"a" * 70_000, then=read_and_close),
        "HTTP/1.0": sending(view.replace(b"HTTP/1.1", b"HTTP/1.0"), then=read_and_close),
        "an upgrade to HTTP/2": sending(
            request(game, "Connection: upgrade, close", "Upgrade: h2c"), then=read_and_close
        ),
        "a stream that its client closes": sending(stream, then=begun(BlockingClient.close)),
        "a stream that its client resets": sending(stream, then=begun(BlockingClient.reset)),
        "a stream with a half-closed client": sending(stream, then=begun(half_closed)),
    }


def socket_behaviours(game: str, token: str) -> dict[str, Behaviour]:
    """As `http_behaviours`, of clients that ask for a websocket."""
    identity = json.dumps({"type": "auth", "token": token}).encode()
    subscribe = json.dumps({"type": "subscribe", "game": game.rpartition("/")[2]}).encode()
    lobby, account = (json.dumps({"type": "follow", "feed": feed}).encode() for feed in ("lobby", "account"))

    def asking(request: bytes) -> Behaviour:
        def behave(client: BlockingClient) -> None:
            client.send(request)
            assert not client.read_to_end().startswith(b"HTTP/1.1 101 ")
            client.close()

        return behave

    def conversing(
        *frames: bytes, then: Callable[[BlockingClient], None], until: bytes = b"", path: str = "/v1/live"
    ) -> Behaviour:
        def behave(client: BlockingClient) -> None:
            client.upgrade(path)
            for frame in frames:
                client.send_frame(frame)
            if until:
                assert until in client.read_until(until)
            then(client)

        return behave

    def close_frame(client: BlockingClient) -> None:
        client.close_frame()
        client.close()

    def read_and_close(client: BlockingClient) -> None:
        client.read_to_end()
        client.close()

    def unmasked(client: BlockingClient) -> None:
        client.send_frame(subscribe, masked=False)
        read_and_close(client)

    def too_large(client: BlockingClient) -> None:
        client.send_frame(bytes(70_000))
        read_and_close(client)

    def fragment(client: BlockingClient) -> None:
        client.send(frame_head(100, last=False) + bytes(50))
        client.reset()

    def half_closed(client: BlockingClient) -> None:
        client.half_close()
        read_and_close(client)

    handshake = RawSocket.request("/v1/live")
    watching, following = (identity, subscribe), (identity, lobby, account)
    return {
        "a websocket that its client closes": conversing(then=close_frame),
        "a websocket whose connection is closed": conversing(then=BlockingClient.close),
        "a websocket that is reset": conversing(then=BlockingClient.reset),
        "a half-closed websocket": conversing(then=half_closed),
        "a reset in the handshake": conversing_not(handshake[:60]),
        "a reset behind the handshake": conversing_not(handshake),
        "subscribed, closed": conversing(*watching, until=b'"hello"', then=close_frame),
        "subscribed, reset": conversing(*watching, until=b'"hello"', then=BlockingClient.reset),
        "following, closed": conversing(*following, until=b'"account"', then=close_frame),
        "following, reset": conversing(*following, until=b'"account"', then=BlockingClient.reset),
        "reset while subscribing": conversing(*watching, *following[1:], then=BlockingClient.reset),
        "the socket of a game": conversing(identity, path=f"{game}/live", until=b'"hello"', then=close_frame),
        "the socket of no game": conversing(subscribe, path="/v1/games/none/live", until=b"no-such-game", then=close_frame),
        "an invalid token": conversing(identity.replace(b"tl_", b"tl_0"), until=b"invalid-token", then=close_frame),
        "a frame that is refused": conversing(b"{}", until=b"invalid-frame", then=close_frame),
        "a frame without a mask": conversing(then=unmasked),
        "a frame that is too large": conversing(then=too_large),
        "a fragment": conversing(then=fragment),
        "a path that has no socket": asking(RawSocket.request("/nowhere")),
        "a handshake without a key": asking(handshake.replace(b"Sec-WebSocket-Key", b"X")),
        "a handshake of another version": asking(handshake.replace(b"Version: 13", b"Version: 8")),
    }


def conversing_not(data: bytes) -> Behaviour:
    """Send some bytes and be gone."""

    def behave(client: BlockingClient) -> None:
        client.send(data)
        client.reset()

    return behave
