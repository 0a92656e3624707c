"""The write path against races, repeats and lost connections, on a real Postgres, through one and two processes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import SeatTaken
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from service.auth.accounts import Account
from service.database.errors import EpochChanged
from service.log import events
from service.log.epoch import enter_epoch
from service.play.game_cache import LoadedGame
from service.play.writer import CommandResult, Key
from tests.harness.aftermath import read_truths
from tests.harness.backup import rewind
from tests.harness.faults import fail_commits
from tests.harness.play import random_move
from tests.harness.writing import Writing, writing


@pytest.fixture
async def one(database: str) -> AsyncIterator[Writing]:
    async with writing(database) as made:
        yield made


@pytest.fixture
async def other(database: str) -> AsyncIterator[Writing]:
    async with writing(database) as made:
        yield made


async def outcome(command: Awaitable[CommandResult]) -> CommandResult | str:
    try:
        return await command
    except Rejected as refusal:
        return refusal.code


async def players(one: Writing, number: int = 2) -> tuple[Account, ...]:
    return tuple([await one.account(f"player {each}") for each in range(number)])


async def in_order(one: Writing, game_id: str) -> None:
    """The log has no hole, and its fold is what the process serves."""
    rows = await events.read(one.pool, game_id)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    served, folded = await one.tables.fresh(game_id), await one.folded(game_id)
    assert msgspec.json.encode(served.game) == msgspec.json.encode(folded.game)
    assert served.hash == folded.hash == rows[-1].hash


@pytest.mark.parametrize("repeats", [2, 10, 50])
async def test_equal_moves_at_once_through_two_processes_are_recorded_once(
    one: Writing, other: Writing, repeats: int
) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    move = random_move(kernel.legal_moves(table.game, table.rules, 0), random.Random(1))
    posts = [
        outcome((one, other)[number % 2].commands.move(seated[0], table.id, table.version, move))
        for number in range(repeats)
    ]
    answers = await asyncio.gather(*posts)
    assert sum(isinstance(answer, CommandResult) for answer in answers) == 1
    assert {answer for answer in answers if not isinstance(answer, CommandResult)} == {"stale-version"}
    assert await events.head(one.pool, table.id) == table.version + 1
    await in_order(one, table.id)
    await in_order(other, table.id)


async def test_a_stale_move_is_told_where_the_game_is_and_changes_nothing(one: Writing, other: Writing) -> None:
    seated = await players(one)
    slept = await one.started("toy", *seated)
    moved = await other.moved(await other.tables.fresh(slept.id), seated, random.Random(2))
    move = random_move(kernel.legal_moves(slept.game, slept.rules, 0), random.Random(3))
    with pytest.raises(Rejected) as refusal:
        await one.commands.move(seated[0], slept.id, slept.version, move)
    assert refusal.value.code == "stale-version"
    assert refusal.value.facts == {"field": "expected_version", "current_version": moved.table.version}
    assert await events.head(one.pool, slept.id) == moved.table.version


async def test_more_joiners_than_seats_through_two_processes_fill_exactly_the_seats_and_start_once(
    one: Writing, other: Writing
) -> None:
    rivals = await players(one, 8)
    created = await one.commands.create(rivals[0], "toy", 3)
    game_id = created.table.id
    posts = [
        outcome((one, other)[number % 2].commands.take_seat(rival, game_id))
        for number, rival in enumerate(rivals)
        for _ in range(2)  # everyone clicks twice
    ]
    answers = await asyncio.gather(*posts)
    assert sum(isinstance(answer, CommandResult) for answer in answers) == 3
    table = await one.folded(game_id)
    accounts = [who.account for who in table.game.seats if who is not None]
    assert len(accounts) == len(set(accounts)) == 3
    rows = await events.read(one.pool, game_id)
    started = [event for row in rows if isinstance(event := one.tables.decode(table, row), SeatTaken) and event.facts]
    assert len(started) == 1
    assert table.game.status is Status.running
    table.rules.check(table.game.state)
    await in_order(one, game_id)


async def test_a_key_replays_the_first_answer_and_says_so(one: Writing, other: Writing) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    move = random_move(kernel.legal_moves(table.game, table.rules, 0), random.Random(4))
    key = Key("key", b"request")
    first = await one.commands.move(seated[0], table.id, table.version, move, key)
    await one.moved(first.table, seated, random.Random(5))
    for process in (one, other):
        again = await process.commands.move(seated[0], table.id, table.version, move, key)
        assert again.replayed
        assert not first.replayed
        assert again.row == first.row
        assert msgspec.json.encode(again.table.game) == msgspec.json.encode(first.table.game)


async def test_equal_keyed_posts_in_flight_all_get_the_first_answer(one: Writing, other: Writing) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    move = random_move(kernel.legal_moves(table.game, table.rules, 0), random.Random(6))
    key = Key("key", b"request")
    answers = await asyncio.gather(
        *((one, other)[number % 2].commands.move(seated[0], table.id, table.version, move, key) for number in range(50))
    )
    assert len({answer.row.hash for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1
    await in_order(one, table.id)


async def test_another_request_under_a_used_key_is_refused_whatever_it_asks(one: Writing) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    legal = kernel.legal_moves(table.game, table.rules, 0)
    done = await one.commands.move(seated[0], table.id, table.version, next(iter(legal)), Key("key", b"request"))
    assert (
        await outcome(
            one.commands.move(seated[0], table.id, done.table.version, next(iter(legal)), Key("key", b"another"))
        )
        == "idempotency-key-reused"
    )
    await in_order(one, table.id)


async def test_a_refusal_does_not_burn_the_key(one: Writing) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    legal = kernel.legal_moves(table.game, table.rules, 0)
    key = Key("key", b"request")
    stale = one.commands.move(seated[0], table.id, table.version - 1, next(iter(legal)), key)
    assert await outcome(stale) == "stale-version"
    done = await one.commands.move(seated[0], table.id, table.version, next(iter(legal)), Key("key", b"mended"))
    assert not done.replayed


async def test_a_key_belongs_to_its_account_game_and_route(one: Writing) -> None:
    seated = await players(one)
    key = Key("key", b"request")
    created = await one.commands.create(seated[0], "toy", 2, key=key)
    for account in seated:
        assert not (await one.commands.take_seat(account, created.table.id, key=key)).replayed
    second = await one.commands.create(seated[1], "toy", 2, key=key)
    assert second.table.id != created.table.id
    assert not (await one.commands.take_seat(seated[0], second.table.id, key=key)).replayed


async def test_fifty_creations_under_one_key_make_one_game(one: Writing, other: Writing) -> None:
    (account,) = await players(one, 1)
    key = Key("key", b"request")
    answers = await asyncio.gather(
        *((one, other)[number % 2].commands.create(account, "toy", 2, key=key) for number in range(50))
    )
    assert len({answer.table.id for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1
    assert await one.pool.fetchval("select count(*) from events") == 1
    assert await outcome(one.commands.create(account, "toy", 3, key=Key("key", b"another"))) == "idempotency-key-reused"


async def test_a_command_whose_commit_fails_acts_once(one: Writing, database: str) -> None:
    seated = await players(one)
    table = await one.started("toy", *seated)
    await fail_commits(database, times=1)
    done = await one.moved(table, seated, random.Random(7))
    assert done.table.version == table.version + 1
    await in_order(one, table.id)


async def test_a_game_goes_on_in_another_process_after_every_move(one: Writing, other: Writing) -> None:
    seated = await players(one, 3)
    table = await one.started("toy", *seated)
    picks = random.Random(8)
    turn = 0
    while table.game.status is Status.running:
        turn += 1
        process = (one, other)[turn % 2]
        done = await process.moved(await process.tables.fresh(table.id), seated, picks)
        table = done.table
        table.rules.check(table.game.state)
    assert table.game.result is not None
    assert turn > 10
    await in_order(one, table.id)
    await in_order(other, table.id)


async def test_a_cache_of_one_game_serves_many(database: str) -> None:
    async with writing(database, hot_games=1) as small:
        seated = await players(small)
        tables = [await small.started("toy", *seated) for _ in range(5)]
        for number, table in enumerate(tables * 2):
            fresh = await small.tables.fresh(table.id)
            await small.moved(fresh, seated, random.Random(number))
        for table in tables:
            await in_order(small, table.id)
            assert await events.head(small.pool, table.id) == table.version + 2


async def test_refusals_name_what_stands_in_the_way(one: Writing) -> None:
    seated = await players(one)
    (stranger,) = [await one.account("stranger")]
    created = await one.commands.create(stranger, "toy", 2)
    waiting = (await one.commands.take_seat(seated[0], created.table.id, 1)).table
    running = await one.started("toy", *seated)
    move = next(iter(kernel.legal_moves(running.game, running.rules, 0)))
    at = running.version
    refused = {
        "no-such-title": one.commands.create(stranger, "chess", 2),
        "bad-seat-count": one.commands.create(stranger, "toy", 99),
        "no-such-component-set": one.commands.create(stranger, "toy", 2, component_set="none"),
        "no-such-game": one.commands.take_seat(stranger, "g0"),
        "no-such-seat": one.commands.take_seat(stranger, waiting.id, 2),
        "game-full": one.commands.take_seat(stranger, running.id),
        "already-seated": one.commands.take_seat(seated[0], running.id),
        "game-started": one.commands.leave_seat(seated[0], running.id),
        "not-seated": one.commands.move(stranger, running.id, at, move),
        "game-not-started": one.commands.move(seated[0], waiting.id, waiting.version, move),
        "illegal-move": one.commands.move(seated[0], running.id, at, msgspec.structs.replace(move, card="none")),
    }
    for code, command in refused.items():
        assert await outcome(command) == code
    assert await events.head(one.pool, running.id) == at


async def test_draws_do_not_repeat_between_games_and_seats_may_add_entropy(one: Writing) -> None:
    seated = await players(one)
    decks: set[bytes] = set()
    for entropy in ("", "", "mine"):
        created = await one.commands.create(seated[0], "toy", 2)
        await one.commands.take_seat(seated[0], created.table.id, entropy=entropy)
        table = (await one.commands.take_seat(seated[1], created.table.id)).table
        decks.add(msgspec.json.encode(table.game.state))
        assert table.game.seats[0] is not None
        assert table.game.seats[0].entropy == entropy
    assert len(decks) == 3


async def require_over(one: Writing, table: LoadedGame) -> None:
    """What works on an epoch that is gone serves nothing any more, and keeps nothing."""
    for ask in (one.tables.fresh(table.id), one.tables.at(table.id, 1), one.pool.fetchval("select 1")):
        with pytest.raises(EpochChanged):
            await ask
    one.tables.close()
    assert one.tables.keep(table) == table
    with pytest.raises(EpochChanged):
        await one.tables.get(table.id)


@pytest.mark.parametrize("others_moves", [1, 0])
async def test_a_move_on_an_epoch_that_is_gone_is_not_made_and_can_be_made_on_the_one_that_is_there(
    database: str, other: Writing, others_moves: int
) -> None:
    async with writing(database, epoch=await enter_epoch(database)) as one:
        seated = await players(one)
        table = await one.started("toy", *seated)
        for number in range(2):
            table = (await one.moved(table, seated, random.Random(number))).table
        await rewind(database, table.id, table.version - others_moves)
        if others_moves:  # somebody else makes another move at the version that this process believes to know
            last = await other.tables.fresh(table.id)
            assert last.version == table.version - 1
            await other.moved(last, seated, random.Random(9))
        seat = kernel.to_move(table.game, table.rules)[0]
        move = random_move(kernel.legal_moves(table.game, table.rules, seat), random.Random(0))
        with pytest.raises(EpochChanged):
            await one.commands.move(seated[seat], table.id, table.version, move)
        await require_over(one, table)
    async with writing(database, epoch=await enter_epoch(database)) as one:
        now = await one.tables.fresh(table.id)
        assert now.version == table.version
        assert now.epoch != table.epoch
        answer = await outcome(one.commands.move(seated[seat], table.id, table.version, move))
        assert isinstance(answer, CommandResult) or (await one.tables.fresh(table.id)).version == table.version
        await in_order(one, table.id)
    await read_truths(database)


async def test_a_game_is_opened_in_the_epoch_that_is_there_or_not_at_all(database: str) -> None:
    async with writing(database, epoch=await enter_epoch(database)) as one:
        seated = await players(one)
        table = await one.started("toy", *seated)
        await rewind(database, table.id, 1)
        games = await one.pool.fetchval("select count(distinct game_id) from events")
        with pytest.raises(EpochChanged):
            await one.commands.create(seated[0], "toy", 2)
        await require_over(one, table)
    async with writing(database, epoch=await enter_epoch(database)) as one:
        assert await one.pool.fetchval("select count(distinct game_id) from events") == games
        made = await one.commands.create(seated[0], "toy", 2)
        assert None is not made.table.epoch != table.epoch
        assert (await one.tables.fresh(table.id)).version == 1


async def test_a_refusal_for_an_epoch_that_is_gone_is_not_given(
    database: str, other: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with writing(database, epoch=await enter_epoch(database)) as one:
        seated = await players(one)
        table = (await one.commands.create(seated[0], "toy", 2)).table
        table = (await one.commands.take_seat(seated[0], table.id, seat=0)).table
        await rewind(database, table.id, 1)
        await other.commands.take_seat(seated[1], table.id, seat=1)
        fresh, epoch = one.tables.fresh, one.tables.epoch
        assert epoch is not None

        async def notice_first(game_id: str) -> LoadedGame:
            async with one.pool.acquire() as connection:
                await epoch.check(connection)
            return await fresh(game_id)

        monkeypatch.setattr(one.tables, "fresh", notice_first)
        # Seat 0 was taken at this very version, but that is gone.
        with pytest.raises(EpochChanged):
            await one.commands.take_seat(seated[0], table.id, seat=0)
    async with writing(database, epoch=await enter_epoch(database)) as one:
        done = await one.commands.take_seat(seated[0], table.id, seat=0)
        assert done.table.version == 3
        await in_order(one, table.id)
