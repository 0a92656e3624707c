"""Games over HTTP: opening, finding, and the state as the caller may see it, now and then."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any

import httpx
import pytest

from tests.harness.server import Client, Table, account, expect, new_game, one_move, play


async def test_a_game_is_opened_and_waits(http: httpx.AsyncClient) -> None:
    ada = await account(http)
    made = await ada.post("/v1/games", {"title": "toy", "seats": 3, "options": {"rounds": 2}})
    game = expect(made, 201)
    assert made.headers["location"] == f"/v1/games/{game['id']}"
    assert (game["status"], game["version"], game["creator"], game["view"]) == ("waiting", 1, ada.id, None)
    assert game["options"] == {"rounds": 2}
    assert [seat["account"] for seat in game["seats"]] == [None] * 3, "its creator does not sit by that"
    assert expect(await ada.get(made.headers["location"]), 200) == game


@pytest.mark.parametrize(
    "body,status,code,field",
    [
        ({"title": "chess", "seats": 2}, 422, "no-such-title", "title"),
        ({"title": "toy", "seats": 99}, 422, "bad-seat-count", "seats"),
        ({"title": "toy", "seats": 0}, 400, "invalid-body", "seats"),
        ({"title": "toy", "seats": 2, "component_set": "toy-9"}, 422, "no-such-component-set", "component_set"),
        ({"title": "toy", "seats": 2, "options": {"rounds": 99}}, 400, "invalid-body", "options.rounds"),
        ({"title": "toy", "seats": 2, "options": {"round": 1}}, 400, "invalid-body", "options.round"),
        ({"title": "toy", "seats": 2, "options": None}, 400, "invalid-body", "options"),
        ({"title": "toy", "seats": 2, "visibility": "secret"}, 400, "invalid-body", "visibility"),
        ({"title": "toy"}, 400, "invalid-body", "seats"),
    ],
)
async def test_what_cannot_be_opened_is_refused_by_its_field(
    http: httpx.AsyncClient, body: dict[str, Any], status: int, code: str, field: str
) -> None:
    ada = await account(http)
    refused = expect(await ada.post("/v1/games", body), status)
    assert (refused["code"], refused["field"]) == (code, field)


async def test_a_position_with_a_member_that_nobody_named_is_refused_by_its_place(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    await play(table, picks=Random(1))
    state = expect(await http.get(f"{table.path}?reveal=true&version=5"), 200)["revealed"]
    body = {"title": "toy", "seats": 2, "position": state}
    expect(await table.seats[0].post("/v1/games", body), 201)
    refused = expect(await table.seats[0].post("/v1/games", {**body, "position": {**state, "more": 1}}), 400)
    assert (refused["code"], refused["field"]) == ("invalid-body", "position.more")


async def test_one_key_opens_one_table(http: httpx.AsyncClient) -> None:
    ada, key = await account(http), {"Idempotency-Key": '"once"'}
    first = await ada.post("/v1/games", {"title": "toy", "seats": 2}, key)
    again = await ada.post("/v1/games", {"title": "toy", "seats": 2}, {"Idempotency-Key": "once"})
    assert expect(first, 201) == expect(again, 201)
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    other = expect(await ada.post("/v1/games", {"title": "toy", "seats": 3}, key), 422)
    assert other["code"] == "idempotency-key-reused"
    bo = await account(http)
    assert expect(await bo.post("/v1/games", {"title": "toy", "seats": 2}, key), 201)["id"] != first.json()["id"]


async def test_each_viewer_sees_its_own_hand_and_has_its_own_tag(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    stranger = await account(http)
    tags: set[str] = set()
    for seat, player in enumerate(table.seats):
        answer = await player.get(table.path)
        game = expect(answer, 200)
        assert game["seat"] == seat
        assert [each["hand"] is not None for each in game["view"]["seats"]] == [place == seat for place in range(2)]
        tags.add(answer.headers["etag"])
    for outsider in (stranger, Client(http)):
        answer = await outsider.get(table.path)
        game = expect(answer, 200)
        assert game["seat"] is None
        assert [each["hand"] for each in game["view"]["seats"]] == [None, None]
        tags.add(answer.headers["etag"])
    assert len(tags) == 3, "a tag for each seat, and one for the public"


async def test_a_tag_that_is_current_answers_304_until_the_game_moves_on(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    player = table.seats[0]
    tag = (await player.get(table.path)).headers["etag"]
    for header in (tag, f'"x", W/{tag}', "*"):
        same = await player.get(table.path, {"If-None-Match": header})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        assert same.headers["vary"] == "Authorization, Accept"
        assert same.headers["cache-control"] == "private, no-cache"
    assert (await table.seats[1].get(table.path, {"If-None-Match": tag})).status_code == 200, "another viewer's tag"
    await one_move(table, 0, Random(0))
    assert (await player.get(table.path, {"If-None-Match": tag})).status_code == 200


@pytest.mark.parametrize(
    "header,passes", [("{}", True), ('"x", {}', True), ("*", True), ("W/{}", False), ('"x"', False)]
)
async def test_if_match_compares_strongly(http: httpx.AsyncClient, header: str, *, passes: bool) -> None:
    """Fault 40."""
    table = await new_game(http)
    tag = (await http.get(table.path)).headers["etag"]
    answer = await http.get(table.path, headers={"If-Match": header.format(tag)})
    if passes:
        expect(answer, 200)
    else:
        refused = expect(answer, 412)
        assert (refused["code"], refused["current_etag"]) == ("precondition-failed", tag)


async def test_a_game_is_shown_as_the_caller_saw_it_then(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    seen: dict[int, list[dict[str, Any]]] = {}
    viewers = [*table.seats, Client(http)]
    for moves in range(4):
        games = [expect(await each.get(table.path), 200) for each in viewers]
        seen[games[0]["version"]] = games
        await play(table, 1, Random(moves))
    for version, games in seen.items():
        for viewer, game in zip(viewers, games, strict=True):
            assert expect(await viewer.get(f"{table.path}?version={version}"), 200) == game
    refused = expect(await http.get(f"{table.path}?version=99"), 404)
    assert (refused["code"], refused["current_version"]) == ("no-such-version", 7)


async def test_nothing_is_revealed_before_the_end_and_everything_after(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    refused = expect(await http.get(f"{table.path}?reveal=true"), 409)
    assert refused["code"] == "game-not-finished"
    await play(table, picks=Random(3))
    assert "deck" in expect(await http.get(f"{table.path}?reveal=true"), 200)["revealed"]
    then = expect(await http.get(f"{table.path}?reveal=true&version=5"), 200)
    assert all(hand for hand in then["revealed"]["hands"]), "what every seat held then"
    assert "revealed" not in expect(await http.get(table.path), 200)


@pytest.mark.parametrize(
    "junk", ["g", "G" + "0" * 20, "g" + "0" * 21, "%00", "g%00", "%ff", "a b", "é", "..%2f", "g" * 9_000]
)
async def test_an_id_that_cannot_be_is_no_game(http: httpx.AsyncClient, junk: str) -> None:
    for path in (f"/v1/games/{junk}", f"/v1/games/{junk}/events"):
        assert (await http.get(path)).status_code == 404


async def listed(client: Client, query: str = "") -> list[str]:
    games: list[str] = []
    cursor = ""
    while True:
        page = expect(await client.get(f"/v1/games?limit=3{query}{cursor}"), 200)
        games += [game["id"] for game in page["games"]]
        if page["next"] is None:
            return games
        cursor = f"&cursor={page['next']}"


async def test_a_list_pages_through_every_game_once(http: httpx.AsyncClient) -> None:
    ada = await account(http)
    made = [expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 201)["id"] for _ in range(7)]
    for game in made:
        expect(await ada.post(f"/v1/games/{game}/seats"), 201)
    assert await listed(ada, "&account=me") == made[::-1]
    assert await listed(ada, f"&account={ada.id}&status=waiting&title=toy&open_seats=true") == made[::-1]
    assert await listed(ada, f"&account={ada.id}&status=running") == []


async def test_an_unlisted_game_is_read_by_id_and_listed_for_those_alone_who_sit_there(http: httpx.AsyncClient) -> None:
    table = await new_game(http, visibility="unlisted")
    stranger = await account(http)
    expect(await stranger.get(table.path), 200)
    assert await listed(stranger, f"&account={table.seats[1].id}") == []
    assert await listed(table.seats[1], "&account=me") == [table.id]


async def test_a_cursor_is_good_for_its_own_list_alone(http: httpx.AsyncClient) -> None:
    ada = await account(http)
    for _ in range(2):
        made = expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 201)
        expect(await ada.post(f"/v1/games/{made['id']}/seats"), 201)
    cursor = expect(await ada.get("/v1/games?account=me&limit=1"), 200)["next"]
    tampered = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    for query in (
        f"account=me&cursor={tampered}",
        f"title=toy&cursor={cursor}",
        "cursor=AAAA",
        f"account=me&cursor={cursor}A",
    ):
        refused = expect(await ada.get(f"/v1/games?{query}"), 400)
        assert (refused["code"], refused["field"]) in {("invalid-cursor", "cursor"), ("invalid-query", "cursor")}


@pytest.mark.parametrize(
    "query,field",
    [
        *(("status=over", "status"), ("account=x", "account"), ("limit=0", "limit"), ("limit=201", "limit")),
        *(("open_seats=1", "open_seats"), ("title=A", "title"), ("order=new", "order"), ("limit=2&limit=2", "limit")),
    ],
)
async def test_a_filter_that_is_not_exactly_right_is_refused_by_name(
    http: httpx.AsyncClient, query: str, field: str
) -> None:
    refused = expect(await http.get(f"/v1/games?{query}"), 400)
    assert (refused["code"], refused["field"]) == ("invalid-query", field)


async def test_the_public_has_no_games_of_its_own(http: httpx.AsyncClient) -> None:
    assert expect(await http.get("/v1/games?account=me"), 401)["code"] == "token-required"


async def test_a_title_that_nobody_plays_has_no_games(http: httpx.AsyncClient) -> None:
    assert expect(await http.get(f"/v1/games?title=t{secrets.token_hex(4)}"), 200) == {"games": [], "next": None}


async def test_reading_a_waiting_game_seats_nobody(http: httpx.AsyncClient) -> None:
    """Fault 15."""
    table: Table = await new_game(http, seated=1)
    visitor = await account(http)
    before = expect(await visitor.get(table.path), 200)
    for path in ("", "/events", "?version=1"):
        expect(await visitor.get(f"{table.path}{path}"), 200)
    assert expect(await visitor.get(f"{table.path}/moves"), 403)["code"] == "not-seated"
    assert expect(await visitor.get(table.path), 200) == before
