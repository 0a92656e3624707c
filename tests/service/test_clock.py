"""The clock of the database as a process keeps it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from time import monotonic

import asyncpg
import pytest

from service import clock as module
from service.clock import Clock
from service.database.types import Connection


async def error(clock: Clock, connection: Connection) -> timedelta:
    """How far a clock is from the database at least: zero if it may be right."""
    before: datetime = await connection.fetchval("select clock_timestamp()")
    now = clock.now()
    after: datetime = await connection.fetchval("select clock_timestamp()")
    return max(before - now, now - after, timedelta())


async def test_a_clock_that_was_never_measured_tells_no_time() -> None:
    with pytest.raises(LookupError):
        Clock().now()


async def test_a_measured_clock_is_right_to_a_round_trip(database: str) -> None:
    connection = await asyncpg.connect(database)
    clock = Clock()
    asked = monotonic()
    await clock.measure(connection)
    assert await error(clock, connection) <= timedelta(seconds=monotonic() - asked)
    assert clock.now().tzinfo is UTC
    await connection.close()


@pytest.mark.parametrize("seconds", [60, -60, 86_400])
async def test_a_clock_that_was_stepped_is_right_after_the_next_measurement(
    database: str, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    connection = await asyncpg.connect(database)
    clock = Clock()
    await clock.measure(connection)
    monkeypatch.setattr(module, "monotonic", lambda: monotonic() + seconds)
    assert await error(clock, connection) > timedelta(seconds=abs(seconds) / 2)
    asked = monotonic()
    await clock.measure(connection)
    assert await error(clock, connection) <= timedelta(seconds=monotonic() - asked)
    await connection.close()


async def test_a_slow_round_trip_leaves_a_clock_as_right_as_it_was(database: str) -> None:
    connection = await asyncpg.connect(database)
    clock = Clock()
    for _ in range(5):
        await clock.measure(connection)
    before = clock.now() - datetime.fromtimestamp(monotonic(), UTC)

    class Slow:
        async def fetchval(self, query: str) -> datetime:
            answer: datetime = await connection.fetchval(query)
            await asyncio.sleep(0.5)
            return answer

    slow: Connection = Slow()  # type: ignore[assignment] # pyright: ignore[reportAssignmentType] - all that it is asked
    await clock.measure(slow)
    after = clock.now() - datetime.fromtimestamp(monotonic(), UTC)
    assert abs(after - before) < timedelta(seconds=0.2)
    await connection.close()
