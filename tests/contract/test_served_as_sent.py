"""What is accepted is served as it was sent: positions, options, entropies and names."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.harness.server import account, expect, new_game, play


@pytest.mark.parametrize("title", ["toy", "spacelab", "chimera"])
async def test_a_position_is_served_member_for_member_as_it_was_sent(http: httpx.AsyncClient, title: str) -> None:
    table = await new_game(http, 2, title)
    last = (await play(table))["version"]
    players = [await account(http) for _ in range(2)]
    for version in range(last // 4, last, max(1, last // 4)):
        position = expect(await players[0].get(f"{table.path}?version={version}&reveal=true"), 200)["revealed"]
        made = await players[0].post("/v1/games", {"title": title, "seats": 2, "position": position})
        path = f"/v1/games/{expect(made, 201)['id']}"
        for each in players:
            expect(await each.post(f"{path}/seats"), 201)
        assert expect(await players[0].get(f"{path}?reveal=true"), 200)["revealed"] == position


@pytest.mark.parametrize("entropy", ["", " ", "~" * 64, "\\\"'<>&", "%00"])
async def test_an_entropy_is_served_character_for_character(http: httpx.AsyncClient, entropy: str) -> None:
    table = await new_game(http, seated=0)
    expect(await table.seats[0].post(f"{table.path}/seats", {"seat": 0, "entropy": entropy}), 201)
    events: list[dict[str, Any]] = expect(await table.seats[0].get(f"{table.path}/events"), 200)["events"]
    assert events[-1]["data"]["entropy"] == entropy


@pytest.mark.parametrize(
    "sent,served",
    [("Å", "Å"), ("ﬁ", "ﬁ"), ("A\u0301da", "Áda"), ("\u1100\u1161", "가"), ("🇩🇪 ß", "🇩🇪 ß"), ("İ", "İ")],
    ids=ascii,
)
async def test_a_name_is_served_everywhere_as_the_account_was_told(
    http: httpx.AsyncClient, sent: str, served: str
) -> None:
    """Only the composition of characters is made one: no letter becomes another."""
    who = await account(http, f"{sent} {(await account(http)).id}"[:40])
    assert who.name is not None
    assert who.name.startswith(served)
    assert expect(await who.get("/v1/accounts/me"), 200)["name"] == who.name
    game = expect(await who.post("/v1/games", {"title": "toy", "seats": 2}), 201)["id"]
    expect(await who.post(f"/v1/games/{game}/seats", {"seat": 0}), 201)
    assert expect(await who.get(f"/v1/games/{game}"), 200)["seats"][0]["name"] == who.name
    (listed,) = [each for each in expect(await who.get("/v1/games?account=me"), 200)["games"] if each["id"] == game]
    assert listed["seats"][0]["name"] == who.name
