"""`GET /v1/games/{game}/timeline`: a line per version, as the caller could know it."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from tests.harness.server import Client, Table, expect, new_game, one_move, play


@pytest.mark.parametrize("title", ["toy", "spacelab"])
@pytest.mark.parametrize("language", ["en", "ja"])
async def test_every_version_of_a_game_is_a_line_for_every_viewer(
    http: httpx.AsyncClient, title: str, language: str
) -> None:
    table = await new_game(http, 2, title)
    game = await play(table, picks=Random(5))
    for viewer in (Client(http), *table.seats):
        told = expect(await viewer.get(f"{table.path}/timeline?language={language}&limit=1000"), 200)
        moments = told["moments"]
        assert [moment["version"] for moment in moments] == list(range(1, game["version"] + 1))
        assert all(moment["text"] and "\n" not in moment["text"] for moment in moments)
        assert (moments[-1]["status"], moments[-1]["to_move"], told["more"]) == ("finished", [], False)
        assert moments[-1]["points"] == [score["points"] for score in game["result"]["scores"]]
        assert moments[0]["points"] is None


async def test_a_page_of_the_timeline_equals_that_part_of_the_whole(http: httpx.AsyncClient) -> None:
    table = await new_game(http, 2, "spacelab")
    await play(table, 12, Random(6))
    player = table.seats[1]
    whole = expect(await player.get(f"{table.path}/timeline"), 200)["moments"]
    for after in range(len(whole)):
        page = expect(await player.get(f"{table.path}/timeline?after={after}&limit=4"), 200)
        assert page["moments"] == whole[after : after + 4]
        assert page["more"] == (after + 4 < len(whole))
    beyond = expect(await player.get(f"{table.path}/timeline?after={len(whole) + 5}"), 200)
    assert (beyond["moments"], beyond["more"]) == ([], False)


async def test_the_timeline_says_of_each_version_what_was_served_then(http: httpx.AsyncClient) -> None:
    table = await new_game(http, 2, "spacelab")
    await play(table, 10, Random(7))
    for moment in expect(await table.seats[0].get(f"{table.path}/timeline"), 200)["moments"]:
        then = expect(await table.seats[0].get(f"{table.path}?version={moment['version']}"), 200)
        assert (moment["status"], moment["to_move"]) == (then["status"], then["to_move"])


async def test_a_hidden_choice_has_no_seat_in_the_timeline_of_others(http: httpx.AsyncClient) -> None:
    table = await new_game(http, 2, "toy")
    await one_move(table, 0, Random(8))
    own, other = [expect(await seat.get(f"{table.path}/timeline"), 200)["moments"][-1] for seat in table.seats]
    assert (own["seat"], other["seat"]) == (0, None)
    assert other["text"] == "A hidden move is made."


async def test_the_timeline_of_a_fork_begins_with_what_it_was_forked_from(http: httpx.AsyncClient) -> None:
    table = await new_game(http, 2, "spacelab")
    game = await play(table, picks=Random(9))
    path = f"{table.path}/forks"
    fork = expect(await table.seats[0].post(path, {"version": game["version"] - 3}), 201)
    first = await first_line(table, fork, "en")
    assert first.endswith(f" It is a sandbox, forked from game {table.id} at version {game['version'] - 3}.")
    assert table.id in await first_line(table, fork, "ja")


async def test_the_timeline_of_a_game_from_a_position_begins_with_that(http: httpx.AsyncClient) -> None:
    table = await new_game(http, 2, "toy")
    game = await play(table, picks=Random(1))
    then = f"{table.path}?version={game['version'] - 3}&reveal=true"
    state = expect(await table.seats[0].get(then), 200)["revealed"]
    body = {"title": "toy", "seats": 2, "position": state}
    sandbox = expect(await table.seats[0].post("/v1/games", body), 201)
    assert (await first_line(table, sandbox, "en")).endswith(" It is a sandbox that starts from a given position.")
    assert (await first_line(table, sandbox, "ja")).endswith("。指定された局面から始まるサンドボックス。")


async def first_line(table: Table, made: dict[str, Any], language: str) -> str:
    told = expect(await table.seats[0].get(f"/v1/games/{made['id']}/timeline?language={language}"), 200)
    return str(told["moments"][0]["text"])


async def test_a_language_that_nobody_wrote_is_refused(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    refused = expect(await table.seats[0].get(f"{table.path}/timeline?language=fr"), 400)
    assert (refused["code"], refused["field"]) == ("invalid-query", "language")
