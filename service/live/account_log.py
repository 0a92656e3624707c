"""The events of many tables in the order of the log, read as far as somebody takes them.

Each table is asked for its next event once, and again only after its events were taken: the cost is that of the tables
plus that of the events, however many pages these are taken in.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush, nsmallest

from service.store import feeds
from service.store.events import Pool
from service.store.feeds import Sighting
from service.store.positions import Position

TABLES = 32
"""Tables that are asked for more events together."""

MOST_AHEAD = 32
"""Events of one table that are read together, at most; it begins with one and doubles."""


class AccountLog:
    """Merges the events of tables, each above a known version, up to a place."""

    def __init__(self, pool: Pool, known: Mapping[str, int], goal: Position) -> None:
        self._pool = pool
        self._goal = goal
        self._known = dict(known)
        self._started = False
        self._read: list[tuple[Position, str, int, Sighting]] = []
        self._more: dict[str, Position] = {}
        """Tables that may have events beyond those read, with the place of the last one read."""
        self._ahead: dict[str, int] = {}

    async def page(self, limit: int) -> list[Sighting]:
        """The next events in order; fewer than `limit` if there are no more."""
        if not self._started:
            await self._ask(list(self._known))
            self._started = True
        page: list[Sighting] = []
        while len(page) < limit:
            bound = min(self._more.values(), default=None)
            if self._read and (bound is None or self._read[0][0] <= bound):
                page.append(heappop(self._read)[3])
            elif self._more:
                await self._ask(nsmallest(TABLES, self._more, key=self._more.__getitem__))
            else:
                break
        return page

    async def _ask(self, games: list[str]) -> None:
        for size in {self._ahead.get(game, 1) for game in games}:
            asked = {game: self._known[game] for game in games if self._ahead.get(game, 1) == size}
            count = dict.fromkeys(asked, 0)
            for each in await feeds.next_of_tables(self._pool, asked, self._goal, size):
                heappush(self._read, (each.position, each.game_id, each.version, each))
                self._known[each.game_id] = each.version
                self._more[each.game_id] = each.position
                count[each.game_id] += 1
            for game, found in count.items():
                self._ahead[game] = min(2 * size, MOST_AHEAD)
                if found < size:
                    self._more.pop(game, None)
