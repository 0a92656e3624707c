"""uvicorn's websocket protocol (`websockets-sansio`), taken by its documented option `ws`, with what ASGI cannot do.

An application finds it in the scope (`pipe(scope)`). It

- writes frames that were serialized once for all, without waiting, and reports whether the transport takes more
  (`ready`) and when it does again (`on_writable`);
- closes with a code, and cuts the connection of a peer that does not take the close frame within `CUT_SECONDS`, however
  it was closed: uvicorn waits until its buffer is flushed, which never happens if the peer does not read;
- keeps what the kernel buffers for such a peer to `KERNEL_BYTES` instead of some 4 MB;
- answers what does not become a websocket with a problem.

Each override of uvicorn's methods names its case; uvicorn is pinned, and
tests/service/transport/test_websocket_protocol.py holds each of them.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio.transports import BaseTransport
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidMessage
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from service.problems import (
    Refusal,
    handshake_too_large,
    headers_of,
    last_answer,
    no_such_socket,
    not_a_handshake,
)
from service.transport.close_codes import GOING_AWAY, Close
from service.transport.connections import peers_of
from service.transport.cors import cors_headers
from service.transport.pace import Pace
from service.transport.request_head import origin_of

CLIENT_FRAME_BYTES = 65_536
"""The largest frame that a client may send; a larger one is answered with 1009."""

CUT_SECONDS = 3.0
"""How long a peer has to take a close frame."""

KERNEL_BYTES = 131_072

PING_SECONDS = 20.0

_BIT_BYTES = 1_024  # parsed at once

_FRAGMENTS = 256
_SWITCHING = 101

_EXTENSION = "tablelog.pipe"


class SocketProtocol(WebSocketsSansIOProtocol):
    """One websocket."""

    on_writable: Callable[[], None] | None = None
    """Called when the transport takes data again."""

    waiting = 0
    _cut: asyncio.TimerHandle | None = None
    _pong = b""  # to the latest ping, while the transport takes nothing
    _parsing: asyncio.Handle | None = None
    _rest = 0.0  # seconds to wait before more data is parsed

    @property
    def held(self) -> int:
        """Bytes received and not taken yet, and those that wait to be sent."""
        received = len(self._unparsed) + len(self.conn.reader.buffer) + sum(map(len, self.frames))
        return received + self.waiting + len(self._pong)

    def shed(self) -> None:
        self.transport.abort()

    @property
    def ready(self) -> bool:
        """Whether the transport takes more data."""
        return self.writable.is_set() and not self.close_sent and not self.transport.is_closing()

    def send_frames(self, data: bytes) -> None:
        """Send serialized frames (`text_frame`); to be called while `ready`."""
        self.transport.write(data)

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._unparsed = bytearray()
        self._pace = Pace()
        self._peers = peers_of(server_state)

    def close_for(self, close: Close) -> None:
        """Send a close frame, and cut the connection if the peer does not answer it."""
        if self.conn.state is not State.OPEN or not self.handshake_complete or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.name})
        self.conn.send_close(close.code, close.name)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # or the answer to the close frame would not be read
            self.read_paused = False
            self.transport.resume_reading()
        if self._unparsed:
            self._parse_soon()
        # With a close timer set, uvicorn leaves the transport open until the peer has answered.
        self.close_timer = self.loop.call_later(CUT_SECONDS, self.transport.abort)

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection, and bound what the kernel buffers."""
        super().connection_made(transport)
        self._peers.join(self)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        """Break reference cycles, which only the garbage collector would find."""
        self._peers.leave(self)
        if self._parsing is not None:
            self._parsing.cancel()
        super().connection_lost(exc)
        self.on_writable = None
        if self._cut is not None:
            self._cut.cancel()
        self.conn.parser.close()
        self.conn.parser_exc = self.conn.handshake_exc = None

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Break the cycle through the scope."""
        super().on_task_complete(task)
        self.scope = None  # type: ignore[assignment]

    def _refuse_handshake(self, what: Refusal, origin: bytes | None) -> None:
        cors = cors_headers(self._peers.origins, origin)
        self.transport.write(last_answer(what, *self.default_headers, *cors))
        self.transport.close()

    def handle_connect(self, event: Request) -> None:
        """Put this object into the scope, and answer what is not a handshake with a problem, not with text."""
        if self.conn.accept(event).status_code != _SWITCHING:
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            origin = event.headers.get("Origin")
            self._refuse_handshake(not_a_handshake(), None if origin is None else origin.encode("latin-1"))
            return
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"] = {**(self.scope.get("extensions") or {}), _EXTENSION: {"pipe": self}}

    async def send(self, message: Any) -> None:
        """Answer a path without a socket with a problem, and notice a client that left during the handshake."""
        if self.handshake_complete or self.initial_response is not None:
            await super().send(message)
            return
        if self.transport.is_closing():  # uvicorn would wait for the end of the handshake
            raise ClientDisconnected
        if message["type"] != "websocket.close":
            await super().send(message)
            return
        await self.refuse(no_such_socket())

    async def refuse(self, what: Refusal) -> None:
        """Answer the handshake with a problem; raises `ClientDisconnected`."""
        cors = cors_headers(self._peers.origins, origin_of(list(self.scope["headers"]), b""))
        headers = [*headers_of(what), *cors]
        await super().send({"type": "websocket.http.response.start", "status": what.status, "headers": headers})
        await super().send({"type": "websocket.http.response.body", "body": what.body})
        self.handshake_complete = True

    def pause_writing(self) -> None:
        """Report a peer that reads too slowly, between the rounds of `Peers`."""
        super().pause_writing()
        self._peers.swell(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Send what has waited for room."""
        super().resume_writing()
        if self._pong:
            pong, self._pong = self._pong, b""
            self.transport.write(pong)
        if self.on_writable is not None:
            self.on_writable()

    def handle_ping(self) -> None:
        """Answer only the latest ping of a peer that does not read (RFC 6455, 5.5.3)."""
        pongs = self.conn.data_to_send()  # at the first of several pings in a packet, those to all
        if self.writable.is_set():
            self.transport.write(b"".join(pongs))
        elif pongs:
            self._pong = pongs[-1]

    def handle_cont(self, event: Frame) -> None:
        """Join many small fragments: a list of them would be much larger than the message."""
        super().handle_cont(event)
        if len(self.frames) > _FRAGMENTS:
            self.frames = [b"".join(self.frames)]

    async def receive(self) -> Any:
        """Parse on once the application has received all messages."""
        message = await super().receive()
        if self._unparsed:
            self._parse_soon()
        return message

    def data_received(self, data: bytes) -> None:
        """Parse bit by bit: thousands of frames may share a packet."""
        if self._unparsed or self._parsing or (self.handshake_initiated and len(data) > _BIT_BYTES):
            self._unparsed += data
            self._parse_soon()
        else:
            self._take(data)
            if self._rest:
                self._parse_soon()

    def _parse_soon(self) -> None:
        if not self.transport.is_closing():
            self.transport.pause_reading()
        if self._parsing is None:
            self._parsing = self._later()

    def _later(self) -> asyncio.Handle:
        """Parse more in the next turn of the loop, or when the peer has used no more than its share of time."""
        return self.loop.call_later(self._rest, self._parse_on) if self._rest else self.loop.call_soon(self._parse_on)

    def _parse_on(self) -> None:
        self._parsing = None
        if self.transport.is_closing():
            self._unparsed.clear()
        elif not self.read_paused:  # else `receive` goes on
            data = bytes(self._unparsed[:_BIT_BYTES])
            del self._unparsed[:_BIT_BYTES]
            self._rest = 0.0
            if data:
                self._take(data)
            if self._unparsed or self._rest:
                self._parsing = self._later()
            elif not (self.read_paused or self.transport.is_closing()):
                self.transport.resume_reading()

    def _take(self, data: bytes) -> None:
        """Parse data; after a frame that broke the protocol it is discarded."""
        if self.conn.parser_exc is None:
            self._pace.begin()
            super().data_received(data)
            self._rest = self._pace.rest()
        if self.conn.handshake_exc is not None and not self.handshake_initiated and not self.transport.is_closing():
            malformed = isinstance(self.conn.handshake_exc, InvalidMessage)
            what = not_a_handshake() if malformed else handshake_too_large()
            self._refuse_handshake(what, origin_of(None, data))

    def handle_parser_exception(self) -> None:
        """Let the close code arrive: closing with unread bytes would reset the connection."""
        closed = self.conn.close_sent
        if closed is None or self.close_sent:
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": int(closed.code), "reason": closed.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.close_timer = self.loop.call_later(CUT_SECONDS, self.transport.abort)

    def send_receive_event_to_app(self) -> None:
        """Close for text that is not UTF-8, which uvicorn would log as an error of its own."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def handle_close(self, event: Frame) -> None:
        """Cut a peer that closes and does not read."""
        super().handle_close(event)
        self._cut_soon()

    def keepalive_timeout(self) -> None:
        """Cut a peer that answers no ping and does not read."""
        super().keepalive_timeout()
        self._cut_soon()

    def shutdown(self) -> None:
        """Close with a code to retry; called before the application is stopped."""
        if self.handshake_complete:
            self.close_for(GOING_AWAY)
        else:
            self.stop_keepalive()
            self.transport.close()
            self._cut_soon()

    def _cut_soon(self) -> None:
        if self._cut is None:
            self._cut = self.loop.call_later(CUT_SECONDS, self.transport.abort)


def uvicorn_options() -> dict[str, Any]:
    """The options that uvicorn must be started with."""
    return {
        "ws": SocketProtocol,
        "ws_max_size": CLIENT_FRAME_BYTES,
        # A frame is serialized once for all; compressing it for each connection would cost what that saves.
        "ws_per_message_deflate": False,
        "ws_ping_interval": PING_SECONDS,
        "ws_ping_timeout": PING_SECONDS,
    }


def pipe(scope: Mapping[str, Any]) -> SocketProtocol:
    """The protocol of a websocket scope."""
    extensions: Mapping[str, Mapping[str, SocketProtocol]] = scope.get("extensions") or {}
    if _EXTENSION not in extensions:
        message = "start uvicorn with the options of service.transport.websocket_protocol.uvicorn_options()"
        raise RuntimeError(message)
    return extensions[_EXTENSION]["pipe"]


def text_frame(payload: bytes) -> bytes:
    """A serialized text frame, for any number of clients."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)
