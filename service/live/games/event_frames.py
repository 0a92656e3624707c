"""A step: an event of the log with its frames, each encoded once per class of viewer and form, if somebody wants it."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from domain.kernel import game as kernel
from domain.kernel.events import Event, SeatFreed, SeatLeft, SeatTaken
from domain.kernel.rejected import Rejected
from domain.kernel.terms import Viewer
from service.answers import event_info
from service.database.types import Pool
from service.live.encodings import Encoding
from service.live.frames import SERVER_FRAME_BYTES, EventFrame
from service.log import events
from service.log.events import Row
from service.play.game_cache import GameCache, LoadedGame, Unreadable

REPLAY_PAGE = 100
"""Rows that are read at a time: others have their turn between two pages."""


class EventFrames:
    """One event, folded. `frame` gives the bytes that every viewer of a class is sent."""

    __slots__ = ("_accounts", "_event", "_frames", "_row", "_status", "_to_move", "version")

    def __init__(self, table: LoadedGame, row: Row, event: Event) -> None:
        """`table` is the game right after the event; it is not kept, since a window of steps would keep every state."""
        self.version = row.version
        self._row = row
        self._event = event
        self._accounts = tuple(who.account if who else None for who in table.game.seats)
        self._status = table.game.status
        self._to_move = kernel.to_move(table.game, table.rules)
        self._frames: dict[tuple[Viewer, Encoding], bytes] = {}

    @property
    def seated(self) -> str | None:
        """The account that took, left or lost a seat in this event."""
        return self._event.account if isinstance(self._event, SeatTaken | SeatLeft | SeatFreed) else None

    def after(self, tables: GameCache, table: LoadedGame) -> LoadedGame:
        """The game right after this event; `table` is the game right before it."""
        return tables.advance(table, self._row)[0]

    def viewer(self, account: str | None) -> Viewer:
        """What an account is to this event: the seat it has right after it, or the public."""
        return self._accounts.index(account) if account is not None and account in self._accounts else None

    def frame(self, table: LoadedGame, viewer: Viewer, form: Encoding, epoch: str) -> bytes:
        """The frame for a class of viewer in a form; `table` is the game at any version."""
        data = self._frames.get((viewer, form))
        if data is None:
            info = event_info(table, self._row, self._event, viewer)
            frame = EventFrame(
                game=table.id, version=self.version, to_move=self._to_move, status=self._status, event=info
            )
            self._frames[viewer, form] = data = form.pack(frame, epoch)
            if len(data) > SERVER_FRAME_BYTES:
                detail = f"version {self.version} is larger than a frame may be; read it over REST"
                raise Rejected("frame-too-large", detail)
        return data


def moved(tables: GameCache, table: LoadedGame, row: Row) -> tuple[LoadedGame, EventFrames]:
    """A game moved on by the next row of the log, and the step; raises `Unreadable`."""
    if row.version != table.version + 1:
        raise Unreadable(table.id, table.version + 1)
    table, event = tables.advance(table, row)
    return table, EventFrames(table, row, event)


async def replay(
    pool: Pool, tables: GameCache, game_id: str, after: int, until: int
) -> AsyncGenerator[list[EventFrames]]:
    """The steps with versions above `after` up to `until`, from the log, in pages; raises `Unreadable`."""
    table = await tables.at(game_id, max(after, 1))
    while after < until:
        steps: list[EventFrames] = []
        async with tables.turns:
            for row in await events.read(pool, game_id, after, min(REPLAY_PAGE, until - after)):
                if row.version == 1:  # there is no table before it
                    step = EventFrames(table, row, tables.decode(table, row))
                else:
                    table, step = moved(tables, table, row)
                steps.append(step)
        if not steps:
            raise Unreadable(game_id, after + 1)
        after = steps[-1].version
        yield steps
