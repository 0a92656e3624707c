"""Following the lobby, or what concerns one's own account: an iterator over notices that leaves none out.

Each notice names its event, and the service can go on from any of them (its `PROTOCOL.md`). So this side remembers the
last one and the epoch, and names them whenever it has to connect again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tablelog_client.connection import FeedClosed, LostError, Watching
from tablelog_client.models import ErrorFrame, Following, Notice, Refollow, Unfollowed, decode_frame


class Feed(Watching[Following | Notice]):
    """A feed: iterate over it inside `async with`.

    It gives a `Following` and then every `Notice`. Keep a list by reading it (`Client.games`) at each `Following`,
    and puts the `listed` of each notice into it: nothing is missed. With `after` (and the epoch that goes with it) it
    begins with the notice after that cursor instead. `cursor` and `epoch` say where it is. Another `Following` comes
    when the service cannot go on from where this was.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        feed: Literal["lobby", "account"],
        after: str | None = None,
        epoch: str | None = None,
        *,
        direct: bool = False,
        silence: float | None = None,
    ) -> None:
        super().__init__(url, token, epoch, direct=direct, silence=silence)
        self._feed = feed
        self.cursor = after

    def _taken(self, text: str | bytes) -> Following | Notice | None:
        """The item that a frame yields, or None; a frame that goes on from elsewhere means loss."""
        match decode_frame(text):
            case Following() as following:
                self._connection.begun(following.heartbeat_seconds)
                known, self.epoch = self.cursor, following.epoch
                if known is None:
                    self.cursor = following.cursor
                    return following
                if known != following.cursor:
                    raise LostError
            case Notice() as notice:
                self.cursor = notice.cursor
                return notice
            case Refollow():
                self.cursor = None
            case ErrorFrame() as error:
                self._connection.error = error
                # The socket stays open, and nothing would ever come. Other errors close it: that code says what then.
                refused = error.feed is not None or error.code == "invalid-frame"
                if refused and (problem := self._connection.problem()) is not None:
                    raise problem
            case Unfollowed():
                raise self._connection.problem() or FeedClosed(1000, "unfollowed")
            case _:
                pass
        return None

    def _greeting(self) -> tuple[str, Sequence[Mapping[str, Any]]]:
        follow = {"type": "follow", "feed": self._feed, "after": self.cursor, "epoch": self.cursor and self.epoch}
        return self._url, [{"type": "auth", "token": self._token}, follow]
