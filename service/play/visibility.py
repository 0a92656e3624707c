"""How far into a running game somebody sees: the public of a game with a spectator delay lags behind its moves.

A delay has a number of versions and a number of seconds: the public sees what is older than both. It begins after the
start of the game, so that a table can be found and sat down at, and ends with the game: then the rest is there at once.
A seated account sees everything at once, on any connection, as that seat.

Everything that a client can read of a game goes through here or through its twin in the live feed: state, events,
`?version=`, timeline, record, entity tags, hashes and lists. Seconds are judged by the database's clock alone, by which
events are recorded as well (service/clock.py): no process has a time of its own to open a game by.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from service.database.types import Pool
from service.log import events
from service.play.game_cache import GameCache, LoadedGame


def is_delayed(table: LoadedGame, account: AccountId | None) -> bool:
    """Whether an account (None: the public) sees less of a game than there is."""
    game = table.game
    return game.created.spectator_delay is not None and game.status is Status.running and game.seat_of(account) is None


async def visible_version(pool: Pool, table: LoadedGame) -> int:
    """The version that the public of a delayed game sees now."""
    delay, started = table.game.created.spectator_delay, table.game.started
    if delay is None or started is None:
        return table.version
    version = table.version - delay.versions
    if delay.seconds:
        version = min(version, await events.version_before(pool, table.id, delay.seconds))
    return max(version, started)


async def shown_many(
    pool: Pool, tables: GameCache, game_ids: Sequence[str], account: AccountId | None
) -> dict[str, tuple[LoadedGame, LoadedGame] | Exception]:
    """Games as `shown`, each with its latest table first, or what is wrong with it; a missing game is left out.

    The number of statements grows by two for each `LOAD_GAMES` games that have to be folded.
    """
    latest = {game_id: found async for game_id, found in tables.load(await events.heads(pool, game_ids))}
    found: dict[str, tuple[LoadedGame, LoadedGame] | Exception] = {
        game_id: table if isinstance(table, Exception) else (table, table) for game_id, table in latest.items()
    }
    delayed = [table for table in latest.values() if isinstance(table, LoadedGame) and is_delayed(table, account)]
    past = await tables.load_past(await _visible_versions(pool, delayed))
    for game_id, then in past.items():
        table = latest[game_id]
        if isinstance(table, LoadedGame):
            found[game_id] = then if isinstance(then, Exception) else (table, then)
    return found


async def _visible_versions(pool: Pool, tables: Sequence[LoadedGame]) -> dict[str, int]:
    """`visible_version` of delayed games, for those whose public does not see the latest one."""
    delays = {table.id: delay for table in tables if (delay := table.game.created.spectator_delay) is not None}
    seconds = {game_id: delay.seconds for game_id, delay in delays.items() if delay.seconds}
    before = await events.versions_before(pool, seconds) if seconds else {}
    versions = {
        table.id: max(
            min(table.version - delays[table.id].versions, before.get(table.id, table.version)), table.game.started or 0
        )
        for table in tables
    }
    return {table.id: versions[table.id] for table in tables if versions[table.id] != table.version}


async def shown(pool: Pool, tables: GameCache, table: LoadedGame, account: AccountId | None) -> LoadedGame:
    """A game as far as an account sees it now."""
    if not is_delayed(table, account):
        return table
    version = await visible_version(pool, table)
    return table if version == table.version else await tables.at(table.id, version)
