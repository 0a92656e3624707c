"""A page from anywhere can play by the contract alone, unless the service names the origins whose pages may."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.chromium import Page
from tests.browser.elsewhere import Elsewhere
from tests.harness.server import http_client, new_game, serving

pytestmark = pytest.mark.browser


def ask(page: Page, url: str, **how: Any) -> dict[str, Any]:
    """What a page was answered, as far as it could read that."""
    return page.run("return await ask(...given)", url, how)


@pytest.mark.parametrize("allowed", ["any", "named"])
def test_a_page_of_another_origin_plays_and_reads_all_that_it_needs(
    page: Page, elsewhere: Elsewhere, database: str, allowed: str
) -> None:
    with serving(database, {"TABLELOG_ALLOWED_ORIGINS": elsewhere.origin} if allowed == "named" else {}) as service:
        page.open(elsewhere.origin)
        players = [
            ask(page, f"{service.url}/v1/accounts", method="POST", body={"name": name})["body"]["token"]
            for name in ("Ada", "Bo")
        ]
        key = {"Idempotency-Key": "a-game-of-the-page"}
        opening: dict[str, Any] = {"method": "POST", "token": players[0], "headers": key}
        opening["body"] = {"title": "toy", "seats": 2}
        made = ask(page, f"{service.url}/v1/games", **opening)
        assert (made["status"], made["headers"]["Idempotency-Replayed"]) == (201, None)
        repeated = ask(page, f"{service.url}/v1/games", **opening)
        assert (repeated["body"], repeated["headers"]["Idempotency-Replayed"]) == (made["body"], "true")
        assert repeated["headers"]["Location"] == made["headers"]["Location"] == f"/v1/games/{made['body']['id']}"

        game = f"{service.url}{made['headers']['Location']}"
        for seat, token in enumerate(players):
            sat = ask(page, f"{game}/seats", method="POST", token=token, body={"seat": seat})
            assert sat["status"] == 201
        seen = ask(page, game, token=players[0])
        known = {"token": players[0], "headers": {"If-None-Match": seen["headers"]["ETag"]}}
        same = ask(page, game, **known)
        assert (same["status"], same["headers"]["ETag"]) == (304, seen["headers"]["ETag"])

        (seat, *_) = seen["body"]["to_move"]
        legal = ask(page, f"{game}/moves", token=players[seat])["body"]
        body = {"expected_version": legal["version"], "move": legal["moves"][0]["example"]}
        moving = {"method": "POST", "token": players[seat], "body": body}
        tag = legal_tag(page, game, players[seat])
        moved = ask(page, f"{game}/moves", **moving, headers={"Idempotency-Key": "1", "If-Match": tag})
        assert moved["status"] == 201
        assert ask(page, f"{game}/moves", **moving)["body"]["code"] == "stale-version"
        assert ask(page, game, **known)["body"]["version"] == legal["version"] + 1

        assert ask(page, game, token="tl_nobody")["headers"]["WWW-Authenticate"].startswith("Bearer ")
        assert "GET" in ask(page, game, method="DELETE")["headers"]["Allow"]
        assert ask(page, f"{game}/seats/me", method="DELETE", token=players[0])["body"]["code"] == "game-started"


def legal_tag(page: Page, game: str, token: str) -> str:
    return ask(page, game, token=token)["headers"]["ETag"]


async def test_a_page_of_an_origin_that_is_not_named_learns_nothing(
    page: Page, elsewhere: Elsewhere, database: str
) -> None:
    with serving(database, {"TABLELOG_ALLOWED_ORIGINS": elsewhere.origin}) as service:
        async with http_client(service.url) as http:
            table = await new_game(http)
        asked = {"headers": {"Authorization": f"Bearer {table.seats[0].token}"}}
        reading = "return await ask(...given).then(({ status }) => status, (error) => error.name)"
        watching = "window.heard = watch(given[0])"
        socket = "window.heard = connect(given[0], { type: 'subscribe', game: given[1] })"
        live = f"ws{service.url.removeprefix('http')}/v1/live"

        page.open(elsewhere.other_origin)
        assert page.run(reading, service.url + table.path) == "TypeError"
        assert page.run(reading, f"{service.url}{table.path}/moves", asked) == "TypeError"
        page.run(watching, f"{service.url}{table.path}/events")
        page.until("heard.source.readyState === EventSource.CLOSED")
        assert page.run("return heard.told") == ["broken"]
        page.run(socket, live, table.id)
        page.until("heard.code !== null")
        assert page.run("return [heard.code, heard.frames.map((each) => each.code)]") == [4403, ["origin-refused"]]

        page.open(elsewhere.origin)
        assert page.run(reading, service.url + table.path) == 200
        assert page.run(reading, f"{service.url}{table.path}/moves", asked) == 200
        page.run(watching, f"{service.url}{table.path}/events")
        page.until("heard.frames.length")
        page.run(socket, live, table.id)
        page.until("heard.frames.some((each) => each.type === 'hello')")
