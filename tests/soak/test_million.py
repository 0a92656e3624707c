"""A log of a million events is migrated while processes of the earlier release write on, and afterwards."""

from __future__ import annotations

import time

import asyncpg
import pytest

from service.live.feeds import queries
from service.log.safe_order import START
from tests.harness.earlier_release import ENDINGS, MARKED_WRONGLY, fill, migrate_before, migrating, writing_as_before
from tests.harness.writing import writing

pytestmark = pytest.mark.soak

GAMES = 16_667
LENGTH = 60
WRITERS = 4

LONGEST_SECONDS = 1.0
SLACK = 4
"""The second is promised of a machine of its own; here players and database share two cores."""


@pytest.mark.timeout(1200)
async def test_a_million_events_are_migrated_without_a_stop_of_play(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate_before(empty_database, "0010", monkeypatch)
    connection = await asyncpg.connect(empty_database)
    await fill(connection, GAMES, LENGTH)
    async with writing_as_before(empty_database, WRITERS) as older:
        for each in older:
            await each.played_on()
        for each in older:
            each.waits.clear()
        begun = time.perf_counter()
        async with migrating(empty_database) as process:
            assert await process.wait() == 0
        seconds = time.perf_counter() - begun
        during = sorted(wait for each in older for wait in each.waits)
        async with writing(empty_database) as newer:
            ann, bob = await newer.account("Ann"), await newer.account("Bob")
            finished = await newer.finished(ann, bob)
        for each in older:
            await each.played_on()
    longest = max(wait for each in older for wait in each.waits)
    print(  # noqa: T201 - figures for whoever runs it
        f"\n{GAMES * LENGTH:,} events migrated in {seconds:.1f} s; {len(during):,} appends meanwhile,"
        f" p50 {1e3 * during[len(during) // 2]:.1f} ms, longest of all {1e3 * longest:.0f} ms"
    )
    assert await connection.fetchval(MARKED_WRONGLY) == 0
    endings = sorted(row["game_id"] for row in await connection.fetch(ENDINGS))
    await connection.close()
    async with writing(empty_database) as process:
        found = await queries.lobby(process.pool, START, 5 * len(endings))
    assert sorted(each.game_id for each in found if each.type == "move_made") == endings
    assert finished.id in endings
    assert len(endings) > GAMES + sum(each.games for each in older)
    assert longest < SLACK * LONGEST_SECONDS
