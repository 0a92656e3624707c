"""Feeds: the lobby, and what concerns one's own account. Each notice in them stands for exactly one event of the log.

A feed has no numbers of its own that could tell how much there is that one may not see: its cursor is the event itself,
`game:version`, and where that stands in the log is looked up. A client that sends one gets all that came after it.

A new follow begins at a place that the projections have reached, so what is missing in lists that are read after
`following` comes as a notice. What is between its place and that of the reader (`reader.py`) it reads from the
log by itself, while that which the reader hands out waits; in the breath in which nothing waits any more it is live.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from domain.kernel.rejected import Rejected
from service.database.errors import is_lost
from service.database.types import Pool
from service.limits.delivery import Delivery
from service.limits.weights import CATCH_UP
from service.live.feeds import account_queries, queries
from service.live.feeds.account_log import AccountLog
from service.live.feeds.follow import Follow
from service.live.feeds.notices import FeedFolder
from service.live.feeds.queries import EventRef
from service.live.feeds.reader import Reader
from service.live.frames import Feed, FollowingFrame, RefollowFrame, UnfollowedFrame
from service.live.games.subscription import Watcher
from service.live.pacing import chunk, takes_more
from service.log.log_reader import RETRY_SECONDS
from service.log.safe_order import START, LogPosition
from service.play.game_cache import GameCache, Unreadable
from service.projections import rows
from service.transport.close_codes import FAILED

BEGINNING = "0"
"""The cursor before the first event; it claims nothing, and is one in every epoch."""

PAGE = 100
"""Events that one who catches up has folded in one go."""

REMEMBERED = 2_000
"""Notices of the lobby that are kept for those who catch up."""

_TABLES = 200
"""Tables that are remembered for all who catch up: those who come back together want the same ones."""

_log = logging.getLogger(__name__)


class Feeds:
    """The feeds of a process."""

    def __init__(self, pool: Pool, tables: GameCache, epoch: str, heartbeat_seconds: float) -> None:
        self._pool = pool
        self._tables = tables
        self._epoch = epoch
        self._heartbeat_seconds = heartbeat_seconds
        self._reader = Reader(pool, tables)
        self._folder = FeedFolder(pool, tables, _TABLES)
        self._lobby: dict[tuple[str, int], bytes | None] = {}
        self._follows: dict[Watcher, dict[Feed, Follow]] = {}

    @property
    def follows(self) -> int:
        """How many feeds are followed here."""
        return sum(map(len, self._follows.values()))

    async def start(self) -> None:
        """Begin to read when somebody follows."""
        await self._reader.start()

    async def stop(self) -> None:
        """Read no more."""
        await self._reader.stop()

    def wake(self) -> None:
        """Something was appended; what it was is read from the log."""
        self._reader.wake()

    async def follow(self, watcher: Watcher, feed: Feed, after: str | None, epoch: str | None) -> None:
        """Let a watcher follow a feed; `already-following`, `token-required`."""
        if feed in self._follows.get(watcher, {}):
            raise Rejected("already-following", "unfollow it first to start over", field="feed")
        if feed == "account" and watcher.account is None:
            raise Rejected("token-required", "the feed of an account needs a frame auth with its token", field="feed")
        if after is None and epoch is not None:
            raise Rejected("invalid-frame", "epoch goes with after", field="epoch")
        await self._begin(Follow(watcher, feed), after, epoch)

    def unfollow(self, watcher: Watcher, feed: Feed) -> None:
        """Let a watcher follow a feed no longer; `not-following`."""
        follow = self._follows.get(watcher, {}).get(feed)
        if follow is None:
            raise Rejected("not-following", "this socket does not follow that feed", field="feed")
        self._drop(follow)
        watcher.tell(UnfollowedFrame(feed))

    async def identify(self, watcher: Watcher) -> None:
        """If the watcher is another account by now, begin the feed of that one, or end it for the public."""
        follow = self._follows.get(watcher, {}).get("account")
        if follow is None or follow.account == watcher.account:
            return
        self._drop(follow)
        if watcher.account is None:
            watcher.tell(UnfollowedFrame("account"))
        else:
            await self._begin(Follow(watcher, "account"), None, None)

    def depart(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        for follow in list(self._follows.get(watcher, {}).values()):
            self._drop(follow)

    async def _begin(self, follow: Follow, after: str | None, epoch: str | None) -> None:
        """Say where a follow begins, and have it catch up from there."""
        watcher = follow.watcher
        reason: str | None = None
        place, cursor = None, after or BEGINNING
        if after is not None and (reason := self._refused(after, epoch)) is None:
            place = await self._place(follow, after)
            reason = None if place is not None else "unknown"
        if place is None:
            place, cursor = await self._newest(follow)
        if watcher.outbox.closed:
            return
        if reason is not None:
            watcher.tell(RefollowFrame(feed=follow.feed, reason=reason, epoch=self._epoch))
        watcher.tell(FollowingFrame(follow.feed, self._epoch, cursor, self._heartbeat_seconds))
        follow.place = place
        self._follows.setdefault(watcher, {})[follow.feed] = follow
        follow.catching_up = asyncio.create_task(self._catch_up(follow))

    def _refused(self, after: str, epoch: str | None) -> str | None:
        """Why a cursor means nothing here, whatever it names."""
        if epoch is None:
            return None if after == BEGINNING else "no-epoch"
        return None if epoch == self._epoch else "epoch"

    async def _place(self, follow: Follow, cursor: str) -> LogPosition | None:
        """Where the event of a cursor stands, if it is one that this follower may know of."""
        if cursor == BEGINNING:
            return START
        game, _, version = cursor.partition(":")
        if follow.account is not None:
            return await account_queries.place_of(self._pool, follow.account, game, int(version))
        place = await queries.place_of_listed(self._pool, game, int(version))
        if place is None:
            return None
        try:
            table = await self._tables.get(game)
        except Unreadable:
            return None
        created = table.game.created
        listed = created.visibility == "public" and not created.sandbox and not table.archived
        return place if listed else None

    async def _newest(self, follow: Follow) -> tuple[LogPosition, str]:
        """A place that the lists have reached, and the cursor of the last event up to there that the feed is about."""
        async with self._pool.acquire() as connection:
            place = (await rows.checkpoint(connection)).position
        if follow.account is None:
            found = await queries.newest_listed(self._pool, place)
        else:
            found = await account_queries.newest(self._pool, follow.account, place)
        return place, BEGINNING if found is None else f"{found[0]}:{found[1]}"

    def _drop(self, follow: Follow) -> None:
        task, follow.catching_up = follow.catching_up, None
        if task is not None:
            task.cancel()
        self._reader.leave(follow)
        follows = self._follows.get(follow.watcher, {})
        follows.pop(follow.feed, None)
        if not follows:
            self._follows.pop(follow.watcher, None)

    def _fail(self, follow: Follow) -> None:
        """Tell the client to come back, and nobody else hears of it."""
        _log.exception("a feed of the %s failed", follow.feed)
        follow.watcher.outbox.close(FAILED)

    async def _catch_up(self, follow: Follow) -> None:
        delivery = Delivery(follow.watcher.charge, CATCH_UP)
        try:
            goal = await self._reader.admit(follow)
            while not follow.watcher.outbox.closed:
                await self._send_up_to(follow, goal, delivery)
                if await self._send_pending(follow):
                    break
                goal = self._reader.place
        except Exception:  # noqa: BLE001 - see `_fail`
            self._fail(follow)
        finally:
            if follow.catching_up is asyncio.current_task():
                follow.catching_up = None

    async def _send_pending(self, follow: Follow) -> bool:
        """Send what waits until nothing does, and the follow is live; False if more came than could wait."""
        while follow.pending and not follow.too_many:
            waiting = [each for each in follow.pending if each[0] > follow.place]
            follow.pending.clear()
            if not await self._send(follow, waiting):
                return True
        if follow.too_many:
            # All of this is in the log, up to where the reader is now.
            follow.too_many = False
            if follow.pending is not None:
                follow.pending.clear()
            return False
        follow.pending = None
        return True

    async def _send_up_to(self, follow: Follow, goal: LogPosition, delivery: Delivery) -> None:
        """Send what the log has up to a place, however long the database may be away."""
        while follow.place < goal and not follow.watcher.outbox.closed:
            try:
                async with aclosing(self._pages(follow, goal, delivery)) as pages:
                    async for page, reached in pages:
                        if not await self._send(follow, page):
                            return
                        follow.place = max(follow.place, reached)
            except Exception as error:
                if not is_lost(error):
                    raise
                await asyncio.sleep(RETRY_SECONDS)

    async def _pages(
        self, follow: Follow, goal: LogPosition, delivery: Delivery
    ) -> AsyncGenerator[tuple[list[tuple[LogPosition, bytes]], LogPosition]]:
        """Notices from the log up to a place, in pages, each with the place up to which it is whole."""
        folder = self._folder
        place = follow.place
        log = None if follow.account is None else AccountLog(self._pool, follow.account, place, goal)
        while place < goal:
            if log is None:
                found = await queries.lobby(self._pool, place, PAGE, goal)
                notices = await self._lobby_notices(folder, found)
            else:
                found = await log.page(PAGE)
                feed_events = await folder.feed_events(found)
                notices = {event: feed_event.account(log.account) for event, feed_event in feed_events.items()}
            await delivery.count(len(found))  # also what turned out to be no notice: it was read and folded
            page = [(each.position, data) for each in found if (data := notices.get((each.game_id, each.version)))]
            place = found[-1].position if len(found) == PAGE else goal
            yield page, place

    async def _lobby_notices(
        self, folder: FeedFolder, found: Sequence[EventRef]
    ) -> dict[tuple[str, int], bytes | None]:
        """The lobby's notices of some events, made once for the many clients that come back at the same time."""
        wanted = {(each.game_id, each.version): each for each in found if not each.hidden}
        feed_events = await folder.feed_events([each for event, each in wanted.items() if event not in self._lobby])
        notices = {event: self._lobby[event] for event in wanted if event in self._lobby}
        notices |= {event: feed_event.lobby() for event, feed_event in feed_events.items()}
        self._lobby |= notices
        while len(self._lobby) > REMEMBERED:
            del self._lobby[next(iter(self._lobby))]
        return notices

    async def _send(self, follow: Follow, notices: Sequence[tuple[LogPosition, bytes]]) -> bool:
        """Send notices in chunks, each as soon as the outbox has drained; False if the watcher has gone."""
        outbox = follow.watcher.outbox
        left = list(notices)
        while left:
            if not await takes_more(outbox):
                return False
            frames = chunk(data for _, data in left)
            count = len(frames)
            follow.place = left[count - 1][0]
            outbox.put(b"".join(frames), count)
            left = left[count:]
        return True
