"""uvicorn's websocket protocol (`websockets-sansio`), with what a feed needs beyond ASGI.

ASGI can send one message and wait. It cannot say that a peer has stopped reading, hand the same encoded frame to five
hundred connections, or cut one; and uvicorn closes a transport only after its buffer is flushed, which never happens
when the peer does not read. So this subclass, which uvicorn takes by its documented option `ws`, puts itself into the
scope as an extension (`pipe(scope)`), and:

- writes frames that were serialized once, without waiting, and says whether the transport takes more (`ready`) and when
  it does again (`on_writable`);
- closes with a code, and cuts the connection when the peer has not taken the close frame `CUT_SECONDS` later. The same
  holds for every other way in which uvicorn closes a socket;
- keeps what the kernel buffers for a peer that never reads to `KERNEL_BYTES` (by itself it grows to some 4 MB);
- reads and discards what follows a frame that was too large, so that the close code arrives before the reset;
- answers with a problem where the application closes a socket that it has not accepted: it knows no such path.

It relies on attributes of the class that are not promised (uvicorn is pinned):
tests/service/transport/test_websocket_protocol.py holds each of them to what is said here.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio.transports import BaseTransport
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

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
    fault,
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
"""How long a peer has for taking a close frame."""

KERNEL_BYTES = 131_072

PING_SECONDS = 20.0

_BIT_BYTES = 1_024
"""How much is parsed at once."""

_FRAGMENTS = 256
_SWITCHING = 101

_EXTENSION = "tablelog.pipe"


class Options(TypedDict):
    """The part of uvicorn's options that this protocol needs."""

    ws: type[asyncio.Protocol]
    ws_max_size: int
    ws_per_message_deflate: bool
    ws_ping_interval: float
    ws_ping_timeout: float


