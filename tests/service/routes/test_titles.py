"""Titles and component sets over HTTP."""

from __future__ import annotations

import httpx
import pytest
from jsonschema_rs import is_valid

from domain.catalogue import TITLES
from tests.harness.server import account, expect


async def test_every_title_tells_how_a_game_of_it_is_opened(http: httpx.AsyncClient) -> None:
    titles = expect(await http.get("/v1/titles"), 200)["titles"]
    assert [title["id"] for title in titles] == [*TITLES, "toy"]
    ada = await account(http)
    for title in titles:
        assert {"en", "ja"} <= set(title["names"])
        for seats in (title["seats"]["least"], title["seats"]["most"]):
            for component_set in title["component_sets"]:
                body = {"title": title["id"], "seats": seats, "component_set": component_set}
                game = expect(await ada.post("/v1/games", body), 201)
                assert is_valid(title["options"], game["options"])


async def test_a_component_set_is_told_in_words_by_id_and_by_the_hash_that_a_game_names(
    http: httpx.AsyncClient,
) -> None:
    ada = await account(http)
    game = expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 201)
    by_id = expect(await http.get(f"/v1/titles/toy/components/{game['component_set']}"), 200)
    assert by_id["pieces"][0]["names"] == {"en": "Ant", "ja": "アリ"}
    assert expect(await http.get(f"/v1/titles/toy/components/{game['component_hash']}"), 200) == by_id


@pytest.mark.parametrize(
    "path", ["toy/components/nope", "chess/components/toy-1", "toy/components/%00", "%00/components/x"]
)
async def test_there_is_nothing_where_nothing_is(http: httpx.AsyncClient, path: str) -> None:
    assert expect(await http.get(f"/v1/titles/{path}"), 404)["code"] == "not-found"


async def test_a_hash_of_another_title_s_set_is_not_found(http: httpx.AsyncClient) -> None:
    ada = await account(http)
    game = expect(await ada.post("/v1/games", {"title": "toy", "seats": 2}), 201)
    refused = await http.get(f"/v1/titles/spacelab/components/{game['component_hash']}")
    assert expect(refused, 404)["code"] == "not-found"
