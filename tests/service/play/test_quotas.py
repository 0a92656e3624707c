"""Quotas of an account: open tables, and seats at tables that wait."""

from __future__ import annotations

import asyncio

from tests.harness.server import Client, account, expect, http_client, serving

NARROW = {"TABLELOG_OPEN_TABLES_PER_ACCOUNT": "3", "TABLELOG_SEATS_PER_ACCOUNT": "2"}


async def test_two_processes_that_race_open_exactly_the_quota_and_a_start_makes_room(database: str) -> None:
    with serving(database, NARROW) as one, serving(database, NARROW) as other:
        async with http_client(one.url) as http, http_client(other.url) as second:
            ada = await account(http)
            through = [ada, Client(second, ada.token, ada.id)]
            asked = [through[n % 2].post("/v1/games", {"title": "toy", "seats": 2}) for n in range(8)]
            answers = await asyncio.gather(*asked)
            assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5
            refused = next(answer.json() for answer in answers if answer.status_code == 409)
            assert (refused["code"], refused["limit"], refused["most"]) == (
                "too-many-open-tables",
                "open-tables-per-account",
                3,
            )
            game = next(answer.json()["id"] for answer in answers if answer.status_code == 201)
            for player in (await account(second), await account(second)):
                expect(await player.post(f"/v1/games/{game}/seats"), 201)
            expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 201)
            expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 409)


async def test_seats_at_waiting_tables_are_counted_and_one_that_is_left_or_starts_a_game_is_not(database: str) -> None:
    with serving(database, NARROW) as service:
        async with http_client(service.url) as http:
            ada, bob = await account(http), await account(http)
            made = [await bob.post("/v1/games", {"title": "toy", "seats": 2}) for _ in range(3)]
            first, second, third = (f"/v1/games/{expect(answer, 201)['id']}/seats" for answer in made)
            expect(await ada.post(first), 201)
            expect(await ada.post(second), 201)
            assert expect(await ada.post(third), 409)["code"] == "too-many-seats"
            assert expect(await ada.post(first), 409)["code"] == "already-seated"
            expect(await ada.delete(f"{first}/me"), 200)
            expect(await ada.post(third), 201)
            expect(await bob.post(first), 201)
            expect(await ada.post(first), 201)  # the last seat, which starts the game
