"""Server-sent events over HTTP: where they begin, what is refused, and what their clients are told beside them."""

from __future__ import annotations

import httpx
import pytest

from tests.harness.contract import EVENT_STREAM
from tests.harness.server import Client, Service, account, expect, new_game, play
from tests.harness.server_sent import listening

TAKEN = {"Accept": EVENT_STREAM}


async def test_without_a_position_the_game_comes_first_and_then_what_happens(
    shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http, seated=0)
    epoch = await epoch_of(http, table.path)
    async with listening(f"{shared_service.url}{table.path}/events") as events:
        hello = await events.next()
        assert (hello.event, hello.frame["version"], hello.id) == ("hello", 1, f"{epoch}:1")
        expect(await table.seats[0].post(f"{table.path}/seats", {"seat": 0}), 201)
        event = await events.next()
        assert (event.event, event.frame["version"], event.id) == ("event", 2, f"{epoch}:2")
        assert int(events.fields["retry"]) > 0


async def epoch_of(http: httpx.AsyncClient, path: str) -> str:
    return expect(await http.get(f"{path}/events"), 200)["epoch"]


async def test_the_head_of_the_answer_is_there_before_anything_happens(
    shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http, seated=0)
    page = "https://page.example"
    async with listening(f"{shared_service.url}{table.path}/events", headers={"Origin": page}) as events:
        told = events.answer.headers
        assert events.answer.status_code == 200
        assert told["content-type"] == "text/event-stream; charset=utf-8"
        assert "no-cache" in told["cache-control"]
        assert told["x-accel-buffering"] == "no"
        assert told["access-control-allow-origin"] == "*"


async def test_the_whole_game_is_sent_as_each_viewer_may_see_it(
    shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    game = await play(table)
    assert game["status"] == "finished"
    for viewer in (*table.seats, await account(http), Client(http)):
        async with listening(f"{shared_service.url}{table.path}/events?after=0", viewer.token) as events:
            resumed, *sent = await events.through(game["version"])
        assert (resumed.event, resumed.frame["head"]) == ("resumed", game["version"])
        page = expect(await viewer.get(f"{table.path}/events?limit=1000"), 200)["events"]
        assert [each.frame["event"] for each in sent] == page


async def test_who_sits_down_while_watching_is_sent_that_very_event_as_a_seat(
    shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http, seated=1)
    bo = table.seats[1]
    async with (
        listening(f"{shared_service.url}{table.path}/events", bo.token) as as_bo,
        listening(f"{shared_service.url}{table.path}/events") as as_nobody,
    ):
        assert [(await events.next()).frame["seat"] for events in (as_bo, as_nobody)] == [None, None]
        expect(await bo.post(f"{table.path}/seats", {}), 201)
        version = (await play(table, 3))["version"]
        for events, viewer in ((as_bo, bo), (as_nobody, Client(http))):
            sent = await events.through(version)
            page = expect(await viewer.get(f"{table.path}/events?after=2"), 200)["events"]
            assert [each.frame["event"] for each in sent] == page


async def test_a_position_in_the_header_wins_over_the_one_in_the_address(
    shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    epoch = await epoch_of(http, table.path)
    url = f"{shared_service.url}{table.path}/events"
    for query in ("", "?after=0", f"?after=1&epoch={epoch}", "?after=2&epoch=other"):
        async with listening(url + query, headers={"Last-Event-ID": f"{epoch}:2"}) as events:
            assert [(each.event, each.frame["version"]) for each in await events.through(3)] == [
                ("resumed", 2),
                ("event", 3),
            ]


@pytest.mark.parametrize(
    "position,reason",
    [
        ({"Last-Event-ID": "other:2"}, "epoch"),
        ({"Last-Event-ID": "{epoch}:4"}, "ahead"),
        ({"Last-Event-ID": "{epoch}:9007199254740991"}, "ahead"),
        ({"query": "?after=2&epoch=other"}, "epoch"),
        ({"query": "?after=4&epoch={epoch}"}, "ahead"),
        ({"query": "?after=2"}, "no-epoch"),
    ],
)
async def test_a_position_that_means_nothing_here_is_told_and_followed_by_the_game_as_it_is(
    shared_service: Service, http: httpx.AsyncClient, position: dict[str, str], reason: str
) -> None:
    table = await new_game(http)
    epoch = await epoch_of(http, table.path)
    filled = {name: value.format(epoch=epoch) for name, value in position.items()}
    async with listening(f"{shared_service.url}{table.path}/events{filled.pop('query', '')}", headers=filled) as events:
        resync, hello = await events.next(), await events.next()
        assert (resync.event, resync.frame["reason"], resync.id) == ("resync", reason, "")
        assert (hello.event, hello.id) == ("hello", f"{epoch}:3")


@pytest.mark.parametrize(
    "value",
    ["", "3", "e:", ":3", "e:-1", "e:03", "e:3.0", "e:abc", "e:9007199254740992", f"e:{2**63}", "a b:1", "e:1:1"],
)
async def test_a_malformed_position_is_refused_by_the_name_of_its_header(http: httpx.AsyncClient, value: str) -> None:
    table = await new_game(http, seated=0)
    answer = await http.get(f"{table.path}/events", headers={**TAKEN, "Last-Event-ID": value})
    refused = expect(answer, 400)
    assert (refused["code"], refused["field"]) == ("invalid-header", "Last-Event-ID")


async def test_a_position_that_comes_twice_is_refused(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=0)
    sent = [("Accept", EVENT_STREAM), ("Last-Event-ID", "e:1"), ("Last-Event-ID", "e:2")]
    assert expect(await http.get(f"{table.path}/events", headers=sent), 400)["field"] == "Last-Event-ID"


@pytest.mark.parametrize(
    "query,field", [("limit=5", "limit"), ("epoch=e", "epoch"), ("after=-1", "after"), ("after=x", "after")]
)
async def test_a_wrong_parameter_is_refused_by_name(http: httpx.AsyncClient, query: str, field: str) -> None:
    table = await new_game(http, seated=0)
    refused = expect(await http.get(f"{table.path}/events?{query}", headers=TAKEN), 400)
    assert (refused["code"], refused["field"]) == ("invalid-query", field)


async def test_pages_and_lines_take_no_epoch_and_heed_no_position(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=0)
    for accept in ("application/json", "application/x-ndjson"):
        sent = {"Accept": accept, "Last-Event-ID": "nonsense"}
        assert (await http.get(f"{table.path}/events", headers=sent)).status_code == 200
        assert expect(await http.get(f"{table.path}/events?epoch=e", headers=sent), 400)["field"] == "epoch"


async def test_what_keeps_a_stream_from_beginning_is_a_problem_like_any_other(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=0)
    assert expect(await http.get(f"/v1/games/g{'0' * 20}/events", headers=TAKEN), 404)["code"] == "no-such-game"
    wrong = {**TAKEN, "Authorization": "Bearer tl_nobody"}
    assert expect(await http.get(f"{table.path}/events", headers=wrong), 401)["code"] == "invalid-token"


async def test_to_ask_for_the_head_alone_begins_nothing(http: httpx.AsyncClient) -> None:
    table = await new_game(http, seated=0)
    answer = await http.head(f"{table.path}/events", headers=TAKEN)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
