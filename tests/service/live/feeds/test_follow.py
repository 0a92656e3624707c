"""A follow: what it is handed goes out once, in order, or waits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from service.live.encodings import TEXT_FRAMES
from service.live.feeds import follow
from service.live.feeds.follow import Batch, Follow
from service.live.games.subscription import Watcher
from service.live.outbox import Outbox
from service.log.safe_order import LogPosition
from service.transport.close_codes import Close


class Sink:
    """A transport that takes everything."""

    def __init__(self) -> None:
        self.on_writable: Callable[[], None] | None = None
        self.waiting = 0
        self.ready = True
        self.sent: list[bytes] = []

    def send_frames(self, data: bytes) -> None:
        self.sent.append(data)

    def close_for(self, close: Close) -> None:
        raise AssertionError(close)


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def following(sink: Sink) -> Follow:
    return Follow(Watcher(Outbox(sink, 1_000, 1_000_000), TEXT_FRAMES), "lobby")


def at(*numbers: int) -> Batch:
    return Batch([(LogPosition(xid=1, number=number), b"%d" % number) for number in numbers])


def test_what_comes_goes_out_at_once_and_is_not_sent_again(following: Follow, sink: Sink) -> None:
    following.hand(at(1, 2))
    following.hand(at(2, 3))
    following.hand(at(1, 2, 3))
    assert sink.sent == [b"12", b"3"]
    assert following.place == LogPosition(xid=1, number=3)


def test_what_was_sent_from_the_log_already_is_passed_over(following: Follow, sink: Sink) -> None:
    following.place = LogPosition(xid=1, number=2)
    following.hand(at(1, 2))
    following.hand(at(2, 3))
    assert sink.sent == [b"3"]


def test_all_who_are_sent_the_same_share_its_bytes(following: Follow, sink: Sink) -> None:
    batch = at(1, 2)
    following.hand(batch)
    assert sink.sent[0] is batch.data


def test_while_one_catches_up_what_comes_waits(following: Follow, sink: Sink) -> None:
    following.pending = deque()
    following.hand(at(1, 2))
    following.hand(at(3))
    assert sink.sent == []
    assert [data for _, data in following.pending] == [b"1", b"2", b"3"]
    assert following.place < LogPosition(xid=1, number=1)


def test_only_so_much_waits_and_it_is_noted_that_there_was_more(
    following: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "PENDING", 2)
    following.pending = deque()
    following.hand(at(1, 2))
    assert not following.too_many
    following.hand(at(3))
    assert following.too_many
    assert len(following.pending) == 2
