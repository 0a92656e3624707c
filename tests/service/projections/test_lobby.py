"""Lists of games: what they show, to whom, and page by page."""

from __future__ import annotations

import gc
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partialmethod
from typing import Any

import asyncpg
import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import Delay
from domain.kernel.game import Status
from service.play.game_cache import GameCache, LoadedGame
from service.projections.lobby import ListedGame, ListedSeat, Lobby
from tests.harness.lists import listed
from tests.harness.writing import Writing, writing

# No projector works here: what an account sees of its own acts it sees because the list saw to it.


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


@pytest.fixture
def lobby(process: Writing) -> Lobby:
    return Lobby(process.pool, process.tables)


def ids(games: list[ListedGame]) -> list[str]:
    return [game.id for game in games]


async def test_nothing_is_listed_before_anything_was_played(lobby: Lobby) -> None:
    assert await listed(lobby) == []


async def test_an_open_table_is_listed_with_its_free_seats(process: Writing, lobby: Lobby) -> None:
    ann = await process.account("Ann")
    table = (await process.commands.create(ann, "toy", 3)).table
    (game,) = await listed(lobby, ann.id)
    assert game == ListedGame(
        id=table.id,
        title="toy",
        component_set="toy-1",
        visibility="public",
        sandbox=False,
        creator=ann.id,
        status=Status.waiting,
        seats=(ListedSeat(seat=0), ListedSeat(seat=1), ListedSeat(seat=2)),
        open_seats=3,
        reveal_by=None,
        to_move=(),
        winners=None,
        version=1,
        created_at=game.created_at,
        updated_at=game.created_at,
    )


async def test_a_running_game_is_listed_with_its_players_and_whose_turn_it_is(process: Writing, lobby: Lobby) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = await process.started("toy", ann, bob)
    (game,) = await listed(lobby, bob.id)
    assert game.status is Status.running
    assert game.seats == (
        ListedSeat(seat=0, account=ann.id, name="Ann"),
        ListedSeat(seat=1, account=bob.id, name="Bob"),
    )
    assert game.open_seats == 0
    assert game.to_move == kernel.to_move(table.game, table.rules)
    assert game.created_at < game.updated_at


async def test_a_finished_game_is_listed_with_its_result(process: Writing, lobby: Lobby) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = await process.finished(ann, bob)
    result = table.game.result
    assert result is not None
    (game,) = await listed(lobby, ann.id, account=ann.id, status=Status.finished)
    assert game.winners == result.winners
    assert [(seat.rank, seat.points) for seat in game.seats] == [(score.rank, score.points) for score in result.scores]
    assert game.version == table.version


async def test_the_newest_game_comes_first(process: Writing, lobby: Lobby) -> None:
    ann = await process.account("Ann")
    made = [(await process.commands.create(ann, "toy", 2)).table.id for _ in range(10)]
    assert ids(await listed(lobby, ann.id, limit=3)) == made[::-1]


async def test_each_filter_keeps_the_games_that_fit_and_all_given_must(process: Writing, lobby: Lobby) -> None:
    ann, bob, cid = [await process.account(name) for name in ("Ann", "Bob", "Cid")]
    over = (await process.finished(ann, bob)).id
    running = (await process.started("toy", ann, cid)).id
    half = (await process.commands.create(ann, "toy", 2)).table.id
    await process.commands.take_seat(ann, half)
    empty = (await process.commands.create(ann, "toy", 2)).table.id
    for filters, fitting in (
        ({}, [empty, half, running, over]),
        ({"title": "toy"}, [empty, half, running, over]),
        ({"title": "nothing"}, []),
        ({"status": Status.finished}, [over]),
        ({"status": Status.running}, [running]),
        ({"status": Status.waiting}, [empty, half]),
        ({"open_seats": True}, [empty, half]),
        ({"open_seats": False}, [running, over]),
        ({"account": ann.id}, [half, running, over]),
        ({"account": cid.id}, [running]),
        ({"account": "nobody"}, []),
        ({"account": ann.id, "status": Status.finished}, [over]),
        ({"account": ann.id, "open_seats": True}, [half]),
        ({"account": ann.id, "open_seats": True, "title": "nothing"}, []),
        ({"status": Status.finished, "open_seats": True}, []),
    ):
        assert ids(await listed(lobby, ann.id, limit=1, **filters)) == fitting, filters


async def test_an_unlisted_game_shows_to_those_who_sit_there_or_opened_it_alone(process: Writing, lobby: Lobby) -> None:
    ann, bob, cid = [await process.account(name) for name in ("Ann", "Bob", "Cid")]
    table = (await process.commands.create(ann, "toy", 2, visibility="unlisted")).table
    await process.commands.take_seat(bob, table.id)
    assert ids(await listed(lobby, ann.id)) == [table.id]
    assert ids(await listed(lobby, bob.id, account=bob.id)) == [table.id]
    for stranger in (cid.id, None):
        assert await listed(lobby, stranger) == []
        assert await listed(lobby, stranger, account=bob.id) == []


