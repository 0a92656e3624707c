"""Hot games: what was folded so far, by game, bounded; a miss folds from the log, and any process may do it.

A `Table` is never ahead of the log: it moves on only by rows that are committed. It may lag, since another process
may have appended; `fresh` reads what is missing, and a write that lags loses against the primary key and finds out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel import proof
from domain.kernel.events import Event, GameCreated, logged_type
from domain.kernel.game import AnyRules, Game
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from service.play.sets import Sets
from service.store import events
from service.store.events import Pool, Row


class Table(Struct, frozen=True):
    """A game as folded up to its version, with what is needed to go on: rules, seed and the last hash."""

    id: str
    game: Game
    title: Title
    rules: AnyRules
    seed: bytes
    hash: bytes = proof.NO_HASH

    @property
    def version(self) -> int:
        """The version up to which the table is folded."""
        return self.game.version


class Unreadable(Exception):
    """A game whose log cannot be folded: reported by name, and no concern of any other game."""

    def __init__(self, game_id: str, version: int) -> None:
        super().__init__(f"game {game_id} cannot be read at version {version}")
        self.game_id = game_id
        self.version = version


class Tables:
    """The hot games of a process."""

    def __init__(self, pool: Pool, sets: Sets, limit: int) -> None:
        self._pool = pool
        self._sets = sets
        self._limit = limit
        self._hot: OrderedDict[str, Table] = OrderedDict()
        self._decoders: dict[str, msgspec.json.Decoder[Event]] = {}

    async def get(self, game_id: str) -> Table:
        """A game as this process last saw it, which may lag; `no-such-game`."""
        table = self._hot.get(game_id)
        if table is None:
            return await self.fresh(game_id)
        self._hot.move_to_end(game_id)
        return table

    async def fresh(self, game_id: str) -> Table:
        """A game as the log has it now; `no-such-game`."""
        table = self._hot.get(game_id)
        after = table.version if table is not None else 0
        table = await self.after(game_id, table, await events.read(self._pool, game_id, after))
        if table is None:
            raise Rejected("no-such-game", f"there is no game {game_id}")
        return self.keep(table)

    async def at(self, game_id: str, version: int) -> Table:
        """A game as it was at a version; `no-such-game` or `no-such-version`."""
        table = await self.fresh(game_id)
        if version == table.version:
            return table
        if not 1 <= version < table.version:
            detail = f"the game's versions are 1 to {table.version}"
            raise Rejected("no-such-version", detail, field="version", current_version=table.version)
        then = await self.after(game_id, None, await events.read(self._pool, game_id, 0, version))
        if then is None:
            raise LookupError(game_id)
        return then

    def keep(self, table: Table) -> Table:
        """Remember a table, unless a later one is known; gives the later of the two."""
        known = self._hot.get(table.id)
        if known is None or known.version < table.version:
            self._hot[table.id] = known = table
        self._hot.move_to_end(table.id)
        while len(self._hot) > self._limit:
            self._hot.popitem(last=False)
        return known

    def forget(self, game_id: str) -> None:
        """Fold a game anew when it is asked for next."""
        self._hot.pop(game_id, None)

    async def after(self, game_id: str, table: Table | None, rows: Sequence[Row]) -> Table | None:
        """A table moved on by rows of the log that follow it; None stands for the table of no event."""
        for row in rows:
            try:
                table = await self._created(row) if table is None else advanced(table, row, self.decode(table, row))
            except (msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise Unreadable(game_id, row.version) from error
        return table

    def decode(self, table: Table, row: Row) -> Event:
        """An event from its stored bytes: the one place where every read path gets events from."""
        return self._decoder(table.title).decode(row.data)

    async def _created(self, row: Row) -> Table:
        created = msgspec.json.decode(row.data, type=GameCreated[Any])
        title = self._sets.titles[created.title]
        event = self._decoder(title).decode(row.data)
        rules = await self._sets.rules(created.title, created.component_hash)
        seed = await events.seed(self._pool, row.game_id)
        if seed is None:
            raise LookupError(row.game_id)
        game = kernel.evolve(None, rules, event)
        return Table(id=row.game_id, game=game, title=title, rules=rules, seed=seed, hash=row.hash)

    def _decoder(self, title: Title) -> msgspec.json.Decoder[Event]:
        if title.id not in self._decoders:
            self._decoders[title.id] = msgspec.json.Decoder(logged_type(title))
        return self._decoders[title.id]


def advanced(table: Table, row: Row, event: Event) -> Table:
    """A table after one more event of the log."""
    game = kernel.evolve(table.game, table.rules, event)
    return msgspec.structs.replace(table, game=game, hash=row.hash)
