"""Watching a game: an iterator over what happens that has no holes, whatever happens to the connection.

The service numbers the events of a game without a gap and can go on from any of them (its `PROTOCOL.md`). So this side
remembers one version and one epoch, names them whenever it has to connect again, and takes an event only if its version
is the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from tablelog_client.models import (
    ErrorFrame,
    EventFrame,
    Heartbeat,
    Hello,
    Resumed,
    Resync,
    Unsubscribed,
    decode_frame,
)
from tablelog_client.problems import Problem

SILENCE_SECONDS = 45.0
"""Three heartbeats: a connection that has been silent for so long is dead."""

_LONGEST_PAUSE = 5.0
_FINAL = frozenset({1000, 1002, 1003, 1007, 1008, 1009})


class FeedClosed(Exception):
    """The service closed the feed for good: the same request would end the same way."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class _LostError(Exception):
    """The connection is gone, or something on it is: connect again."""


class Live:
    """The feed of one game: iterate over it inside `async with`.

    It gives a `Hello` and then every event as an `EventFrame`; with `after` (and the epoch that goes with it) it begins
    with the event after that version instead. `version` and `epoch` say where it is: kept somewhere, they let a later
    one go on from there. Another `Hello` comes when the service cannot go on from where this was.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        after: int | None = None,
        epoch: str | None = None,
        *,
        direct: bool = False,
        silence: float = SILENCE_SECONDS,
    ) -> None:
        self._url = url
        self._token = token
        self._direct = direct
        self._silence = silence
        self._socket: ClientConnection | None = None
        self._error: ErrorFrame | None = None
        self.version = after
        self.epoch = epoch

    async def __aenter__(self) -> Self:
        # The first attempt is not repeated: an address that was never right is not waited for.
        self._socket = await self._connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._drop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Hello | EventFrame:
        while True:
            try:
                frame = self._taken(await self._received())
            except _LostError:
                await self._drop()
            else:
                if frame is not None:
                    return frame

    def _taken(self, text: str | bytes) -> Hello | EventFrame | None:
        """What a frame gives to whoever iterates, if anything; one that does not follow the last one means loss."""
        match decode_frame(text):
            case Hello() as hello:
                self.version, self.epoch = hello.version, hello.epoch
                return hello
            case EventFrame() as event if event.version == (self.version or 0) + 1:
                self.version = event.version
                return event
            case Resumed() as resumed if resumed.version == (self.version or 0):
                self.epoch = resumed.epoch
            case EventFrame() | Resumed():
                raise _LostError
            case ErrorFrame() as error:
                self._error = error
            case Unsubscribed():
                raise self._problem() or FeedClosed(1000, "unsubscribed")
            case Resync() | Heartbeat():
                pass
        return None

    async def _received(self) -> str | bytes:
        """The next frame, connecting again where it has to be."""
        if self._socket is None:
            self._socket = await self._connect_again()
        try:
            async with asyncio.timeout(self._silence):
                return await self._socket.recv()
        except TimeoutError as silent:
            raise _LostError from silent
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
            if code in _FINAL or code >= 4400:
                raise self._problem() or FeedClosed(code, reason) from closed
            raise _LostError from closed

    async def _connect_again(self) -> ClientConnection:
        pause = 0.1
        while True:
            # Not all at the same moment: a service that comes back has many watchers.
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - nothing secret about a pause
            try:
                return await self._connect()
            except InvalidStatus as refused:
                if refused.response.status_code < 500:
                    raise
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed):
                pass
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _connect(self) -> ClientConnection:
        self._error = None
        place = {"after": self.version, "epoch": self.epoch}
        query = urlencode({name: value for name, value in place.items() if value is not None})
        url = f"{self._url}?{query}" if query else self._url
        socket = await connect(url, proxy=None if self._direct else True, compression=None)
        try:
            await socket.send(msgspec.json.encode({"type": "auth", "token": self._token}).decode())
        except BaseException:
            await socket.close()
            raise
        return socket

    async def _drop(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            with contextlib.suppress(OSError, ConnectionClosed):
                await socket.close()

    def _problem(self) -> Problem | None:
        error = self._error
        return error and Problem(0, error.code, error.detail, {"field": error.field} if error.field else {})
