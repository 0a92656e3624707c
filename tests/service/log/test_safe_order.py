"""Reading the whole log while others write it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from service.database.types import Connection
from service.log import safe_order
from service.log.safe_order import START, LogPosition, Mark
from tests.harness.postgres import PostgresServer, fresh_database

_INSERT = """
insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)
values ($1, $2, 'tested', $3, '{}', '1', sha256(''), now(), gen_random_uuid())
"""


@asynccontextmanager
async def connected(dsn: str) -> AsyncGenerator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def one(database: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    async with connected(database) as connection:
        yield connection


@pytest.fixture
async def other(database: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    async with connected(database) as connection:
        yield connection


@pytest.fixture
async def reader(database: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    async with connected(database) as connection:
        yield connection


async def append(connection: Connection, game_id: str, version: int = 1, actor: str = "someone") -> None:
    await connection.execute(_INSERT, game_id, version, actor)


async def settled(connection: Connection) -> None:
    """Wait until nothing is being written anywhere in the server (it also writes by itself: autovacuum)."""
    snapshot = "select pg_snapshot_xmin(s) = pg_snapshot_xmax(s) from pg_current_snapshot() as s"
    while not await connection.fetchval(snapshot):
        pass


async def games(connection: Connection, after: LogPosition = START, limit: int = 100) -> list[str]:
    return [mark.game_id for mark in await safe_order.read(connection, after, limit)]


async def test_an_empty_log_has_nothing_to_read(reader: Connection) -> None:
    assert await safe_order.read(reader, START, 10) == []


async def test_events_come_in_the_order_they_were_written_and_once(one: Connection, reader: Connection) -> None:
    for number in range(5):
        await append(one, f"g{number}")
    await settled(reader)
    first = await safe_order.read(reader, START, 3)
    second = await safe_order.read(reader, first[-1].position, 3)
    assert [mark.game_id for mark in first + second] == ["g0", "g1", "g2", "g3", "g4"]
    assert await safe_order.read(reader, second[-1].position, 3) == []


async def test_rows_of_one_transaction_are_told_apart_by_their_number(one: Connection, reader: Connection) -> None:
    async with one.transaction():
        for number in range(4):
            await append(one, f"g{number}")
    await settled(reader)
    first = await safe_order.read(reader, START, 2)
    assert len({mark.position.xid for mark in first}) == 1
    assert await games(reader, first[-1].position) == ["g2", "g3"]


async def test_what_is_committed_late_is_not_passed_over(
    one: Connection, other: Connection, reader: Connection
) -> None:
    await append(one, "before")
    await settled(reader)
    started = one.transaction()
    await started.start()
    await append(one, "early number, late commit")
    await append(other, "late number, early commit")
    seen = await safe_order.read(reader, START, 10)
    await started.commit()
    await settled(reader)
    seen += await safe_order.read(reader, seen[-1].position, 10)
    assert [mark.game_id for mark in seen] == ["before", "early number, late commit", "late number, early commit"]


async def test_a_number_that_was_rolled_back_is_not_waited_for(one: Connection, reader: Connection) -> None:
    await append(one, "before")
    started = one.transaction()
    await started.start()
    await append(one, "never")
    await started.rollback()
    await append(one, "after")
    await settled(reader)
    seen = await safe_order.read(reader, START, 10)
    assert [mark.game_id for mark in seen] == ["before", "after"]
    assert seen[1].position.number == seen[0].position.number + 2


async def test_a_reader_in_a_transaction_of_its_own_holds_no_writer_up(one: Connection, reader: Connection) -> None:
    async with reader.transaction(isolation="serializable"):
        await games(reader)
        await append(one, "written meanwhile")
    await settled(reader)
    assert await games(reader) == ["written meanwhile"]


async def test_a_transaction_in_another_database_stalls_the_reader_and_no_more(
    one: Connection, reader: Connection, postgres: PostgresServer
) -> None:
    await append(one, "before")
    async with fresh_database(postgres) as elsewhere, connected(elsewhere) as stranger, stranger.transaction():
        await settled(reader)
        await stranger.fetchval("select pg_current_xact_id()")
        await append(one, "meanwhile", actor="ann")
        assert await games(reader) == ["before"]
        (seen,) = await safe_order.beyond(reader, START, "ann")
        assert seen.game_id == "meanwhile"
    await settled(reader)
    assert await games(reader) == ["before", "meanwhile"]


async def test_what_lies_beyond_a_place_can_be_asked_of_everyone_or_of_one(one: Connection, reader: Connection) -> None:
    await append(one, "a", actor="ann")
    await settled(reader)
    (place,) = await safe_order.read(reader, START, 1)
    await append(one, "b", actor="bob")
    await append(one, "c", actor="ann")
    assert [mark.game_id for mark in await safe_order.beyond(reader, place.position)] == ["b", "c"]
    assert [mark.game_id for mark in await safe_order.beyond(reader, place.position, "ann")] == ["c"]


async def test_writers_that_overlap_and_fail_leave_every_committed_event_to_be_read_once(
    database: str, reader: Connection
) -> None:
    picks = random.Random(7)
    committed: list[str] = []
    writing = True

    async def write(writer: int) -> None:
        async with connected(database) as connection:
            for number in range(30):
                started = connection.transaction()
                await started.start()
                names = [f"{writer}/{number}/{part}" for part in range(picks.randrange(1, 4))]
                for name in names:
                    await append(connection, name)
                    await asyncio.sleep(picks.random() / 200)
                if picks.random() < 0.3:
                    await started.rollback()
                else:
                    await started.commit()
                    committed.extend(names)

    async def follow() -> list[Mark]:
        seen: list[Mark] = []
        while True:
            last = not writing
            marks = await safe_order.read(reader, seen[-1].position if seen else START, 5)
            seen += marks
            if last and not marks:
                return seen

    following = asyncio.create_task(follow())
    await asyncio.gather(*(write(writer) for writer in range(8)))
    async with connected(database) as other:
        await settled(other)
    writing = False
    seen = await following
    assert sorted(mark.game_id for mark in seen) == sorted(committed)
    assert [mark.position for mark in seen] == sorted(mark.position for mark in seen)


def test_the_newest_version_of_each_game_is_what_counts() -> None:
    marks = [
        Mark(LogPosition(1, 1), "a", 4),
        Mark(LogPosition(1, 2), "b", 1),
        Mark(LogPosition(2, 3), "a", 3),
    ]
    assert safe_order.newest(marks) == {"a": 4, "b": 1}
