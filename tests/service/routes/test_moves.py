"""Moves over HTTP: what the caller may do, and doing it."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from tests.harness.play import random_wire_move
from tests.harness.server import Client, Table, account, expect, new_game, one_move, play


@pytest.mark.parametrize("title", ["toy", "spacelab"])
async def test_a_game_is_played_to_its_end_by_the_served_legal_moves(http: httpx.AsyncClient, title: str) -> None:
    game = await play(await new_game(http, seats=3, title=title), picks=Random(1))
    assert game["status"] == "finished"
    assert game["result"]["winners"]


async def test_a_game_is_played_to_its_end_by_the_examples(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    while (game := expect(await http.get(table.path), 200))["status"] == "running":
        player = table.seats[int(game["to_move"][0])]
        legal = expect(await player.get(f"{table.path}/moves"), 200)
        body = {"expected_version": legal["version"], "move": legal["moves"][0]["example"]}
        expect(await player.post(f"{table.path}/moves", body), 201)
    assert game["result"] is not None


async def body_of(player: Client, table: Table) -> dict[str, Any]:
    legal = expect(await player.get(f"{table.path}/moves"), 200)
    return {"expected_version": legal["version"], "move": random_wire_move(legal, Random(0))}


async def test_a_move_answers_with_its_event_as_the_caller_may_see_it(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    body = await body_of(table.seats[0], table)
    answer = await table.seats[0].post(f"{table.path}/moves", body)
    made = expect(answer, 201)
    assert (made["version"], made["status"], made["to_move"]) == (4, "running", [1])
    assert made["event"]["data"]["move"] == body["move"]
    page = expect(await table.seats[0].get(answer.headers["location"]), 200)
    assert page["events"] == [made["event"]]
    hidden = expect(await http.get(answer.headers["location"]), 200)["events"][0]
    assert hidden["data"] == {"type": "blank"}


async def test_who_is_not_awaited_has_no_legal_moves(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=1)
    assert expect(await table.seats[0].get(f"{table.path}/moves"), 200) == {"version": 2, "seat": 0, "moves": []}
    running = await new_game(http)
    await one_move(running, 0, Random(0))
    assert expect(await running.seats[0].get(f"{running.path}/moves"), 200)["moves"] == []


async def test_a_move_for_another_version_changes_nothing_and_tells_the_current_one(http: httpx.AsyncClient) -> None:
    """Faults 2 and 10."""
    table = await new_game(http)
    body = await body_of(table.seats[0], table)
    before = expect(await table.seats[0].get(table.path), 200)
    for version in (1, 2, 4, 2**53 - 1):
        refused = expect(await table.seats[0].post(f"{table.path}/moves", {**body, "expected_version": version}), 409)
        assert (refused["code"], refused["field"], refused["current_version"]) == (
            "stale-version",
            "expected_version",
            3,
        )
    assert expect(await table.seats[0].get(table.path), 200) == before


async def test_a_move_that_may_not_be_made_is_refused_by_its_field(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    body = await body_of(table.seats[0], table)
    wrong = expect(
        await table.seats[0].post(f"{table.path}/moves", {**body, "move": {**body["move"], "card": "x"}}), 422
    )
    assert (wrong["code"], wrong["field"]) == ("illegal-move", "move.card")
    other = expect(await table.seats[0].post(f"{table.path}/moves", {**body, "move": {"type": "toy.decline"}}), 422)
    assert (other["code"], other["field"], other["allowed"]) == ("illegal-move", "move.type", ["toy.lay_card"])


async def test_a_move_of_another_title_is_no_move_here(http: httpx.AsyncClient) -> None:
    table = await new_game(http, title="spacelab")
    for move, status, code in (
        ({"type": "toy.decline"}, 422, "illegal-move"),
        ({"type": "toy.nothing"}, 400, "invalid-body"),
        ({"type": ["toy.decline"]}, 400, "invalid-body"),
    ):
        body = {"expected_version": 3, "move": move}
        refused = expect(await table.seats[0].post(f"{table.path}/moves", body), status)
        assert (refused["code"], refused["field"]) == (code, "move.type")


async def test_moves_are_made_between_start_and_end_by_who_is_awaited(http: httpx.AsyncClient) -> None:
    waiting = await new_game(http, seated=1)
    move = {"type": "toy.lay_card", "card": "ant_1"}
    early = expect(await waiting.seats[0].post(f"{waiting.path}/moves", {"expected_version": 2, "move": move}), 409)
    assert early["code"] == "game-not-started"
    table = await new_game(http)
    await one_move(table, 0, Random(0))
    again = expect(await table.seats[0].post(f"{table.path}/moves", {"expected_version": 4, "move": move}), 409)
    assert (again["code"], again["to_move"]) == ("not-your-turn", [1])
    game = await play(table, picks=Random(2))
    over = {"expected_version": game["version"], "move": move}
    assert expect(await table.seats[0].post(f"{table.path}/moves", over), 409)["code"] == "game-over"


async def test_a_repeated_move_with_a_key_replays_the_first_answer(http: httpx.AsyncClient) -> None:
    """Faults 6, 7 and 9."""
    table = await new_game(http)
    player, key = table.seats[0], {"Idempotency-Key": '"move-1"'}
    body = await body_of(player, table)
    illegal = {**body, "move": {**body["move"], "card": "x"}}
    expect(await player.post(f"{table.path}/moves", illegal, key), 422)
    first = await player.post(f"{table.path}/moves", body, key)
    await play(table, 2, Random(0))
    again = await player.post(f"{table.path}/moves", body, key)
    assert expect(first, 201) == expect(again, 201), "a refusal has not burnt the key"
    assert again.headers["idempotency-replayed"] == "true"
    assert expect(await player.post(f"{table.path}/moves", illegal, key), 422)["code"] == "idempotency-key-reused"


async def test_if_match_on_a_move_compares_strongly_and_lets_a_repeat_through(http: httpx.AsyncClient) -> None:
    """Fault 40."""
    table = await new_game(http)
    player = table.seats[0]
    tag = (await player.get(table.path)).headers["etag"]
    assert (await player.get(f"{table.path}/moves")).headers["etag"] == tag
    body = await body_of(player, table)
    for wrong in (f"W/{tag}", '"5"', "5", '"3"', "junk", f"{tag} {tag}"):
        refused = expect(await player.post(f"{table.path}/moves", body, {"If-Match": wrong}), 412)
        assert (refused["code"], refused["current_etag"]) == ("precondition-failed", tag)
    sent = {"If-Match": f'"other", {tag}', "Idempotency-Key": '"k"'}
    expect(await player.post(f"{table.path}/moves", body, sent), 201)
    again = await player.post(f"{table.path}/moves", body, sent)
    expect(again, 201)
    assert again.headers["idempotency-replayed"] == "true"


async def test_a_stranger_has_no_moves(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    stranger = await account(http)
    assert expect(await stranger.get(f"{table.path}/moves"), 403)["code"] == "not-seated"
    assert expect(await http.get(f"{table.path}/moves"), 401)["code"] == "token-required"
