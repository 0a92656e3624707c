"""All connections of a process: bounds on their number, and on the bytes that are held for them.

A connection that becomes a websocket leaves, and joins again as another protocol. Beyond `most` connections, `RESERVED`
more are let in to be refused, or to ask for the health of the process; beyond these the oldest of them is cut.

Once a second the bytes held for each connection are added up: received and not taken yet, and sent but not read. A peer
that has read nothing for `STALL_SECONDS` is cut. If all together exceed `unread_bytes`, those with most are shed. A
connection whose buffer runs full in between reports it (`swell`), so that a burst is noticed at once. A round costs a
microsecond per connection; counting at every write would cost as much for every answer.

`watch` is called with each peer that joins: it returns the refusal of the peer's requests, or what is called when the
peer leaves.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from uvicorn.server import ServerState

from domain.kernel.rejected import Rejected

ROUND_SECONDS = 1.0

STALL_SECONDS = 30.0
"""How long a peer may read nothing."""

RESERVED = 8
"""Connections beyond all others, for health checks and refusals."""

_LOG_SECONDS = 60.0
"""How long a problem must be over to be logged again."""

_log = logging.getLogger("tablelog.connections")


class Peer(Protocol):
    client: tuple[str, int] | None
    transport: asyncio.Transport

    @property
    def held(self) -> int:
        """Bytes held for it, but for the write buffer of its transport."""
        ...

    def shed(self) -> None:
        """Free the bytes held: refuse the request if possible, else cut the connection."""
        ...


Leave = Callable[[], None]
Watch = Callable[[Peer], Rejected | Leave | None]


class Peers:
    def __init__(self, most: int = 10_000, unread_bytes: int = 67_108_864, origins: Sequence[str] = ()) -> None:
        self.most = most
        self.origins = frozenset(each.encode() for each in origins)
        self.watch: Watch | None = None
        self.held = 0
        """Bytes held for all, as of the last round."""
        self._unread_bytes = unread_bytes
        self._open: dict[Peer, Leave | None] = {}
        self._reserve: dict[Peer, None] = {}
        self._stuck: dict[Peer, tuple[int, float]] = {}
        self._swollen = 0
        self._round: asyncio.TimerHandle | None = None
        self._crowded = _Trouble()
        self._shedding = _Trouble()

    def __len__(self) -> int:
        return len(self._open)

    def join(self, peer: Peer) -> Rejected | None:
        """Count a connection; returns why its requests are to be refused, or None."""
        watched = None if self.watch is None else self.watch(peer)
        self._open[peer] = None if isinstance(watched, Rejected) else watched
        if self._round is None:
            self._round = asyncio.get_running_loop().call_later(ROUND_SECONDS, self._go_round)
        if len(self._open) - len(self._reserve) <= self.most:
            return watched if isinstance(watched, Rejected) else None
        if self._crowded.begins():
            _log.warning("all %d connections are in use: new ones are refused, but for health checks", self.most)
        self._reserve[peer] = None
        if len(self._reserve) > RESERVED:
            oldest = next(iter(self._reserve))
            del self._reserve[oldest]
            oldest.transport.abort()
        return Rejected("overloaded", "all connections of this process are in use")

    def leave(self, peer: Peer) -> None:
        if (leave := self._open.pop(peer, None)) is not None:
            leave()
        self._reserve.pop(peer, None)
        self._stuck.pop(peer, None)

    def swell(self, size: int) -> None:
        """Count the bytes held for a connection between two rounds."""
        self._swollen += size
        if self.held + self._swollen > self._unread_bytes:
            self._count()

    def _go_round(self) -> None:
        self._round = None
        self._count()
        if self._open:
            self._round = asyncio.get_running_loop().call_later(ROUND_SECONDS, self._go_round)

    def _count(self) -> None:
        now = asyncio.get_running_loop().time()
        held: list[tuple[int, Peer]] = []
        stalled: list[Peer] = []
        for peer in self._open:
            unread = peer.transport.get_write_buffer_size()
            if unread and self._since(peer, unread, now) + STALL_SECONDS <= now:
                stalled.append(peer)
            elif not unread and self._stuck:
                self._stuck.pop(peer, None)
            if size := unread + peer.held:
                held.append((size, peer))
        self.held = sum(size for size, _ in held)
        self._swollen = 0
        for peer in stalled:
            peer.transport.abort()
        if self.held > self._unread_bytes:
            self._shed(held)

    def _since(self, peer: Peer, unread: int, now: float) -> float:
        """When the peer last read anything, as its unread bytes show."""
        before = self._stuck.get(peer)
        if before is None or before[0] != unread:
            self._stuck[peer] = before = (unread, now)
        return before[1]

    def _shed(self, held: list[tuple[int, Peer]]) -> None:
        if self._shedding.begins():
            _log.warning("%d bytes are held for slow clients: those with most are disconnected", self.held)
        for size, peer in sorted(held, key=lambda each: each[0], reverse=True):
            if self.held <= self._unread_bytes:
                break
            peer.shed()
            self.held -= size


class _Trouble:
    """A lasting condition that is logged once, when it begins."""

    _last = float("-inf")

    def begins(self) -> bool:
        """Note that it lasts; returns whether it begins now."""
        now = asyncio.get_running_loop().time()
        begins = now - self._last > _LOG_SECONDS
        self._last = now
        return begins


_OF_SERVERS: WeakKeyDictionary[ServerState, Peers] = WeakKeyDictionary()


def bind(state: ServerState, peers: Peers) -> None:
    """Count the connections of a server in `peers`, instead of new ones with the defaults."""
    _OF_SERVERS[state] = peers


def peers_of(state: ServerState) -> Peers:
    """The connections of a server, found by its state: uvicorn gives protocols nothing else of it."""
    found = _OF_SERVERS.get(state)
    if found is None:
        found = _OF_SERVERS[state] = Peers()
    return found
