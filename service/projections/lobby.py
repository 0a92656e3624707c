"""The list of games. Pages go by the position of the event that created each game, newest first, which never changes.

So a game that was there when the first page was read stands on exactly one page, whatever happens in the meantime. A
filter looks at each game as it is when its page is read. An unreadable game is in no list until it can be read again.

Lists are made by the projector a moment after the fact. An account sees its own acts at once: games
that he acted in beyond the checkpoint are brought up to date before the page is read, by whatever process serves it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.terms import Seat, Version
from service.database.types import Pool
from service.log import safe_order
from service.play.entropy import EntropyStage
from service.play.game_cache import GameCache, LoadedGame
from service.play.visibility import shown_many
from service.projections.rows import checkpoint, write
from service.projections.streams import Filters, Streams
from service.projections.summaries import summarize


class ListedSeat(Struct, frozen=True, gc=False):
    """A place at a table: who sits there, and when the game has ended what it came to."""

    seat: Seat
    account: str | None = None
    name: str | None = None
    entropy: EntropyStage | None = None
    rank: int | None = None
    points: int | None = None


class ListedGame(Struct, frozen=True, gc=False):
    """A game as lists show it: what anyone may know without a look at the table."""

    id: str
    title: str
    component_set: str
    visibility: str
    sandbox: bool
    creator: str
    status: Status
    seats: tuple[ListedSeat, ...]
    open_seats: int
    reveal_by: datetime | None
    to_move: tuple[Seat, ...]
    winners: tuple[Seat, ...] | None
    version: Version
    created_at: datetime
    updated_at: datetime


class Page(Struct, frozen=True):
    """Games, newest first; `before` of the next page is `next`, None on the last one."""

    games: tuple[ListedGame, ...]
    next: int | None


class _Row(Struct, frozen=True, gc=False):
    """A row of the lobby as the database puts it: `game` has the seats that are taken."""

    position: int
    delayed: bool
    seat_count: int
    game: ListedGame


_SLICE = 20
"""Delayed games whose seats to move are worked out in one go."""

_rows = msgspec.json.Decoder(list[_Row])


class Lobby:
    """The lists of a process: made of its pool and its tables, and keeps nothing of its own."""

    def __init__(self, pool: Pool, tables: GameCache) -> None:
        self._pool = pool
        self._tables = tables

    async def page(
        self,
        caller: AccountId | None,
        *,
        title: str | None = None,
        status: Status | None = None,
        account: str | None = None,
        open_seats: bool | None = None,
        sandbox: bool = False,
        before: int | None = None,
        limit: int = 50,
    ) -> Page:
        """A page of the games that fit every filter that is given.

        `caller` is the account that asks, None for the public. Everyone sees public games; an account sees beside
        them the unlisted games that it has a seat in or has created. `account` keeps the games where that account
        sits: together with `status=Status.finished` these are its history. `open_seats` keeps those with (True) or
        without (False) a free seat. `sandbox` gives sandboxes instead, which no other list shows. `before` is `next`
        of the page before. What moves have changed in a running game shows to the public after its spectator delay.
        """
        filters = Filters(title=title, status=status, account=account, open_seats=open_seats, sandbox=sandbox)
        while True:
            generation = await self._catch_up(caller)
            streams = Streams(filters, caller, before, limit + 1)
            found = await self._pool.fetchrow(_PAGE.format(streams=streams), *streams.values)
            # A rebuild may have come in between; what was brought up to date then stands in the rows it replaced.
            if found is not None and generation in {None, found["current"]}:
                break
        rows = _rows.decode(found["games"])
        more = len(rows) > limit
        return Page(
            games=tuple(await self._shown(rows[:limit], caller)),
            next=rows[limit - 1].position if more else None,
        )

    async def _shown(self, rows: Sequence[_Row], caller: AccountId | None) -> list[ListedGame]:
        """Rows as the caller may see them now, all games by the same few statements; unreadable games are left out."""
        games = [_listed(row) for row in rows]
        delayed = [row.game.id for row in rows if row.delayed and row.game.status is Status.running]
        if not delayed:
            return games
        found = await shown_many(self._pool, self._tables, delayed, caller)
        worked_out: dict[str, ListedGame | None] = {}
        by_id = {game.id: game for game in games}
        for number, game_id in enumerate(delayed, 1):
            worked_out[game_id] = _visible(by_id[game_id], found.get(game_id))
            if number % _SLICE == 0:
                await asyncio.sleep(0)  # others have their turn
        return [game for each in games if (game := worked_out.get(each.id, each)) is not None]

    async def _catch_up(self, caller: AccountId | None) -> int | None:
        """Bring the games that the caller acted in since the checkpoint up to date; gives the generation of rows."""
        if caller is None:
            return None
        async with self._pool.acquire() as connection:
            at = await checkpoint(connection)
            wanted = safe_order.newest(await safe_order.beyond(connection, at.position, caller))
        if wanted:
            summaries = await summarize(self._tables, wanted)
            async with self._pool.acquire() as connection, connection.transaction():
                await write(connection, at.generation, summaries)
        return at.generation


def _visible(game: ListedGame, found: tuple[LoadedGame, LoadedGame] | Exception | None) -> ListedGame | None:
    """A row of a delayed game with what the caller may see of its moves; None for a game that cannot be read."""
    if found is None or isinstance(found, Exception):
        return None
    latest, table = found
    if table is latest:
        return game
    try:
        to_move = kernel.to_move(table.game, table.rules)
    except Exception:  # noqa: BLE001 - whatever a title's code raises, the other games are listed
        return None
    updated_at = table.recorded_at or game.updated_at
    return msgspec.structs.replace(game, version=table.version, to_move=to_move, updated_at=updated_at)


# The session may have another time zone.
_REVEAL_BY, _CREATED_AT, _UPDATED_AT = (
    f"""to_char({name} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
    for name in ("reveal_by", "created_at", "updated_at")
)

# One value, made by the database: reading it takes this process a fraction of what columns of 200 rows do.
_PAGE = f"""
select current.generation as current, (
    select coalesce(json_agg(json_build_object(
        'position', position, 'delayed', delayed, 'seat_count', seat_count,
        'game', json_build_object(
            'id', game_id, 'title', title, 'component_set', component_set, 'visibility', visibility,
            'sandbox', sandbox, 'creator', creator, 'status', status, 'seats', seats, 'open_seats', open_seats,
            'reveal_by', {_REVEAL_BY}, 'to_move', to_move, 'winners', winners, 'version', version,
            'created_at', {_CREATED_AT}, 'updated_at', {_UPDATED_AT})) order by position desc), '[]')
    from (
        select found.*, (
            select coalesce(json_agg(json_build_object(
                'seat', s.seat, 'account', s.account, 'name', s.name, 'entropy', s.entropy, 'rank', s.rank,
                'points', s.points) order by s.seat), '[]')
            from history as s where s.generation = found.generation and s.game_id = found.game_id) as seats
        from ({{streams}}) as found
        order by position desc
        limit $1
    ) as listed
) as games
from (select generation from projection) as current
"""  # noqa: S608 - what is put in are the constants above


def _listed(row: _Row) -> ListedGame:
    """The game with its free seats as well."""
    game = row.game
    if len(game.seats) == row.seat_count:
        return game
    taken = {seat.seat: seat for seat in game.seats}
    seats = tuple(taken.get(seat) or ListedSeat(seat=seat) for seat in range(row.seat_count))
    return msgspec.structs.replace(game, seats=seats)
