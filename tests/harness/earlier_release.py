"""A database as the release before migration 0010 leaves it, and a process of that release that goes on writing."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from service.database import migrate as module
from service.database.types import Connection

_APPEND = (Path(__file__).parent / "earlier_append.sql").read_text(encoding="utf-8")

MIGRATION_LOCK = 7_305_911_044
"""The advisory lock that such a process waits for when it starts."""

_TAKEN = '{"type":"seat_taken","seat":0,"account":"a"}'
_MOVED = '{"type":"move_made","seat":0,"move":{"type":"toy.pass"},"facts":[]}'
_ENDED = '{"type":"move_made","seat":0,"move":{"type":"toy.pass"},"facts":[{"type":"game.ended"}]}'

_FILL = f"""
insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)
select 'old' || g, v, case when v = 1 then 'game_created' when v < 4 then 'seat_taken' else 'move_made' end, 'a',
       (case when v < 4 then '{_TAKEN}' when v = $3 then '{_ENDED}' else '{_MOVED}' end)::json,
       '1', sha256(''), now(), gen_random_uuid()
from generate_series($1::bigint, $2::bigint) as g, generate_series(1, $3::bigint) as v
"""  # noqa: S608 - the constants above

MARKED_WRONGLY = """
select count(*) from events where coalesce(ends_game, false) <> (data::text like '%"type":"game.ended"%')
"""


ENDINGS = """select game_id from events where data::text like '%"type":"game.ended"%'"""


async def migrate_before(dsn: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Apply the migrations before one."""
    everything = module._migrations()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    with monkeypatch.context() as earlier:
        earlier.setattr(module, "_migrations", lambda: [each for each in everything if each[0] < name])
        await module.migrate(dsn)


async def fill(connection: Connection, games: int, length: int) -> None:
    """Write games of `length` events that have ended, a hundredth of them in each transaction."""
    each = max(1, games // 100)
    for first in range(1, games + 1, each):
        await connection.execute(_FILL, first, min(games, first + each - 1), length)


@asynccontextmanager
async def migrating(dsn: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """`tablelog migrate` of this release, killed at the end if it is still at work."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.harness.serve", "migrate"), env={**os.environ, "DATABASE_URL": dsn, "PORT": "0"}
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@dataclass
class EarlierWriter:
    """Plays games of some events, one after the other, and measures how long each append waits."""

    dsn: str
    prefix: str
    length: int = 10
    games: int = 0
    waits: list[float] = field(default_factory=list[float])
    """Seconds."""

    async def play(self) -> None:
        """Go on until this is cancelled."""
        connection = await asyncpg.connect(self.dsn)
        try:
            while True:
                for version in range(1, self.length + 1):
                    await self._append(connection, version)
                self.games += 1
        finally:
            connection.terminate()

    async def _append(self, connection: Connection, version: int) -> None:
        kind = "game_created" if version == 1 else "seat_taken" if version < 4 else "move_made"
        data = _TAKEN if version < 4 else _ENDED if version == self.length else _MOVED
        head = (f"{self.prefix}{self.games}", version, kind, "a", data, "1", bytes(32), datetime.now(UTC), uuid4())
        begun = time.perf_counter()
        written = await connection.fetch(_APPEND, *([each] for each in (*head, None, None, None, None, None)))
        self.waits.append(time.perf_counter() - begun)
        assert len(written) == 1
        await asyncio.sleep(0.002)

    async def played_on(self, games: int = 2) -> None:
        """Wait until it has finished some more games."""
        until = self.games + games
        while True:
            if self.games >= until:
                return
            await asyncio.sleep(0.01)


@asynccontextmanager
async def writing_as_before(dsn: str, writers: int = 1) -> AsyncGenerator[list[EarlierWriter]]:
    """Processes of the earlier release that write all the while; fails if one of them could not."""
    made = [EarlierWriter(dsn, f"now{number}-") for number in range(writers)]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each.play()) for each in made]
        yield made
        for task in tasks:
            task.cancel()
