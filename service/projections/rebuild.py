"""Make the lobby and the history anew from the log, beside those that are served, and swap them in one transaction.

The rows of the next generation are written where no list looks. When they have come as far as the log is final, the
checkpoint is held still, so that no projector can move it; whatever can be seen of the log by then, final or not, is
folded in, and the checkpoint is set to the new generation and to where the reading stood. So lists go from one whole
state to another that is as new or newer, and the projectors of the running service go on from there.
"""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg

from domain.catalogue import TITLES
from domain.kernel.rules import Title
from service.play.sets import Sets
from service.play.tables import Tables
from service.projections import records
from service.projections.projector import BATCH
from service.projections.summaries import summarise
from service.store import positions
from service.store.migrate import migrate
from service.store.positions import START, Connection, Mark, Position

_LOCK = 7_305_911_046
"""Any fixed number: the advisory lock of a rebuild, of which there is one at a time."""

_HOT_GAMES = 2_000


class RebuildRunning(Exception):
    """Another process is rebuilding the projections of this database."""


async def rebuild(database_url: str, titles: Mapping[str, Title] = TITLES) -> int:
    """Rebuild the projections while the service runs; gives the number of games that are listed."""
    await migrate(database_url)
    async with asyncpg.create_pool(database_url, min_size=2, max_size=2) as pool:
        tables = Tables(pool, Sets(pool, titles), _HOT_GAMES)
        async with pool.acquire() as connection:
            if not await connection.fetchval("select pg_try_advisory_lock($1)", _LOCK):
                raise RebuildRunning
            generation = await _next_generation(connection)
            reached = await _fill(connection, tables, generation)
            await _swap(connection, tables, generation, reached)
            await _drop_others(connection)
            return await connection.fetchval("select count(*) from lobby where generation = $1", generation)


async def _next_generation(connection: Connection) -> int:
    await _drop_others(connection)  # what a rebuild that was killed has left
    return (await records.checkpoint(connection)).generation + 1


async def _fill(connection: Connection, tables: Tables, generation: int) -> Position:
    """Write the rows of all games, as far as the log is final; gives how far that is."""
    reached = START
    while True:
        marks = await positions.read(connection, reached, BATCH)
        async with connection.transaction():
            await _fold(connection, tables, generation, marks)
        reached = marks[-1].position if marks else reached
        # Not until nothing is left: a busy service always leaves a little, and the swap takes that along.
        if len(marks) < BATCH:
            return reached


async def _swap(connection: Connection, tables: Tables, generation: int, reached: Position) -> None:
    async with connection.transaction():
        await records.hold_checkpoint(connection)
        await _fold(connection, tables, generation, await positions.beyond(connection, reached))
        await records.serve(connection, generation, reached)


async def _fold(connection: Connection, tables: Tables, generation: int, marks: list[Mark]) -> None:
    summaries, faults = await summarise(tables, positions.newest(marks))
    await records.write(connection, generation, summaries, faults)


async def _drop_others(connection: Connection) -> None:
    await connection.execute("delete from lobby where generation <> (select generation from projection)")
    await connection.execute("delete from history where generation <> (select generation from projection)")
