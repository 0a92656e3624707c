"""Clients of server-sent events: one that reads, and one that follows a game as an EventSource does."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from service.transport.close_codes import CLOSES
from tests.harness.contract import EVENT_STREAM, check_frame
from tests.harness.following import Follower

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_CODES = {close.name: close.code for close in CLOSES}


@dataclass(frozen=True)
class Sent:
    """One event: its type, its frame, and the id that a client has after it."""

    event: str
    frame: dict[str, Any]
    id: str


@dataclass
class Events:
    """The events of an answer, each of which is held to the contract."""

    answer: httpx.Response
    parts: AsyncIterator[bytes] = field(init=False)
    blocks: list[bytes] = field(default_factory=list[bytes])
    """What came as it came, but heartbeats."""
    last_id: str = ""
    comments: list[str] = field(default_factory=list[str])
    fields: dict[str, str] = field(default_factory=dict[str, str])
    """The other fields, by name, as they were sent last."""
    _waiting: bytes = b""

    def __post_init__(self) -> None:
        self.parts = self.answer.aiter_bytes()

    async def next(self, *, beats: bool = False) -> Sent:
        """The next event that is no heartbeat; `EOFError` when the answer has ended."""
        while True:
            sent = self._read(await self._block())
            if sent is not None and (beats or sent.event != "heartbeat"):
                return sent

    async def until(self, last: Callable[[Sent], bool]) -> list[Sent]:
        """The events up to the first one that is wanted last."""
        found = [await self.next()]
        while not last(found[-1]):
            found.append(await self.next())
        return found

    async def through(self, version: int) -> list[Sent]:
        """The events up to the one of a version."""
        return await self.until(lambda sent: sent.event == "event" and sent.frame["version"] == version)

    async def end(self) -> list[Sent]:
        """The events up to the end of the answer."""
        found: list[Sent] = []
        try:
            while True:
                found.append(await self.next())
        except EOFError:
            return found

    async def _block(self) -> bytes:
        while b"\n\n" not in self._waiting:
            part = await anext(self.parts, b"")
            if not part:
                assert not self._waiting, self._waiting
                raise EOFError
            self._waiting += part
        block, _, self._waiting = self._waiting.partition(b"\n\n")
        return block

    def _read(self, block: bytes) -> Sent | None:
        fields: dict[str, str] = {}
        for line in block.split(b"\n"):
            name, colon, value = line.decode().partition(":")
            assert colon, line
            assert name not in fields, "one line of each"
            fields[name] = value.removeprefix(" ")
        if "" in fields:
            self.comments.append(fields.pop(""))
        self.last_id = fields.pop("id", self.last_id)
        event = fields.pop("event", "message")
        if event != "heartbeat":
            self.blocks.append(block)
        if "data" not in fields:
            self.fields |= fields
            return None
        frame = msgspec.json.decode(fields.pop("data"))
        assert not fields, fields
        check_frame(frame)
        assert frame["type"] == event
        return Sent(event, frame, self.last_id)


@asynccontextmanager
async def listening(
    url: str, token: str | None = None, headers: Mapping[str, str] | None = None
) -> AsyncGenerator[Events]:
    """A client that has asked for the events at a URL, and got an answer."""
    sent = {"Accept": EVENT_STREAM, **({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
    async with httpx.AsyncClient(verify=_NO_TLS, timeout=30) as http, http.stream("GET", url, headers=sent) as answer:
        yield Events(answer)


@dataclass
class EventFollower(Follower):
    """Follows a game as an EventSource does: the address stays, and the id of the last event is sent with it."""

    last_id: str = ""
    first: str = field(init=False)

    def __post_init__(self) -> None:
        self.first = f"?after={self.after}&epoch={self.epoch}" if self.epoch else "?after=0" if self.after == 0 else ""

    async def _watch(self, address: str, version: int) -> None:
        position = {"Last-Event-ID": self.last_id} if self.last_id else {}
        try:
            async with listening(f"{address}/v1/games/{self.game}/events{self.first}", self.token, position) as events:
                assert events.answer.status_code == 200, await events.answer.aread()
                while self.after is None or self.after < version:
                    try:
                        sent = await events.next(beats=True)
                    except EOFError:
                        raise ConnectionClosed(_reason(events), None) from None
                    self._take(sent.frame)
                    self.last_id = sent.id
                    assert not self.last_id or self.last_id == f"{self.epoch}:{self.after}"
        except httpx.TransportError as error:
            raise ConnectionError from error


def _reason(events: Events) -> Close | None:
    """Why an answer has ended, as a websocket is told it."""
    return Close(_CODES[events.comments[-1]], events.comments[-1]) if events.comments else None
