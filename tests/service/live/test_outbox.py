"""The outbox: frames go out in order or the reader is closed; what waits is bounded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from service.live.outbox import Outbox
from service.transport.close_codes import GOING_AWAY, SLOW_READER, Close


class Reader:
    """A pipe that takes so many sends before it is full."""

    def __init__(self, room: int) -> None:
        self.on_writable: Callable[[], None] | None = None
        self.waiting = 0
        self.room = room
        self.got: list[bytes] = []
        self.closed: Close | None = None

    @property
    def ready(self) -> bool:
        return self.room > 0 and self.closed is None

    def send_frames(self, data: bytes) -> None:
        assert self.ready
        self.room -= 1
        self.got.append(data)

    def close_for(self, close: Close) -> None:
        self.closed = close

    def read(self, room: int) -> None:
        self.room = room
        assert self.on_writable is not None
        self.on_writable()


def test_frames_go_straight_out_while_the_reader_reads() -> None:
    reader = Reader(room=3)
    outbox = Outbox(reader, 10, 100)
    for frame in (b"1", b"2", b"3"):
        outbox.put(frame)
    assert reader.got == [b"1", b"2", b"3"]


def test_what_waited_goes_out_in_order_when_the_reader_reads_again() -> None:
    reader = Reader(room=1)
    outbox = Outbox(reader, 10, 100)
    for frame in (b"1", b"2", b"3", b"4"):
        outbox.put(frame)
    assert reader.got == [b"1"]
    reader.read(2)
    outbox.put(b"5")
    assert reader.got == [b"1", b"2", b"3"]
    reader.read(9)
    assert reader.got == [b"1", b"2", b"3", b"4", b"5"]
    assert outbox.idle


def test_a_reader_for_whom_too_many_frames_wait_is_closed_and_has_all_up_to_some_point() -> None:
    reader = Reader(room=1)
    outbox = Outbox(reader, 3, 100)
    for frame in (b"1", b"2", b"34"):
        outbox.put(frame, len(frame))
    assert reader.closed is None
    outbox.put(b"5")
    outbox.put(b"6")
    assert reader.closed is SLOW_READER
    assert reader.got == [b"1"]


def test_a_reader_for_whom_too_many_bytes_wait_is_closed() -> None:
    reader = Reader(room=0)
    outbox = Outbox(reader, 100, 10)
    outbox.put(b"12345")
    outbox.put(b"67890")
    assert reader.closed is None
    outbox.put(b"1")
    assert reader.closed is SLOW_READER


def test_a_frame_larger_than_the_bound_may_wait_alone() -> None:
    reader = Reader(room=0)
    outbox = Outbox(reader, 100, 10)
    outbox.put(b"x" * 50)
    assert reader.closed is None
    reader.read(1)
    assert reader.got == [b"x" * 50]


def test_room_is_given_back_as_the_reader_reads() -> None:
    reader = Reader(room=0)
    outbox = Outbox(reader, 2, 2)
    for _ in range(50):
        outbox.put(b"1")
        outbox.put(b"2")
        reader.read(2)
        reader.room = 0
    assert reader.closed is None
    assert len(reader.got) == 100


def test_nothing_is_sent_to_a_closed_reader() -> None:
    reader = Reader(room=1)
    outbox = Outbox(reader, 10, 100)
    outbox.put(b"1")
    outbox.put(b"2")
    outbox.close(GOING_AWAY)
    reader.closed = None
    reader.read(9)
    outbox.put(b"3")
    assert reader.got == [b"1"]


async def test_draining_is_waited_for() -> None:
    reader = Reader(room=1)
    outbox = Outbox(reader, 10, 100)
    await outbox.drained()
    outbox.put(b"1")
    outbox.put(b"2")
    waiting = asyncio.create_task(outbox.drained())
    await asyncio.sleep(0)
    reader.read(1)  # takes the last one, and is full again
    await asyncio.sleep(0)
    assert not waiting.done()
    reader.read(1)
    await waiting


async def test_closing_ends_the_wait_for_draining() -> None:
    outbox = Outbox(Reader(room=0), 10, 100)
    waiting = [asyncio.create_task(outbox.drained()) for _ in range(3)]
    await asyncio.sleep(0)
    outbox.abandon()
    await asyncio.gather(*waiting)
