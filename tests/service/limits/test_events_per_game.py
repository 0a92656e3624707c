"""Past the number of events that a game may have, nothing goes in that could go on without end; moves always do."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.harness.server import Service, account, expect, http_client, new_game, one_move, play, serving

MOST = 100
"""The least that can be set."""


@pytest.fixture
def service(database: str) -> Generator[Service]:
    with serving(database, {"TABLELOG_GAME_EVENTS": str(MOST)}) as running:
        yield running


async def test_who_sits_and_leaves_without_end_is_refused_and_can_still_leave(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http, 3, seated=1)
        restless = table.seats[1]
        for _ in range((MOST - 2) // 2):
            expect(await restless.post(f"{table.path}/seats", {}), 201)
            expect(await restless.delete(f"{table.path}/seats/me"), 200)
        assert expect(await restless.get(table.path), 200)["version"] == MOST
        for command, body in (("seats", {}), ("commitments", {"entropy_commitment": "0" * 64})):
            who = table.seats[0] if command == "commitments" else restless
            refused = expect(await who.post(f"{table.path}/{command}", body), 409)
            assert (refused["code"], refused["most"]) == ("too-many-events", MOST)
        assert expect(await restless.get(table.path), 200)["version"] == MOST
        expect(await table.seats[0].delete(f"{table.path}/seats/me"), 200)


async def test_moves_go_in_to_the_end_of_the_game_where_undo_is_refused(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http, 2)
        refused = None
        while refused is None:
            game = expect(await table.seats[0].get(table.path), 200)
            assert game["status"] == "running", "the game ended before it had as many events as it may"
            seat: int = game["to_move"][0]
            made = await one_move(table, seat, _First())
            back = await table.seats[seat].post(f"{table.path}/undo", {"expected_version": made["version"]})
            if made["version"] >= MOST:
                refused = expect(back, 409)
        assert (refused["code"], refused["most"]) == ("too-many-events", MOST)
        assert (await play(table))["status"] == "finished"


class _First:
    """Always the first choice, which a toy game's player can take back."""

    def randrange(self, stop: int, /) -> int:
        del stop
        return 0


async def test_an_account_that_has_no_seat_is_told_that_first(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http, 2)
        stranger = await account(http)
        refused = expect(await stranger.post(f"{table.path}/undo", {"expected_version": 3}), 403)
        assert refused["code"] == "not-seated"
