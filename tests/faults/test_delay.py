"""A spectator delay holds on every channel alike, and what it held back follows whole when the game ends."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import httpx
import pytest

from domain.catalogue import TITLES
from tests.harness.server import Client, Table, account, expect, new_game, one_move, play


async def delayed(http: httpx.AsyncClient, title: str, **delay: int) -> Table:
    return await new_game(http, 2, title, spectator_delay=delay)


async def lagging(table: Table, viewer: Client) -> dict[str, Any]:
    """What a viewer is served on every channel, which must all be of one version."""
    game = expect(await viewer.get(table.path), 200)
    version = game["version"]
    events = expect(await viewer.get(f"{table.path}/events?limit=1000"), 200)
    assert (events["version"], events["events"][-1]["version"], events["more"]) == (version, version, False)
    assert events["events"][-1]["hash"] == game["hash"]
    lines = (await viewer.get(f"{table.path}/events", {"Accept": "application/x-ndjson"})).text.splitlines()
    assert len(lines) == version
    timeline = expect(await viewer.get(f"{table.path}/timeline?limit=1000"), 200)
    assert (timeline["version"], len(timeline["moments"])) == (version, version)
    tag = (await viewer.get(table.path)).headers["ETag"]
    assert tag.startswith(f'"{version}.')
    beyond = expect(await viewer.get(f"{table.path}?version={version + 1}"), 404)
    assert (beyond["code"], beyond["current_version"]) == ("no-such-version", version)
    return game


@pytest.mark.parametrize("title", ["toy", *TITLES])
async def test_the_public_sees_a_running_game_so_many_versions_late_and_all_of_it_at_the_end(
    http: httpx.AsyncClient, title: str
) -> None:
    table = await delayed(http, title, versions=3)
    stranger = Client(http)
    start = expect(await table.seats[0].get(table.path), 200)["version"]
    picks = Random(1)
    while (head := expect(await table.seats[0].get(table.path), 200))["status"] == "running":
        assert (await lagging(table, table.seats[1]))["version"] == head["version"]
        if head["version"] < start + 8:
            assert (await lagging(table, stranger))["version"] == max(start, head["version"] - 3)
        await one_move(table, head["to_move"][0], picks)
    assert (await lagging(table, stranger))["version"] == head["version"]


async def test_the_public_sees_what_is_older_than_so_many_seconds(http: httpx.AsyncClient) -> None:
    table = await delayed(http, "toy", seconds=3600)
    start = expect(await table.seats[0].get(table.path), 200)["version"]
    await play_as(table, 4)
    assert (await lagging(table, Client(http)))["version"] == start
    assert (await lagging(table, table.seats[0]))["version"] == start + 4


async def test_nothing_of_what_is_held_back_is_told_to_who_guesses_at_it(http: httpx.AsyncClient) -> None:
    table = await delayed(http, "toy", seconds=3600)
    player = table.seats[0]
    stranger = await account(http)
    guesses = [{}, {"If-Match": '"x"'}, {"If-Match": "*"}, {"If-Match": '"x"', "Idempotency-Key": '"k"'}]
    bodies = [{"expected_version": version, "move": {"type": "toy.decline"}} for version in (1, 3, 6, 999)]

    async def heard() -> list[tuple[int, bytes, list[tuple[str, str]]]]:
        answers = [await stranger.post(f"{table.path}/moves", body, sent) for body in bodies for sent in guesses]
        answers += [await stranger.post(f"{table.path}/undo", {"expected_version": version}) for version in (1, 3, 6)]
        answers += [await stranger.get(table.path + more, sent) for more in ("/moves", "") for sent in guesses]
        return [
            (each.status_code, each.content, [h for h in each.headers.items() if h[0] != "date"]) for each in answers
        ]

    before = await heard()
    await play_as(table, 4)
    assert await heard() == before
    moved = await player.post(f"{table.path}/moves", bodies[0], {"If-Match": '"x"'})
    assert expect(moved, 412)["code"] == "precondition-failed"


async def test_a_game_without_delay_and_one_that_waits_are_seen_as_they_are(http: httpx.AsyncClient) -> None:
    plain = await new_game(http, 2)
    await play(plain, 3)
    waiting = await new_game(http, 2, seated=1, spectator_delay={"versions": 5})
    for table in (plain, waiting):
        seen = [(await lagging(table, viewer))["version"] for viewer in (table.seats[0], Client(http))]
        assert seen[0] == seen[1]


async def test_a_delay_is_told_and_bounded(http: httpx.AsyncClient) -> None:
    table = await delayed(http, "toy", versions=2, seconds=1)
    told = expect(await Client(http).get(table.path), 200)["spectator_delay"]
    assert told == {"versions": 2, "seconds": 1}
    for wrong in ({"versions": -1}, {"seconds": 10**6}, {"minutes": 1}, {"versions": "2"}):
        body = {"title": "toy", "seats": 2, "spectator_delay": wrong}
        refused = expect(await table.seats[0].post("/v1/games", body), 400)
        assert refused["field"].startswith("spectator_delay")


async def play_as(table: Table, moves: int) -> None:
    """Random moves, the players looking for themselves: the public would be told of an earlier version."""
    picks = Random(2)
    for _ in range(moves):
        game = expect(await table.seats[0].get(table.path), 200)
        await one_move(table, game["to_move"][0], picks)


async def test_lists_lag_as_the_game_does(http: httpx.AsyncClient) -> None:
    table = await delayed(http, "toy", versions=100)
    await play_as(table, 4)
    stranger = await new_game(http)
    for viewer, is_seated in ((Client(http), False), (stranger.seats[0], False), (table.seats[1], True)):
        game = expect(await viewer.get(table.path), 200)
        await listed_as(viewer, table.id, {name: game[name] for name in ("version", "to_move", "status")})
        assert (game["version"] == expect(await table.seats[0].get(table.path), 200)["version"]) is is_seated


async def test_sandboxes_are_listed_apart_and_count_in_no_history(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    game = await play(table)
    player = table.seats[0]
    made = expect(await player.post(f"{table.path}/forks", {"version": game["version"] - 3}), 201)
    listed = expect(await player.get("/v1/games?limit=200"), 200)["games"]
    apart = expect(await player.get("/v1/games?limit=200&sandbox=true"), 200)["games"]
    assert made["id"] not in {each["id"] for each in listed}
    assert made["id"] in {each["id"] for each in apart}
    assert all(each["sandbox"] for each in apart)


async def listed_as(viewer: Client, game_id: str, wanted: dict[str, Any]) -> None:
    """A list shows a game so, a moment after the fact."""
    seen: dict[str, Any] = {}
    for _ in range(100):
        games = expect(await viewer.get("/v1/games?limit=200"), 200)["games"]
        (game,) = [each for each in games if each["id"] == game_id] or [{}]
        seen = {name: game.get(name) for name in wanted}
        if seen == wanted:
            return
        await asyncio.sleep(0.1)
    assert seen == wanted
