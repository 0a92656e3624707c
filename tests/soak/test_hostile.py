"""Normal play goes on as if nobody were hostile.

The same minutes are played twice, each time by a process of its own on a database of its own: undisturbed, and beside
`hostile.py`. Minutes are five of each, or as many as `SOAK_MINUTES` says.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from tests.harness.aftermath import require_quiet
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.server import DEFAULT_LIMITS, Service
from tests.soak.players import Played, play

pytestmark = pytest.mark.soak

SECONDS = 60 * float(os.environ.get("SOAK_MINUTES", "5"))
TABLES = 8
MEGABYTE = 1 << 20

MOST_P99_SECONDS = 0.250
MOST_CALLBACK_SECONDS = 0.050
SLACK = 4
"""The times are promised of a machine of its own; here players, attackers and database share two cores with it."""

MOST_MEMORY_RATIO = 1.10
MOST_MORE_MEMORY = 256 * MEGABYTE
SAMPLE_SECONDS = 0.25
SETTLE_SECONDS = 20.0
"""After the last request, before memory is compared."""


@dataclass
class Minutes:
    """What was measured while the players played."""

    played: Played
    most_memory: int
    """Bytes of the process and its children together, at their highest."""
    last_memory: int
    probe: Mapping[str, Any]
    met: Mapping[str, Mapping[str, int]]


async def _minutes(database: str, folder: Path, *, hostile: bool) -> Minutes:
    probe = folder / "probe.json"
    service = Service(database, {"PROBE": str(probe), **DEFAULT_LIMITS}, "tests.soak.probed")
    try:
        service.start()
        async with _sampled(service.pid) as memory, _attacked(service.url, hostile=hostile) as attackers:
            played = await play(service.url, SECONDS, TABLES)
            met = await _met(attackers)
            await asyncio.sleep(SETTLE_SECONDS)
        last_memory = _resident(service.pid)
        await _require_log(database, played)
        require_quiet(service)
        assert service.interrupt() == 0
        return Minutes(played, memory.most, last_memory, json.loads(probe.read_text()), met)
    finally:
        service.stop()


@asynccontextmanager
async def _attacked(url: str, *, hostile: bool) -> AsyncGenerator[asyncio.subprocess.Process | None]:
    """The process of the attackers, if there are any."""
    if not hostile:
        yield None
        return
    command = (sys.executable, "-m", "tests.soak.hostile", url, str(SECONDS))
    attackers = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        yield attackers
    finally:
        if attackers.returncode is None:
            attackers.kill()
        await attackers.communicate()


async def _met(attackers: asyncio.subprocess.Process | None) -> Mapping[str, Mapping[str, int]]:
    """What each attack met, when all have ended."""
    if attackers is None:
        return {}
    printed, _ = await attackers.communicate()
    assert attackers.returncode == 0
    return json.loads(printed)


@dataclass
class _Memory:
    """The most memory of a process and its children so far, in bytes."""

    most: int = 0

    async def sample(self, pid: int) -> None:
        """Go on until this is cancelled."""
        while True:
            self.most = max(self.most, _resident(pid))
            await asyncio.sleep(SAMPLE_SECONDS)


@asynccontextmanager
async def _sampled(pid: int) -> AsyncGenerator[_Memory]:
    memory = _Memory()
    sampling = asyncio.create_task(memory.sample(pid))
    try:
        yield memory
    finally:
        sampling.cancel()
        await asyncio.wait([sampling])


def _resident(pid: int) -> int:
    """Bytes of a process and its children."""
    process = psutil.Process(pid)
    total = process.memory_info().rss
    for child in process.children(recursive=True):
        try:
            total += child.memory_info().rss
        except psutil.NoSuchProcess:  # it ended while it was being looked at
            continue
    return total


async def _require_log(database: str, played: Played) -> None:
    """The log has every move that was answered, and none besides."""
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch(
            "select game_id, count(*) as events, max(version) as version from events"
            " where game_id = any($1) group by game_id",
            list(played.games),
        )
    finally:
        await connection.close()
    assert {row["game_id"]: row["version"] for row in rows} == played.games
    assert all(row["events"] == row["version"] for row in rows)


def _print(name: str, minutes: Minutes) -> None:
    played = minutes.played
    print(f"\n{name}: {SECONDS:g} seconds at {TABLES} tables")  # noqa: T201 - figures for whoever runs it
    print(  # noqa: T201
        f"  moves      {len(played.seconds):,}   p50 {1e3 * played.quantile(0.5):.1f} ms"
        f"   p99 {1e3 * played.quantile(0.99):.1f} ms   longest {1e3 * max(played.seconds):.1f} ms"
    )
    print(  # noqa: T201
        f"  memory     {minutes.most_memory / MEGABYTE:.0f} MB at most,"
        f" {minutes.last_memory / MEGABYTE:.0f} MB at the end"
    )
    print(f"  callbacks  {minutes.probe['callbacks']:,}, the longest:")  # noqa: T201
    for seconds, what in minutes.probe["longest"][:6]:
        print(f"    {1e3 * seconds:6.1f} ms of CPU   {what}")  # noqa: T201
    for attack, counts in minutes.met.items():
        print(f"  {attack:<20}{', '.join(f'{what} {count:,}' for what, count in counts.items())}")  # noqa: T201


@pytest.mark.timeout(3 * SECONDS + 600)
async def test_normal_play_is_not_held_up_by_somebody_hostile(
    postgres: PostgresServer, template: str, tmp_path: Path
) -> None:
    begun = time.monotonic()
    async with fresh_database(postgres, template) as database:
        calm = await _minutes(database, tmp_path, hostile=False)
    _print("undisturbed", calm)
    async with fresh_database(postgres, template) as database:
        attacked = await _minutes(database, tmp_path, hostile=True)
    _print("under attack", attacked)
    print(f"  in all {time.monotonic() - begun:.0f} seconds")  # noqa: T201
    assert min(sum(counts.values()) for counts in attacked.met.values()) > 0, "an attack did nothing"
    assert attacked.played.watched >= TABLES
    assert attacked.played.quantile(0.99) < MOST_P99_SECONDS
    assert attacked.last_memory <= MOST_MEMORY_RATIO * calm.last_memory
    assert attacked.most_memory <= calm.most_memory + MOST_MORE_MEMORY
    assert attacked.probe["longest"][0][0] < SLACK * MOST_CALLBACK_SECONDS
