"""Faults 25, 26, 27, 30 and 41: readers of the whole log that skip, wait, or break, and lists that repeat.

The log here is written by the real write path; what is wrong in it was put there past it, as a bug or a restored
backup might.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator

import asyncpg
import httpx
import pytest

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from service.auth.accounts import Account
from service.play.game_cache import LoadedGame, Unreadable
from service.projections.lobby import Lobby
from service.projections.rebuild import rebuild
from tests.harness.faults import fail_commits
from tests.harness.held import held_commits
from tests.harness.lists import agrees_with_log, eventually, listed
from tests.harness.play import random_move
from tests.harness.projecting import projecting
from tests.harness.server import Service, account, expect, http_client, new_game, play
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY

_INSERT = """
insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)
values ($1, $2, 'tested', $3, $4::text::json, '1', sha256(''), now(), gen_random_uuid())
"""


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made
        await require_no_hole(made)


async def require_no_hole(process: Writing) -> None:
    holes = "select game_id from events group by game_id having max(version) <> count(*) or min(version) <> 1"
    assert await process.pool.fetch(holes) == []


async def seen(process: Writing) -> set[str]:
    return {game.id for game in await listed(Lobby(process.pool, process.tables))}


async def seated(process: Writing) -> tuple[Account, Account]:
    return await process.account("Ann"), await process.account("Bob")


# 25. A reader of the whole log passes number 101 while 100 is uncommitted, and never sees 100.


async def test_events_that_commit_later_than_those_after_them_are_not_skipped(database: str, process: Writing) -> None:
    slow, quick = await process.account("Slow"), await process.account("Quick")
    async with held_commits(database, slow.id) as held, writing(database) as elsewhere:
        early = asyncio.create_task(process.commands.create(slow, "toy", 2))
        await held.arrived()
        late = [(await elsewhere.commands.create(quick, "toy", 2)).table.id for _ in range(3)]
        await elsewhere.project()
        await held.let_go()
        first = (await early).table.id
        await eventually(lambda: stepped_to_agreement(elsewhere))
        assert await seen(elsewhere) == {first, *late}


async def test_moves_of_many_games_with_held_commits_among_them_all_arrive(database: str, process: Writing) -> None:
    slow, bob = await process.account("Slow"), await process.account("Bob")
    tables = [await process.started("toy", slow, bob) for _ in range(3)]
    async with held_commits(database, slow.id) as held, writing(database) as elsewhere, projecting(elsewhere):
        held_move = asyncio.create_task(process.moved(tables[0], (slow, bob), random.Random(1)))
        await held.arrived()
        for table in tables[1:]:
            move = random_move(kernel.legal_moves(table.game, table.rules, 1), random.Random(1))
            await elsewhere.commands.move(bob, table.id, table.version, move)
        await elsewhere.project()
        await held.let_go()
        moved = (await held_move).table
        await eventually(lambda: agrees_with_log(elsewhere))
        versions = {game.id: game.version for game in await listed(Lobby(elsewhere.pool, elsewhere.tables))}
        assert versions[moved.id] == moved.version


# 26. A rolled-back number leaves a hole and the reader waits for ever.


async def test_numbers_that_were_rolled_back_are_not_waited_for(database: str, process: Writing) -> None:
    ann, _ = await seated(process)
    await fail_commits(database, 1)
    made = [(await process.commands.create(ann, "toy", 2)).table.id for _ in range(3)]
    numbers = [row["position"] for row in await process.pool.fetch("select position from events order by position")]
    assert numbers[-1] - numbers[0] > len(numbers) - 1 or numbers[0] > 1
    await eventually(lambda: stepped_to_agreement(process))
    assert await seen(process) == set(made)


async def test_a_session_that_dies_with_its_commit_held_does_not_stop_the_reader(
    database: str, process: Writing
) -> None:
    slow, quick = await process.account("Slow"), await process.account("Quick")
    async with held_commits(database, slow.id) as held, writing(database) as elsewhere:
        dying = asyncio.create_task(process.commands.create(slow, "toy", 2))
        await held.arrived()
        late = (await elsewhere.commands.create(quick, "toy", 2)).table.id
        await held.kill()
        await held.let_go()
        retried = (await dying).table.id
        await eventually(lambda: stepped_to_agreement(elsewhere))
        assert await seen(elsewhere) == {late, retried}


async def stepped_to_agreement(process: Writing, *, apart_from: str = "") -> bool:
    await process.project()
    return await agrees_with_log(process, apart_from=apart_from)


# 27. An event that cannot be decoded is skipped silently, or stops everyone.
# 30. One broken game breaks the lobby or the history.

_CREATED = (
    '{"type":"game_created","title":"%s","seats":2,"options":{},"component_set":"toy-1","component_hash":"%s",'
    '"visibility":"public","creator":"a","commitment":"00"}'
)
_TAKEN = '{"type":"seat_taken","seat":%s,"account":"a","name":"%s","entropy":"","facts":%s}'

BROKEN_OPENINGS = {
    "not an event": '{"type":"nonsense"}',
    "not an object": "5",
    "null": "null",
    "an event that cannot be the first": _TAKEN % (0, "Ann", "[]"),
    "an unknown title": _CREATED % ("go", "00"),
    "an unknown component set": _CREATED % ("toy", "00"),
    "a field of another type": '{"type":"game_created","title":7}',
    "deep nesting": '{"type":"game_created","title":' + "[" * 2_000 + "]" * 2_000 + "}",
    "a NUL": _CREATED % ("to\\u0000y", "00"),
}

BROKEN_EVENTS = {
    "not an event": '{"type":"nonsense"}',
    "a second opening": _CREATED % ("toy", "00"),
    "an unknown fact": _TAKEN % (0, "Ann", '[{"type":"toy.exploded"}]'),
    "a fact before the start": _TAKEN % (0, "Ann", '[{"type":"toy.round_ended"}]'),
    "a start of which nothing was set up": _TAKEN % (0, "Ann", '[{"type":"game.started"}]'),
    "a NUL in a name": _TAKEN % (0, "A\\u0000n", "[]"),
    "a field of another type": _TAKEN % ('"first"', "Ann", "[]"),
}


async def require_only_this_one_is_broken(
    database: str, process: Writing, broken: str, well: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The others are listed and go on; the broken one is reported, by the projector and by a rebuild alike."""
    for read in (process.project, lambda: rebuild(database, {**TITLES, "toy": TOY})):
        caplog.clear()
        await process.pool.execute("delete from unreadable_games")
        await read()
        await eventually(lambda: stepped_to_agreement(process, apart_from=broken))
        assert await seen(process) - {broken} == well
        assert f"game {broken} cannot be read" in caplog.text
        assert await process.pool.fetchval("select game_id from unreadable_games") == broken


