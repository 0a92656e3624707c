"""The forms: one frame as a websocket's text frame, and as a server-sent event that says where its reader stands."""

from __future__ import annotations

import msgspec
import pytest

from domain.kernel.game import Status
from service.live.encodings import SERVER_SENT, TEXT_FRAMES, Encoding
from service.live.frames import ErrorFrame, HelloFrame, ResumedFrame, ResyncFrame, ServerFrame, UnsubscribedFrame

HELLO = HelloFrame("g1", "e", 7, "", "toy", Status.waiting, (), None, None, (), {"text": "a\r\nb\u2028c"}, None, 15)
RESUMED = ResumedFrame("g1", "e", 0, 9, Status.waiting, (), None, None, (), 15)


def test_a_heartbeat_is_a_text_frame_with_json() -> None:
    beat = TEXT_FRAMES.heartbeat
    assert beat[:2] == bytes([0x81, len(beat) - 2])
    assert msgspec.json.decode(beat[2:]) == {"type": "heartbeat"}


def test_a_heartbeat_is_an_event_without_a_position() -> None:
    assert SERVER_SENT.heartbeat == b'event: heartbeat\ndata: {"type":"heartbeat"}\n\n'


@pytest.mark.parametrize("frame,position", [(HELLO, b"id: e:7"), (RESUMED, b"id: e:0")])
def test_a_frame_that_says_where_a_reader_stands_brings_its_position(frame: ServerFrame, position: bytes) -> None:
    assert SERVER_SENT.pack(frame, "e").splitlines()[0] == position


@pytest.mark.parametrize("frame", [ResyncFrame("g1", "epoch", "e", 7), ErrorFrame("a", "b"), UnsubscribedFrame("g1")])
def test_what_says_nothing_of_a_position_leaves_the_one_that_its_reader_has(frame: ServerFrame) -> None:
    assert b"id:" not in SERVER_SENT.pack(frame, "e")


@pytest.mark.parametrize("form", [TEXT_FRAMES, SERVER_SENT])
def test_a_frame_is_the_same_json_in_every_form_and_on_one_line(form: Encoding) -> None:
    packed = form.pack(HELLO, "e")
    assert packed.count(msgspec.json.encode(HELLO)) == 1
    assert b"\r" not in packed
