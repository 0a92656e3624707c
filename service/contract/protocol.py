"""uvicorn's HTTP protocol (httptools), with what a service in the open needs beyond it.

What cannot be read as HTTP never reaches the application, so uvicorn answers it by itself: with text that no client of
ours reads, ahead of answers that are still due on the connection, and without a bound on how much of a head it keeps or
how long it waits for one. This subclass, which uvicorn takes by its documented option `http`,

- answers with a problem, as everything else does (`invalid-request`, `headers-too-large`, `request-timeout`);
- lets the answers that are due go first: whoever pipelines would take the refusal for one of them;
- bounds the head of a request by `HEAD_BYTES` and `HEAD_SECONDS`; bodies are bounded where they are read (`bodies`);
- asks for a Host (RFC 9112, 3.2), and of a websocket for a handshake that can be answered;
- gives a client of HTTP/1.0, which knows no chunks, an answer of unknown length as it is, and ends the connection;
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

It relies on attributes of the class that are not promised (uvicorn is pinned): tests/service/contract/test_protocol.py
holds each of them to what is said here.
"""

from __future__ import annotations

import asyncio
import binascii
import re
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from domain.kernel.rejected import Rejected
from service.live.protocol import KERNEL_BYTES
from service.problems import WEBSOCKET_VERSION, last_answer, refusal

HEAD_BYTES = 65_536
"""Request line and headers together."""

HEAD_SECONDS = 20.0
"""How long a request's head may take, and a new connection may say nothing."""

CUT_SECONDS = 2.0
"""How long a peer that was refused has for reading why, while what it still sends is discarded."""


_EXTENSION = "tablelog.cut"

_HOST = re.compile(rb"(\[[\w.:%~-]+\]|[\w.~!$&'()*+,;=%-]*)(:[0-9]*)?", re.ASCII)
_KEY_BYTES = 16
_WITHOUT_CHUNKS = frozenset({"0.9", "1.0"})
"""The versions of HTTP that know neither chunks nor Host, and keep no connection here."""


