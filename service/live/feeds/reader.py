"""The one reader of the whole log in a process: it hands to everyone who follows a feed what comes next.

It goes by the safe order of the log (log/safe_order.py), and reads only while somebody follows. Who follows the lobby
alone costs nothing for a move: an index leads from one event that lists are about to the next. Who follows an account
has every event looked at, though only those at the account's tables are folded.

Between two batches it stands at a place, and only then does it take in who comes: whatever is after that place will be
handed to them, and they see to what is before it themselves (`queries.py`). So there is neither hole nor double.

What has been committed can be beyond the horizon, and nobody is woken when that moves on; so it is asked for again
after a short pause, which grows while a transaction stays open.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from service.database.types import Pool
from service.live.feeds import account_queries, queries
from service.live.feeds.follow import Batch, Follow
from service.live.feeds.notices import FeedEvent, FeedFolder
from service.live.feeds.queries import EventRef
from service.live.pacing import CROWD
from service.log import safe_order
from service.log.log_reader import (
    AT_ONCE,
    LONGEST_PAUSE,
    POLL_SECONDS,
    SHORTEST_PAUSE,
    UNTIL_WOKEN,
    LogReader,
    Pause,
)
from service.log.safe_order import START, LogPosition
from service.play.game_cache import GameCache

BATCH = 200
"""Events that are looked at in one go."""

TABLES = 200
"""Tables that are remembered between two events of theirs."""


_log = logging.getLogger(__name__)


class _AccountFollowers:
    """Those who follow one account, and the tables where something may concern it."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self.follows: dict[Follow, None] = {}


