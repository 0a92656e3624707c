"""Hot games: what was folded so far, by game, bounded; a miss folds from the log, and any process may do it.

A `LoadedGame` is never ahead of the log: it moves on only by rows that are committed. It may lag, since another process
may have appended; `fresh` reads what is missing, and a write that lags loses against the primary key and finds out.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel import proof
from domain.kernel.events import Event
from domain.kernel.game import Game
from domain.kernel.ids import GameId
from domain.kernel.logged import EventReader
from domain.kernel.rejected import Rejected
from domain.kernel.rules import AnyRules, Title
from service.database.errors import Unavailable, is_lost
from service.database.types import Pool
from service.log import events
from service.log.epoch import LogEpoch
from service.log.events import Row, Stretch
from service.play.component_sets import ComponentSets
from service.play.recent_events import RecentEvents
from service.play.turns import Turns

REPLAY_FIRST = 2
"""Games in the first fetch of `GameCache.replay`; each further one has twice as many."""

REPLAY_MOST = 16
"""Games in the largest fetches: half a megabyte."""

LOAD_GAMES = 50
"""Games that one statement reads where several are loaded to be served."""

PAST_TABLES = 400
"""Earlier versions that are kept folded: pages of delayed games and clients that step through a game ask again."""

RECENT_EVENTS = 300
"""Events that are kept with the game after each: more than a burst brings before every reader has them."""


class LoadedGame(Struct, frozen=True):
    """A game as folded up to its version, with what is needed to go on: rules, seed and the last hash."""

    id: GameId
    game: Game
    title: Title
    rules: AnyRules
    seed: bytes
    hash: bytes = proof.NO_HASH
    archived: bool = False
    """Whether it was taken in as a record: played elsewhere, by accounts that are nobody's here."""
    epoch: str | None = None
    """The epoch of the log that it was folded from."""
    recorded_at: datetime | None = None
    """When its last event was recorded, None where there is none in the log yet."""

    @property
    def version(self) -> int:
        """The version up to which the table is folded."""
        return self.game.version


class _Opening(Struct):
    """The members of a game's first event that say how to read the others."""

    title: str = ""
    component_hash: str = ""


class Unreadable(Exception):
    """A game whose log cannot be folded from `version` on: reported by name, and no concern of any other game."""

    def __init__(self, game_id: str, version: int) -> None:
        super().__init__(f"game {game_id} cannot be read from version {version} on")
        self.game_id = game_id
        self.version = version


