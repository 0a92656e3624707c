"""A room: one game that is watched, moved on by the log, with an audience for each class of viewer and form.

The order of things is what makes this right, and there is no lock in it. A room's table, its window of steps and every
subscription's version change only between two awaits:

- Who says hello gets the table as it is, and joins the audience in the same breath: the next step that the room folds
  is the next event that it is sent. The versions distinguish steps that are being handed out at that moment.
- Who resumes is sent steps after its own version, page by page as its outbox drains, from the window or from the log;
  in the breath in which its version is the room's, it joins the audience. So there is neither hole nor double where
  catching up meets what is live, however long it takes and whatever is appended on the way.
- In a running game with a spectator delay the public has a table of its own, `shown`, which lags behind: what is not
  visible yet stays in the window, and is handed out as the game goes on, as time goes by, or when the game ends.
- What an account is to an event is read off the seats right after that event, so who takes or leaves a seat while
  watching changes audience at that very version.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import aclosing
from itertools import islice

from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from domain.kernel.terms import Version, Viewer
from service.database.errors import is_lost
from service.database.types import Pool
from service.limits.delivery import Delivery
from service.limits.weights import RESUME
from service.live.encodings import Encoding
from service.live.frames import UnsubscribedFrame, error_frame, hello, resumed
from service.live.games.event_frames import EventFrames, moved, replay
from service.live.games.subscription import Subscription, Watcher
from service.live.pacing import CROWD, chunk, takes_more
from service.log.events import Row
from service.log.log_reader import RETRY_SECONDS
from service.play.game_cache import GameCache, LoadedGame, Unreadable
from service.play.visibility import visible_version
from service.transport.close_codes import FAILED

WINDOW = 500
"""Steps that a room remembers for those who resume."""

_log = logging.getLogger(__name__)


class Audience:
    """Those of one class and form who are sent what happens as it happens."""

    __slots__ = ("form", "hello", "members", "viewer")

    def __init__(self, viewer: Viewer, form: Encoding) -> None:
        self.viewer = viewer
        self.form = form
        self.members: dict[Subscription, None] = {}
        self.hello: tuple[int, bytes] = (0, b"")
        """The version and the bytes of the hello that was asked for last."""


class Room:
    """One watched game."""

    def __init__(
        self,
        pool: Pool,
        tables: GameCache,
        epoch: str,
        table: LoadedGame,
        public: LoadedGame,
        *,
        heartbeat_seconds: float,
    ) -> None:
        """`public` is the game as far as the public sees it: `table`, or an earlier one (play/visibility.py)."""
        self._pool = pool
        self._tables = tables
        self._epoch = epoch
        self._table = table
        self._shown = public
        self._heartbeat_seconds = heartbeat_seconds
        self._window: deque[EventFrames] = deque(maxlen=WINDOW)
        self._filling = asyncio.Lock()
        self._audiences: dict[tuple[Viewer, Encoding], Audience] = {}
        self._subscriptions: set[Subscription] = set()

    @property
    def id(self) -> str:
        """The game's id."""
        return self._table.id

    @property
    def version(self) -> int:
        """The version up to which the room has read the log."""
        return self._table.version

    def reach(self, watcher: Watcher) -> Version:
        """The version up to which a watcher may be sent events now."""
        return self._seen_by(watcher).version

    @property
    def watched(self) -> bool:
        """Whether anybody is there."""
        return bool(self._subscriptions)

    def begin(self, subscription: Subscription) -> None:
        """Say hello, and send what happens from then on."""
        self._detach(subscription)
        self._subscriptions.add(subscription)
        audience, table = self._audience(subscription.watcher), self._seen_by(subscription.watcher)
        if audience.hello[0] != table.version:
            frame = hello(table, self._epoch, audience.viewer, self._heartbeat_seconds)
            audience.hello = (table.version, audience.form.pack(frame, self._epoch))
        subscription.version = table.version
        subscription.watcher.outbox.put(audience.hello[1])
        self._join(subscription, audience)

    def resume(self, subscription: Subscription) -> None:
        """Send all that came after the subscription's version, then what happens from then on."""
        self._subscriptions.add(subscription)
        table = self._seen_by(subscription.watcher)
        viewer = table.game.seat_of(subscription.watcher.account)
        frame = resumed(table, self._epoch, viewer, subscription.version, self._heartbeat_seconds)
        subscription.watcher.tell(frame, self._epoch)
        if subscription.version == table.version:
            self._join(subscription, self._audience(subscription.watcher))
        else:
            subscription.delivery = Delivery(subscription.watcher.charge, RESUME)
            subscription.catching_up = asyncio.create_task(self._catch_up(subscription))

    def leave(self, subscription: Subscription) -> None:
        """Send nothing any more."""
        self._detach(subscription)
        subscription.watcher.subscriptions.pop(self.id, None)
        self._subscriptions.discard(subscription)

    async def advance(self, rows: Sequence[Row]) -> None:
        """Fold the rows that follow, and hand out what may be seen by now; raises `Unreadable` after what was read."""
        table = self._table
        steps: list[EventFrames] = []
        broken: Unreadable | None = None
        for row in rows:
            if row.version <= table.version:
                continue
            try:
                table, step = moved(self._tables, table, row)
            except Unreadable as error:
                broken = error
                break
            steps.append(step)
        # The database is asked before anything changes: when it has gone away, all this is done again later.
        visible = await self._visible(table)
        if self._lags:
            await self._release(min(visible, steps[0].version - 1) if steps else visible)
        self._table = table
        self._window.extend(steps)
        await self._hand_out_all(steps, visible)
        if broken is not None:
            raise broken

    def break_off(self, error: Unreadable | Rejected) -> None:
        """End every subscription and say why: the game cannot go on being sent."""
        for subscription in list(self._subscriptions):
            self._end(subscription, error)

    def _end(self, subscription: Subscription, error: Unreadable | Rejected) -> None:
        self.leave(subscription)
        subscription.watcher.tell(error_frame(error, self.id))
        subscription.watcher.tell(UnsubscribedFrame(self.id))

    async def _hand_out_all(self, steps: list[EventFrames], visible: Version) -> None:
        """Hand out steps together as far as nobody's class changes, and to the public what it may see by now."""
        while steps:
            if (account := steps[0].seated) is not None:
                self._change_audience(account, steps[0])
            cut = next((n for n, step in enumerate(steps) if n and step.seated is not None), len(steps))
            shown = [step for step in steps[:cut] if step.version <= visible]
            self._show(shown)
            for audience in list(self._audiences.values()):
                part = shown if audience.viewer is None else steps[:cut]
                if part and audience.members:
                    await self._hand_out(audience, part)
            steps = steps[cut:]

    def _seen_by(self, watcher: Watcher) -> LoadedGame:
        """The game as far as a watcher sees it."""
        public = self._lags and self._table.game.seat_of(watcher.account) is None
        return self._shown if public else self._table

    @property
    def _lags(self) -> bool:
        return self._table.game.created.spectator_delay is not None

    async def _visible(self, table: LoadedGame) -> Version:
        """The version that the public may see by now; `table` is the game as it is."""
        if not self._lags or table.game.status is not Status.running:
            return table.version
        return max(await visible_version(self._pool, table), self._shown.version)

    def _show(self, steps: Sequence[EventFrames]) -> None:
        if self._lags:
            for step in steps:
                self._shown = step.after(self._tables, self._shown)

    async def _release(self, version: Version) -> None:
        """Hand out to the public what was held back up to a version."""
        if version <= self._shown.version:
            return
        held = [step for step in self._window if self._shown.version < step.version <= version]
        if held and held[0].version == self._shown.version + 1:
            self._show(held)
            for public in self._publics():
                await self._hand_out(public, held)
            return
        # More was held back than the window holds: the log has it.
        self._shown = await self._tables.at(self.id, version)
        for subscription in [each for public in self._publics() for each in public.members]:
            self._detach(subscription)
            subscription.catching_up = asyncio.create_task(self._catch_up(subscription))

    async def _hand_out(self, audience: Audience, steps: list[EventFrames]) -> None:
        data = b"".join([step.frame(self._table, audience.viewer, audience.form, self._epoch) for step in steps])
        before, last, frames = steps[0].version - 1, steps[-1].version, len(steps)
        for count, subscription in enumerate(list(audience.members), 1):
            # Who came, left or changed class while others were served is elsewhere by now.
            if subscription.version == before and subscription.audience is audience:
                subscription.version = last
                subscription.watcher.outbox.put(data, frames)
            if count % CROWD == 0:
                await asyncio.sleep(0)

    def _change_audience(self, account: str, step: EventFrames) -> None:
        """The account that took or left a seat in this step gets it as the viewer that it is from then on."""
        viewer = step.viewer(account)
        moving = [
            subscription
            for audience in self._audiences.values()
            if audience.viewer != viewer
            for subscription in audience.members
            if subscription.watcher.account == account and subscription.version == step.version - 1
        ]
        for subscription in moving:
            self._detach(subscription)
            self._join(subscription, self._audience_of(viewer, subscription.watcher.form))

    def _audience(self, watcher: Watcher) -> Audience:
        return self._audience_of(self._table.game.seat_of(watcher.account), watcher.form)

    def _audience_of(self, viewer: Viewer, form: Encoding) -> Audience:
        if (viewer, form) not in self._audiences:
            self._audiences[viewer, form] = Audience(viewer, form)
        return self._audiences[viewer, form]

    def _publics(self) -> list[Audience]:
        return [audience for audience in self._audiences.values() if audience.viewer is None]

    def _join(self, subscription: Subscription, audience: Audience) -> None:
        audience.members[subscription] = None
        subscription.audience = audience

    def _detach(self, subscription: Subscription) -> None:
        if subscription.audience is not None:
            subscription.audience.members.pop(subscription, None)
            subscription.audience = None
        subscription.delivery = None
        task, subscription.catching_up = subscription.catching_up, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def _catch_up(self, subscription: Subscription) -> None:
        outbox = subscription.watcher.outbox
        try:
            while not outbox.closed and subscription.version < self.reach(subscription.watcher):
                try:
                    await self._next_steps(subscription)
                except Exception as error:
                    if not is_lost(error):
                        raise
                    await asyncio.sleep(RETRY_SECONDS)
            if not outbox.closed:
                self._join(subscription, self._audience(subscription.watcher))
        except Exception as error:  # noqa: BLE001 - this one is told to come back, and nobody else hears of it
            if isinstance(error, Unreadable | Rejected):
                self._end(subscription, error)
            else:
                _log.exception("catching up in game %s failed", self.id)
                outbox.close(FAILED)
        finally:
            if subscription.catching_up is asyncio.current_task():
                subscription.catching_up = None

    async def _next_steps(self, subscription: Subscription) -> None:
        """Send one who catches up what is nearest: from the window, or else from the log."""
        behind, reach = self.version - subscription.version, self.reach(subscription.watcher)
        if behind <= len(self._window):
            following = islice(self._window, len(self._window) - behind, None)
            await self._send_chunk(subscription, [step for step in following if step.version <= reach])
        elif behind <= WINDOW:
            await self._fill()
        else:
            until = min(reach, self.version - WINDOW // 2)
            async with aclosing(replay(self._pool, self._tables, self.id, subscription.version, until)) as pages:
                async for page in pages:
                    steps = page
                    while steps:
                        sent = await self._send_chunk(subscription, steps)
                        if not sent:
                            return
                        steps = steps[sent:]

    async def _send_chunk(self, subscription: Subscription, steps: Sequence[EventFrames]) -> int:
        """Send the first of the steps as soon as the outbox has drained; gives how many (none to a closed one)."""
        watcher = subscription.watcher
        if not await takes_more(watcher.outbox) or not steps:
            return 0
        frames = chunk(
            step.frame(self._table, step.viewer(watcher.account), watcher.form, self._epoch) for step in steps
        )
        subscription.version = steps[len(frames) - 1].version
        watcher.outbox.put(b"".join(frames), len(frames))
        if subscription.delivery is not None:
            await subscription.delivery.count(len(frames))
        return len(frames)

    async def _fill(self) -> None:
        """Put older steps before the window, once for all who want them."""
        async with self._filling:
            until = self.version - len(self._window)
            since = max(0, self.version - WINDOW)
            if until <= since:
                return
            older: list[EventFrames] = []
            async for steps in replay(self._pool, self._tables, self.id, since, until):
                older += steps
            # Meanwhile the window may have grown at its new end, and even lost what these would stand before.
            free = WINDOW - len(self._window)
            if free and self.version - len(self._window) == until:
                self._window.extendleft(reversed(older[-free:]))