class Reader:
    """Reads on from `place`, and hands out."""

    def __init__(self, pool: Pool, tables: GameCache) -> None:
        self._pool = pool
        self._tables = tables
        self._folder = FeedFolder(pool, tables, TABLES)
        self._place: LogPosition | None = None
        self._lobby: dict[Follow, None] = {}
        self._parties: dict[str, _AccountFollowers] = {}
        self._at_table: dict[str, set[str]] = {}
        self._arriving: dict[Follow, asyncio.Future[LogPosition]] = {}
        self._pause = SHORTEST_PAUSE
        self._reader = LogReader("feeds", _log, self._read)

    @property
    def place(self) -> LogPosition:
        """Up to where in the log everything was handed out, or is being handed out."""
        return self._place or START

    async def start(self) -> None:
        """Begin to wait for somebody who follows."""
        await self._reader.start()

    async def stop(self) -> None:
        """Finish what is under way."""
        await self._reader.stop()

    def wake(self) -> None:
        """Something was appended."""
        if self._lobby or self._parties:
            self._reader.wake()

    async def admit(self, follow: Follow) -> LogPosition:
        """Hand to a follow, from now on, all that comes after the place that this gives."""
        admitted: asyncio.Future[LogPosition] = asyncio.get_running_loop().create_future()
        self._arriving[follow] = admitted
        self._reader.wake()
        try:
            return await admitted
        finally:
            self._arriving.pop(follow, None)

    def leave(self, follow: Follow) -> None:
        """Hand nothing to a follow any more."""
        self._lobby.pop(follow, None)
        party = self._parties.get(follow.account) if follow.account is not None else None
        if party is None or follow.account is None:
            return
        party.follows.pop(follow, None)
        if not party.follows:
            del self._parties[follow.account]
            for game in party.tables:
                self._part(follow.account, game)

    async def _read(self) -> Pause:
        if not (self._lobby or self._parties or self._arriving):
            self._place = None
            self._forget_tables()
            return UNTIL_WOKEN
        seen = await self._step()
        more = seen == BATCH or await self._more()
        if seen == BATCH:
            return AT_ONCE
        self._pause = min(self._pause * 2, LONGEST_PAUSE) if more and not seen else SHORTEST_PAUSE
        return Pause(rest=SHORTEST_PAUSE, poll=self._pause if more else POLL_SECONDS)

    async def _step(self) -> int:
        """Take in who has come, and hand out the next batch; gives how many events it was made of."""
        if self._place is None:
            async with self._pool.acquire() as connection:
                self._place = await safe_order.final(connection)
        await self._take_in(self._place)
        read = queries.everything if self._parties else queries.lobby
        refs = await read(self._pool, self.place, BATCH)
        concerned = self._concerned(refs)
        feed_events = await self._folder.feed_events([each for each, _, _ in concerned])
        if refs:
            lobby, by_account = _notices(concerned, feed_events)
            self._place = refs[-1].position
            await self._hand_out(lobby, by_account)
            self._settle(refs)
        return len(refs)

    def _forget_tables(self) -> None:
        # Not emptied: what is being folded at this moment must not come into it.
        self._folder = FeedFolder(self._pool, self._tables, TABLES)

    async def _more(self) -> bool:
        return await queries.unfinal(self._pool, self.place, lobby_only=not self._parties)

    async def _take_in(self, place: LogPosition) -> None:
        arriving = list(self._arriving.items())
        accounts = {follow.account for follow, _ in arriving if follow.account is not None} - self._parties.keys()
        found = await asyncio.gather(
            *(account_queries.tables_after(self._pool, account, place) for account in accounts)
        )
        tables = dict(zip(accounts, found, strict=True))
        for follow, admitted in arriving:
            if admitted.done():  # it has gone meanwhile, or is in already
                continue
            if follow.account is None:
                self._lobby[follow] = None
            elif follow.account not in self._parties and follow.account not in tables:
                self._reader.wake()  # all others who followed that account have gone meanwhile: in the next round
                continue
            else:
                if follow.account not in self._parties:
                    self._parties[follow.account] = _AccountFollowers()
                    for game in tables[follow.account]:
                        self._sit(follow.account, game)
                self._parties[follow.account].follows[follow] = None
            follow.pending = deque()
            follow.too_many = False
            admitted.set_result(place)

    def _sit(self, account: str, game: str) -> None:
        self._parties[account].tables.add(game)
        self._at_table.setdefault(game, set()).add(account)

    def _part(self, account: str, game: str) -> None:
        at_table = self._at_table.get(game, set())
        at_table.discard(account)
        if not at_table:
            self._at_table.pop(game, None)

    def _concerned(self, refs: Sequence[EventRef]) -> list[_Concern]:
        """The events that the lobby or some accounts may be sent."""
        found: list[_Concern] = []
        for each in refs:
            if each.type == "seat_taken" and each.account in self._parties:
                self._sit(each.account, each.game_id)
            lobby = bool(self._lobby) and each.listed and not each.hidden
            accounts = frozenset(self._at_table.get(each.game_id, ()))
            if lobby or accounts:
                found.append((each, lobby, accounts))
        return found

    def _settle(self, refs: Sequence[EventRef]) -> None:
        """Expect nothing more of tables that somebody has left, or whose game has ended."""
        for each in refs:
            if each.type == "seat_taken" and each.account in self._parties:
                self._sit(each.account, each.game_id)
            elif each.type in {"seat_left", "seat_freed"} and each.account in self._parties:
                self._leave_table(each.account, each.game_id)
            elif each.type == "move_made" and each.listed:
                for account in list(self._at_table.get(each.game_id, ())):
                    self._leave_table(account, each.game_id)

    def _leave_table(self, account: str, game: str) -> None:
        self._parties[account].tables.discard(game)
        self._part(account, game)

    async def _hand_out(self, lobby: _Notices, by_account: Mapping[str, _Notices]) -> None:
        if lobby:
            await _hand(Batch(lobby), self._lobby)
        for account, notices in by_account.items():
            if (party := self._parties.get(account)) is not None:
                await _hand(Batch(notices), party.follows)


_Concern: TypeAlias = tuple[EventRef, bool, frozenset[str]]
_Notices: TypeAlias = list[tuple[LogPosition, bytes]]


def _notices(
    concerned: Sequence[_Concern], feed_events: Mapping[tuple[str, int], FeedEvent]
) -> tuple[_Notices, dict[str, _Notices]]:
    """The notices of the lobby, and of each account."""
    lobby: _Notices = []
    by_account: dict[str, _Notices] = {}
    for each, in_lobby, accounts in concerned:
        feed_event = feed_events.get((each.game_id, each.version))
        if feed_event is None:
            continue
        if in_lobby and (data := feed_event.lobby()) is not None:
            lobby.append((each.position, data))
        for account in accounts:
            if (data := feed_event.account(account)) is not None:
                by_account.setdefault(account, []).append((each.position, data))
    return lobby, by_account


async def _hand(batch: Batch, follows: Mapping[Follow, None]) -> None:
    for count, follow in enumerate(list(follows), 1):
        if follow in follows:  # who left while others were served is told nothing
            follow.hand(batch)
        if count % CROWD == 0:
            await asyncio.sleep(0)
