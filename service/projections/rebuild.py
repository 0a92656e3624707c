"""Rebuild the lobby and the history from the log beside those in use, and swap them in one transaction.

The rows of the next generation are written where no list looks: every game once, and then those that went on in the
meantime. When these rows have come as far as the log is final, the checkpoint is held still, so that no projector can
move it; whatever can be seen of the log by then, final or not, is folded in, and the checkpoint is set to the new
generation and to where the reading stood. So lists go from one whole state to another that is as new or newer, and the
projectors of the running service go on from there.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from service.database.migrate import migrate
from service.database.pool import open_pool
from service.database.types import Connection
from service.log import safe_order
from service.log.epoch import enter_epoch
from service.log.safe_order import LogPosition
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache
from service.projections import rows
from service.projections.projector import BATCH
from service.projections.summaries import Summaries, replay_summaries, summarize

LOCK = 7_305_911_046
"""Any fixed number: the advisory lock that keeps a second rebuild out."""

_HOT_GAMES = 2_000

_GAMES_AT_ONCE = 200

_GAMES = "select game_id from events where version = 1 and game_id > $1 order by game_id limit $2"


class RebuildRunning(Exception):
    """Another process is rebuilding the projections of this database."""


async def rebuild(database_url: str, titles: Mapping[str, Title] = TITLES) -> int:
    """Rebuild the projections while the service runs; gives the number of games that are listed."""
    await migrate(database_url)
    await enter_epoch(database_url)
    async with open_pool(database_url, 3) as pool, pool.acquire() as connection:
        if not await connection.fetchval("select pg_try_advisory_lock($1)", LOCK):
            raise RebuildRunning
        try:
            return await _rebuild(connection, GameCache(pool, ComponentSets(pool, titles), _HOT_GAMES))
        finally:
            connection.terminate()  # gives the lock back


async def _rebuild(connection: Connection, tables: GameCache) -> int:
    await _drop_others(connection)  # what a rebuild that was killed has left
    generation = (await rows.checkpoint(connection)).generation + 1
    reached = await safe_order.final(connection)
    await _fold_all(connection, tables, generation)
    # New rows without statistics would be served by slow plans.
    await connection.execute("analyze lobby, history")
    await _swap(connection, tables, generation, await _follow(connection, tables, generation, reached))
    await _drop_others(connection)
    return await connection.fetchval("select count(*) from lobby where generation = $1", generation)


async def _fold_all(connection: Connection, tables: GameCache, generation: int) -> None:
    """Write the rows of every game there is, each folded once."""
    last = ""
    while found := await connection.fetch(_GAMES, last, _GAMES_AT_ONCE):
        games = [record["game_id"] for record in found]
        await _write(connection, generation, await replay_summaries(tables, games))
        last = games[-1]


async def _follow(connection: Connection, tables: GameCache, generation: int, reached: LogPosition) -> LogPosition:
    """Write the rows of the games that went on meanwhile, as far as the log is final; gives how far that is."""
    while True:
        marks = await safe_order.read(connection, reached, BATCH)
        await _write(connection, generation, await summarize(tables, safe_order.newest(marks)))
        reached = marks[-1].position if marks else reached
        # Not until nothing is left: a busy service always leaves a little, and the swap takes that along.
        if len(marks) < BATCH:
            return reached


async def _swap(connection: Connection, tables: GameCache, generation: int, reached: LogPosition) -> None:
    async with connection.transaction():
        await rows.hold_checkpoint(connection)
        left = safe_order.newest(await safe_order.beyond(connection, reached))
        await _write(connection, generation, await summarize(tables, left))
        await rows.serve(connection, generation, reached)


async def _write(connection: Connection, generation: int, found: Summaries) -> None:
    async with connection.transaction():
        await rows.write(connection, generation, found)


async def _drop_others(connection: Connection) -> None:
    await connection.execute("delete from lobby where generation <> (select generation from projection)")
    await connection.execute("delete from history where generation <> (select generation from projection)")
