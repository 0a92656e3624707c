"""What lists say, read to the end, and whether it is what the log says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from domain.kernel.ids import AccountId
from service.projections.lobby import ListedGame, Lobby
from service.projections.summaries import summary
from tests.harness.writing import Writing


async def listed(lobby: Lobby, caller: AccountId | None = None, *, limit: int = 7, **filters: Any) -> list[ListedGame]:
    """All games that fit, page by page."""
    page = await lobby.page(caller, limit=limit, **filters)
    games = list(page.games)
    while page.next is not None:
        page = await lobby.page(caller, limit=limit, before=page.next, **filters)
        games += page.games
    return games


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds; a test that waits in vain is ended by its own timeout."""
    while True:
        if await holds():
            return
        await asyncio.sleep(0.02)


async def agrees_with_log(writing: Writing, *, apart_from: str = "") -> bool:
    """Whether the rows that are served say of each game what its log says, and have no other game."""
    rows = {row["game_id"]: row for row in await lobby_rows(writing.pool)}
    logged = [row["game_id"] for row in await writing.pool.fetch("select distinct game_id from events")]
    for game_id in logged:
        if game_id == apart_from:
            continue
        said, row = summary(await writing.folded(game_id)), rows.get(game_id)
        if row is None or (row["version"], row["status"], row["to_move"], row["open_seats"]) != (
            said.version,
            said.status,
            list(said.to_move),
            said.open_seats,
        ):
            return False
    return rows.keys() - {apart_from} == set(logged) - {apart_from}


async def lobby_rows(pool: asyncpg.Pool[asyncpg.Record]) -> list[dict[str, Any]]:
    """The rows of the lobby that are served, but for the number of their generation."""
    return await _served(pool, "lobby", "game_id")


async def history_rows(pool: asyncpg.Pool[asyncpg.Record]) -> list[dict[str, Any]]:
    """The rows of the history that are served, but for the number of their generation."""
    return await _served(pool, "history", "game_id, seat")


async def _served(pool: asyncpg.Pool[asyncpg.Record], table: str, order: str) -> list[dict[str, Any]]:
    query = f"select t.* from {table} as t join projection using (generation) order by {order}"  # noqa: S608 - both are written above
    return [{name: of for name, of in row.items() if name != "generation"} for row in await pool.fetch(query)]
