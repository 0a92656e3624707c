"""A connection to the live feed that is made again whenever it is lost, and given up when the service says so."""

from __future__ import annotations

import asyncio
import contextlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from tablelog_client.models import ErrorFrame
from tablelog_client.problems import Problem

Given = TypeVar("Given")

SILENCE_SECONDS = 45.0
"""How long a connection may be silent before the service has said how often it sends heartbeats."""

MISSED_HEARTBEATS = 3
"""Heartbeat intervals of silence after which a connection is dead."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_LONGEST_WAIT = 60
_FINAL = frozenset({1000, 1002, 1003, 1007, 1008, 1009})


class FeedClosed(Exception):
    """The service closed the feed for good: the same request would end the same way."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class LostError(Exception):
    """The connection is gone, or something on it is: connect again."""


class Connection:
    """A socket, or the next one. `greet` gives, for each, its address and the frames to begin with."""

    def __init__(
        self, greet: Callable[[], tuple[str, Sequence[Mapping[str, Any]]]], *, direct: bool, silence: float | None
    ) -> None:
        self._greet = greet
        self._direct = direct
        self._fixed = silence is not None
        self._silence = SILENCE_SECONDS if silence is None else silence
        self._socket: ClientConnection | None = None
        self._pause = _FIRST_PAUSE
        self.error: ErrorFrame | None = None
        """What the service said was wrong, on this socket."""

    async def open(self) -> None:
        """Make the first connection. It is tried once: an address that was never right is not waited for."""
        self._socket = await self._connect()

    async def received(self) -> str | bytes:
        """The next frame, connecting again where it has to be; raises `LostError` when that is to be noticed."""
        if self._socket is None:
            self._socket = await self._connect_again()
        try:
            async with asyncio.timeout(self._silence):
                return await self._socket.recv()
        except TimeoutError as silent:
            raise LostError from silent
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
            if code in _FINAL or code >= 4400:
                raise self.problem() or FeedClosed(code, reason) from closed
            raise LostError from closed

    def begun(self, heartbeat_seconds: float | None) -> None:
        """What is watched has begun: the next break is a new one, and this is how often heartbeats come.

        The caller may have fixed how long silence may last.
        """
        self._pause = _FIRST_PAUSE
        if heartbeat_seconds is not None and not self._fixed:
            self._silence = MISSED_HEARTBEATS * heartbeat_seconds

    async def drop(self) -> None:
        """Let go of the socket; the next frame is waited for on another one."""
        socket, self._socket = self._socket, None
        if socket is not None:
            with contextlib.suppress(OSError, ConnectionClosed):
                await socket.close()

    def problem(self) -> Problem | None:
        """What the service said was wrong, if it did."""
        error = self.error
        return error and Problem(0, error.code, error.detail, {"field": error.field} if error.field else {})

    async def _connect_again(self) -> ClientConnection:
        while True:
            # Not all at the same moment: a service that comes back has many watchers. And ever less often, also where
            # connections are made only to be closed, as by a process that restarts.
            await asyncio.sleep(self._pause * random.uniform(0.5, 1))  # noqa: S311 - nothing secret about a pause
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)
            try:
                return await self._connect()
            except InvalidStatus as refused:
                status, given = refused.response.status_code, refused.response.headers.get("Retry-After", "")
                if status < 500 and status != 429:
                    raise
                if given.isascii() and given.isdigit():
                    await asyncio.sleep(min(int(given), _LONGEST_WAIT))
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed):
                pass

    async def _connect(self) -> ClientConnection:
        self.error = None
        url, first = self._greet()
        socket = await connect(url, proxy=None if self._direct else True, compression=None)
        try:
            for frame in first:
                await socket.send(msgspec.json.encode(frame).decode())
        except BaseException:
            await socket.close()
            raise
        return socket


class Watching(ABC, Generic[Given]):
    """What is watched over connections: an iterator over what frames give, inside `async with`."""

    def __init__(self, url: str, token: str | None, epoch: str | None, *, direct: bool, silence: float | None) -> None:
        self._url = url
        self._token = token
        self._connection = Connection(self._greeting, direct=direct, silence=silence)
        self.epoch = epoch

    async def __aenter__(self) -> Self:
        await self._connection.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connection.drop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Given:
        while True:
            try:
                given = self._taken(await self._connection.received())
            except LostError:
                await self._connection.drop()
            else:
                if given is not None:
                    return given

    @abstractmethod
    def _taken(self, text: str | bytes) -> Given | None:
        """The item that a frame yields, or None; raises `LostError` for a frame that cannot come next."""

    @abstractmethod
    def _greeting(self) -> tuple[str, Sequence[Mapping[str, Any]]]:
        """The address of the next socket, and the frames to begin with."""
