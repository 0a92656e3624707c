"""A restored database is prepared: a new epoch, ids below the horizon, readers that skip nothing, hashes untouched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from random import Random

import asyncpg
import pytest

from service.database.errors import NotPrepared
from service.database.migrate import migrate
from service.log import safe_order
from service.log.epoch import enter_epoch
from service.log.restore import NoTablelog, restored
from service.log.safe_order import START, LogPosition, Mark
from tests.harness.backup import tablelog
from tests.harness.writing import writing

FAR = 5_000_000_000
"""Beyond the ids of any server that tests run on."""

_PUT = """
insert into events (game_id, version, type, data, rules_version, hash, recorded_at, attempt, position, xid)
overriding system value
values ($1, $2, 'x', '{}', 'x', sha256(''), now(), gen_random_uuid(), $3, $4::xid8)
"""

_NEXT = """
insert into events (game_id, version, type, data, rules_version, hash, recorded_at, attempt)
values ($1, $2, 'x', '{}', 'x', sha256(''), now(), gen_random_uuid())
"""


@pytest.fixture
async def connection(database: str) -> AsyncGenerator[asyncpg.Connection[asyncpg.Record]]:
    """A connection to the database of the test."""
    made = await asyncpg.connect(database)
    yield made
    await made.close()


async def read_all(connection: asyncpg.Connection[asyncpg.Record], after: LogPosition = START) -> list[Mark]:
    """All that a reader of the whole log comes to, two events at a time."""
    found: list[Mark] = []
    while marks := await safe_order.read(connection, found[-1].position if found else after, 2):
        found += marks
    return found


async def test_the_end_of_a_game_is_noted_where_it_stands_now(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute(_PUT, "a", 1, 3, FAR)
    for seat, ended in ((0, FAR), (1, None)):
        await connection.execute(
            "insert into history (generation, game_id, seat, account, name, position, ended_xid, ended_position)"
            " values (1, 'a', $1, 'x', 'x', 3, $2, 3)",
            seat,
            ended,
        )
    assert (await restored(database)).rebased
    (mark,) = await read_all(connection)
    ends = await connection.fetch("select ended_xid from history order by seat")
    assert [each["ended_xid"] for each in ends] == [mark.position.xid, None]


async def test_events_from_the_future_are_brought_below_the_horizon_in_an_order_that_keeps_every_game_s(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    # Committed in another order than begun: the order of ids is not that of positions.
    for game, version, position, xid in (("a", 1, 1, 7), ("b", 1, 2, 3), ("a", 2, 4, 9), ("b", 2, 6, 8)):
        await connection.execute(_PUT, game, version, position, FAR + xid)
    assert await read_all(connection) == []
    done = await restored(database)
    assert (done.rebased, done.games, done.events) == (True, 2, 4)
    found = [(mark.game_id, mark.version) for mark in await read_all(connection)]
    assert found == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    await connection.execute(_NEXT, "a", 3)
    last = (await read_all(connection))[-1]
    assert (last.game_id, last.version, last.position.number) == ("a", 3, 7), "positions go on after the last one"


@pytest.mark.parametrize(
    "read, left",
    [(0, ["a 1", "b 1", "a 2"]), (1, ["a 1", "b 1", "a 2"]), (2, ["a 2"]), (3, [])],
    ids=["nothing", "what stands second by position", "the first two", "all"],
)
async def test_the_checkpoint_is_set_back_to_before_the_first_event_that_was_not_read(
    database: str, connection: asyncpg.Connection[asyncpg.Record], read: int, left: list[str]
) -> None:
    for game, version, position, xid in (("a", 1, 1, 7), ("b", 1, 2, 3), ("a", 2, 4, 9)):
        await connection.execute(_PUT, game, version, position, FAR + xid)
    place = [(0, 0), (FAR + 3, 2), (FAR + 7, 1), (FAR + 9, 4)][read]
    await connection.execute("update projection set xid = $1::xid8, position = $2", *place)
    await restored(database)
    kept = await connection.fetchrow("select xid, position from projection")
    assert kept is not None
    found = await read_all(connection, LogPosition(xid=kept["xid"], number=kept["position"]))
    assert [f"{mark.game_id} {mark.version}" for mark in found] == left


async def test_where_the_ids_fit_they_and_the_checkpoint_stay(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    async with writing(database) as process:
        seated = (await process.account("Ann"), await process.account("Bob"))
        table = await process.started("toy", *seated)
        await process.moved(table, seated, Random(0))
    before = await connection.fetch("select * from events order by position")
    await connection.execute("update projection set xid = $1::xid8, position = 2", before[1]["xid"])
    done = [await restored(database) for _ in range(2)]
    assert [each.rebased for each in done] == [False, False]
    assert len({done[0].before, done[0].epoch, done[1].epoch}) == 3
    assert done[0].epoch == done[1].before
    assert await connection.fetch("select * from events order by position") == before
    assert tuple(await connection.fetchrow("select xid, position from projection") or ()) == (before[1]["xid"], 2)


async def test_nothing_but_the_ids_is_changed_and_the_log_stays_append_only(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    for version in range(1, 4):
        await connection.execute(_PUT, "a", version, version, FAR)
    query = "select to_jsonb(events) - 'xid' as row from events order by version"
    before = await connection.fetch(query)
    await restored(database)
    assert await connection.fetch(query) == before
    for statement in ("update events set type = 'y'", "delete from events", "truncate events"):
        with pytest.raises(asyncpg.RestrictViolationError):
            await connection.execute(statement)


async def test_a_sequence_that_was_left_behind_is_moved_past_the_last_position(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute(_PUT, "a", 1, 500, 3)
    await connection.execute("select setval('events_position_seq', 20)")
    await restored(database)
    assert await connection.fetchval("select nextval('events_position_seq')") == 501


async def test_two_commands_at_once_take_turns(database: str, connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await connection.execute(_PUT, "a", 1, 1, FAR)
    done = await asyncio.gather(restored(database), restored(database))
    assert sorted(each.rebased for each in done) == [False, True]
    assert {done[0].epoch, done[1].epoch} >= {await connection.fetchval("select epoch from epoch")}


async def test_what_is_no_database_of_tablelog_is_left_as_it_is(empty_database: str) -> None:
    with pytest.raises(NoTablelog):
        await restored(empty_database)
    connection = await asyncpg.connect(empty_database)
    assert await connection.fetchval("select count(*) from pg_tables where schemaname = 'public'") == 0
    await connection.close()


async def test_a_backup_of_an_earlier_release_is_brought_up_to_date(
    database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute("drop function this_database; alter table epoch drop column home")
    await connection.execute("delete from migrations where name = '0005_home.sql'")
    await connection.execute(_PUT, "a", 1, 1, FAR)
    await migrate(database)
    with pytest.raises(NotPrepared):
        await enter_epoch(database)
    await restored(database)
    await enter_epoch(database)


async def test_the_command_says_what_it_did_or_why_it_cannot(
    database: str, empty_database: str, connection: asyncpg.Connection[asyncpg.Record]
) -> None:
    await connection.execute(_PUT, "a", 1, 1, FAR)
    first, second, nowhere = await asyncio.gather(
        asyncio.to_thread(lambda: tablelog("restored", database)),
        asyncio.to_thread(lambda: tablelog("restored", database)),
        asyncio.to_thread(lambda: tablelog("restored", empty_database)),
    )
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    told = sorted((first.stdout, second.stdout), key=len)
    assert all(text.startswith("the log has 1 events of 1 games\n") for text in told)
    assert ["transaction ids" in text for text in told] == [False, True]
    assert await connection.fetchval("select epoch from epoch") in first.stdout + second.stdout
    assert nowhere.returncode == 2
    assert nowhere.stderr.startswith("tablelog: this is no database of Tablelog")
