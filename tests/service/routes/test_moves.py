"""Moves: what the caller may do, and doing it."""

from __future__ import annotations

from random import Random

import httpx

from tests.harness.server import new_game, play


async def test_a_game_is_played_to_its_end_by_the_served_legal_moves(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seats=3)
    game = await play(table, picks=Random(1))
    assert game["status"] == "finished"
    assert game["result"]["winners"]
