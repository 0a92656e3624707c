"""All rooms and watchers of a process: one task reads the log for every woken room at once, another sends heartbeats.

A wake-up marks rooms, and costs nothing more; the reading task reads the rows above each marked room's version with one
query and lets each room hand them out. A wake-up that was lost costs two seconds: then all rooms are read.
"""

from __future__ import annotations

import asyncio
import logging
import re
from itertools import groupby
from operator import attrgetter

from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from domain.kernel.terms import Version
from service.database.errors import is_lost
from service.database.types import Pool
from service.limits.delivery import Charge, free_of_charge
from service.live.encodings import TEXT_FRAMES, Encoding
from service.live.feeds.feeds import Feeds
from service.live.frames import ResyncFrame, UnsubscribedFrame
from service.live.games.room import Room
from service.live.games.subscription import Subscription, Watcher
from service.live.outbox import Outbox, Pipe
from service.live.pacing import CROWD
from service.log import events
from service.log.events import Row
from service.log.listener import Wake
from service.log.log_reader import POLL_SECONDS, LogReader, Pause
from service.play.game_cache import GameCache, Unreadable
from service.play.visibility import shown
from service.settings import Settings
from service.transport.close_codes import GOING_AWAY, Close

SUBSCRIPTIONS = 100
"""Games that one socket may watch."""

_GAME_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")

_log = logging.getLogger(__name__)


