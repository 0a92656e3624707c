"""The log's own promises, on a real Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import pytest

from domain.kernel import proof
from domain.kernel.ids import AccountId, GameId
from service.auth import accounts
from service.auth.accounts import Account
from service.database.types import Pool
from service.log import events
from service.log.events import TOLERANCE_SECONDS, Entry


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    async with asyncpg.create_pool(database, min_size=2, max_size=20) as made:
        yield made


def entry(
    game_id: str,
    version: int,
    data: bytes = b'{"type":"tested"}',
    key: str | None = None,
    epoch: str | None = None,
    **more: Any,
) -> Entry:
    return Entry(
        game_id=GameId(game_id),
        version=version,
        type="tested",
        actor=AccountId("someone"),
        data=data,
        rules_version="1",
        hash=bytes(32),
        recorded_at=datetime.now(UTC),
        attempt=uuid4(),
        idempotency_key=key,
        request_hash=b"asked" if key else None,
        seed=bytes(range(32)) if version == 1 else None,
        epoch=epoch,
        **more,
    )


async def someone(pool: Pool) -> None:
    """Give the account of the entries here."""
    assert await accounts.add(pool, Account(AccountId("someone"), "Someone", datetime.now(UTC)), "someone", bytes(32))


async def versions(pool: Pool, game_id: str) -> list[int]:
    return [row.version for row in await events.read(pool, game_id)]


def told(heard: asyncio.Queue[str]) -> Callable[[object, int, str, object], None]:
    def listener(_connection: object, _pid: int, _channel: str, payload: object) -> None:
        heard.put_nowait(str(payload))

    return listener


async def test_of_fifty_writers_of_one_version_exactly_one_gets_in(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1)])
    rivals = [entry("a", 2) for _ in range(50)]
    answers = await asyncio.gather(*(events.append(pool, [rival]) for rival in rivals))
    assert sum(len(answer) for answer in answers) == 1
    assert await versions(pool, "a") == [1, 2]


async def test_of_fifty_writers_of_the_first_version_exactly_one_gets_in_with_its_seed(pool: Pool) -> None:
    rivals = [msgspec.structs.replace(entry("a", 1), seed=bytes([number]) * 32) for number in range(50)]
    answers = await asyncio.gather(*(events.append(pool, [rival]) for rival in rivals))
    winners = [rival for rival, answer in zip(rivals, answers, strict=True) if answer]
    assert len(winners) == 1
    stretch = await events.read_stretch(pool, "a")
    assert stretch is not None
    assert stretch.seed == winners[0].seed


async def test_a_group_tells_row_by_row_what_went_in(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1), entry("b", 1)])
    group = [entry("a", 2), entry("b", 1), entry("c", 1)]
    assert await events.append(pool, group) == {group[0].attempt, group[2].attempt}


async def test_two_entries_for_one_version_in_one_group_leave_one(pool: Pool) -> None:
    first, second = entry("a", 1), entry("a", 1)
    assert await events.append(pool, [first, second]) == {first.attempt}


async def test_no_version_is_ever_left_out(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1)])
    assert await events.append(pool, [entry("a", 3)]) == set()
    assert await versions(pool, "a") == [1]


async def test_an_event_is_recorded_neither_before_the_one_that_it_follows_nor_far_ahead_of_the_database(
    pool: Pool,
) -> None:
    first = entry("a", 1)
    ahead = msgspec.structs.replace(first, recorded_at=first.recorded_at + timedelta(seconds=TOLERANCE_SECONDS + 60))
    assert await events.append(pool, [ahead]) == set()
    assert await events.append(pool, [first]) == {first.attempt}
    for off in (timedelta(microseconds=-1), timedelta(seconds=TOLERANCE_SECONDS + 60)):
        wrong = msgspec.structs.replace(entry("a", 2), recorded_at=first.recorded_at + off)
        assert await events.append(pool, [wrong]) == set()
    same = msgspec.structs.replace(entry("a", 2), recorded_at=first.recorded_at)
    assert await events.append(pool, [same]) == {same.attempt}


async def test_one_idempotency_key_gives_one_row_for_an_account_game_and_route(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1), entry("b", 1)])
    first = entry("a", 2, key="k")
    assert await events.append(pool, [first]) == {first.attempt}
    assert await events.append(pool, [entry("a", 3, key="k")]) == set()
    elsewhere = entry("b", 2, key="k")
    other_route = msgspec.structs.replace(entry("a", 3, key="k"), type="other")
    other_actor = msgspec.structs.replace(entry("a", 4, key="k"), actor="another")
    for fresh in (elsewhere, other_route, other_actor):
        assert await events.append(pool, [fresh]) == {fresh.attempt}
    found = await events.find_key(pool, "a", "someone", "tested", "k")
    assert found is not None
    assert (found.version, found.request_hash) == (2, b"asked")


async def test_opposite_orders_of_games_in_concurrent_groups_do_not_deadlock(pool: Pool) -> None:
    games = [f"g{number}" for number in range(40)]
    await events.append(pool, [entry(game, 1) for game in games])
    for version in range(2, 12):
        forth = [entry(game, version) for game in games]
        back = [entry(game, version) for game in reversed(games)]
        answers = await asyncio.gather(events.append(pool, forth), events.append(pool, back))
        assert sum(len(answer) for answer in answers) == len(games)


@pytest.mark.parametrize(
    "statement",
    [
        "update events set data = '{}'",
        "delete from events",
        "truncate events",
        "update seeds set seed = sha256('x')",
        "delete from seeds",
        "truncate seeds",
    ],
)
async def test_the_database_itself_refuses_to_change_what_was_written(pool: Pool, statement: str) -> None:
    await events.append(pool, [entry("a", 1)])
    with pytest.raises(asyncpg.RestrictViolationError, match="append-only"):
        await pool.execute(statement)
    assert await versions(pool, "a") == [1]


ENDING = b'{"type":"move_made","facts":[{"type":"game.ended"}]}'

_ENDING_UNMARKED = "alter table events disable trigger events_mark_ending"


async def test_an_ending_is_marked_whether_its_writer_does_so_or_not(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1), entry("b", 1, ENDING), entry("c", 1, ENDING, ends_game=True)])
    found = await pool.fetch("select game_id, ends_game from events order by game_id")
    assert [tuple(row) for row in found] == [("a", None), ("b", True), ("c", True)]


async def test_the_one_change_that_the_log_takes_is_the_mark_of_an_ending_that_has_none(pool: Pool) -> None:
    await pool.execute(_ENDING_UNMARKED)
    await events.append(pool, [entry("a", 1, ENDING), entry("b", 1)])
    rest = "select (to_jsonb(events) - 'ends_game')::text || data::text from events order by game_id"
    before = await pool.fetch(rest)
    await pool.execute("update events set ends_game = true where game_id = 'a'")
    assert await pool.fetchval("select ends_game from events where game_id = 'a'") is True
    assert await pool.fetch(rest) == before
    for value in ("null", "false", "true"):
        with pytest.raises(asyncpg.RestrictViolationError, match="append-only"):
            await pool.execute(f"update events set ends_game = {value}")  # noqa: S608 - the constants above


@pytest.mark.parametrize(
    "change",
    [
        "ends_game = false",
        "ends_game = null",
        "ends_game = true, type = 'other'",
        "ends_game = true, data = (data::text || ' ')::json",
        "ends_game = true, actor = null",
        "ends_game = true, hash = sha256('')",
        "ends_game = true, recorded_at = recorded_at + interval '1 microsecond'",
        "ends_game = true, idempotency_key = 'k'",
        "ends_game = true, version = 2",
        "ends_game = true, xid = '1'",
        "ends_game = true, position = default",
    ],
)
async def test_nothing_else_changes_together_with_the_mark(pool: Pool, change: str) -> None:
    await pool.execute(_ENDING_UNMARKED)
    await events.append(pool, [entry("a", 1, ENDING)])
    with pytest.raises(asyncpg.RestrictViolationError, match="append-only"):
        await pool.execute(f"update events set {change}")  # noqa: S608 - the constants above
    assert await pool.fetchval("select ends_game from events") is None


async def test_what_was_hashed_is_what_is_stored_byte_for_byte(pool: Pool) -> None:
    data = b'{"z":1,  "a":[1e2, "\xe7\xa0\x94\xe7\xa9\xb6", "\\u00e9"],"z":2}'
    written = entry("a", 1, data)
    await events.append(pool, [written])
    (row,) = await events.read(pool, "a")
    assert row.data == data
    assert events.header(row) == events.header(written)
    seed = bytes(range(32))
    assert events.chain(proof.NO_HASH, seed, row) == events.chain(proof.NO_HASH, seed, written)


async def test_an_event_larger_than_a_notification_is_stored_and_announced(pool: Pool, database: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    listening = await asyncpg.connect(database)
    await listening.add_listener(events.CHANNEL, told(heard))
    large = entry("a", 1, msgspec.json.encode({"type": "tested", "filling": "x" * 100_000}))
    assert await events.append(pool, [large]) == {large.attempt}
    assert await asyncio.wait_for(heard.get(), 10) == "a:1"
    await listening.close()


async def test_a_group_that_leaves_nothing_in_wakes_nobody(pool: Pool, database: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    await events.append(pool, [entry("a", 1)])
    listening = await asyncpg.connect(database)
    await listening.add_listener(events.CHANNEL, told(heard))
    await events.append(pool, [entry("a", 1)])
    await events.append(pool, [entry("a", 2), entry("b", 1)])
    assert await asyncio.wait_for(heard.get(), 10) == "a:2,b:1"
    assert heard.empty()
    await listening.close()


async def test_games_are_read_from_where_each_of_them_was_left(pool: Pool) -> None:
    for version in (1, 2, 3):
        await events.append(pool, [entry("a", version), entry("b", version)])
    rows = await events.read_many(pool, [("a", 1), ("b", 2), ("c", 0)])
    assert [(row.game_id, row.version) for row in rows] == [("a", 2), ("a", 3), ("b", 3)]
    assert [row.version for row in await events.read(pool, "a", after=1, limit=1)] == [2]
    assert await events.head(pool, "a") == 3
    assert await events.head(pool, "c") == 0


async def test_nothing_that_belongs_to_another_history_is_taken(pool: Pool) -> None:
    epoch = await events.epoch(pool)
    await someone(pool)
    group = [entry("a", 1, epoch=epoch), entry("b", 1, epoch="another"), entry("c", 1)]
    assert await events.append(pool, group) == {group[0].attempt, group[2].attempt}
    late = entry("a", 2, epoch=epoch)
    await pool.execute("update epoch set epoch = 'another'")
    assert await events.append(pool, [late]) == set()
    assert await versions(pool, "a") == [1]


async def test_nothing_is_taken_from_who_has_no_account(pool: Pool) -> None:
    epoch = await events.epoch(pool)
    assert await events.append(pool, [entry("a", 1, epoch=epoch)]) == set()
    await someone(pool)
    assert len(await events.append(pool, [entry("a", 1, epoch=epoch)])) == 1


async def test_an_event_is_taken_only_on_the_one_that_its_writer_saw(pool: Pool) -> None:
    await events.append(pool, [entry("a", 1)])
    assert await events.append(pool, [entry("a", 2, previous=b"another!" * 4)]) == set()
    assert len(await events.append(pool, [entry("a", 2, previous=bytes(32))])) == 1


async def test_nothing_is_taken_by_a_log_that_was_put_in_the_place_of_the_one_at_home_there(pool: Pool) -> None:
    epoch = await events.epoch(pool)
    await someone(pool)
    assert len(await events.append(pool, [entry("a", 1, epoch=epoch)])) == 1
    await pool.execute("alter table events rename to older; create table events (like older including all)")
    assert await events.append(pool, [entry("b", 1, epoch=epoch)]) == set()
    assert len(await events.append(pool, [entry("c", 1)])) == 1
