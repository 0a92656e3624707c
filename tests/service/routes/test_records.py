"""Records over HTTP: redacted while a game runs, complete afterwards, and taken in by another service."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from random import Random

import asyncpg
import httpx
import pytest

from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from tests.faults.test_delay import play_as
from tests.harness.bringing import ENTRY, KNOWN, NDJSON, foreign, post, record_of, retold
from tests.harness.following import Follower
from tests.harness.lists import eventually
from tests.harness.recording import Recorded, account_of, recorded
from tests.harness.server import Client, Service, account, expect, http_client, new_game, one_move, play, serving


@pytest.mark.parametrize("title", list(KNOWN))
async def test_the_record_of_a_finished_game_is_complete_and_verified(http: httpx.AsyncClient, title: str) -> None:
    table = await new_game(http, 2, title)
    game = await play(table, picks=Random(1))
    data = await record_of(Client(http), table.id)
    for viewer in table.seats:
        assert await record_of(viewer, table.id) == data, "nothing is anyone's own any more"
    report = verify(data, KNOWN)
    assert report.verified, report.first_failure
    assert {check.outcome for check in report.checks} == {Outcome.passed}
    assert report.record is not None
    assert (report.record.end.hash, report.record.end.events) == (game["hash"], game["version"])


async def test_while_a_game_runs_its_record_is_redacted_and_its_hashes_are_the_true_ones(
    http: httpx.AsyncClient,
) -> None:
    table = await new_game(http)
    await one_move(table, 1, Random(0))
    viewers = [*table.seats, Client(http)]
    early = [await record_of(viewer, table.id) for viewer in viewers]
    for viewer, data in zip(viewers, early, strict=True):
        report = verify(data, KNOWN)
        assert report.first_failure is None
        assert not report.complete
        stream = await viewer.get(f"{table.path}/events", {"Accept": "application/x-ndjson"})
        told = [json.loads(line) for line in stream.text.splitlines()]
        lines = [json.loads(line) for line in data.splitlines()[1:-1]]
        assert [line["data"] for line in lines] == [each["data"] for each in told]
        assert [line["hash"] for line in lines] == [each["hash"] for each in told]
    blank = json.loads(early[2].splitlines()[-2])
    assert (blank["data"], blank["event"], blank["actor"]) == ({"type": "blank"}, "blank", None)
    await play(table, picks=Random(1))
    late = await record_of(Client(http), table.id)
    hashes = [json.loads(line)["hash"] for line in late.splitlines()[1:-1]]
    for data in early:
        assert [json.loads(line)["hash"] for line in data.splitlines()[1:-1]] == hashes[:4]


async def test_a_record_is_a_file_that_is_sent_again_only_when_it_has_changed(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    first = await table.seats[0].get(f"{table.path}/record")
    assert first.headers["content-type"] == "application/x-ndjson"
    assert first.headers["content-disposition"] == f'attachment; filename="{table.id}.ndjson"'
    seen = {"If-None-Match": first.headers["etag"]}
    assert (await table.seats[0].get(f"{table.path}/record", seen)).status_code == 304
    assert (await table.seats[1].get(f"{table.path}/record", seen)).status_code == 200
    assert first.headers["etag"] != (await table.seats[0].get(table.path)).headers["etag"]
    await one_move(table, 0, Random(0))
    assert (await table.seats[0].get(f"{table.path}/record", seen)).status_code == 200
    wrong = await table.seats[0].get(f"{table.path}/record", {"If-Match": first.headers["etag"]})
    assert expect(wrong, 412)["code"] == "precondition-failed"
    head = await table.seats[0].http.head(f"{table.path}/record", headers=table.seats[0].headers)
    assert (head.status_code, head.content) == (200, b"")


async def test_the_public_of_a_delayed_game_gets_a_record_that_lags_as_everything_does(http: httpx.AsyncClient) -> None:
    table = await new_game(http, spectator_delay={"versions": 3})
    await play_as(table, 4)
    public = expect(await http.get(table.path), 200)
    assert public["version"] < expect(await table.seats[0].get(table.path), 200)["version"]
    end = json.loads((await record_of(Client(http), table.id)).splitlines()[-1])
    assert (end["events"], end["hash"], end["complete"]) == (public["version"], public["hash"], False)
    own = json.loads((await record_of(table.seats[0], table.id)).splitlines()[-1])
    assert own["events"] > end["events"]


async def test_every_hash_that_a_watcher_was_told_is_that_of_the_complete_record(
    http: httpx.AsyncClient, shared_service: Service
) -> None:
    table = await new_game(http)
    watcher = Follower([shared_service.url], table.id, after=0)
    watching = asyncio.create_task(watcher.through(10))
    game = await play(table, picks=Random(4))
    assert len(await watching) >= 10
    told = [frame["event"]["hash"] for frame in watcher.frames if frame["type"] == "event"]
    lines = (await record_of(Client(http), table.id)).splitlines()
    assert told == [json.loads(line)["hash"] for line in lines[1:-1]][: len(told)]
    assert json.loads(lines[-1])["hash"] == game["hash"]


@pytest.fixture
async def elsewhere(service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    """Give a client of another service, which has never heard of any game."""
    async with http_client(service.url) as http:
        yield http


@pytest.mark.parametrize("title", list(KNOWN))
async def test_a_game_goes_from_one_service_to_another_byte_for_byte(
    http: httpx.AsyncClient, elsewhere: httpx.AsyncClient, title: str
) -> None:
    table = await new_game(http, 2, title)
    await play(table, picks=Random(2))
    data = await record_of(Client(http), table.id)
    bringer = await account(elsewhere)
    answer = await post(bringer, data)
    game = expect(answer, 201)
    assert answer.headers["location"] == table.path
    assert (game["id"], game["archived"], game["status"]) == (table.id, True, "finished")
    there = expect(await elsewhere.get(table.path), 200)
    here = expect(await http.get(table.path), 200)
    assert there == {**here, "archived": True}
    assert await record_of(Client(elsewhere), table.id) == data
    for version in range(1, here["version"] + 1):
        path = f"{table.path}?version={version}"
        assert (await elsewhere.get(path)).json() == {**(await http.get(path)).json(), "archived": True}
    events = [await each.get(f"{table.path}/events?limit=1000") for each in (elsewhere, http)]
    assert events[0].json()["events"] == events[1].json()["events"]
    told, first_told = [expect(await each.get(f"{table.path}/timeline"), 200) for each in (elsewhere, http)]
    first_told["moments"][0]["text"] += " It was played elsewhere and imported as a record."
    assert told == first_told


async def test_the_same_record_again_is_answered_with_the_same_game_and_stored_once(http: httpx.AsyncClient) -> None:
    data, bringer, other = foreign(11).record, await account(http), await account(http)
    answers = await asyncio.gather(*(post(each, data) for each in (bringer, other) * 4))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.content for answer in answers}) == 1
    assert len({answer.headers["location"] for answer in answers}) == 1
    keyed = await bringer.post("/v1/records", content=data, headers={**NDJSON, "Idempotency-Key": '"k"'})
    assert expect(keyed, 400)["code"] == "idempotency-key-refused"


async def test_the_record_of_a_game_that_was_played_here_is_known(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    await play(table, picks=Random(3))
    game = expect(await post(table.seats[0], await record_of(table.seats[0], table.id)), 200)
    assert (game["id"], game["archived"]) == (table.id, False)


async def test_another_history_under_a_known_id_is_a_conflict_and_changes_nothing(http: httpx.AsyncClient) -> None:
    bringer = await account(http)
    one = foreign(12)
    expect(await post(bringer, one.record), 201)
    created = one.games[0].created
    other = recorded(ENTRY.title, ENTRY.text, 2, 12, sittings=2)  # the same id and seed, and more to and fro
    assert other.games[0].created == created
    assert other.game_id == one.game_id
    conflict = expect(await post(bringer, other.record), 409)
    assert (conflict["code"], conflict["game"]) == ("record-conflict", one.game_id)
    assert await record_of(bringer, one.game_id) == one.record


async def test_the_id_of_a_running_game_is_not_taken_over(http: httpx.AsyncClient) -> None:
    table = await new_game(http)
    before = expect(await http.get(table.path), 200)
    forged = retold(foreign(13), table.id)
    assert expect(await post(table.seats[0], forged), 409)["code"] == "record-conflict"
    assert expect(await http.get(table.path), 200) == before
    await play(table, picks=Random(1))


async def test_an_archived_game_counts_for_nobody_and_nobody_acts_in_it(service: Service, database: str) -> None:
    """Its accounts are of another service, even where one here has the same id."""
    async with http_client(service.url) as http:
        bringer = await account(http)
        one = foreign(14)
        connection = await asyncpg.connect(database)
        await connection.execute(
            "insert into accounts values ($1, 'Namesake', 'namesake', $2, now())",
            account_of(0),
            hashlib.sha256(b"tl_namesake").digest(),
        )
        await connection.close()
        namesake = Client(http, "tl_namesake")
        expect(await namesake.get("/v1/accounts/me"), 200)
        expect(await post(bringer, one.record), 201)
        own = await new_game(http)
        for path in ("/v1/games", "/v1/games?account=me", "/v1/games?status=finished"):
            for viewer in (bringer, namesake, Client(http)):
                if viewer.token or "me" not in path:
                    listed = expect(await viewer.get(path), 200)["games"]
                    assert one.game_id not in {game["id"] for game in listed}

        async def alone() -> bool:
            return [game["id"] for game in expect(await http.get("/v1/games"), 200)["games"]] == [own.id]

        await eventually(alone)
        path = f"/v1/games/{one.game_id}"
        version = len(one.log)
        for target, body in (
            ("moves", {"expected_version": version, "move": {"type": "toy.decline"}}),
            ("undo", {"expected_version": version}),
        ):
            assert expect(await namesake.post(f"{path}/{target}", body), 409)["code"] == "game-over"
        assert expect(await bringer.post(f"{path}/seats", {}), 409)["code"] == "game-full"
        assert expect(await namesake.delete(f"{path}/seats/me"), 409)["code"] == "game-started"
        fork = expect(await bringer.post(f"{path}/forks", {"version": version - 2}), 201)
        assert (fork["archived"], fork["sandbox"]) == (False, True)


def with_set_of_its_own() -> Recorded:
    """A game with a component set that no service has."""
    return recorded(ENTRY.title, ENTRY.text.replace('id = "toy-1"', 'id = "toy-of-mine"', 1), 2, 15)


async def test_a_component_set_that_is_not_known_is_refused_by_its_hash(http: httpx.AsyncClient) -> None:
    one, bringer = with_set_of_its_own(), await account(http)
    refused = expect(await post(bringer, one.record), 422)
    assert (refused["code"], refused["component_hash"]) == ("unknown-component-set", one.opening.component_hash)
    assert expect(await bringer.get(f"/v1/games/{one.game_id}"), 404)["code"] == "no-such-game"
    path = f"/v1/titles/toy/components/{one.opening.component_hash}"
    assert expect(await bringer.get(path), 404)["code"] == "not-found", "nothing of it was stored"


async def test_a_component_set_that_is_not_known_is_taken_in_where_the_operator_allows_it(database: str) -> None:
    one = with_set_of_its_own()
    with serving(database, {"TABLELOG_FOREIGN_COMPONENT_SETS": "allow"}) as allowing:
        async with http_client(allowing.url) as http:
            bringer = await account(http)
            game = expect(await post(bringer, one.record), 201)
            assert game["component_set"] == "toy-of-mine"
            assert await record_of(bringer, one.game_id) == one.record
            wanted = {"title": "toy", "seats": 2, "component_set": "toy-of-mine"}
            assert expect(await bringer.post("/v1/games", wanted), 422)["code"] == "no-such-component-set"
    with serving(database) as refusing:  # and what is stored is known
        async with http_client(refusing.url) as http:
            again = recorded(ENTRY.title, one.text, 2, 16)
            assert expect(await post(await account(http), again.record), 201)["component_set"] == "toy-of-mine"
            assert expect(await http.get(f"/v1/games/{one.game_id}"), 200)["archived"]