class RequestProtocol(HttpToolsProtocol):
    """One connection of a client that speaks HTTP."""

    _deaf = False
    """Whether what still comes is discarded."""

    _answering: RequestResponseCycle | None = None
    """The request that is being answered; `cycle` is the one that came last."""

    _handed_over = False
    """Whether the connection has become a websocket, which may be silent for as long as it likes."""

    _wrong: Rejected | None = None
    """What is wrong with the head that is being parsed, where that is not that it cannot be."""

    _head = 0
    """Bytes of the head that is being received."""

    _heads = 0
    """Heads that have been received to their end."""

    _in_head = False
    _counted = 0
    """Bytes of the head that have been parsed."""

    _late: asyncio.TimerHandle | None = None
    _stopping = False
    _end: Callable[[], None] | None = None
    """What ends the answer that has no end of its own."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        super().connection_lost(exc)
        if self._answering is not None:
            self._hang_up(self._answering)
        self._in_time()

    def data_received(self, data: bytes) -> None:
        """Take in what came, as long as it can become requests."""
        if self._deaf:
            return
        heads = self._heads
        self._unset_keepalive_if_required()
        self._feed(data)
        if self._deaf or self._handed_over or self.transport.is_closing() or not self._is_waiting():
            return
        # A head that goes on in what comes next. What it shares a packet with is not counted: that is bounded.
        self._head += len(data) if self._in_head and heads == self._heads else 0
        if self._head > HEAD_BYTES:
            self._refuse(_too_large())
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self._refuse_late)

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                if self._is_answering():
                    self._refuse(Rejected("invalid-request", "a websocket takes a connection with no answer due"))
                else:
                    self.handle_websocket_upgrade()
                return
            self.parser = HttpRequestParser(self)
            self._feed(self._plain_head() + data[upgrade.args[0] :])
        except HttpParserError:
            self._refuse(self._wrong or Rejected("invalid-request", "this is not HTTP/1.1 as RFC 9112 has it"))

    def _plain_head(self) -> bytes:
        """The head that was parsed, as one that asks for no upgrade."""
        lines = [b"%b %b HTTP/1.1" % (self.parser.get_method(), self.url)]
        for name, value in self.headers:
            tokens = [token for token in value.split(b",") if token.strip().lower() != b"upgrade"]
            if name != b"upgrade":
                lines.append(b"%b: %b" % (name, b",".join(tokens) if name == b"connection" else value))
        return b"\r\n".join((*lines, b"", b""))

    def _is_waiting(self) -> bool:
        """Whether nothing is being answered, or received to be answered."""
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
        self._in_time()
        self._handed_over = True
        super().handle_websocket_upgrade()

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
                self._reject(Rejected("invalid-request", "this is no proxy"))
            return
        self._demand_host()
        if self.parser.should_upgrade():
            self._demand_handshake()
        self._in_head = False
        self._head = 0
        self._heads += 1
        self._in_time()
        super().on_headers_complete()
        # With the request itself in there its scope would be garbage that only the cyclic collector finds.
        self.scope["extensions"] = {_EXTENSION: {"cut": self._cut, "endless": self._endless}}

    def on_message_complete(self) -> None:
        """The request is there."""
        if not self._asks_in_vain():
            super().on_message_complete()

    def _asks_in_vain(self) -> bool:
        """Whether a request asks for an upgrade that it does not get."""
        return self.parser.should_upgrade() and not self._should_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Begin to answer a request."""
        self._answering = cycle
        if cycle.scope["http_version"] in _WITHOUT_CHUNKS:
            cycle.keep_alive = cycle.waiting_for_100_continue = False
            app = partial(_without_chunks, cycle, app)
        super()._start_asgi_task(cycle, app)

    def _hang_up(self, cycle: RequestResponseCycle) -> None:
        """Let the application hear that the peer has gone."""
        cycle.disconnected = True
        cycle.message_event.set()

    def _cut(self) -> None:
        if self._answering is not None:
            self._answering.disconnected = True
        self.transport.abort()

    def _endless(self, end: Callable[[], None]) -> None:
        if self.transport.is_closing():  # the client has gone already, which the application is about to hear
            return
        sock: socket.socket | None = self.transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        self._deaf = True
        self._in_time()
        if self._answering is not None:
            self.cycle = self._answering
        self._end = end
        if self._stopping:
            end()

    def _count(self, size: int) -> None:
        """Stop the parser once a head is too large, also when all of it came at once."""
        self._counted += size
        if self._counted > HEAD_BYTES:
            self._reject(_too_large())

    def _reject(self, why: Rejected) -> NoReturn:
        """Stop the parser."""
        self._wrong = why
        raise why

    def _demand_host(self) -> None:
        hosts = [value for name, value in self.headers if name == b"host"]
        if not hosts and self.parser.get_http_version() in _WITHOUT_CHUNKS:
            return
        if len(hosts) != 1 or not _HOST.fullmatch(hosts[0].strip()):
            self._reject(
                Rejected("invalid-request", "send one header Host, with a host and maybe a port", field="Host")
            )

    def _demand_handshake(self) -> None:
        """See that a websocket can be made of this request; uvicorn would refuse it in a text."""
        versions = [value.strip() for name, value in self.headers if name == b"sec-websocket-version"]
        if versions != [WEBSOCKET_VERSION.encode()]:
            detail = f"the version of websockets that is spoken here is {WEBSOCKET_VERSION}"
            allowed = [WEBSOCKET_VERSION]
            self._reject(Rejected("upgrade-required", detail, field="Sec-WebSocket-Version", allowed=allowed))
        keys = [value.strip() for name, value in self.headers if name == b"sec-websocket-key"]
        if len(keys) != 1 or not _is_key(keys[0]):
            detail = f"a websocket needs one key of {_KEY_BYTES} bytes in base64"
            self._reject(Rejected("invalid-request", detail, field="Sec-WebSocket-Key"))

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

    def _refuse(self, why: Rejected) -> None:
        """Answer that this is no request, after the answers that are due, and end the connection."""
        self._deaf = True
        self._in_time()
        cycle = self._last
        if cycle is not None and cycle.more_body and self.pipeline and self.pipeline[0][0] is cycle:
            # Its body is what could not be read, and it has not had its turn: those before it are answered.
            self.pipeline.popleft()
            cycle = self.pipeline[0][0] if self.pipeline else self._answering
        for_head = self._in_head and self.url != b"" and self.parser.get_method() == b"HEAD"
        if cycle is not None and not cycle.response_complete:
            if not cycle.more_body:
                cycle.keep_alive = False  # and uvicorn closes the connection once that is answered
                return
            # Its body is what could not be read.
            for_head = cycle.scope["method"] == "HEAD"
            self._hang_up(cycle)
            if cycle.response_started:
                self.transport.close()
                return
        what = refusal(why)
        self.transport.write(last_answer(what, *self.server_state.default_headers, with_body=not for_head))
        # Closing with unread bytes would reset the connection, and the peer might never see the answer. So only our
        # half is closed; what still comes is discarded until the peer closes the other.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(CUT_SECONDS, self.transport.abort)


def cut(scope: Mapping[str, Any]) -> None:
    """End the connection of a request whose answer has begun and cannot be ended."""
    _extension(scope)["cut"]()


def endless(scope: Mapping[str, Any], end: Callable[[], None]) -> None:
    """Say what ends the answer to a request, which does not end by itself, when the server stops."""
    _extension(scope)["endless"](end)


def _extension(scope: Mapping[str, Any]) -> Mapping[str, Callable[..., None]]:
    extensions: Mapping[str, Mapping[str, Callable[..., None]]] = scope.get("extensions") or {}
    if _EXTENSION not in extensions:
        message = "start uvicorn with http=RequestProtocol"
        raise RuntimeError(message)
    return extensions[_EXTENSION]


async def _without_chunks(cycle: RequestResponseCycle, app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Answer a client that knows no chunks: what has no length of its own ends with the connection."""
    by_length = True

    async def sending(message: Any) -> None:
        nonlocal by_length
        if message["type"] == "http.response.start":
            by_length = any(name.lower() == b"content-length" for name, _ in message["headers"])
            if not by_length:
                cycle.chunked_encoding = False
        elif not by_length:
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    await app(scope, receive, sending)


def _is_key(given: bytes) -> bool:
    try:
        return len(binascii.a2b_base64(given, strict_mode=True)) == _KEY_BYTES
    except binascii.Error:
        return False


def _too_large() -> Rejected:
    return Rejected("headers-too-large", f"a request line and its headers may have {HEAD_BYTES} bytes", most=HEAD_BYTES)
