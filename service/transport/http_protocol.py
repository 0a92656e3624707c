"""uvicorn's HTTP protocol (httptools), taken by its documented option `http`, with bounds and answers of our own.

uvicorn answers what is not HTTP in plain text, ahead of answers that are still due, and bounds neither the size of a
head nor the time that it takes. Here a refusal is a problem (`invalid-request`, `headers-too-large`, `request-timeout`)
that comes after the answers that are due. Bodies are bounded where they are read.

ASGI can end an answer midway only by an exception, which uvicorn would log as a bug: `cut(scope)` does it instead.
`endless(scope, end)` announces an answer without an end. It is the last of its connection: requests behind it would
never be answered, and keep the end of the connection from being noticed.

Each override of uvicorn's methods names its case; uvicorn is pinned, and tests/service/transport holds each of them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from domain.kernel.rejected import Rejected
from service.problems import last_answer, refusal
from service.transport.asgi_extension import EXTENSION
from service.transport.connections import peers_of
from service.transport.cors import cors_headers
from service.transport.flow_control import Flow
from service.transport.http10 import WITHOUT_CHUNKS, without_chunks
from service.transport.request_head import HEAD_BYTES, check_handshake, check_host, origin_of, plain_head, too_large
from service.transport.websocket_protocol import KERNEL_BYTES

HEAD_SECONDS = 20.0
"""How long a head may take, and a new connection may be silent."""

CUT_SECONDS = 2.0
"""How long a refused peer has to read the refusal, while its data is discarded."""

_END = b"\r\n\r\n"
_UNPARSED_BYTES = 65_536
"""Pipelined data that is read ahead; with less, a client that leaves would not be noticed."""

_HEALTH = frozenset({b"/healthz", b"/readyz", b"/metrics"})
"""Paths that are served when all connections are in use."""


class RequestProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    flow: Flow

    _deaf = False  # data is discarded
    _handed_over = False  # to a websocket
    _ended = False  # the client has closed its sending side
    _stopping = False

    _answering: RequestResponseCycle | None = None
    """The request that is being answered; `cycle` is the latest one."""

    _in_head = False
    _head = 0  # bytes of an incomplete head, in earlier packets
    _counted = 0  # bytes of the head that are parsed
    _heads = 0  # complete heads

    _late: asyncio.TimerHandle | None = None
    _lingering: asyncio.TimerHandle | None = None

    _end: Callable[[], None] | None = None  # of an endless answer
    _unsent: Callable[[], int] = int  # its bytes that wait to be sent

    _unwanted: Rejected | None = None
    """Why every request is refused, if there are too many connections."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, bound its first head, and hold reading while pipelined data waits."""
        super().connection_made(transport)
        self.flow = Flow(transport)  # pyright: ignore[reportIncompatibleVariableOverride]
        self._unparsed = bytearray()
        self._peers = peers_of(self.server_state)
        self._unwanted = self._peers.join(self)
        self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered, where uvicorn tells only the latest, and free the connection."""
        self._peers.leave(self)
        if self._answering is not None:
            self.cycle = self._answering
        super().connection_lost(exc)
        self._release()

    def _release(self) -> None:
        """Break reference cycles, which only the garbage collector would find."""
        self._in_time()
        self._unset_keepalive_if_required()
        if self._lingering is not None:
            self._lingering.cancel()
        nothing: Any = None
        self.parser = self.scope = self.cycle = nothing
        self._answering = self._end = self._unwanted = None
        self._unsent = int
        self.pipeline.clear()

    @property
    def held(self) -> int:
        """Bytes received and not taken yet, and those of an endless answer that are not sent yet."""
        cycle = self._last
        return len(self._unparsed) + (0 if cycle is None else len(cycle.body)) + self._unsent()

    def shed(self) -> None:
        cycle = self._answering
        if cycle is None or cycle.response_started or self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self._unparsed.clear()
            self._refuse(Rejected("overloaded", "too much is held for slow clients"))

    def pause_writing(self) -> None:
        """Report a peer that reads too slowly, between the rounds of `Peers`."""
        super().pause_writing()
        self._peers.swell(self.transport.get_write_buffer_size())

    def data_received(self, data: bytes) -> None:
        """Keep pipelined requests as bytes until their turn: parsed ones take a hundred times as much."""
        if self._deaf:
            return
        if self._unparsed or self.pipeline or data.count(_END) > 1:
            self._unparsed += data
            self._parse_on()
        else:
            self._take(data)
        if self.flow.read_paused and not self._is_done():
            self._peers.swell(self.held)

    def _parse_on(self) -> None:
        while self._unparsed and not (self.pipeline or self._is_done()):
            end = self._unparsed.find(_END) + len(_END)
            data = bytes(self._unparsed[:end] if end >= len(_END) else self._unparsed)
            del self._unparsed[: len(data)]
            self._take(data)
        if self._is_done():
            self._unparsed.clear()
        elif self._unparsed or self.pipeline:
            if len(self._unparsed) > _UNPARSED_BYTES:
                self.flow.hold()
        elif self._ended:
            self._end_after_answers()
        else:
            self.flow.release()

    def _is_done(self) -> bool:
        """Whether nothing more is parsed as HTTP."""
        return self._deaf or self._handed_over or self.transport.is_closing()

    def _take(self, data: bytes) -> None:
        heads = self._heads
        self._unset_keepalive_if_required()
        self._feed(data)
        if self._is_done() or not self._is_waiting():
            return
        # The first packet of a head is not counted: other data in it is not of the head, and it is bounded anyway.
        self._head += len(data) if self._in_head and heads == self._heads else 0
        if self._head > HEAD_BYTES:
            self._refuse(too_large(), data)
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def on_response_complete(self) -> None:
        """Parse pipelined data, or close a half-closed connection."""
        super().on_response_complete()
        if (self.flow.held or self._unparsed or self._ended) and not self.transport.is_closing():
            self.loop.call_soon(self._parse_on)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer complete requests of a half-closed connection before it is closed."""
        self._ended = True
        self.flow.held = True  # or asyncio would report the end each time that reading resumes
        if self._deaf or not self._unparsed:
            self._end_after_answers()
        return not self.transport.is_closing()

    def _end_after_answers(self) -> None:
        """Close the connection, after the answers to complete requests unless one is endless."""
        if self._end is not None or not self._answers_are_due():
            self.transport.close()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                if self._is_answering():
                    self._refuse(Rejected("invalid-request", "a WebSocket handshake cannot be pipelined"), data)
                else:
                    self.handle_websocket_upgrade()
                return
            head = plain_head(self.parser.get_method(), self.url, self.headers)
            self.parser = HttpRequestParser(self)
            self._feed(head + data[upgrade.args[0] :])
        except HttpParserError as error:
            self._refuse(_why(error), data)  # in a variable it would be part of a cycle, through the frame here

    def _is_waiting(self) -> bool:
        return self._in_head or not self._is_answering()

    def _is_answering(self) -> bool:
        cycle = self._last
        return cycle is not None and not cycle.response_complete

    @property
    def _last(self) -> RequestResponseCycle | None:
        """`cycle`, whose type in uvicorn does not admit None."""
        return self.cycle

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to a websocket, which may be silent."""
        self._handed_over = True
        self._peers.leave(self)
        super().handle_websocket_upgrade()
        self._release()

    def shutdown(self) -> None:
        """Cut a request whose body is incomplete, which nothing would be lost by, and end an endless answer."""
        super().shutdown()
        cycle = self._last
        if cycle is not None and cycle.more_body and not cycle.response_started:
            self.transport.close()
        self._stopping = True
        if self._end is not None and cycle is not None and not cycle.response_complete:
            self._end()

    def on_message_begin(self) -> None:
        """Begin to bound a head, as `on_url` and `on_header` do when all of it comes at once."""
        super().on_message_begin()
        self._in_head = True
        self._counted = 0

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check Host and handshake, and ignore an upgrade that is not a websocket's (RFC 9110, 7.8)."""
        if self._upgrade_is_ignored():
            if self.parser.get_method() == b"CONNECT":  # always an upgrade
                raise Rejected("invalid-request", "this is not a proxy")
            return
        if self._unwanted is not None and self.url.partition(b"?")[0] not in _HEALTH:
            raise self._unwanted
        check_host(self.headers, optional=self.parser.get_http_version() in WITHOUT_CHUNKS)
        if self.parser.should_upgrade():
            check_handshake(self.headers)
        self._in_head = False
        self._head = 0
        self._heads += 1
        self._in_time()
        super().on_headers_complete()
        if self._unwanted is not None:
            self.cycle.keep_alive = False
        self.scope["extensions"] = {EXTENSION: {"cut": self._cut, "endless": self._endless}}

    def on_message_complete(self) -> None:
        """Ignore the end of a request whose head is parsed again, without its upgrade."""
        if not self._upgrade_is_ignored():
            super().on_message_complete()

    def _upgrade_is_ignored(self) -> bool:
        return self.parser.should_upgrade() and not self._should_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer HTTP/1.0 without chunks."""
        self._answering = cycle
        if cycle.scope["http_version"] in WITHOUT_CHUNKS:
            cycle.keep_alive = cycle.waiting_for_100_continue = False
            app = partial(without_chunks, cycle, app)
        super()._start_asgi_task(cycle, app)

    def _cut(self) -> None:
        if self._answering is not None:
            self._answering.disconnected = True
        self.transport.abort()

    def _endless(self, end: Callable[[], None], unsent: Callable[[], int]) -> None:
        if self.transport.is_closing():  # the application is about to hear of it
            return
        sock: socket.socket | None = self.transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        self._deaf = True
        self._in_time()
        if self._answering is not None:
            self.cycle = self._answering
        self._end, self._unsent = end, unsent
        self._unparsed.clear()
        self.flow.release()
        if self._stopping:
            end()
        elif self._ended:
            self.transport.close()

    def _count(self, size: int) -> None:
        """Stop the parser once a head is too large."""
        self._counted += size
        if self._counted > HEAD_BYTES:
            raise too_large()

    def _should_upgrade(self) -> bool:
        """Ignore an upgrade with any method but GET."""
        return self.parser.get_method() == b"GET" and super()._should_upgrade()

    def _refuse_late(self) -> None:
        self._late = None
        if self._in_head:
            self._refuse(Rejected("request-timeout", f"the request did not begin within {HEAD_SECONDS:g} seconds"))
        elif self._is_waiting():
            self.transport.close()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _answers_are_due(self) -> bool:
        """Take nothing more; returns whether complete requests are answered first, after which uvicorn closes."""
        cycle = self._last
        if cycle is not None and cycle.more_body and self.pipeline and self.pipeline[0][0] is cycle:
            # Its body stays incomplete, and its turn has not come: those before it are answered.
            self.pipeline.popleft()
            cycle = self.pipeline[0][0] if self.pipeline else self._answering
        if cycle is None or cycle.response_complete or cycle.more_body:
            return False
        cycle.keep_alive = False
        return True

    def _refuse(self, why: Rejected, raw: bytes = b"") -> None:
        """Refuse what was sent, after the answers that are due, and end the connection; `raw` is an unparsed head."""
        self._deaf = True
        self._in_time()
        if self._answers_are_due():
            return
        for_head = self._in_head and self.url != b"" and self.parser.get_method() == b"HEAD"
        cycle = self._last
        if cycle is not None and not cycle.response_complete:
            for_head = cycle.scope["method"] == "HEAD"
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.close()
                return
        origin = origin_of(self.headers, raw)
        more = (*self.server_state.default_headers, *cors_headers(self._peers.origins, origin))
        self.transport.write(last_answer(refusal(why), *more, with_body=not for_head))
        # Closing with unread bytes would reset the connection, and the peer might never see the answer.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._lingering = self.loop.call_later(CUT_SECONDS, self.transport.abort)


def _why(error: HttpParserError) -> Rejected:
    """What a callback of the parser has raised, or that the head cannot be parsed."""
    if isinstance(error.__context__, Rejected):
        return error.__context__
    return Rejected("invalid-request", "the request is not valid HTTP/1.1 (RFC 9112)")
