"""An unreadable game: refused alike on every path and by every process, and no concern of any other game."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import asyncpg
import httpx
import pytest

from domain.catalogue import TITLES
from service.play.game_cache import GameCache, Unreadable
from service.projections.lobby import Lobby
from service.projections.projector import note_unreadable, recheck
from service.projections.rebuild import rebuild
from tests.harness.lists import eventually, listed
from tests.harness.server import Service, Table, expect, http_client, new_game
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY

UNKNOWN_EVENT = '{"type":"no_such_event"}'
UNKNOWN_MOVE = '{"type":"move_made","seat":0,"move":{"type":"toy.no_such_move"},"facts":[]}'

_APPEND = (
    "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
    " select game_id, version + 1, 'move_made', actor, $2::text::json, rules_version, hash, recorded_at,"
    " gen_random_uuid() from events where game_id = $1 order by version desc limit 1"
)


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


async def corrupt(database: str, game: str, data: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute(_APPEND, game, data)
    await connection.close()


async def delayed_game(http: httpx.AsyncClient) -> Table:
    return await new_game(http, spectator_delay={"versions": 1})


async def test_an_unreadable_delayed_game_is_left_out_of_every_list_and_paging_goes_on(
    service: Service, database: str
) -> None:
    async with http_client(service.url) as http:
        tables = [await delayed_game(http) for _ in range(3)]
        broken = tables[1]

        async def all_listed() -> bool:
            games = expect(await http.get("/v1/games"), 200)["games"]
            return {game["id"] for game in games} == {table.id for table in tables}

        await eventually(all_listed)
        await corrupt(database, broken.id, UNKNOWN_EVENT)
        readable = [table.id for table in reversed(tables) if table is not broken]
        for query in ("", "&status=running", "&title=toy", "&open_seats=false", f"&account={broken.seats[0].id}"):
            found: list[str] = []
            cursor: str | None = ""
            while cursor is not None:
                page = expect(
                    await http.get(f"/v1/games?limit=1{query}" + (f"&cursor={cursor}" if cursor else "")), 200
                )
                found += [game["id"] for game in page["games"]]
                cursor = page["next"]
            assert found == ([] if "account" in query else readable), query


async def test_a_game_with_a_move_that_cannot_be_shown_is_refused_on_every_path_and_cannot_be_played_on(
    service: Service, database: str
) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http)
        await corrupt(database, table.id, UNKNOWN_MOVE)
        player = table.seats[0]
        move = {"expected_version": 4, "move": {"type": "toy.lay_card", "card": "ant_1"}}
        for answer in (
            await player.get(table.path),
            await player.get(f"{table.path}?version=2"),
            await player.get(f"{table.path}/moves"),
            await player.get(f"{table.path}/events"),
            await player.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}),
            await player.get(f"{table.path}/timeline"),
            await player.get(f"{table.path}/record"),
            await player.post(f"{table.path}/moves", move),
            await player.post(f"{table.path}/undo", {"expected_version": 4}),
            await player.post(f"{table.path}/forks", {"version": 2}),
        ):
            problem = expect(answer, 409)
            assert (problem["code"], problem["unreadable_version"]) == ("game-unreadable", 4)


async def test_every_process_and_every_path_names_the_first_unreadable_version(database: str, process: Writing) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = await process.started("toy", ann, bob)
    for data in (UNKNOWN_MOVE, UNKNOWN_EVENT):
        await process.pool.execute(_APPEND, table.id, data)
    cold = GameCache(process.pool, process.sets, 10)
    for tables in (process.tables, cold):
        for read in (tables.fresh(table.id), tables.at(table.id, 2)):
            with pytest.raises(Unreadable) as found:
                await read
            assert found.value.version == 4
        (loaded,) = [each async for _, each in tables.load({table.id: 5})]
        assert isinstance(loaded, Unreadable)
        assert loaded.version == 4
    (replayed,) = [each async for each in cold.replay([table.id], whole=True)]
    assert isinstance(replayed, Unreadable)
    assert replayed.version == 4
    noted = "select version from unreadable_games"
    await process.project()
    assert await process.pool.fetchval(noted) == 4
    await process.pool.execute("delete from unreadable_games")
    await rebuild(database, {**TITLES, "toy": TOY})
    assert await process.pool.fetchval(noted) == 4


async def test_lists_are_the_same_before_and_after_a_rebuild_and_from_any_process(
    database: str, process: Writing
) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    readable, broken = await process.started("toy", ann, bob), await process.started("toy", ann, bob)
    await process.project()
    await process.pool.execute(_APPEND, broken.id, UNKNOWN_MOVE)

    async def lists() -> list[list[str]]:
        async with writing(database) as elsewhere:
            return [
                [game.id for game in await listed(Lobby(each.pool, each.tables), caller, account=account)]
                for each in (process, elsewhere)
                for caller in (None, ann.id, bob.id)
                for account in (None, ann.id)
            ]

    async def projected() -> bool:
        await process.project()
        return await process.pool.fetchval("select count(*) from unreadable_games") == 1

    await eventually(projected)
    before = await lists()
    assert before == [[readable.id]] * len(before)
    await rebuild(database, {**TITLES, "toy": TOY})
    assert await lists() == before


async def test_a_game_that_a_new_release_can_read_is_listed_and_no_longer_noted(process: Writing) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = await process.started("toy", ann, bob)
    await process.project()
    await process.pool.execute("insert into unreadable_games (game_id, version, error) values ($1, 2, 'x')", table.id)
    lobby = Lobby(process.pool, process.tables)
    assert await listed(lobby) == []
    async with process.pool.acquire() as connection:
        await recheck(connection, process.tables)
    assert [game.id for game in await listed(lobby)] == [table.id]
    assert await process.pool.fetchval("select count(*) from unreadable_games") == 0


async def test_unreadable_games_are_counted_in_the_metrics(service: Service, database: str) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http)
        await corrupt(database, table.id, UNKNOWN_MOVE)
        expect(await table.seats[0].get(table.path), 409)

        async def counted() -> bool:
            return "\ntablelog_unreadable_games 1\n" in (await http.get("/metrics")).text

        await eventually(counted)


async def test_an_unreadable_game_is_logged_once_however_often_it_is_read(
    process: Writing, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await process.account("Ann"), await process.account("Bob")
    table = await process.started("toy", ann, bob)
    await process.pool.execute(_APPEND, table.id, UNKNOWN_MOVE)
    async with process.pool.acquire() as connection:
        for _ in range(3):
            with pytest.raises(Unreadable):
                await process.tables.fresh(table.id)
            await note_unreadable(connection, process.tables)
            await recheck(connection, process.tables)
    assert caplog.text.count(f"game {table.id} cannot be read at version 4") == 1
