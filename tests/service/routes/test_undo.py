"""`POST /v1/games/{game}/undo`: one's own last move, once per request, and not across what cannot be unseen."""

from __future__ import annotations

import asyncio
from random import Random

import httpx

from tests.harness.server import Table, expect, new_game, one_move, play


async def undo(table: Table, seat: int, version: int) -> httpx.Response:
    return await table.seats[seat].post(f"{table.path}/undo", {"expected_version": version})


async def test_a_move_is_taken_back_by_an_event_and_the_game_is_what_it_was(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    before = expect(await table.seats[0].get(table.path), 200)
    moved = await one_move(table, 0, Random(1))
    answer = expect(await undo(table, 0, moved["version"]), 201)
    assert answer["event"]["data"] == {"type": "move_undone", "seat": 0, "undone": moved["version"]}
    after = expect(await table.seats[0].get(table.path), 200)
    assert (after["view"], after["to_move"]) == (before["view"], before["to_move"])
    assert after["version"] == before["version"] + 2
    await play(table)


async def test_a_double_click_takes_back_one_move(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    moved = await one_move(table, 0, Random(1))
    answers = await asyncio.gather(*(undo(table, 0, moved["version"]) for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 9
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"stale-version"}


async def test_a_refused_undo_says_why_and_changes_nothing(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    start = expect(await table.seats[0].get(table.path), 200)["version"]
    assert expect(await undo(table, 0, start), 409)["code"] == "undo-nothing"
    laid = (await one_move(table, 0, Random(1)))["version"]
    assert expect(await undo(table, 1, laid), 409)["code"] == "undo-seat"
    turned = await one_move(table, 1, Random(1))
    assert turned["event"]["data"]["final"] in {"hidden", "chance"}
    assert expect(await undo(table, 1, turned["version"]), 409)["code"] == f"undo-{turned['event']['data']['final']}"
    stranger = await new_game(http)
    refused = await stranger.seats[0].post(f"{table.path}/undo", {"expected_version": turned["version"]})
    assert expect(refused, 403)["code"] == "not-seated"
    assert expect(await table.seats[0].get(table.path), 200)["version"] == turned["version"]


async def test_a_keyed_undo_is_replayed(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    moved = await one_move(table, 0, Random(1))
    body, key = {"expected_version": moved["version"]}, {"Idempotency-Key": "again"}
    first = await table.seats[0].post(f"{table.path}/undo", body, key)
    again = await table.seats[0].post(f"{table.path}/undo", body, key)
    assert expect(first, 201) == expect(again, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
