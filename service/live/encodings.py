"""The forms in which a frame goes to a watcher: a text frame of a websocket, or a server-sent event.

A form is a value of its own, so that bytes are shared by all watchers of one form that may see the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import json

from service.live.frames import EventFrame, HeartbeatFrame, HelloFrame, ResumedFrame, ServerFrame, packed

Pack = Callable[[ServerFrame, str], bytes]


@dataclass(frozen=True, eq=False, slots=True)
class Encoding:
    """How frames are written: `pack` is given a frame and the epoch of what it tells."""

    pack: Pack
    heartbeat: bytes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "heartbeat", self.pack(HeartbeatFrame(), ""))


def _text_frame(frame: ServerFrame, _epoch: str) -> bytes:
    return packed(frame)


def _server_sent(frame: ServerFrame, epoch: str) -> bytes:
    """An event with the type of the frame; one that says where the watcher stands has its position for an id."""
    data = json.encode(frame)
    event = b"event: %b\ndata: %b\n\n" % (str(frame.__struct_config__.tag).encode(), data)
    if isinstance(frame, EventFrame | HelloFrame | ResumedFrame):
        return b"id: %b\n%b" % (position(epoch, frame.version).encode(), event)
    return event


def position(epoch: str, version: int) -> str:
    """A version of an epoch as one word, which `Last-Event-ID` brings back."""
    return f"{epoch}:{version}"


TEXT_FRAMES = Encoding(_text_frame)
SERVER_SENT = Encoding(_server_sent)
