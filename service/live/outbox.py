"""What waits for one reader: frames go straight to the transport while it takes them, and wait here, bounded, when not.

There is no task that drains it: the transport says when it has room again. What waits is bytes that all readers of a
class share, so a slow one costs a pointer per frame; the bounds are there because it must come to an end.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from service.transport.close_codes import SLOW_READER, Close


class Pipe(Protocol):
    """Where the frames of one reader go: a socket's protocol."""

    on_writable: Callable[[], None] | None
    waiting: int
    """Bytes that wait for it, set by its outbox and counted as held for the peer."""

    @property
    def ready(self) -> bool:
        """Whether it takes data now."""
        ...

    def send_frames(self, data: bytes) -> None:
        """Send serialized frames."""
        ...

    def close_for(self, close: Close) -> None:
        """Send a close frame after them, and cut the connection if it is not taken."""
        ...


class Outbox:
    """The frames for one reader, in order: each is sent, or the reader is closed with a code. None is dropped."""

    __slots__ = ("_bytes", "_drained", "_frames", "_limit_bytes", "_limit_frames", "_pipe", "_waiting", "closed")

    def __init__(self, pipe: Pipe, limit_frames: int, limit_bytes: int) -> None:
        self._pipe = pipe
        self._limit_frames = limit_frames
        self._limit_bytes = limit_bytes
        self._waiting: deque[tuple[bytes, int]] = deque()
        self._frames = 0
        self._bytes = 0
        self._drained: asyncio.Event | None = None
        self.closed = False
        pipe.on_writable = self._flush

    @property
    def idle(self) -> bool:
        """Whether nothing waits and the transport takes more."""
        return not self._waiting and self._pipe.ready

    def put(self, data: bytes, frames: int = 1) -> None:
        """Send serialized frames, or let them wait; a reader for whom too much waits is closed."""
        if self.closed:
            return
        if not self._waiting and self._pipe.ready:
            self._pipe.send_frames(data)
            return
        self._waiting.append((data, frames))
        self._frames += frames
        self._bytes += len(data)
        self._pipe.waiting = self._bytes
        # A single frame may be larger than the bound: alone it may wait.
        if self._frames > self._limit_frames or (self._bytes > self._limit_bytes and len(self._waiting) > 1):
            self.close(SLOW_READER)

    def close(self, close: Close) -> None:
        """Close with a code: the reader has had every frame up to some point, and none after it."""
        self.abandon()
        self._pipe.close_for(close)

    def abandon(self) -> None:
        """Take nothing any more, and let go of what waits: the reader has gone."""
        self.closed = True
        self._waiting.clear()
        self._frames = self._bytes = self._pipe.waiting = 0
        if self._drained is not None:
            self._drained.set()

    async def drained(self) -> None:
        """Wait until the outbox is idle or closed."""
        while not (self.idle or self.closed):
            if self._drained is None:
                self._drained = asyncio.Event()
            self._drained.clear()
            await self._drained.wait()

    def _flush(self) -> None:
        while self._waiting and self._pipe.ready:
            data, frames = self._waiting.popleft()
            self._frames -= frames
            self._bytes -= len(data)
            self._pipe.waiting = self._bytes
            self._pipe.send_frames(data)
        if self._drained is not None and self.idle:
            self._drained.set()
