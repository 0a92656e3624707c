"""The pace of catching up: chunks of bounded size, each sent once the one before it was read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from service.live import pacing
from service.live.outbox import Outbox
from service.live.pacing import chunk, takes_more
from service.transport.close_codes import SLOW_READER, Close


class Peer:
    """A transport that takes data while it is ready."""

    def __init__(self) -> None:
        self.on_writable: Callable[[], None] | None = None
        self.waiting = 0
        self.ready = False
        self.closed: Close | None = None

    def send_frames(self, data: bytes) -> None:
        raise AssertionError(data)

    def close_for(self, close: Close) -> None:
        self.closed = close

    def read(self) -> None:
        self.ready = True
        assert self.on_writable is not None
        self.on_writable()


def test_a_chunk_ends_with_the_frame_that_completes_it_and_encodes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "CHUNK_BYTES", 5)
    encoded: list[int] = []

    def frames() -> Iterator[bytes]:
        for number in range(10):
            encoded.append(number)
            yield b"ab"

    assert chunk(frames()) == [b"ab"] * 3
    assert encoded == [0, 1, 2]
    assert chunk([b"more than a chunk"]) == [b"more than a chunk"]
    assert chunk([]) == []


async def test_the_next_chunk_waits_for_the_reader() -> None:
    peer = Peer()
    waiting = asyncio.create_task(takes_more(Outbox(peer, 10, 1_000)))
    await asyncio.sleep(0)
    assert not waiting.done()
    peer.read()
    assert await waiting


async def test_a_stalled_reader_is_closed_as_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "STALL_SECONDS", 0.01)
    peer = Peer()
    assert not await takes_more(Outbox(peer, 10, 1_000))
    assert peer.closed is SLOW_READER


async def test_a_closed_outbox_takes_nothing_more() -> None:
    outbox = Outbox(Peer(), 10, 1_000)
    outbox.abandon()
    assert not await takes_more(outbox)