class Hub:
    """The live feed of a process."""

    def __init__(self, pool: Pool, tables: GameCache, epoch: str, settings: Settings) -> None:
        self._pool = pool
        self._tables = tables
        self._epoch = epoch
        self._settings = settings
        self.feeds = Feeds(pool, tables, epoch, settings.heartbeat_seconds)
        self._rooms: dict[str, Room] = {}
        self._watchers: set[Watcher] = set()
        self._marked: set[str] = set()
        self._reading: list[asyncio.Future[None]] = []
        self._poll = 0.0
        self._beating: asyncio.Task[None] | None = None
        self._stopping = False
        self._reader = LogReader("live feed", _log, self._read_marked)

    @property
    def rooms(self) -> int:
        """How many games are watched here, or were a moment ago."""
        return len(self._rooms)

    @property
    def watchers(self) -> int:
        """How many connections watch."""
        return len(self._watchers)

    async def start(self) -> None:
        """Begin to read and to send heartbeats."""
        await self.feeds.start()
        self._poll = asyncio.get_running_loop().time() + POLL_SECONDS
        await self._reader.start()
        self._beating = asyncio.create_task(self._beat(), name="live heartbeats")

    async def stop(self) -> None:
        """Tell every watcher to go on elsewhere."""
        self._stopping = True
        for watcher in list(self._watchers):
            self.depart(watcher, GOING_AWAY)
        await self.feeds.stop()
        await self._reader.stop()
        # Their watchers are gone, so what they would have read no longer matters.
        _settle(self._reading, None)
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait([self._beating])

    def wake(self, what: Wake) -> None:
        """Mark the rooms that something may have happened in."""
        self.feeds.wake()
        if what is None:
            self._marked.update(self._rooms)
        else:
            rooms = ((self._rooms.get(game), version) for game, version in what.items())
            self._marked.update(room.id for room, version in rooms if room and room.version < version)
        if self._marked:
            self._reader.wake()

    def arrive(self, pipe: Pipe, form: Encoding = TEXT_FRAMES, charge: Charge = free_of_charge) -> Watcher:
        """A watcher for a connection: the public, with no subscription. `charge` counts what catching up costs."""
        outbox = Outbox(pipe, self._settings.outbox_frames, self._settings.outbox_bytes)
        watcher = Watcher(outbox, form, charge)
        if self._stopping:
            watcher.outbox.close(GOING_AWAY)
        else:
            self._watchers.add(watcher)
        return watcher

    def depart(self, watcher: Watcher, close: Close | None = None) -> None:
        """Forget a watcher, closing its connection with a code if it is still there."""
        if close is not None:
            watcher.outbox.close(close)
        else:
            watcher.outbox.abandon()
        for subscription in list(watcher.subscriptions.values()):
            subscription.room.leave(subscription)
        self.feeds.depart(watcher)
        self._watchers.discard(watcher)

    def identify(self, watcher: Watcher, account: AccountId | None) -> None:
        """Let a watcher be an account (None: the public); if that is another, its subscriptions start over."""
        if watcher.account == account:
            return
        watcher.account = account
        for subscription in watcher.subscriptions.values():
            subscription.room.begin(subscription)

    async def subscribe(
        self, watcher: Watcher, game_id: str, after: int | None, epoch: str | None, known: Version = 0
    ) -> None:
        """Let a watcher follow a game; `no-such-game`, `already-subscribed`, `too-many-subscriptions`, `Unreadable`.

        `known` is a version that it may know already: what it is sent is not older.
        """
        if game_id in watcher.subscriptions:
            raise Rejected("already-subscribed", "unsubscribe from it first to start over", field="game")
        if len(watcher.subscriptions) >= SUBSCRIPTIONS:
            raise Rejected("too-many-subscriptions", f"a socket may watch {SUBSCRIPTIONS} games", field="game")
        if after is None and epoch is not None:
            raise Rejected("invalid-frame", "epoch goes with after", field="epoch")
        room = await self._room(game_id)
        if max(after or 0, known) > room.reach(watcher):
            # Another process may have told the client of a version that this one has yet to read.
            await self._read(room)
            room = await self._room(game_id)
        if watcher.outbox.closed:
            return
        subscription = Subscription(watcher, room, after or 0)
        watcher.subscriptions[game_id] = subscription
        reason = self._refused(room.reach(watcher), after, epoch)
        if reason is not None:
            self._resync(subscription, reason)
        if after is None or reason is not None:
            room.begin(subscription)
        else:
            room.resume(subscription)

    def unsubscribe(self, watcher: Watcher, game_id: str) -> None:
        """Let a watcher follow a game no longer; `not-subscribed`."""
        subscription = watcher.subscriptions.get(game_id)
        if subscription is None:
            raise Rejected("not-subscribed", "this socket does not watch that game", field="game")
        subscription.room.leave(subscription)
        watcher.tell(UnsubscribedFrame(game=game_id))

    def _resync(self, subscription: Subscription, reason: str) -> None:
        room, watcher = subscription.room, subscription.watcher
        watcher.tell(ResyncFrame(game=room.id, reason=reason, epoch=self._epoch, version=room.reach(watcher)))

    def _refused(self, reach: Version, after: int | None, epoch: str | None) -> str | None:
        """Why a position means nothing here; 0, which claims nothing, is one in every epoch."""
        if after is None:
            return None
        if epoch is None:
            return "no-epoch" if after else None
        if epoch != self._epoch:
            return "epoch"
        return "ahead" if after > reach else None

    async def _room(self, game_id: str) -> Room:
        if game_id not in self._rooms:
            if not _GAME_ID.fullmatch(game_id):
                raise Rejected("no-such-game", "there is no such game", field="game")
            table = await self._tables.fresh(game_id)
            public = await shown(self._pool, self._tables, table, None)
            seconds = self._settings.heartbeat_seconds
            room = Room(self._pool, self._tables, self._epoch, table, public, heartbeat_seconds=seconds)
            self._rooms.setdefault(game_id, room)
            # What was appended after that reading may have been announced before there was a room to mark.
            self._mark(game_id)
        return self._rooms[game_id]

    def _mark(self, game_id: str) -> None:
        self._marked.add(game_id)
        self._reader.wake()

    async def _read(self, room: Room) -> None:
        """Wait until a room has read the log from now on."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reading.append(done)
        self._mark(room.id)
        await done

    async def _read_marked(self) -> Pause:
        clock = asyncio.get_running_loop().time
        if clock() >= self._poll:  # also when wake-ups never cease
            self._rooms = {game: room for game, room in self._rooms.items() if room.watched}
            self._marked.update(self._rooms)
            self._poll = clock() + POLL_SECONDS
        rooms = [room for game in self._marked if (room := self._rooms.get(game)) is not None]
        waiting, self._reading = self._reading, []
        self._marked.clear()
        try:
            await self._read_rooms(rooms)
        except Exception as error:
            self._marked.update(room.id for room in rooms)
            _settle(waiting, error)
            raise
        _settle(waiting, None)
        return Pause(poll=max(0.0, self._poll - clock()))

    async def _read_rooms(self, rooms: list[Room]) -> None:
        if not rooms:
            return
        rows = await events.read_many(self._pool, [(room.id, room.version) for room in rooms])
        by_game = {game: list(found) for game, found in groupby(rows, key=attrgetter("game_id"))}
        for room in rooms:
            # Without rows as well: what a spectator delay holds back may have become visible.
            await self._advance(room, by_game.get(room.id, []))

    async def _advance(self, room: Room, rows: list[Row]) -> None:
        try:
            await room.advance(rows)
        except Exception as error:
            if is_lost(error):
                raise
            # Whatever else a title's code raises concerns this game only.
            _log.exception("game %s cannot be sent any more", room.id)
            self._rooms.pop(room.id, None)
            known = isinstance(error, Unreadable | Rejected)
            room.break_off(error if known else Unreadable(room.id, room.version))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._settings.heartbeat_seconds)
            for count, watcher in enumerate(list(self._watchers), 1):
                if watcher.outbox.idle:  # else there is something on its way, which says as much
                    watcher.outbox.put(watcher.form.heartbeat)
                if count % CROWD == 0:
                    await asyncio.sleep(0)


def _settle(waiting: list[asyncio.Future[None]], error: Exception | None) -> None:
    for each in waiting:
        if each.done():
            continue
        if error is None:
            each.set_result(None)
        else:
            each.set_exception(error)
