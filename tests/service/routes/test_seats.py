"""Seats over HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.harness.server import account, expect, new_game


async def test_the_first_free_seat_is_taken_when_none_is_named(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seats=3, seated=0)
    first = await table.seats[0].post(f"{table.path}/seats", {"seat": 1})
    assert expect(first, 201)["event"]["data"]["seat"] == 1
    assert first.headers["location"] == f"{table.path}/events?after=1&limit=1"
    assert expect(await table.seats[1].post(f"{table.path}/seats"), 201)["event"]["data"]["seat"] == 0


async def test_the_last_seat_starts_the_game(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=1)
    started = expect(await table.seats[1].post(f"{table.path}/seats", {"entropy": "dice: 3 5"}), 201)
    assert (started["status"], started["version"], started["to_move"]) == ("running", 3, [0, 1])
    facts = [fact["type"] for fact in started["event"]["data"]["facts"]]
    assert facts[-1] == "game.started"
    assert started["event"]["data"]["entropy"] == "dice: 3 5"


async def test_who_cannot_sit_there_is_told_why(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seats=3, seated=1)
    other = table.seats[1]
    assert expect(await table.seats[0].post(f"{table.path}/seats"), 409)["code"] == "already-seated"
    taken = expect(await other.post(f"{table.path}/seats", {"seat": 0}), 409)
    assert (taken["code"], taken["field"], taken["free_seats"]) == ("seat-taken", "seat", [1, 2])
    none = expect(await other.post(f"{table.path}/seats", {"seat": 3}), 422)
    assert (none["code"], none["field"]) == ("no-such-seat", "seat")


async def test_a_full_game_takes_nobody_more(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    late = await account(http)
    assert expect(await late.post(f"{table.path}/seats"), 409)["code"] == "game-full"


@pytest.mark.parametrize("entropy", ["x" * 65, "é", "a\n", "\n", "a\0", "\t", "\x7f"])
async def test_entropy_is_at_most_64_printable_ascii_characters(http: httpx.AsyncClient, entropy: str) -> None:
    table = await new_game(http, seated=0)
    refused = expect(await table.seats[0].post(f"{table.path}/seats", {"entropy": entropy}), 400)
    assert (refused["code"], refused["field"]) == ("invalid-body", "entropy")


async def test_a_seat_is_left_before_the_start_only(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=1)
    left = expect(await table.seats[0].delete(f"{table.path}/seats/me"), 200)
    assert (left["version"], left["event"]["data"]["type"]) == (3, "seat_left")
    assert expect(await table.seats[0].delete(f"{table.path}/seats/me"), 403)["code"] == "not-seated"
    started = await new_game(http)
    assert expect(await started.seats[0].delete(f"{started.path}/seats/me"), 409)["code"] == "game-started"


async def test_a_repeated_request_with_a_key_sits_down_once(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seats=3, seated=0)
    key = {"Idempotency-Key": '"sit"'}
    first = await table.seats[0].post(f"{table.path}/seats", {"seat": 2}, key)
    again = await table.seats[0].post(f"{table.path}/seats", {"seat": 2}, key)
    assert expect(first, 201) == expect(again, 201)
    assert again.headers["idempotency-replayed"] == "true"
    left = await table.seats[0].delete(f"{table.path}/seats/me", key)
    assert "idempotency-replayed" not in left.headers, "a key is scoped to its route"
    again = await table.seats[0].delete(f"{table.path}/seats/me", key)
    assert expect(again, 200) == expect(left, 200)
    assert again.headers["idempotency-replayed"] == "true"