@pytest.mark.parametrize("data", BROKEN_OPENINGS.values(), ids=BROKEN_OPENINGS)
async def test_a_game_whose_first_event_cannot_be_read_is_reported_and_stops_no_other(
    database: str, process: Writing, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await seated(process)
    before = await process.started("toy", ann, bob)
    await process.pool.execute(_INSERT, "broken", 1, ann.id, data)
    await process.pool.execute("insert into seeds values ('broken', sha256(''))")
    after = await process.started("toy", ann, bob)
    await require_only_this_one_is_broken(database, process, "broken", {before.id, after.id}, caplog)
    with pytest.raises(Unreadable):
        await process.folded("broken")
    moved = (await process.moved(after, (ann, bob), random.Random(1))).table
    (newest, *_) = await listed(Lobby(process.pool, process.tables), ann.id)
    assert (newest.id, newest.version) == (moved.id, moved.version)


@pytest.mark.parametrize("data", BROKEN_EVENTS.values(), ids=BROKEN_EVENTS)
async def test_a_game_that_breaks_on_the_way_is_reported_and_stops_no_other(
    database: str, process: Writing, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await seated(process)
    broken: LoadedGame = (await process.commands.create(ann, "toy", 2)).table
    await process.pool.execute(_INSERT, broken.id, 2, ann.id, data)
    process.tables.forget(broken.id)
    well = await process.started("toy", ann, bob)
    await require_only_this_one_is_broken(database, process, broken.id, {well.id}, caplog)
    for caller in (ann, bob):
        assert well.id in {game.id for game in await listed(Lobby(process.pool, process.tables), caller.id)}


async def test_a_game_that_breaks_leaves_every_list(process: Writing, caplog: pytest.LogCaptureFixture) -> None:
    ann, _ = await seated(process)
    table = (await process.commands.create(ann, "toy", 2)).table
    await process.project()
    await process.pool.execute(_INSERT, table.id, 2, ann.id, '{"type":"nonsense"}')
    for caller in (None, ann.id):
        await process.project()
        assert await listed(Lobby(process.pool, process.tables), caller) == []
    assert f"game {table.id} cannot be read" in caplog.text


async def test_over_http_only_the_broken_game_answers_with_a_problem(service: Service, database: str) -> None:
    async with http_client(service.url) as http:
        well, broken = await new_game(http), await new_game(http)
        await play(broken, moves=2)
        # Its own list shows a player the game at once: from here on there is a row to be kept.
        expect(await broken.seats[0].get("/v1/games"), 200)
        connection = await asyncpg.connect(database)
        await connection.execute(_INSERT, broken.id, 6, broken.seats[0].id, '{"type":"nonsense"}')
        await connection.close()
        await play(well)
        for player, sits in ((well.seats[0], well), (broken.seats[0], broken)):
            for query in ("", f"?account={player.id}", "?status=running", "?title=toy&limit=1"):
                expect(await player.get(f"/v1/games{query}"), 200)
            told = expect(await player.get(broken.path), 409)
            assert (told["code"], told["game"]) == ("game-unreadable", broken.id)
            assert expect(await player.get(well.path), 200)["status"] == "finished"
            listed_there = expect(await player.get(f"/v1/games?account={player.id}"), 200)["games"]
            assert [game["id"] for game in listed_there] == ([] if sits is broken else [sits.id])


# 41. Cursors skip or repeat on equal times and on change.


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
async def test_each_game_that_was_there_at_the_start_is_paged_exactly_once_whatever_changes(
    process: Writing, size: int
) -> None:
    ann, bob = await seated(process)
    lobby, picks = Lobby(process.pool, process.tables), random.Random(size)
    for _ in range(20):
        await process.commands.create(ann, "toy", 2)
    # Equal times: the order of lists must not lean on them.
    await process.project()
    await process.pool.execute("update lobby set created_at = now(), updated_at = now()")
    there = await seen(process)
    found: list[str] = []
    page = await lobby.page(ann.id, limit=size)
    while True:
        found += [game.id for game in page.games]
        if page.next is None:
            break
        await change_something(process, picks.choice(sorted(there)), (ann, bob), picks)
        page = await lobby.page(ann.id, limit=size, before=page.next)
    assert sorted(found) == sorted(there)


async def change_something(
    process: Writing, game_id: str, seated: tuple[Account, Account], picks: random.Random
) -> None:
    """Open a table, and have some other game go on."""
    await process.commands.create(seated[0], "toy", 2)
    table = await process.tables.fresh(game_id)
    if None in table.game.seats:
        await process.commands.take_seat(seated[table.game.seats.index(None)], game_id)
    else:
        await process.moved(table, seated, picks)
    await process.project()


async def test_a_cursor_that_was_changed_in_any_place_is_refused(http: httpx.AsyncClient) -> None:
    ann = await account(http)
    for _ in range(3):
        expect(await ann.post("/v1/games", {"title": "toy", "seats": 2}), 201)
    cursor: str = expect(await ann.get("/v1/games?limit=1"), 200)["next"]
    assert expect(await ann.get(f"/v1/games?limit=1&cursor={cursor}"), 200)["games"]
    changed = {
        cursor[:place] + letter + cursor[place + 1 :]
        for place in range(len(cursor))
        for letter in "Aa0_"
        if letter != cursor[place]
    }
    for wrong in (*changed, cursor[:-1], cursor + "A", cursor * 2, "A", "1"):
        refused = await ann.get(f"/v1/games?limit=1&cursor={wrong}")
        assert refused.status_code == 400, wrong
    # A cursor belongs to its filters.
    assert expect(await ann.get(f"/v1/games?limit=1&status=waiting&cursor={cursor}"), 400)["code"] == "invalid-cursor"
