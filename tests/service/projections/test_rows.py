"""The rows of lists: whoever writes them, in whatever order, they end as the newest version has them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from typing import Any

import asyncpg
import pytest

from service.database.types import Pool
from service.log.safe_order import LogPosition
from service.projections import rows as records
from service.projections.rows import Checkpoint
from service.projections.summaries import SeatSummary, Summaries, Summary, fault
from tests.harness.lists import history_rows, lobby_rows

_EVENT = """
insert into events (game_id, version, type, data, rules_version, hash, recorded_at, attempt)
values ($1, $2, 'tested', '{}', '1', sha256(''), now(), gen_random_uuid())
"""


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool]:
    async with asyncpg.create_pool(database, min_size=2, max_size=4) as made:
        for game_id, version in itertools.product(("a", "b", "c"), range(1, 6)):
            await made.execute(_EVENT, game_id, version)
        yield made


def summary(game_id: str, version: int, *names: str, ended: bool = False) -> Summary:
    return Summary(
        game_id=game_id,
        version=version,
        title="toy",
        component_set="toy-1",
        visibility="public",
        sandbox=False,
        delayed=False,
        creator="ann",
        status="finished" if ended else "waiting",
        seat_count=3,
        open_seats=3 - len(names),
        reveal_by=None,
        to_move=(),
        winners=(0,) if ended else None,
        seats=tuple(
            SeatSummary(
                seat=seat,
                account=f"account of {name}",
                name=name,
                entropy=None,
                rank=seat + 1 if ended else None,
                points=10 - seat if ended else None,
            )
            for seat, name in enumerate(names)
        ),
    )


async def write(pool: Pool, *summaries: Summary) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await records.write(connection, 1, Summaries(list(summaries)))


async def seated(pool: Pool) -> list[tuple[str, int, str]]:
    return [(row["game_id"], row["seat"], row["name"]) for row in await history_rows(pool)]


async def versions(pool: Pool) -> dict[str, int]:
    return {row["game_id"]: row["version"] for row in await lobby_rows(pool)}


async def unreadable(pool: Pool) -> list[Any]:
    return [tuple(row) for row in await pool.fetch("select game_id, version from unreadable_games")]


async def test_rows_end_as_the_newest_version_has_them_whatever_the_order(pool: Pool) -> None:
    steps = [summary("a", 2, "Ann"), summary("a", 3, "Ann", "Bob"), summary("a", 4, "Cid")]
    for order in itertools.permutations(steps):
        await pool.execute("truncate lobby, history")
        for step in order:
            await write(pool, step)
        assert await versions(pool) == {"a": 4}
        assert await seated(pool) == [("a", 0, "Cid")]


async def test_the_same_rows_written_twice_are_the_same_rows(pool: Pool) -> None:
    steps = [summary("a", 4, "Ann", "Bob", ended=True), summary("b", 2, "Ann")]
    await write(pool, *steps)
    before = await lobby_rows(pool), await history_rows(pool)
    await write(pool, *steps)
    assert (await lobby_rows(pool), await history_rows(pool)) == before


async def test_of_two_writers_at_once_the_newer_version_stays(pool: Pool) -> None:
    await write(pool, summary("a", 1))
    async with pool.acquire() as connection:
        async with connection.transaction():
            await records.write(connection, 1, Summaries([summary("a", 3, "Ann", "Bob")]))
            newer = asyncio.create_task(write(pool, summary("a", 4, "Ann")))
            waiting = "select count(*) > 0 from pg_locks where not granted"
            while not await connection.fetchval(waiting):
                pass
        await newer
    assert await versions(pool) == {"a": 4}
    assert await seated(pool) == [("a", 0, "Ann")]


async def test_writers_of_the_same_games_do_not_deadlock(pool: Pool) -> None:
    games = ("a", "b", "c")
    for version in range(1, 6):
        forth = [summary(game, version, "Ann") for game in games]
        await asyncio.gather(*(write(pool, *rows) for rows in (forth, forth[::-1], forth, forth[::-1])))
    assert await versions(pool) == dict.fromkeys(games, 5)


async def test_what_the_game_came_to_is_in_the_history(pool: Pool) -> None:
    await write(pool, summary("a", 3, "Ann", "Bob"))
    assert [(row["rank"], row["points"], row["ended_at"]) for row in await history_rows(pool)] == [
        (None, None, None)
    ] * 2
    await write(pool, summary("a", 4, "Ann", "Bob", ended=True))
    (row,) = await lobby_rows(pool)
    ended_at = row["updated_at"]
    assert [(row["rank"], row["points"], row["ended_at"]) for row in await history_rows(pool)] == [
        (1, 10, ended_at),
        (2, 9, ended_at),
    ]


async def test_times_and_place_come_from_the_log(pool: Pool) -> None:
    await write(pool, summary("b", 3))
    (row,) = await lobby_rows(pool)
    first, last = await pool.fetch(
        "select position, recorded_at from events where game_id = 'b' and version in (1, 3) order by version"
    )
    assert (row["position"], row["created_at"], row["updated_at"]) == (
        first["position"],
        first["recorded_at"],
        last["recorded_at"],
    )


async def test_what_the_database_does_not_take_is_noted_and_the_others_are_written(
    pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    await write(pool, summary("a", 2), summary("b", 2, "N\0L"), summary("c", 2, "Ann"))
    assert await versions(pool) == {"a": 2, "c": 2}
    assert await unreadable(pool) == [("b", 2)]
    assert "game b cannot be read at version 2" in caplog.text


async def test_a_game_that_can_be_read_again_is_no_longer_noted(pool: Pool) -> None:
    async with pool.acquire() as connection, connection.transaction():
        faults = [fault("a", 2, ValueError("odd")), fault("b", 1, ValueError("odd"))]
        await records.write(connection, 1, Summaries(faults=faults))
    await write(pool, summary("a", 3))
    assert await unreadable(pool) == [("b", 1)]


async def test_the_checkpoint_moves_on_only_from_where_it_was_read(pool: Pool) -> None:
    async with pool.acquire() as connection:
        read = await records.checkpoint(connection)
        assert read == Checkpoint(1, LogPosition(0, 0))
        assert await records.advance(connection, read, LogPosition(7, 3))
        assert not await records.advance(connection, read, LogPosition(8, 1))
        await records.serve(connection, 2, LogPosition(7, 3))
        assert not await records.advance(connection, Checkpoint(1, LogPosition(7, 3)), LogPosition(8, 1))
        assert await records.checkpoint(connection) == Checkpoint(2, LogPosition(7, 3))


async def test_a_database_without_a_checkpoint_is_told_plainly(pool: Pool) -> None:
    await pool.execute("delete from projection")
    async with pool.acquire() as connection:
        with pytest.raises(LookupError, match="projection"):
            await records.checkpoint(connection)
