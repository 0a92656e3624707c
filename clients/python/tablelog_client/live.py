"""Watching a game: an iterator over what happens that has no holes, whatever happens to the connection.

The service numbers the events of a game without a gap and can go on from any of them (its `PROTOCOL.md`). So this side
remembers one version and one epoch, names them whenever it has to connect again, and takes an event only if its version
is the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from tablelog_client.connection import FeedClosed, LostError, Watching
from tablelog_client.models import ErrorFrame, EventFrame, Hello, Resumed, Unsubscribed, decode_frame


class Live(Watching[Hello | EventFrame]):
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
        silence: float | None = None,
    ) -> None:
        super().__init__(url, token, epoch, direct=direct, silence=silence)
        self.version = after

    def _taken(self, text: str | bytes) -> Hello | EventFrame | None:
        """The item that a frame yields, or None; a frame out of order means loss."""
        match decode_frame(text):
            case Hello() as hello:
                self.version, self.epoch = hello.version, hello.epoch
                self._connection.begun(hello.heartbeat_seconds)
                return hello
            case EventFrame() as event if event.version == (self.version or 0) + 1:
                self.version = event.version
                return event
            case Resumed() as resumed if resumed.version == (self.version or 0):
                self.epoch = resumed.epoch
                self._connection.begun(resumed.heartbeat_seconds)
            case EventFrame() | Resumed():
                raise LostError
            case ErrorFrame() as error:
                self._connection.error = error
            case Unsubscribed():
                raise self._connection.problem() or FeedClosed(1000, "unsubscribed")
            case _:
                pass
        return None

    def _greeting(self) -> tuple[str, Sequence[Mapping[str, Any]]]:
        place = {"after": self.version, "epoch": self.epoch}
        query = urlencode({name: value for name, value in place.items() if value is not None})
        return f"{self._url}?{query}" if query else self._url, [{"type": "auth", "token": self._token}]
