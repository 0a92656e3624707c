"""What is done with each frame of a client, in their order, and with what cannot be done.

A frame that is refused is answered with an error frame, and the socket stays. It is closed for a token that nobody has
(a player must not go on as the public without noticing), when the database is out of reach, and on the socket of one
game, when that game cannot be watched at all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, assert_never

from domain.kernel.rejected import Rejected
from domain.kernel.terms import Version
from service.auth.guards import token_account
from service.auth.tokens import Tokens
from service.counters import Counters
from service.database.errors import EpochChanged, is_lost
from service.limits.socket_slot import Slot
from service.limits.weights import CATCH_UP, RESUME
from service.live import frames
from service.live.frames import (
    AuthFrame,
    ClientFrame,
    ErrorFrame,
    Feed,
    FollowFrame,
    SubscribeFrame,
    UnfollowFrame,
    UnsubscribeFrame,
)
from service.live.games.subscription import Watcher
from service.live.hub import Hub
from service.loop_lag import why_lost
from service.play.game_cache import Unreadable
from service.transport.close_codes import (
    FAILED,
    GAME_UNREADABLE,
    GOING_AWAY,
    INVALID_QUERY,
    INVALID_TOKEN,
    NO_SUCH_GAME,
    ORIGIN_REFUSED,
    RATE_LIMITED,
    UNAVAILABLE,
    Close,
)

_CLOSES: Mapping[str, Close] = MappingProxyType({
    close.name: close for close in (
        INVALID_QUERY, INVALID_TOKEN, ORIGIN_REFUSED, NO_SUCH_GAME, GAME_UNREADABLE, RATE_LIMITED
    )
})  # fmt: skip
"""The close that goes with a code of an error, where the error leaves nothing to do."""

ANSWER_SECONDS = 4.4
"""How long a frame may take: a socket whose database hangs is closed with `unavailable`."""

PATIENCE = 50
"""Frames over a limit that are answered before the socket is closed."""

_log = logging.getLogger(__name__)


class Session:
    """The conversation with one client."""

    def __init__(
        self,
        hub: Hub,
        tokens: Tokens,
        watcher: Watcher,
        counters: Counters | None = None,
        slot: Slot | None = None,
    ) -> None:
        self._hub = hub
        self._tokens = tokens
        self._watcher = watcher
        self._counters = counters or Counters()
        self._slot = slot
        self._limited = 0
        self._implied: SubscribeFrame | None = None
        self._known: Version = 0

    def imply(self, frame: SubscribeFrame, known: Version = 0) -> None:
        """Take a subscription as asked for: it begins with the client's first frame, or with `begin`.

        `known` is a version of the game that the client may know already.
        """
        self._implied = frame
        self._known = known

    async def begin(self) -> None:
        """Begin the implied subscription, if there is one that has not begun; close the socket if it cannot."""
        frame, self._implied = self._implied, None
        if frame is None:
            return
        try:
            if frame.after is not None:  # as where a frame asks for it; a hello is paid for by the upgrade
                self._count(_cost(frame))
            await self._do(frame)
        except (Rejected, Unreadable) as error:
            self.end(error, frame.game)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client hears of it
            self._fail(error)

    async def hear(self, message: Mapping[str, Any]) -> None:
        """Do what a message of the client asks for."""
        try:
            frame = _read(message.get("text"))
        except Rejected as error:  # in a variable that stays it would be part of a cycle, through the frame here
            await self.begin()
            self._refuse(self._limit_of_junk() or error)
            return
        if not isinstance(frame, AuthFrame):
            await self.begin()
        try:
            self._count(_cost(frame))
            await self._do(frame)
        except (Rejected, Unreadable) as error:
            self._refuse(error, *_about(frame))
        except Exception as error:  # noqa: BLE001 - as above
            self._fail(error)
        await self.begin()

    def end(self, error: Rejected | Unreadable, game: str | None = None) -> None:
        """Tell the client what was wrong, and close."""
        self._refuse(error, game)
        code = error.code if isinstance(error, Rejected) else GAME_UNREADABLE.name
        self._hub.depart(self._watcher, _CLOSES.get(code, FAILED))

    def _refuse(self, error: Rejected | Unreadable, game: str | None = None, feed: Feed | None = None) -> None:
        self._watcher.tell(frames.error_frame(error, game, feed))
        if isinstance(error, Rejected) and self._counters.refused(error):
            self._limited += 1
            if self._limited > PATIENCE:
                self._hub.depart(self._watcher, RATE_LIMITED)

    def _count(self, cost: int = 1) -> None:
        if self._slot is not None:
            self._slot.frame(cost)

    def _limit_of_junk(self) -> Rejected | None:
        """Count a frame that cannot be read; gives the refusal if that was one too many."""
        try:
            self._count()
        except Rejected as error:
            return error
        return None

    async def _do(self, frame: ClientFrame) -> None:
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._dispatch(frame)

    async def _dispatch(self, frame: ClientFrame) -> None:
        match frame:
            case AuthFrame(token):
                await self._identify(token)
            case SubscribeFrame(game, after, epoch):
                if self._slot is not None:
                    self._slot.require_subscription()
                await self._hub.subscribe(self._watcher, game, after, epoch, self._known)
            case UnsubscribeFrame(game):
                self._hub.unsubscribe(self._watcher, game)
            case FollowFrame(feed, after, epoch):
                await self._hub.feeds.follow(self._watcher, feed, after, epoch)
            case UnfollowFrame(feed):
                self._hub.feeds.unfollow(self._watcher, feed)
            case _:
                assert_never(frame)

    async def _identify(self, token: str | None) -> None:
        account = None if token is None else await token_account(self._tokens, token, self._slot and self._slot.lookups)
        if token is not None and account is None:
            self.end(Rejected("invalid-token", "nobody has this token", field="token"))
        else:
            if self._slot is not None:
                self._slot.identify(account.id if account else None, self._watcher.subscriptions)
            self._hub.identify(self._watcher, account.id if account else None)
            await self._hub.feeds.identify(self._watcher)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, EpochChanged):
            self._hub.depart(self._watcher, GOING_AWAY)
            return
        if is_lost(error):
            _log.warning("%s", why_lost(error))
            close = UNAVAILABLE
        else:
            _log.error("a frame of a client led to an error that nobody foresaw", exc_info=error)
            close = FAILED
        self._watcher.tell(ErrorFrame(code=close.name, detail=close.when))
        self._hub.depart(self._watcher, close)


def _read(text: str | None) -> ClientFrame:
    if text is None:
        raise Rejected("invalid-frame", "frames are JSON in text messages")
    return frames.read(text)


def _about(frame: ClientFrame) -> tuple[str | None, Feed | None]:
    """The game and the feed that a frame is about."""
    match frame:
        case SubscribeFrame() | UnsubscribeFrame():
            return frame.game, None
        case FollowFrame() | UnfollowFrame():
            return None, frame.feed
        case AuthFrame():
            return None, None
        case _:
            assert_never(frame)


def _cost(frame: ClientFrame) -> int:
    """What a frame counts for as a request: catching up reads the log."""
    match frame:
        case FollowFrame(after=str()):
            return CATCH_UP
        case SubscribeFrame(after=int()):
            return RESUME
        case _:
            return 1
