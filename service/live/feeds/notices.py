"""The notices that feeds send: a game as lists show it right after an event, and what happened in a few words.

A notice is made of the log up to its event and of nothing else, so it is the same whenever and by whom it is sent.

What the lobby tells was always open to everyone. It speaks of events before the start, of the start and of the end
only, and at each of these the public of a game with a spectator delay sees as much as the seats do (`visibility.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.events import EntropyRevealed, Event, GameCreated, SeatFreed, SeatLeft, SeatTaken
from domain.kernel.game import Status
from domain.kernel.terms import Seat, Viewer
from service.database.errors import is_lost
from service.database.types import Pool
from service.live.feeds import queries
from service.live.feeds.queries import DatedRow, EventRef
from service.live.frames import NoticeFrame, What, packed
from service.play.entropy import commitments_due, reveals_due
from service.play.game_cache import GameCache, LoadedGame
from service.projections.lobby import ListedGame, ListedSeat
from service.projections.summaries import summary

_NEAR = 50
"""A table that is further behind is not moved on event by event: folding from the start is quicker by then."""

_log = logging.getLogger(__name__)


class FeedEvent:
    """An event that feeds may send; each of its notices is encoded once for all who get the same."""

    __slots__ = ("_accounts", "_frames", "_left", "_own", "_row", "_table", "_what")

    def __init__(self, before: LoadedGame | None, after: LoadedGame, event: Event, row: DatedRow) -> None:
        self._table = after
        self._row = row
        self._what = _what(after, event)
        self._accounts = tuple(who.account if who else None for who in after.game.seats)
        self._left = event if isinstance(event, SeatLeft | SeatFreed) else None
        self._own = _own(_Waits.of(before), _Waits.of(after))
        self._frames: dict[Viewer, bytes | None] = {}

    def lobby(self) -> bytes | None:
        """The notice for the lobby, if there is one."""
        created = self._table.game.created
        public = created.visibility == "public" and not created.sandbox and not self._table.archived
        return self._frame(None) if public and self._what else None

    def account(self, account: str) -> bytes | None:
        """The notice for an account, if it has or had a seat there."""
        if self._table.archived:  # its accounts are of another service, whatever their ids are
            return None
        if account in self._accounts:
            seat = self._accounts.index(account)
        elif self._left is not None and self._left.account == account:
            seat = self._left.seat
        else:
            return None
        return self._frame(seat) if self._what or seat in self._own else None

    def _frame(self, seat: Viewer) -> bytes | None:
        if seat not in self._frames:
            try:
                self._frames[seat] = packed(self._notice(seat))
            except Exception as error:  # noqa: BLE001 - whatever a title's code raises, the feed goes on without it
                _report(self._table.id, error)
                self._frames[seat] = None
        return self._frames[seat]

    def _notice(self, seat: Viewer) -> NoticeFrame:
        table, row = self._table, self._row.row
        return NoticeFrame(
            feed="lobby" if seat is None else "account",
            cursor=f"{table.id}:{table.version}",
            game=table.id,
            what=self._what if seat is None else (*self._what, *self._own.get(seat, ())),
            seat=seat,
            recorded_at=row.recorded_at,
            listed=_listed(table, self._row.created_at, row.recorded_at),
        )


class _Waits(Struct, frozen=True):
    """The seats that a game waits for: for a move, for entropy to be revealed, for another commitment."""

    moves: frozenset[Seat] = frozenset()
    reveals: frozenset[Seat] = frozenset()
    commitments: frozenset[Seat] = frozenset()

    @classmethod
    def of(cls, table: LoadedGame | None) -> _Waits:
        if table is None:
            return cls()
        moves = frozenset(kernel.to_move(table.game, table.rules))
        return cls(moves=moves, reveals=reveals_due(table.game), commitments=commitments_due(table.game))


def _own(before: _Waits, after: _Waits) -> dict[Seat, tuple[What, ...]]:
    """What an event means for single seats."""
    kinds: tuple[tuple[What, frozenset[Seat]], ...] = (
        ("commit_due", after.commitments - before.commitments),
        ("reveal_due", after.reveals - before.reveals),
        ("your_turn", after.moves - before.moves),
        ("turn_over", before.moves - after.moves),
    )
    seats = frozenset[Seat]().union(*(of for _, of in kinds))
    return {seat: tuple(what for what, of in kinds if seat in of) for seat in seats}


class FeedFolder:
    """Makes notices of events, game by game, and remembers the latest games, at most `limit`."""

    def __init__(self, pool: Pool, tables: GameCache, limit: int) -> None:
        self._pool = pool
        self._tables = tables
        self._limit = limit
        self._known: OrderedDict[str, LoadedGame] = OrderedDict()

    async def feed_events(self, refs: Sequence[EventRef]) -> dict[tuple[str, int], FeedEvent]:
        """The events by game and version. A game that cannot be read has none: it is reported, and stops no other.

        Those of one game stand in the order of their versions.
        """
        parts = [
            _Part(game, start, versions)
            for game, versions in _runs(refs)
            if (start := await self._start(game, versions[0])) is not None
        ]
        rows = await queries.rows(self._pool, [(part.game, part.after, part.versions[-1]) for part in parts])
        by_game = {str(game): list(of) for game, of in groupby(rows, key=lambda each: each.row.game_id)}
        found: dict[tuple[str, int], FeedEvent] = {}
        for part in parts:
            try:
                self._fold(part, by_game.get(part.game, []), found)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with this game is no concern of the others
                _report(part.game, error)
            await asyncio.sleep(0)  # others have their turn
        return found

    async def _start(self, game: str, first: int) -> LoadedGame | None:
        """The game right before a version, or at its first one; None if it cannot be read."""
        table = self._known.get(game)
        if table is not None and first - _NEAR <= table.version < first:
            return table
        try:
            return await self._tables.at(game, max(first - 1, 1))
        except Exception as error:
            if is_lost(error):
                raise
            _report(game, error)
            return None

    def _fold(self, part: _Part, rows: Sequence[DatedRow], found: dict[tuple[str, int], FeedEvent]) -> None:
        table = part.start
        for each in rows:
            row = each.row
            if not part.after < row.version <= part.versions[-1]:
                continue
            if row.version == 1:  # there is no game before it
                before, event = None, self._tables.decode(table, row)
            else:
                before = table
                table, event = self._tables.advance(before, row)
            if row.version in part.versions:
                found[table.id, row.version] = FeedEvent(before, table, event, each)
        self._known[table.id] = table
        self._known.move_to_end(table.id)
        while len(self._known) > self._limit:
            self._known.popitem(last=False)


class _Part(Struct, frozen=True):
    """Some versions of a game that are wanted, none far from the next, and its table right before the first of them."""

    game: str
    start: LoadedGame
    versions: list[int]

    @property
    def after(self) -> int:
        """The version above which rows are needed; there is no table before the first one, which `start` is then."""
        return 0 if self.versions[0] == 1 else self.start.version


def _runs(refs: Sequence[EventRef]) -> list[tuple[str, list[int]]]:
    """The versions that are wanted of each game, in runs."""
    runs: list[tuple[str, list[int]]] = []
    for each in sorted(refs, key=attrgetter("game_id", "version")):
        if runs and runs[-1][0] == each.game_id and each.version - runs[-1][1][-1] <= _NEAR:
            runs[-1][1].append(each.version)
        else:
            runs.append((each.game_id, [each.version]))
    return runs


def _report(game: str, error: Exception) -> None:
    _log.warning("feeds pass over an event of game %s, which cannot be read: %r", game, error)


def _what(table: LoadedGame, event: Event) -> tuple[What, ...]:
    match event:
        case GameCreated():
            return ("created",)
        case SeatLeft():
            return ("seat_left",)
        case SeatFreed():
            return ("seat_freed",)
        case SeatTaken():
            return ("seat_taken", "started") if table.game.started == table.version else ("seat_taken",)
        case EntropyRevealed():
            return ("started",) if table.game.started == table.version else ()
        case _:
            return ("ended",) if table.game.status is Status.finished else ()


def _listed(table: LoadedGame, created_at: datetime, updated_at: datetime) -> ListedGame:
    of = summary(table)
    taken = {seat.seat: seat for seat in of.seats}
    return ListedGame(
        id=of.game_id,
        title=of.title,
        component_set=of.component_set,
        visibility=of.visibility,
        sandbox=of.sandbox,
        creator=of.creator,
        status=table.game.status,
        seats=tuple(
            ListedSeat(
                seat=seat,
                account=who.account,
                name=who.name,
                entropy=who.entropy,
                rank=who.rank,
                points=who.points,
            )
            if (who := taken.get(seat)) is not None
            else ListedSeat(seat=seat)
            for seat in range(of.seat_count)
        ),
        open_seats=of.open_seats,
        reveal_by=of.reveal_by,
        to_move=of.to_move,
        winners=of.winners,
        version=of.version,
        created_at=created_at,
        updated_at=updated_at,
    )
