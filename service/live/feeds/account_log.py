"""The events at the tables of an account in the order of the log, read as far as somebody takes them.

Its tables are found on the way: those where it sat at the beginning, and further ones by the events with which it takes
a seat, in the order of the log. A table is read from there until the account leaves it. So a page costs as much as the
events on it, however many tables come later or were there before.
"""

from __future__ import annotations

from heapq import heappop, heappush, nsmallest

from service.database.types import Pool
from service.live.feeds import account_queries
from service.live.feeds.account_queries import SeatEvent
from service.live.feeds.queries import EventRef
from service.log.safe_order import START, LogPosition

TABLES = 32
"""Tables that are asked for more events together, and seats that are found together."""

MOST_AHEAD = 32
"""Events of one table that are read together, at most; it begins with one and doubles."""


class _Reading:
    """How far a table has been read, and where the account takes a seat there later on, as far as that is known."""

    __slots__ = ("ahead", "place", "seats", "version")

    def __init__(self, version: int, place: LogPosition) -> None:
        self.version = version
        self.place = place
        self.ahead = 1
        self.seats: list[SeatEvent] = []

    @classmethod
    def before(cls, seat: SeatEvent) -> _Reading:
        """Begins with the event by which the seat is taken."""
        return cls(seat.version - 1, LogPosition(seat.position.xid, seat.position.number - 1))


class AccountLog:
    """Merges the events of an account's tables after a place, up to another; they are found in pages."""

    def __init__(self, pool: Pool, account: str, after: LogPosition, goal: LogPosition) -> None:
        self._pool = pool
        self.account = account
        self._after = after
        self._goal = goal
        self._started = False
        self._read: list[tuple[LogPosition, str, int, EventRef]] = []
        self._tables: dict[str, _Reading] = {}
        """Tables that may have events beyond those read."""
        self._searched: LogPosition | None = after
        """Up to where taken seats were searched for; None when there are no more."""

    async def page(self, limit: int) -> list[EventRef]:
        """The next events in order; fewer than `limit` if there are no more."""
        if not self._started:
            if self._after != START:  # nobody sits anywhere before the first event
                known = await account_queries.tables_at(self._pool, self.account, self._after)
                self._tables = {game: _Reading(version, self._after) for game, version in known.items()}
            self._started = True
        page: list[EventRef] = []
        while True:
            bound = self._bound()
            while len(page) < limit and self._read and (bound is None or self._read[0][0] <= bound):
                page.append(heappop(self._read)[3])
            if len(page) == limit or bound is None:
                return page
            if bound == self._searched:
                await self._search(bound)
            else:
                await self._ask(nsmallest(TABLES, self._tables, key=lambda game: self._tables[game].place))

    def _bound(self) -> LogPosition | None:
        """Up to where everything has been read; None if that is all."""
        places = [table.place for table in self._tables.values()]
        if self._searched is not None:
            places.append(self._searched)
        return min(places, default=None)

    async def _search(self, after: LogPosition) -> None:
        seats = await account_queries.taken_seats(self._pool, self.account, after, self._goal, TABLES)
        for seat in seats:
            if (table := self._tables.get(seat.game_id)) is None:
                self._tables[seat.game_id] = _Reading.before(seat)
            else:
                table.seats.append(seat)
        self._searched = seats[-1].position if len(seats) == TABLES else None

    async def _ask(self, games: list[str]) -> None:
        by_size: dict[int, dict[str, _Reading]] = {}
        for game in games:
            table = self._tables[game]
            by_size.setdefault(table.ahead, {})[game] = table
        for size, asked in by_size.items():
            versions = {game: table.version for game, table in asked.items()}
            found: dict[str, list[EventRef]] = {game: [] for game in asked}
            for each in await account_queries.next_of_tables(self._pool, versions, self._goal, size):
                found[each.game_id].append(each)
            for game, table in asked.items():
                self._take(game, table, found[game], more=len(found[game]) == size)

    def _take(self, game: str, table: _Reading, found: list[EventRef], *, more: bool) -> None:
        """Take the events of a table, up to the one by which the account leaves it."""
        table.ahead = min(2 * table.ahead, MOST_AHEAD)
        for each in found:
            heappush(self._read, (each.position, game, each.version, each))
            table.version, table.place = each.version, each.position
            if each.account == self.account and each.type != "seat_taken":
                self._leave(game, table)
                return
        if not more:
            del self._tables[game]

    def _leave(self, game: str, table: _Reading) -> None:
        """Go on with a table where the account sits down again, if that has been found already."""
        later = [seat for seat in table.seats if seat.version > table.version]
        if not later:
            del self._tables[game]
            return
        self._tables[game] = again = _Reading.before(later[0])
        again.seats = later[1:]
