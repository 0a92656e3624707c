"""Lists visit a few times as many rows as they show, whatever others have opened that is not for the one who asks."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest

from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from service.auth.accounts import Account
from service.database.pool import open_pool
from service.database.types import Pool
from service.play.game_cache import LoadedGame
from service.projections.lobby import ListedGame, Lobby
from tests.harness.lists import listed
from tests.harness.writing import Writing, writing

LIMIT = 5
FILTERS: tuple[dict[str, Any], ...] = tuple(
    {name: of for name, of in zip(("title", "status", "open_seats", "sandbox"), each, strict=True) if of is not None}
    for each in itertools.product(("toy", None), (None, *Status), (None, True, False), (False, True))
)


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


def fits(game: ListedGame, caller: AccountId | None, filters: dict[str, Any]) -> bool:
    """Whether a game belongs in a list."""
    sits = {seat.account for seat in game.seats}
    return (
        (game.visibility == "public" or (caller is not None and caller in {game.creator, *sits}))
        and game.sandbox == filters.get("sandbox", False)
        and game.title == filters.get("title", game.title)
        and game.status == filters.get("status", game.status)
        and (game.open_seats > 0) == filters.get("open_seats", game.open_seats > 0)
        and filters.get("account") in {None, *sits}
    )


@pytest.mark.parametrize("release", ["this", "earlier"])
async def test_every_list_has_what_fits_and_the_caller_may_see_once(process: Writing, release: str) -> None:
    ann, bob, cid = [await process.account(name) for name in ("Ann", "Bob", "Cid")]
    lobby = Lobby(process.pool, process.tables)
    position = (await process.started("toy", ann, bob)).game.state
    assert position is not None
    for visibility, creator in itertools.product(("public", "unlisted"), (ann, bob)):
        await process.commands.create(creator, "toy", 2, visibility=visibility)
        await process.commands.create(creator, "spacelab", 2, visibility=visibility)
        await process.commands.create(creator, "toy", 2, visibility=visibility, position=position)
        await process.finished(creator, cid, visibility=visibility)
        running = (await process.commands.create(creator, "toy", 2, visibility=visibility)).table
        for who in (bob, cid):
            await process.commands.take_seat(who, running.id)
    await process.project()
    if release == "earlier":  # which notes neither in the history
        await process.pool.execute("update history set sandbox = null, unlisted = null")
    everything: dict[str, ListedGame] = {}
    for who, sandbox in itertools.product((ann, bob, cid), (False, True)):
        everything |= {game.id: game for game in await listed(lobby, who.id, sandbox=sandbox)}
    places = await process.pool.fetch("select game_id from lobby order by position desc")
    games = [everything[each["game_id"]] for each in places]
    assert len(games) == 21
    for caller, account in itertools.product((None, ann.id, cid.id), (None, ann.id, bob.id)):
        for each in FILTERS:
            filters = each if account is None else {**each, "account": account}
            found = await listed(lobby, caller, limit=3, **filters)
            assert found == [game for game in games if fits(game, caller, filters)], (caller, filters)


async def test_a_list_goes_past_nothing_that_strangers_hide_or_that_does_not_fit(
    database: str, process: Writing
) -> None:
    ann, bob, eve = [await process.account(name) for name in ("Ann", "Bob", "Eve")]
    over = await process.finished(ann, bob)
    waiting = (await process.commands.create(ann, "toy", 2)).table
    await process.finished(ann, eve)
    await process.commands.create(ann, "toy", 2, visibility="unlisted")
    shared = await process.finished(eve, ann, visibility="unlisted")
    await process.project()
    # Newer than these: many that Eve hides, and many public ones of another title that have not ended and are full.
    for title, visibility, sandbox, status in (
        ("toy", "unlisted", False, "finished"),
        ("toy", "public", True, "finished"),
        ("toy", "unlisted", True, "finished"),
        ("another", "public", False, "running"),
    ):
        await add(process, over, 500, title=title, visibility=visibility, sandbox=sandbox, status=status, who=eve)
    await process.pool.execute("vacuum analyze lobby, history")
    toys = {"title": "toy"}
    for caller, filters, most in (
        (None, toys, 3),
        (None, {**toys, "status": Status.finished}, 2),
        (None, {"status": Status.waiting}, 1),
        (None, {"status": Status.finished}, 2),
        (None, {"open_seats": True}, 1),
        (None, {"account": ann.id}, 2),
        (bob.id, toys, 3),
        (bob.id, {"account": eve.id, "sandbox": False}, 5),
        (bob.id, {"account": eve.id, "sandbox": True}, 5),
        (ann.id, toys, 5),
        (ann.id, {"account": ann.id}, 3),
        (ann.id, {"account": eve.id, "sandbox": False}, 5),
        (None, {"status": Status.waiting, "sandbox": True}, 0),
        (ann.id, {**toys, "status": Status.waiting, "sandbox": True}, 0),
    ):
        games, visited = await visits(database, process, caller, filters)
        assert (len(games), visited < 150) == (most, True), (caller, filters, visited)
    games, _ = await visits(database, process, ann.id, toys)
    assert {waiting.id, shared.id} < {game.id for game in games}


async def visits(
    database: str, process: Writing, caller: AccountId | None, filters: dict[str, Any]
) -> tuple[list[ListedGame], int]:
    """A page, and how many rows and entries of indexes of the lobby and the history were read for it."""
    games: tuple[ListedGame, ...] = ()
    read = 0
    async with open_pool(database, 1) as pool:
        lobby = Lobby(pool, process.tables)
        for _ in range(7):  # until the server has the plan that it keeps
            before = await fetched(pool)
            games = (await lobby.page(caller, limit=LIMIT, **filters)).games
            read = await fetched(pool) - before
    return list(games), read


async def fetched(pool: Pool) -> int:
    await pool.execute("select pg_stat_force_next_flush()")
    return await pool.fetchval(
        "select (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('lobby', 'history'))"
        " + (select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('lobby', 'history'))"
    )


async def add(process: Writing, like: LoadedGame, number: int, *, who: Account, **columns: Any) -> None:
    """Rows of further games where an account sits, and which it has opened."""
    first = await process.pool.fetchval("select max(position) + 1 from lobby")
    await process.pool.execute(
        "insert into lobby select (jsonb_populate_record(lobby, $2::text::jsonb || jsonb_build_object("
        " 'game_id', 'x' || n, 'position', n, 'creator', $3::text))).*"
        " from lobby, generate_series($4::bigint, $5::bigint) as n where game_id = $1",
        like.id,
        msgspec.json.encode(columns).decode(),
        who.id,
        first,
        first + number - 1,
    )
    await process.pool.execute(
        "insert into history select (jsonb_populate_record(history, jsonb_build_object("
        " 'game_id', 'x' || n, 'position', n, 'account', $2::text, 'sandbox', $3::bool, 'unlisted', $4::bool))).*"
        " from history, generate_series($5::bigint, $6::bigint) as n where game_id = $1 and seat = 0",
        like.id,
        who.id,
        columns["sandbox"],
        columns["visibility"] != "public",
        first,
        first + number - 1,
    )
