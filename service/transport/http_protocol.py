"""uvicorn's HTTP protocol (httptools), with what a service in the open needs beyond it.

What cannot be read as HTTP never reaches the application, so uvicorn answers it by itself: with text that no client of
ours reads, ahead of answers that are still due on the connection, and without a bound on how much of a head it keeps or
how long it waits for one. This subclass, which uvicorn takes by its documented option `http`,

- answers with a problem, as everything else does (`invalid-request`, `headers-too-large`, `request-timeout`);
- lets the answers that are due go first: whoever pipelines would take the refusal for one of them;
- bounds the head of a request by `HEAD_BYTES` and `HEAD_SECONDS`; bodies are bounded where they are read (`bodies`);
- asks for a Host (RFC 9112, 3.2), and of a websocket for a handshake that can be answered;
- gives a client of HTTP/1.0, which knows no chunks, a stream whole and with its length, and ends the connection;
- tells every request of a connection that its client has gone, where uvicorn tells only the one that came last;
- ignores an upgrade that is none of ours, as RFC 9110 (7.8) has it: to HTTP/2, which the client of Java's library asks
  for with its first request, or to a websocket with any method but GET. The parser has let the body of such a request
  go by then, and uvicorn would answer it as one without; so its head is parsed once more, without the header.

An answer that breaks off in the middle must not look like a whole one, and ASGI has no way to say so but an exception,
which uvicorn would write of as of a bug: `cut(scope)` ends the connection instead.

On shutdown a request whose body is still on its way is cut: there is nothing yet that could be lost, and waiting for it
would end with its cancellation. An answer that has no end of its own is ended by what `endless(scope, end)` was given,
and what the kernel buffers for its peer is bounded, as it is for a websocket. It is the last of its connection, and
says so (`ENDING`): requests behind it would wait for ever, and with them, unread, the news that the client has gone.

It relies on attributes of the class that are not promised (uvicorn is pinned): its tests hold
each of them to what is said here.
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
"""How long a request's head may take, and a new connection may say nothing."""

CUT_SECONDS = 2.0
"""How long a peer that was refused has for reading why, while what it still sends is discarded."""

_END = b"\r\n\r\n"
_UNPARSED_BYTES = 65_536
"""How much of what waits for its turn is taken from the kernel; less, and a client that leaves would not be noticed."""

_HEALTH = frozenset({b"/healthz", b"/readyz", b"/metrics"})
"""The paths that are served when all connections are in use."""


