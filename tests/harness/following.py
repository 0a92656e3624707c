"""A watcher as a client should be: it holds every frame to the promises of the feed, and comes back after a break."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from service.transport.close_codes import CLOSES

_RETRY = {close.code for close in CLOSES if close.retry}


@dataclass
class Follower:
    """Follows a game on any of several addresses. `after` is None to begin with a hello."""

    addresses: Sequence[str]
    game: str
    token: str | None = None
    after: int | None = None
    epoch: str = ""
    versions: list[int] = field(default_factory=list[int])
    """The versions of the events that came."""
    frames: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    closes: list[int] = field(default_factory=list[int])
    """The codes with which connections ended."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first hello or resumed."""

    async def through(self, version: int) -> list[int]:
        """Follow until an event of this version has come; gives all versions that came."""
        for address in itertools.cycle(self.addresses):
            try:
                await self._watch(address, version)
            except ConnectionClosed as closed:
                self._closed(closed.rcvd.code if closed.rcvd is not None else 1006)
            except (OSError, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.05)
            else:
                break
        return self.versions

    def _closed(self, code: int) -> None:
        self.closes.append(code)
        assert code in _RETRY, code

    async def _watch(self, address: str, version: int) -> None:
        position = f"?after={self.after}&epoch={self.epoch}" if self.epoch else "?after=0" if self.after == 0 else ""
        url = f"ws{address.removeprefix('http')}/v1/games/{self.game}/live{position}"
        async with connect(url, compression=None, proxy=None, open_timeout=30) as connection:
            await connection.send(msgspec.json.encode({"type": "auth", "token": self.token}).decode())
            while self.after is None or self.after < version:
                self._take(msgspec.json.decode(await connection.recv()))

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        match frame["type"]:
            case "hello":
                assert self.after is None, frame
                self.after, self.epoch = frame["version"], frame["epoch"]
                self.begun.set()
            case "resumed":
                assert frame["version"] == self.after, frame
                self.epoch = frame["epoch"]
                self.begun.set()
            case "event":
                assert self.after is not None, frame
                assert frame["version"] == self.after + 1 == frame["event"]["version"], (frame, self.after)
                self.after += 1
                self.versions.append(self.after)
            case "heartbeat":
                pass
            case _:
                raise AssertionError(frame)