class SocketProtocol(WebSocketsSansIOProtocol):
    """One websocket of a client."""

    on_writable: Callable[[], None] | None = None
    """Called when the transport takes data again."""

    waiting = 0

    _cut: asyncio.TimerHandle | None = None
    _pong = b""
    """The answer to the peer's latest ping, while the transport takes nothing."""

    _parsing: asyncio.Handle | None = None
    _rest = 0.0
    """Seconds to wait before more of what the peer has sent is parsed."""

    @property
    def held(self) -> int:
        """Bytes that the peer has sent and nobody has taken, and those that wait to be sent to it."""
        received = len(self._unparsed) + len(self.conn.reader.buffer) + sum(map(len, self.frames))
        return received + self.waiting + len(self._pong)

    def shed(self) -> None:
        """Free what is held for the peer."""
        self.transport.abort()

    @property
    def ready(self) -> bool:
        """Whether data that is written now goes out before much else does."""
        return self.writable.is_set() and not self.close_sent and not self.transport.is_closing()

    def send_frames(self, data: bytes) -> None:
        """Send frames that are serialized already (`text_frame`); to be called while `ready`."""
        self.transport.write(data)

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._unparsed = bytearray()
        self._pace = Pace()
        self._peers = peers_of(server_state)

    def close_for(self, close: Close) -> None:
        """Send a close frame after all that was sent, and cut the connection if the peer does not answer it."""
        if self.conn.state is not State.OPEN or not self.handshake_complete or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.name})
        self.conn.send_close(close.code, close.name)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # or the answer to the close frame would never be seen
            self.read_paused = False
            self.transport.resume_reading()
        if self._unparsed:
            self._parse_soon()
        # With a close timer set, uvicorn leaves the transport open until the peer has answered.
        self.close_timer = self.loop.call_later(CUT_SECONDS, self.transport.abort)

    def connection_made(self, transport: BaseTransport) -> None:
        """Bound what the kernel buffers."""
        super().connection_made(transport)
        self._peers.join(self)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the connection: what refers back to it would wait for the cyclic garbage collector."""
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
        """Drop the scope, which leads back here."""
        super().on_task_complete(task)
        self.scope = None  # type: ignore[assignment]

    def _refuse_handshake(self, what: Refusal, origin: bytes | None) -> None:
        cors = cors_headers(self._peers.origins, origin)
        self.transport.write(last_answer(what, *self.default_headers, *cors))
        self.transport.close()

    def handle_connect(self, event: Request) -> None:
        """Hand the application a scope that leads here."""
        if self.conn.accept(event).status_code != _SWITCHING:  # uvicorn would say so in a text
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            origin = event.headers.get("Origin")
            self._refuse_handshake(not_a_handshake(), None if origin is None else origin.encode("latin-1"))
            return
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"] = {**(self.scope.get("extensions") or {}), _EXTENSION: {"pipe": self}}

    async def send(self, message: Any) -> None:
        """Send what the application says, but nothing into a handshake whose client has gone."""
        if self.handshake_complete or self.initial_response is not None:
            await super().send(message)
            return
        if self.transport.is_closing():  # uvicorn would wait for an answer to the handshake, and miss it
            raise ClientDisconnected
        if message["type"] != "websocket.close":
            await super().send(message)
            return
        await self.refuse(no_such_socket())

    async def refuse(self, what: Refusal) -> None:
        """Answer the handshake with a problem instead of a socket."""
        cors = cors_headers(self._peers.origins, origin_of(list(self.scope["headers"]), b""))
        headers = [*headers_of(what), *cors]
        await super().send({"type": "websocket.http.response.start", "status": what.status, "headers": headers})
        await super().send({"type": "websocket.http.response.body", "body": what.body})
        self.handshake_complete = True

    def pause_writing(self) -> None:
        """Pass on that there is no room."""
        super().pause_writing()
        self._peers.swell(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Pass on that there is room again."""
        super().resume_writing()
        if self._pong:
            pong, self._pong = self._pong, b""
            self.transport.write(pong)
        if self.on_writable is not None:
            self.on_writable()

    def handle_ping(self) -> None:
        """Answer a ping; of those that come while the peer does not read, the latest (RFC 6455, 5.5.3)."""
        pongs = self.conn.data_to_send()  # with the first of several pings that came together, those to all of them
        if self.writable.is_set():
            self.transport.write(b"".join(pongs))
        elif pongs:
            self._pong = pongs[-1]

    def handle_cont(self, event: Frame) -> None:
        """Collect a fragment; many small ones are joined, or a list of them would be larger than the message."""
        super().handle_cont(event)
        if len(self.frames) > _FRAGMENTS:
            self.frames = [b"".join(self.frames)]

    async def receive(self) -> Any:
        """Hand the application what came, and parse on once it has all."""
        message = await super().receive()
        if self._unparsed:
            self._parse_soon()
        return message

    def data_received(self, data: bytes) -> None:
        """Parse what came, bit by bit: thousands of frames may share a packet."""
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
        """Parse more when others have had their turn, or the peer has rested from what it has cost."""
        return self.loop.call_later(self._rest, self._parse_on) if self._rest else self.loop.call_soon(self._parse_on)

    def _parse_on(self) -> None:
        self._parsing = None
        if self.transport.is_closing():
            self._unparsed.clear()
        elif not self.read_paused:  # or else it goes on when the application has received
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
        """Discard what follows a frame that broke the protocol."""
        if self.conn.parser_exc is None:
            self._pace.begin()
            super().data_received(data)
            self._rest = self._pace.rest()
        if self.conn.handshake_exc is not None and not self.handshake_initiated and not self.transport.is_closing():
            # uvicorn would wait for a handshake that has been there.
            malformed = isinstance(self.conn.handshake_exc, InvalidMessage)
            what = not_a_handshake() if malformed else handshake_too_large()
            self._refuse_handshake(what, origin_of(None, data))

    def handle_parser_exception(self) -> None:
        """Close with the code that says what was wrong with a frame."""
        closed = self.conn.close_sent
        if closed is None or self.close_sent:
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": int(closed.code), "reason": closed.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        # Closing with unread bytes would reset the connection, and the peer might never see the code. So only our half
        # is closed; what still comes is discarded until the peer closes the other.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.close_timer = self.loop.call_later(CUT_SECONDS, self.transport.abort)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; uvicorn would write of text that is not UTF-8 as of an error of its own."""
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
        """Answer the peer's close frame, or take its answer to ours."""
        super().handle_close(event)
        self._cut_soon()

    def keepalive_timeout(self) -> None:
        """Close a connection whose peer answers no ping."""
        super().keepalive_timeout()
        self._cut_soon()

    def shutdown(self) -> None:
        """The server stops: uvicorn calls this for every connection, before it stops the application."""
        if self.handshake_complete:
            self.close_for(GOING_AWAY)
        else:
            self.stop_keepalive()
            self.transport.close()
            self._cut_soon()

    def send_500_response(self) -> None:
        """Refuse a handshake that the application has failed at."""
        if self.initial_response is None and not self.handshake_complete:
            self._refuse_handshake(fault(), origin_of(list(self.scope["headers"]), b""))

    def _cut_soon(self) -> None:
        if self._cut is None:
            self._cut = self.loop.call_later(CUT_SECONDS, self.transport.abort)


def uvicorn_options() -> Options:
    """The options with which uvicorn has to be started."""
    return Options(
        ws=SocketProtocol,
        ws_max_size=CLIENT_FRAME_BYTES,
        # A frame is serialized once for all; compressing it for each connection would cost what that saves.
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
    )


def pipe(scope: Mapping[str, Any]) -> SocketProtocol:
    """The protocol that a websocket scope came from."""
    extensions: Mapping[str, Mapping[str, SocketProtocol]] = scope.get("extensions") or {}
    if _EXTENSION not in extensions:
        message = "start uvicorn with the options of service.transport.websocket_protocol.uvicorn_options()"
        raise RuntimeError(message)
    return extensions[_EXTENSION]["pipe"]


def text_frame(payload: bytes) -> bytes:
    """A text frame with a payload, as it goes over the wire to any number of clients."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)