class RequestProtocol(HttpToolsProtocol):
    """One connection of a client that speaks HTTP."""

    _deaf = False
    """Whether what still comes is discarded."""

    _answering: RequestResponseCycle | None = None
    """The request that is being answered; `cycle` is the one that came last."""

    _handed_over = False
    """Whether the connection has become a websocket, which may be silent for as long as it likes."""

    _head = 0
    """Bytes of the head that is being received."""

    _heads = 0
    """Heads that have been received to their end."""

    _in_head = False
    _counted = 0
    """Bytes of the head that have been parsed."""

    _late: asyncio.TimerHandle | None = None
    _lingering: asyncio.TimerHandle | None = None
    _stopping = False
    _end: Callable[[], None] | None = None
    """What ends the answer that has no end of its own."""

    _unsent: Callable[[], int] = int
    """Bytes of that answer that wait to be sent."""

    _unwanted: Rejected | None = None
    """Why every request of this connection is refused, if it is one too many."""

    _ended = False
    """Whether the client has closed its sending side."""

    flow: Flow

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.flow = Flow(transport)  # pyright: ignore[reportIncompatibleVariableOverride]
        self._unparsed = bytearray()
        self._peers = peers_of(self.server_state)
        self._unwanted = self._peers.join(self)
        self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application, and free the connection."""
        self._peers.leave(self)
        super().connection_lost(exc)
        if self._answering is not None:
            self._hang_up(self._answering)
        self._release()

    def _release(self) -> None:
        """Drop what refers back to this object: only the cyclic garbage collector would find it afterwards."""
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
        """Bytes that have come and that nobody has taken, and those of an endless answer that have not gone out."""
        cycle = self._last
        return len(self._unparsed) + (0 if cycle is None else len(cycle.body)) + self._unsent()

    def shed(self) -> None:
        """Free what is held for the peer."""
        cycle = self._answering
        if cycle is None or cycle.response_started or self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self._unparsed.clear()
            self._refuse(Rejected("overloaded", "too much is held for slow clients"))

    def pause_writing(self) -> None:
        """Stop the application; the peer reads too slowly for it."""
        super().pause_writing()
        self._peers.swell(self.transport.get_write_buffer_size())

    def data_received(self, data: bytes) -> None:
        """Take in what came, as long as it can become requests."""
        if self._deaf:
            return
        # More than one head in a packet: what is behind a request that waits for its turn is parsed after that.
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
        """Whether nothing more is taken from the peer as HTTP."""
        return self._deaf or self._handed_over or self.transport.is_closing()

    def _take(self, data: bytes) -> None:
        heads = self._heads
        self._unset_keepalive_if_required()
        self._feed(data)
        if self._is_done() or not self._is_waiting():
            return
        # A head that goes on in what comes next. What it shares a packet with is not counted: that is bounded.
        self._head += len(data) if self._in_head and heads == self._heads else 0
        if self._head > HEAD_BYTES:
            self._refuse(too_large(), data)
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def on_response_complete(self) -> None:
        """Go on with what came behind the request."""
        super().on_response_complete()
        if (self.flow.held or self._unparsed or self._ended) and not self.transport.is_closing():
            self.loop.call_soon(self._parse_on)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more: what it has asked for is answered before the connection ends."""
        self._ended = True
        self.flow.held = True  # asyncio would hear of the end again each time that reading is resumed
        if self._deaf or not self._unparsed:
            self._end_after_answers()
        return not self.transport.is_closing()

    def _end_after_answers(self) -> None:
        """Close the connection, after the answers to whole requests unless one of them has no end."""
        if self._end is not None or not self._answers_are_due():
            self.transport.close()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                if self._is_answering():
                    why = Rejected("invalid-request", "a websocket takes a connection with no answer due")
                    self._refuse(why, data)
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
        """The last request whose head was received; uvicorn's own attribute does not admit that there may be none."""
        return self.cycle

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._handed_over = True
        self._peers.leave(self)
        super().handle_websocket_upgrade()
        self._release()

    def shutdown(self) -> None:
        """The server stops: what is complete is answered first."""
        super().shutdown()
        cycle = self._last
        if cycle is not None and cycle.more_body and not cycle.response_started:
            self.transport.close()
        self._stopping = True
        if self._end is not None and cycle is not None and not cycle.response_complete:
            self._end()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head = True
        self._counted = 0

    def on_url(self, url: bytes) -> None:
        """A part of the request's target."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header of the request."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there."""
        if self._asks_in_vain():
            if self.parser.get_method() == b"CONNECT":  # which upgrades by itself
                raise Rejected("invalid-request", "this is no proxy")
            return
        self._check_head()
        self._in_head = False
        self._head = 0
        self._heads += 1
        self._in_time()
        super().on_headers_complete()
        if self._unwanted is not None:
            self.cycle.keep_alive = False
        # With the request itself in there its scope would be garbage that only the cyclic collector finds.
        self.scope["extensions"] = {EXTENSION: {"cut": self._cut, "endless": self._endless}}

    def on_message_complete(self) -> None:
        """The request is there."""
        if not self._asks_in_vain():
            super().on_message_complete()

    def _asks_in_vain(self) -> bool:
        return self.parser.should_upgrade() and not self._should_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        if cycle.scope["http_version"] in WITHOUT_CHUNKS:
            cycle.keep_alive = cycle.waiting_for_100_continue = False
            app = partial(without_chunks, cycle, app)
        super()._start_asgi_task(cycle, app)

    def _hang_up(self, cycle: RequestResponseCycle) -> None:
        cycle.disconnected = True
        cycle.message_event.set()

    def _cut(self) -> None:
        if self._answering is not None:
            self._answering.disconnected = True
        self.transport.abort()

    def _endless(self, end: Callable[[], None], unsent: Callable[[], int]) -> None:
        if self.transport.is_closing():  # the client has gone already, which the application is about to hear
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
        """Stop the parser once a head is too large, also when all of it came at once."""
        self._counted += size
        if self._counted > HEAD_BYTES:
            raise too_large()

    def _check_head(self) -> None:
        if self._unwanted is not None and self.url.partition(b"?")[0] not in _HEALTH:
            raise self._unwanted
        check_host(self.headers, optional=self.parser.get_http_version() in WITHOUT_CHUNKS)
        if self.parser.should_upgrade():
            check_handshake(self.headers)

    def _should_upgrade(self) -> bool:
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
        """Take nothing more; whether whole requests have to be answered first, after which uvicorn closes."""
        cycle = self._last
        if cycle is not None and cycle.more_body and self.pipeline and self.pipeline[0][0] is cycle:
            # Its body does not come to its end, and it has not had its turn: those before it are answered.
            self.pipeline.popleft()
            cycle = self.pipeline[0][0] if self.pipeline else self._answering
        if cycle is None or cycle.response_complete or cycle.more_body:
            return False
        cycle.keep_alive = False
        return True

    def _refuse(self, why: Rejected, raw: bytes = b"") -> None:
        """Answer that this is no request, after the answers that are due, and end the connection.

        `raw` is the head as far as it is there, where it could not be parsed.
        """
        self._deaf = True
        self._in_time()
        if self._answers_are_due():
            return
        for_head = self._in_head and self.url != b"" and self.parser.get_method() == b"HEAD"
        cycle = self._last
        if cycle is not None and not cycle.response_complete:
            # Its body is what could not be read.
            for_head = cycle.scope["method"] == "HEAD"
            self._hang_up(cycle)
            if cycle.response_started:
                self.transport.close()
                return
        origin = origin_of(self.headers, raw)
        more = (*self.server_state.default_headers, *cors_headers(self._peers.origins, origin))
        self.transport.write(last_answer(refusal(why), *more, with_body=not for_head))
        # Closing with unread bytes would reset the connection, and the peer might never see the answer. So only our
        # half is closed; what still comes is discarded until the peer closes the other.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._lingering = self.loop.call_later(CUT_SECONDS, self.transport.abort)


def _why(error: HttpParserError) -> Rejected:
    """What is wrong with a head: what a callback of the parser has raised, or that it cannot be parsed."""
    raised = error.__context__
    return (
        raised
        if isinstance(raised, Rejected)
        else Rejected("invalid-request", "the request is not valid HTTP/1.1 (RFC 9112)")
    )
