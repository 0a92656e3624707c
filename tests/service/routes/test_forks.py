"""Sandboxes: from a position, and from a version of another game; never in a history."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from tests.harness.server import Table, expect, new_game, play


async def finished(http: httpx.AsyncClient, title: str) -> tuple[Table, dict[str, Any]]:
    table = await new_game(http, 2, title)
    return table, await play(table, picks=Random(1))


async def seated(table: Table, made: dict[str, Any]) -> Table:
    sandbox = Table(made["id"], table.seats)
    for player in table.seats:
        expect(await player.post(f"{sandbox.path}/seats", {}), 201)
    return sandbox


@pytest.mark.parametrize("title", ["toy", "spacelab"])
async def test_a_finished_game_is_forked_at_any_version_and_played_on(http: httpx.AsyncClient, title: str) -> None:
    table, game = await finished(http, title)
    version = game["version"] - 3
    made = expect(await table.seats[1].post(f"{table.path}/forks", {"version": version}), 201)
    assert (made["sandbox"], made["status"]) == (True, "waiting")
    assert made["forked_from"] == {"game": table.id, "version": version}
    sandbox = await seated(table, made)
    then = expect(await table.seats[0].get(f"{table.path}?version={version}"), 200)
    now = expect(await table.seats[0].get(sandbox.path), 200)
    assert (now["view"], now["to_move"]) == (then["view"], then["to_move"])
    assert (await play(sandbox, picks=Random(2)))["status"] == "finished"


@pytest.mark.parametrize("title", ["toy", "spacelab"])
async def test_a_revealed_state_can_be_put_back(http: httpx.AsyncClient, title: str) -> None:
    table, game = await finished(http, title)
    version = game["version"] - 4
    state = expect(await table.seats[0].get(f"{table.path}?version={version}&reveal=true"), 200)["revealed"]
    body = {"title": title, "seats": 2, "position": state}
    sandbox = await seated(table, expect(await table.seats[0].post("/v1/games", body), 201))
    again = expect(await table.seats[0].get(f"{sandbox.path}?reveal=true"), 200)
    assert again["revealed"] == state
    await play(sandbox, picks=Random(3))


async def test_a_position_that_breaks_an_invariant_is_refused_with_what_is_wrong(http: httpx.AsyncClient) -> None:
    table, game = await finished(http, "spacelab")
    path = f"{table.path}?version={game['version'] - 4}&reveal=true"
    state = expect(await table.seats[0].get(path), 200)["revealed"]
    doubled = {**state, "lab_deck": [*state["lab_deck"], (state["discards"] + state["center"] + state["lab_deck"])[0]]}
    body = {"title": "spacelab", "seats": 2}
    refused = expect(await table.seats[0].post("/v1/games", {**body, "position": doubled}), 422)
    assert refused["code"] == "impossible-position"
    assert refused["field"] in {"position.lab_deck", "position.center", "position.discards"}
    missing = {key: value for key, value in state.items() if key != "players"}
    assert expect(await table.seats[0].post("/v1/games", {**body, "position": missing}), 400)["field"].startswith(
        "position"
    )
    wrong_seats = expect(await table.seats[0].post("/v1/games", {**body, "seats": 3, "position": state}), 422)
    assert wrong_seats["code"] == "impossible-position"
    over = expect(await table.seats[0].get(f"{table.path}?reveal=true"), 200)["revealed"]
    assert expect(await table.seats[0].post("/v1/games", {**body, "position": over}), 422)["field"] == "position"


async def test_a_running_game_is_not_forked_and_its_state_is_not_told(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    assert expect(await table.seats[0].post(f"{table.path}/forks", {"version": 3}), 409)["code"] == "game-not-finished"
    assert expect(await table.seats[0].get(f"{table.path}?reveal=true"), 409)["code"] == "game-not-finished"


async def test_a_version_before_the_start_and_one_that_is_not_there_are_refused(http: httpx.AsyncClient) -> None:
    table, game = await finished(http, "toy")
    for version, code in ((1, "game-not-started"), (game["version"] + 1, "no-such-version")):
        refused = await table.seats[0].post(f"{table.path}/forks", {"version": version})
        assert refused.json()["code"] == code
    over = await table.seats[0].post(f"{table.path}/forks", {"version": game["version"]})
    refused = expect(over, 422)
    assert (refused["code"], refused["field"]) == ("impossible-position", "version")
    assert refused["detail"] == f"at version {game['version']} the game of this position is over"


@pytest.mark.parametrize(
    "title,changed,field",
    [
        ("toy", {"round": 99}, "position.round"),
        ("spacelab", {"passes": 99}, "position.passes"),
        ("chimera", {"round": 99}, "position.round"),
        ("chimera", {"perk_deck": []}, "position.perk_deck"),
    ],
)
async def test_what_is_impossible_in_a_position_is_named_by_its_place_in_the_body(
    http: httpx.AsyncClient, title: str, changed: dict[str, Any], field: str
) -> None:
    table, game = await finished(http, title)
    path = f"{table.path}?version={game['version'] - 4}&reveal=true"
    state = expect(await table.seats[0].get(path), 200)["revealed"]
    body = {"title": title, "seats": 2, "position": {**state, **changed}}
    refused = expect(await table.seats[0].post("/v1/games", body), 422)
    assert (refused["code"], refused["field"]) == ("impossible-position", field)


async def test_one_key_makes_one_fork_of_a_game_and_another_of_another(http: httpx.AsyncClient) -> None:
    table, game = await finished(http, "toy")
    body, key = {"version": game["version"] - 3}, {"Idempotency-Key": "fork"}
    first = expect(await table.seats[0].post(f"{table.path}/forks", body, key), 201)
    again = await table.seats[0].post(f"{table.path}/forks", body, key)
    assert expect(again, 201)["id"] == first["id"]
    assert again.headers["Idempotency-Replayed"] == "true"
    created = expect(await table.seats[0].post("/v1/games", {"title": "toy", "seats": 2}, key), 201)
    assert created["id"] != first["id"]
