"""Events over HTTP: pages and streams, redacted for each viewer."""

from __future__ import annotations

import json
from random import Random

import httpx
import pytest

from tests.harness.server import Client, expect, new_game, play


async def test_pages_and_the_stream_tell_the_same_events(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    game = await play(table, 6, Random(1))
    for viewer in (*table.seats, Client(http)):
        after, paged = 0, list[object]()
        while True:
            page = expect(await viewer.get(f"{table.path}/events?after={after}&limit=2"), 200)
            assert (page["game"], page["version"]) == (table.id, game["version"])
            paged += page["events"]
            if not page["more"]:
                break
            after = page["events"][-1]["version"]
        streamed = await viewer.get(f"{table.path}/events", {"Accept": "application/x-ndjson"})
        lines = [json.loads(line) for line in streamed.text.splitlines()]
        assert lines == paged
        assert [line["version"] for line in lines] == list(range(1, game["version"] + 1)), "none left out"


async def test_a_stream_is_cut_to_what_is_asked(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    answer = await http.get(f"{table.path}/events?after=1&limit=1", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line)["version"] for line in answer.text.splitlines()] == [2]


@pytest.mark.parametrize("after", [3, 4, 2**53 - 1])
async def test_there_is_nothing_after_the_last_event(http: httpx.AsyncClient, after: int) -> None:
    table = await new_game(http)
    page = expect(await http.get(f"{table.path}/events?after={after}"), 200)
    assert (page["events"], page["more"], page["version"]) == ([], False, 3)
    stream = await http.get(f"{table.path}/events?after={after}", headers={"Accept": "application/x-ndjson"})
    assert (stream.status_code, stream.content) == (200, b"")


async def test_a_viewer_gets_a_blank_for_what_is_hidden_and_no_hole(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    await play(table, 1, Random(0))
    own = [expect(await each.get(f"{table.path}/events?after=3"), 200)["events"][0]["data"] for each in table.seats]
    assert sorted(data["type"] for data in own) == ["blank", "move_made"]


@pytest.mark.parametrize(
    "query,field", [("after=-1", "after"), ("limit=0", "limit"), ("limit=1001", "limit"), ("x=1", "x")]
)
async def test_a_wrong_parameter_is_refused_by_name(http: httpx.AsyncClient, query: str, field: str) -> None:
    table = await new_game(http, seated=0)
    refused = expect(await http.get(f"{table.path}/events?{query}"), 400)
    assert (refused["code"], refused["field"]) == ("invalid-query", field)
