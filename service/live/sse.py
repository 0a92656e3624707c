"""Server-sent events: the answer to a GET that is a watcher's pipe, for clients without websockets.

The hub and its rooms do not know the difference: what they put into an outbox is bytes in the form `SERVER_SENT`. Here
they become the body of an answer, part by part, as fast as the client takes them. ASGI says that a client has taken
something by letting `send` return; until then one part is on its way, another may gather, and the rest waits in the
outbox, which is bounded. A client that hangs up is heard of by `receive`, at once.

Such an answer has no end of its own. It is ended when the outbox is closed; a client then connects again, and brings
the position that it had last. Why it was ended stands in a comment: there is nothing that depends on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from litestar.types import Receive, Scope, Send

from domain.kernel.ids import AccountId
from domain.kernel.terms import Version
from service.auth.tokens import Tokens
from service.limits.delivery import Charge
from service.live.encodings import SERVER_SENT
from service.live.frames import SubscribeFrame
from service.live.games.subscription import Watcher
from service.live.hub import Hub
from service.live.pacing import CHUNK_BYTES, STALL_SECONDS
from service.live.session import Session
from service.transport.asgi_extension import cut, endless
from service.transport.close_codes import GOING_AWAY, Close
from service.transport.websocket_protocol import CUT_SECONDS

RETRY = b"retry: 2000\n\n"
"""How long a client waits before it connects again, in milliseconds."""


class EventStream:
    """The body of one answer, which a watcher's outbox writes to."""

    on_writable: Callable[[], None] | None = None
    waiting = 0

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._parts = [RETRY]
        self._size = len(RETRY)
        self._something = asyncio.Event()
        self._something.set()
        self._ended = False
        self._cut: asyncio.TimerHandle | None = None

    @property
    def ready(self) -> bool:
        """Whether there is room in the part that gathers."""
        return self._size < CHUNK_BYTES and not self._ended

    @property
    def unsent(self) -> int:
        """Bytes that the client has not taken."""
        return self._size + self.waiting

    def send_frames(self, data: bytes) -> None:
        """Send frames that are events already."""
        self._parts.append(data)
        self._size += len(data)
        self._something.set()

    def close_for(self, close: Close) -> None:
        """End the answer after all that was sent, and cut the connection if the client does not take that."""
        if not self._ended:
            self.send_frames(b": %b\n\n" % close.name.encode())
            self._cut = asyncio.get_running_loop().call_later(CUT_SECONDS, cut, self._scope)
            self.end()

    def end(self) -> None:
        """Take nothing any more."""
        self._ended = True
        self._something.set()

    async def run(self, send: Send) -> None:
        """Send what comes until the end."""
        while self._parts or not self._ended:
            await self._something.wait()
            self._something.clear()
            part = b"".join(self._parts)
            self._parts.clear()
            try:
                async with asyncio.timeout(STALL_SECONDS):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            except TimeoutError:
                cut(self._scope)
                self.end()
            self._size -= len(part)
            if self.on_writable is not None:
                self.on_writable()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if self._cut is not None:
            self._cut.cancel()


class Watching:
    """The rest of an answer whose head says that events follow: an account watches a game for as long as it likes."""

    def __init__(  # noqa: PLR0917 - as its only caller reads best
        self, hub: Hub, tokens: Tokens, account: AccountId | None, asked: SubscribeFrame, known: Version, charge: Charge
    ) -> None:
        self._hub = hub
        self._tokens = tokens
        self._account = account
        self._asked = asked
        self._known = known
        self._charge = charge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        stream = EventStream(scope)
        watcher = self._hub.arrive(stream, SERVER_SENT, self._charge)
        hanging_up = asyncio.create_task(self._let_go(receive, stream, watcher))
        try:
            endless(scope, partial(self._hub.depart, watcher, GOING_AWAY), lambda: stream.unsent)
            self._hub.identify(watcher, self._account)
            talk = Session(self._hub, self._tokens, watcher)
            talk.imply(self._asked, self._known)
            await talk.begin()
            await stream.run(send)
        finally:
            self._hub.depart(watcher)
            stream.on_writable = None  # the outbox, which has the stream
            hanging_up.cancel()

    async def _let_go(self, receive: Receive, stream: EventStream, watcher: Watcher) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._hub.depart(watcher)
        stream.end()