class GameCache:
    """The hot games of a node, all of one epoch of the log (None: of whatever the pool leads to).

    A game is readable if every event decodes whole, moves included, and folds. That is decided when a game is loaded,
    so all that is served of it, and its commands, agree; `Unreadable.version` is that of the first event at fault.
    """

    def __init__(self, pool: Pool, sets: ComponentSets, limit: int, epoch: LogEpoch | None = None) -> None:
        self._pool = pool
        self.epoch = epoch
        self._sets = sets
        self._limit = limit
        self._hot: OrderedDict[str, LoadedGame] = OrderedDict()
        self._past: OrderedDict[tuple[str, int], LoadedGame] = OrderedDict()
        self.recent = RecentEvents(RECENT_EVENTS)
        self._readers: dict[str, EventReader] = {}
        self.turns = Turns()
        self.unreadable: dict[str, Unreadable] = {}
        """Games found unreadable since the projector last noted them (at most as many as may be hot)."""

    @property
    def epoch_name(self) -> str | None:
        """The epoch of the games folded here."""
        return None if self.epoch is None else self.epoch.name

    async def get(self, game_id: str) -> LoadedGame:
        """A game as this process last saw it, which may lag; `no-such-game`."""
        table = self._hot.get(game_id)
        if table is None:
            return await self.fresh(game_id)
        self._hot.move_to_end(game_id)
        return table

    async def fresh(self, game_id: str) -> LoadedGame:
        """A game as the log has it now; `no-such-game`."""
        table = self._hot.get(game_id)
        table = await self._folded(game_id, table)
        if table is None:
            raise Rejected("no-such-game", f"there is no game {game_id}")
        return self.keep(table)

    async def at(self, game_id: str, version: int) -> LoadedGame:
        """A game as it was at a version; `no-such-game` or `no-such-version`."""
        table = await self.fresh(game_id)
        if version == table.version:
            return table
        if not 1 <= version < table.version:
            detail = f"the game's versions are 1 to {table.version}"
            raise Rejected("no-such-version", detail, field="version", current_version=table.version)
        if (then := self._past.get((game_id, version))) is not None:
            self._past.move_to_end((game_id, version))
            return then
        then = await self._folded(game_id, None, version)
        if then is None:
            raise LookupError(game_id)
        return self._keep_past(then)

    async def load(self, versions: Mapping[str, int]) -> AsyncGenerator[tuple[str, LoadedGame | Exception]]:
        """Games at least at a version each, or what is wrong with them; one statement for `LOAD_GAMES` of them."""
        cold: list[str] = []
        for game_id, version in versions.items():
            table = self._hot.get(game_id)
            if table is not None and table.version >= version:
                yield game_id, table
            else:
                cold.append(game_id)
        for start in range(0, len(cold), LOAD_GAMES):
            known = {game_id: self._hot.get(game_id) for game_id in cold[start : start + LOAD_GAMES]}
            after = [(game_id, table.version if table is not None else 0, None) for game_id, table in known.items()]
            stretches = {each.game_id: each for each in await events.read_stretches(self._pool, after)}
            for game_id, table in known.items():
                try:
                    if table is None and game_id not in stretches:
                        found = await self.fresh(game_id)
                    elif (stretch := stretches.get(game_id)) is not None:
                        found = self.keep(await self._moved_on(table, stretch))
                    else:
                        found = table
                except Exception as error:
                    if is_lost(error) or isinstance(error, Unavailable):
                        raise
                    found = error
                if found is not None:
                    yield game_id, found
                await asyncio.sleep(0)  # others have their turn

    async def load_past(self, versions: Mapping[str, int]) -> dict[str, LoadedGame | Unreadable]:
        """Games as they were at a version each; one statement for `LOAD_GAMES` of them. A missing one is left out."""
        found: dict[str, LoadedGame | Unreadable] = {
            each[0]: self._past[each] for each in versions.items() if each in self._past
        }
        cold = [each for each in versions.items() if each[0] not in found]
        for start in range(0, len(cold), LOAD_GAMES):
            wanted = [(game_id, 0, version) for game_id, version in cold[start : start + LOAD_GAMES]]
            for stretch in await events.read_stretches(self._pool, wanted):
                try:
                    found[stretch.game_id] = self._keep_past(await self._moved_on(None, stretch))
                except Unreadable as error:
                    found[stretch.game_id] = error
                await asyncio.sleep(0)  # others have their turn
        return found

    async def replay(self, game_ids: Sequence[str], *, whole: bool = False) -> AsyncGenerator[LoadedGame | Unreadable]:
        """Games folded from the log alone, whatever is hot here; one that cannot be read gives its `Unreadable`.

        Folding needs no moves: unless events are decoded `whole`, a move that cannot be read goes unnoticed.

        While a batch is folded here the next one is fetched, so that the database works beside this process.
        """
        batches = _batches(game_ids)
        fetching = self._fetching(batches)
        while fetching is not None:
            stretches = await fetching
            fetching = self._fetching(batches)
            for _ in range(2):  # so that the statement is on its way before folding begins
                await asyncio.sleep(0)  # uvloop writes what was given to it at the end of a turn
            for stretch in stretches:
                try:
                    yield await self._moved_on(None, stretch, whole=whole)
                except Unreadable as broken:
                    yield broken

    def _fetching(self, batches: Iterator[Sequence[str]]) -> asyncio.Task[list[Stretch]] | None:
        """The fetch of the next batch, if there is one."""
        batch = next(batches, None)
        return (
            None
            if batch is None
            else asyncio.create_task(events.read_stretches(self._pool, [(game_id, 0, None) for game_id in batch]))
        )

    def keep(self, table: LoadedGame) -> LoadedGame:
        """Remember a table, unless a later one is known; gives the later of the two."""
        known = self._hot.get(table.id)
        if known is None or known.version < table.version:
            self._hot[table.id] = known = table
        self._hot.move_to_end(table.id)
        while len(self._hot) > self._limit:
            self._hot.popitem(last=False)
        return known

    def forget(self, game_id: str) -> None:
        """Drop a game: the next request folds it from the log."""
        self._hot.pop(game_id, None)
        for past in [each for each in self._past if each[0] == game_id]:
            del self._past[past]

    def close(self) -> None:
        """Keep nothing from now on: what is asked for next is looked for in the database."""
        self._limit = 0
        self._hot.clear()

    def _keep_past(self, table: LoadedGame) -> LoadedGame:
        self._past[table.id, table.version] = table
        while len(self._past) > PAST_TABLES:
            self._past.popitem(last=False)
        return table

    def advance(self, table: LoadedGame, row: Row) -> tuple[LoadedGame, Event]:
        """The game after the next row, and the event, folded by the first caller only. Raises `Unreadable`."""
        found = self.recent.find(row.hash, row.data)
        if found is None:
            with reading(table.id, row.version):
                event = self._decoded(table.title, row)
                found = event, kernel.evolve(table.game, table.rules, event)
            self.recent.keep(row, *found)
        event, game = found
        return with_event(table, row, game), event

    def decode(self, table: LoadedGame, row: Row) -> Event:
        """An event of a game from its stored bytes; `Unreadable`."""
        with reading(table.id, row.version):
            return self._decoded(table.title, row)

    async def _folded(self, game_id: str, table: LoadedGame | None, upto: int | None = None) -> LoadedGame | None:
        """A table moved on by what the log has after it; None stands for the table of no event."""
        after = table.version if table is not None else 0
        stretch = await events.read_stretch(self._pool, game_id, after, upto)
        return table if stretch is None else await self._moved_on(table, stretch)

    async def _moved_on(self, table: LoadedGame | None, stretch: Stretch, *, whole: bool = True) -> LoadedGame:
        try:
            return await self._fold(table, stretch, whole=whole)
        except Unreadable as error:
            located = await self._first_unreadable(table, stretch, error)
            if len(self.unreadable) < self._limit:
                self.unreadable[stretch.game_id] = located
            raise located from located.__cause__

    async def _first_unreadable(self, table: LoadedGame | None, stretch: Stretch, error: Unreadable) -> Unreadable:
        """The fault at the first event that cannot be decoded and folded, which the whole array does not show."""
        if table is None:
            try:
                title, rules, _ = await self._opened(stretch)
            except Unreadable as broken:
                return broken
            game = None
        else:
            title, rules, game = table.title, table.rules, table.game
        after = 0 if game is None else game.version
        for row in await events.read(self._pool, stretch.game_id, after, stretch.version - after):
            try:
                with reading(stretch.game_id, row.version):
                    game = kernel.evolve(game, rules, self._decoded(title, row))
            except Unreadable as broken:
                return broken
        return error

    def _decoded(self, title: Title, row: Row) -> Event:
        return self._reader(title).read(b"[%b]" % row.data, (row.rules_version,))[0]

    async def _fold(self, table: LoadedGame | None, stretch: Stretch, *, whole: bool) -> LoadedGame:
        game_id = stretch.game_id
        if table is not None:
            known = self._hot.get(game_id)
            if known is not None and known.version >= stretch.version:
                return known  # its writer has folded it meanwhile
            if (found := self.recent.find(stretch.hash, stretch.data[1:-1].encode())) is not None:
                return with_event(table, stretch, found[1])
            title, rules, seed = table.title, table.rules, table.seed
        else:
            title, rules, seed = await self._opened(stretch)
        with reading(game_id, stretch.version):
            heard = self._reader(title).read(stretch.data, stretch.rules_versions, to_fold=not whole)
            game = table.game if table is not None else kernel.evolve(None, rules, heard.pop(0))
            game = kernel.fold(game, rules, heard)
        return LoadedGame(
            id=GameId(game_id),
            game=game,
            title=title,
            rules=rules,
            seed=seed,
            hash=stretch.hash,
            archived=stretch.archived,
            epoch=self.epoch_name,
            recorded_at=stretch.recorded_at,
        )

    async def _opened(self, stretch: Stretch) -> tuple[Title, AnyRules, bytes]:
        """What a game's first event says it is played by, and its seed."""
        with reading(stretch.game_id, 1):
            # The standard library's decoder can stop after the first event, which comes after the bracket.
            opening = msgspec.convert(_json.raw_decode(stretch.data, 1)[0], _Opening)
            title = self._sets.titles[opening.title]
        rules = await self._sets.rules(opening.title, opening.component_hash)
        if stretch.seed is None or rules is None:
            raise Unreadable(stretch.game_id, 1)
        return title, rules, stretch.seed

    def _reader(self, title: Title) -> EventReader:
        """The one way in which every read path here gets events from bytes."""
        if title.id not in self._readers:
            self._readers[title.id] = EventReader(title)
        return self._readers[title.id]


def _batches(game_ids: Sequence[str]) -> Generator[Sequence[str]]:
    """Games as they are fetched for a replay."""
    start, size = 0, REPLAY_FIRST
    while start < len(game_ids):
        yield game_ids[start : start + size]
        start, size = start + size, min(2 * size, REPLAY_MOST)


_json = json.JSONDecoder()


@contextmanager
def reading(game_id: str, version: int) -> Generator[None]:
    """Whatever a log that says something impossible makes go wrong is a fault of that game."""
    try:
        yield
    except Exception as error:
        raise Unreadable(game_id, version) from error


def with_event(table: LoadedGame, row: Row | Stretch, game: Game) -> LoadedGame:
    """A table after one more event of the log; `game` is the game after it."""
    return msgspec.structs.replace(table, game=game, hash=row.hash, recorded_at=row.recorded_at)