async def test_who_got_up_again_is_no_longer_listed_at_the_table(process: Writing, lobby: Lobby) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = (await process.commands.create(ann, "toy", 2)).table
    await process.commands.take_seat(bob, table.id, seat=1)
    assert ids(await listed(lobby, bob.id, account=bob.id)) == [table.id]
    await process.commands.leave_seat(bob, table.id)
    assert await listed(lobby, bob.id, account=bob.id) == []
    (game,) = await listed(lobby, bob.id)
    assert game.seats == (ListedSeat(seat=0), ListedSeat(seat=1))


async def test_an_account_sees_its_own_acts_at_once_through_any_process(database: str, process: Writing) -> None:
    async with writing(database) as elsewhere:
        lobby = Lobby(elsewhere.pool, elsewhere.tables)
        ann, bob = await process.account("Ann"), await process.account("Bob")
        table, picks = await process.started("toy", ann, bob), random.Random(3)
        while table.game.result is None:
            done = await process.moved(table, (ann, bob), picks)
            table, actor = done.table, done.row.actor
            (game,) = await listed(lobby, actor)
            assert (game.version, game.status) == (table.version, table.game.status)


async def test_own_acts_are_not_lost_when_a_rebuild_comes_in_between(process: Writing) -> None:
    ann = await process.account("Ann")
    table = (await process.commands.create(ann, "toy", 2)).table

    class Interrupted(GameCache):
        swapped = False

        async def get(self, game_id: str) -> LoadedGame:
            """While the list reads what to bring up to date, other rows come to be served, without it."""
            if not self.swapped:
                self.swapped = True
                await process.pool.execute("update projection set generation = generation + 1")
            return await super().get(game_id)

    lobby = Lobby(process.pool, Interrupted(process.pool, process.sets, 10))
    assert ids(await listed(lobby, ann.id)) == [table.id]


async def test_a_page_is_full_when_there_is_more_and_says_so(process: Writing, lobby: Lobby) -> None:
    ann = await process.account("Ann")
    for _ in range(4):
        await process.commands.create(ann, "toy", 2)
    page = await lobby.page(ann.id, limit=2)
    assert (len(page.games), page.next is None) == (2, False)
    page = await lobby.page(ann.id, limit=2, before=page.next)
    assert (len(page.games), page.next) == (2, None)
    page = await lobby.page(ann.id, limit=5)
    assert (len(page.games), page.next) == (4, None)


async def test_what_is_listed_is_ready_for_the_wire(process: Writing, lobby: Lobby) -> None:
    ann = await process.account("Ann")
    await process.commands.create(ann, "toy", 2)
    games = await listed(lobby, ann.id)
    assert msgspec.json.decode(msgspec.json.encode(games), type=list[ListedGame]) == games


async def test_times_are_utc_and_names_whole_whatever_the_time_zone_of_the_session(process: Writing) -> None:
    eve = await process.account('Ève "\\\t\U0001f3b2')
    table = await process.started("toy", eve, await process.account("Bob"))
    name = await process.pool.fetchval("select current_database()")
    await process.pool.execute(f"alter database {name} set timezone to 'Asia/Tokyo'")
    await process.pool.expire_connections()
    assert await process.pool.fetchval("show timezone") == "Asia/Tokyo"
    (game,) = await listed(Lobby(process.pool, process.tables), eve.id)
    assert game.seats[0].name == eve.name
    assert game.updated_at == table.recorded_at
    assert b'"created_at":"%sZ"' % game.created_at.isoformat()[:-6].encode() in msgspec.json.encode(game)


async def test_a_page_leaves_the_garbage_collector_nothing_to_look_through(process: Writing, lobby: Lobby) -> None:
    """A full collection, which a page of 200 games would set off, takes longer than the page."""
    ann = await process.account("Ann")
    await process.started("toy", ann, await process.account("Bob"))
    await process.commands.create(ann, "toy", 3)
    for game in await listed(lobby, ann.id):
        assert not any(gc.is_tracked(each) for each in (game, *game.seats))


async def test_a_page_takes_as_many_statements_however_many_of_its_games_are_delayed(
    process: Writing, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = (await process.account("Ann"), await process.account("Bob"))
    picks, asked = random.Random(4), 0
    expected: dict[str, int] = {}
    counts: list[int] = []

    async def counted(method: Any, *arguments: Any, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        return await method(*arguments, **options)

    for name in ("fetch", "fetchrow", "fetchval"):
        monkeypatch.setattr(asyncpg.Pool, name, partialmethod(_through(counted, getattr(asyncpg.Pool, name))))
    for _ in range(12):
        table = (await process.commands.create(seated[0], "toy", 2, spectator_delay=Delay(versions=2))).table
        for who in seated:
            table = (await process.commands.take_seat(who, table.id)).table
        for _ in range(4):
            table = (await process.moved(table, seated, picks)).table
        expected[table.id] = table.version - 2
        await listed(lobby, seated[0].id)
        asked = 0
        page = await Lobby(process.pool, GameCache(process.pool, process.sets, 100)).page(None)
        counts.append(asked)
        assert {game.id: game.version for game in page.games} == expected
    assert len(set(counts)) == 1, counts


def _through(counted: Callable[..., Awaitable[Any]], method: Callable[..., Any]) -> Callable[..., Any]:
    async def call(pool: Any, *arguments: Any, **options: Any) -> Any:
        return await counted(method, pool, *arguments, **options)

    return call
