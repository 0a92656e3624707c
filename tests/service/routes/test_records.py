"""Records over HTTP: redacted while a game runs, complete afterwards, and taken in by another service."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from random import Random
from typing import Any, TypeAlias

import asyncpg
import httpx
import psutil
import pytest
from msgspec.structs import replace

from domain.catalogue import TITLES
from domain.kernel import proof
from domain.kernel.events import Delay, Fork, encode
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from service.routes.records import LARGEST
from service.settings import Settings
from tests.conformance.titles import ENTRIES
from tests.faults.test_delay import play_as
from tests.harness.following import Follower
from tests.harness.lists import eventually
from tests.harness.recording import Logged, Recorded, account_of, logged, recorded, with_event, write
from tests.harness.server import Client, Service, account, expect, http_client, new_game, one_move, play, serving
from tests.toy import TITLE as TOY

KNOWN = {**TITLES, "toy": TOY}
MOST_EVENTS = Settings(database_url="").game_events
NDJSON = {"Content-Type": "application/x-ndjson"}
ENTRY = next(entry for entry in ENTRIES if entry.title.id == "toy")


def foreign(number: int, seats: int = 2) -> Recorded:
    """A game of the toy that was played elsewhere."""
    return recorded(ENTRY.title, ENTRY.text, seats, number, undo=0.3)


async def record_of(viewer: Client, game: str) -> bytes:
    answer = await viewer.get(f"/v1/games/{game}/record")
    assert answer.status_code == 200, answer.text
    return answer.content


async def post(client: Client, data: bytes) -> httpx.Response:
    return await client.post("/v1/records", content=data, headers=NDJSON)


async def refused(client: Client, data: bytes) -> dict[str, Any]:
    answer = expect(await post(client, data), 422)
    assert answer["code"] == "bad-record"
    assert answer["line"] >= 1
    return answer


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


def retold(of: Recorded, game_id: str, title: str = "toy") -> bytes:
    """The same game under another id, by someone who has made up all of it."""
    created = replace(of.games[0].created, commitment=proof.commitment(game_id, of.seed), title=title)
    log = (logged(created, of.log[0].rules_version), *of.log[1:])
    return write(replace(of.opening, game=game_id, title=title), of.seed, log)


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


Spoilt: TypeAlias = tuple[str, bytes, int | None]
"""What is wrong, the record, and the line where it is (None: any)."""


def damaged() -> Iterator[Spoilt]:
    """Records that came to harm on their way."""
    data = foreign(20).record
    lines = data.splitlines(keepends=True)
    last = len(lines)
    yield "empty", b"", 1
    yield "cut between lines", b"".join(lines[:5]), 6
    yield "cut in a line", data[: len(data) // 2], None
    yield "cut at the last byte", data[:-1], last
    yield "reordered", b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]), 5
    yield "doubled", b"".join([*lines[:5], *lines[4:]]), 6
    yield "left out", b"".join([*lines[:5], *lines[6:]]), 6
    yield "twice", data + data, last + 1
    yield "wrong hash", b"".join([*lines[:5], lines[5].replace(b'"hash":"', b'"hash":"0', 1)[:-1] + b"\n"]), 6
    yield "deep line", lines[0] + b"[" * 1_000_000, 2
    yield "another component set", data.replace(b"toy-1", b"toy-2", 1), 1
    yield "no time", b"".join([*lines[:2], lines[2].replace(b"2026-01-01T", b"2026-13-01T"), *lines[3:]]), 3
    yield "anything", bytes(range(256)) * 100, 1


DAY = "2026-01-01T00:00:00.000000+00:00"
TIMES = {
    "0001-01-01T00:00:00.000000+00:00": 3,
    "1999-12-31T23:59:59.999999+00:00": 3,
    "3000-01-01T00:00:00.000000+00:00": 3,
    "9999-12-31T23:59:59.999999+00:00": 3,
    "2026-02-30T00:00:00.000000+00:00": 3,
    "2025-12-31T23:59:59.999999+00:00": 3,
    "2026-01-01T00:00:00.000001+00:00": 4,
}
"""Times of version 2 that cannot be stored or go back, and the line of the event that is refused for them."""


def forged() -> Iterator[Spoilt]:
    """Records whose hashes all fit, by someone who has made up the seed."""
    one = foreign(20)

    def other(version: int, **changes: Any) -> bytes:
        """With another event at a version, hashed as if it had happened so."""
        log = [*one.log]
        values = {name: getattr(log[version - 1], name) for name in ("event", "actor", "rules_version", "data")}
        log[version - 1] = Logged(**{**values, **changes})
        return write(one.opening, one.seed, log)

    taken = one.events[1]
    yield "unknown type", other(2, event="seat_warmed", data=b'{"type":"seat_warmed","seat":0}'), 3
    yield "type and data differ", other(2, event="seat_left"), 3
    yield "no object", other(2, data=b"[1]"), 3
    yield "no type", other(2, data=b"{}"), 3
    yield "NUL in a name", other(2, data=encode(replace(taken, name="a\0b"))), 3
    yield "a name that turns the line", other(2, data=encode(replace(taken, name="a\u202eb"))), 3
    yield "a name in another form", other(2, data=encode(replace(taken, name="e\u0301"))), 3
    yield "a long name", other(2, data=encode(replace(taken, name="a" * 10_000))), 3
    yield "a lone surrogate", other(2, data=encode(taken).replace(b'"Ada"', b'"\\ud800"')), 3
    yield "no UTF-8", other(2, data=encode(taken).replace(b'"Ada"', b'"\xff"')), 3
    yield "entropy of any length", other(2, data=encode(replace(taken, entropy="x" * 65))), 3
    yield "NUL in an actor", other(2, actor="a\0"), 3
    yield "an actor that is no account", retold_by(one, "nobody"), 2
    yield "NUL in a rules version", other(2, rules_version="toy/1\0"), 3
    yield "another rules version", other(2, rules_version="toy/9"), 3
    yield "deep data", other(2, data=b'{"type":"seat_taken","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), 3
    yield "huge number", other(2, data=encode(taken).replace(b'"seat":0', b'"seat":' + b"9" * 5_000)), 3
    yield "1e400", other(2, data=encode(taken).replace(b'"seat":0', b'"seat":1e400')), 3
    yield "many seats", other(1, data=encode(replace(one.games[0].created, seats=10**12))), 2
    yield "another game's id", retold(one, "g" + "0" * 19), 1
    yield "an id with a slash", retold(one, "g/../../etc"), 1
    yield "a title that is not here", retold(one, one.game_id, title="go"), 1
    yield "forked from nowhere", with_event(one, 1, replace(one.games[0].created, visibility="secret")), 2
    many = [one.log[0], *([one.log[1], one.log[2]] * 1_500)]
    yield "more events than are taken", write(one.opening, one.seed, many), MOST_EVENTS + 2
    created = one.games[0].created
    for version in (0, -1, 2**53, 2**63, 2**63 - 1):
        fork = replace(created, forked_from=Fork("g" + "0" * 20, version))
        yield f"forked from version {version}", other(1, data=encode(fork)), 2
    for delay in (Delay(-1, 0), Delay(1_001, 0), Delay(0, 86_401), Delay(0, 2**63)):
        yield f"{delay}", other(1, data=encode(replace(created, spectator_delay=delay))), 2
    for seconds in (-1, 604_801, 2**63):
        yield f"{seconds} seconds to reveal", other(1, data=encode(replace(created, reveal_seconds=seconds))), 2
    for at, line in TIMES.items():
        yield at, write(one.opening, one.seed, one.log, at=lambda version, at=at: at if version == 2 else DAY), line
    yield "no end", write(one.opening, one.seed, one.log[:-1]), None
    yield "redacted", write(one.opening, one.seed, one.log[:-1], complete=False), None


def retold_by(of: Recorded, creator: str) -> bytes:
    created = replace(of.games[0].created, creator=creator)
    log = (Logged("game_created", creator, of.log[0].rules_version, encode(created)), *of.log[1:])
    return write(of.opening, of.seed, log)


async def test_a_hostile_record_is_refused_by_the_line_and_nothing_is_stored(service: Service, database: str) -> None:
    """Fault 34."""
    async with http_client(service.url) as http:
        bringer = await account(http)
        for what, data, line in (*damaged(), *forged()):
            answer = await refused(bringer, data)
            assert line is None or answer["line"] == line, (what, answer)
            assert "version" not in answer or answer["version"] == max(answer["line"] - 1, 1), (what, answer)
        connection = await asyncpg.connect(database)
        for table in ("events", "seeds", "imports"):
            assert await connection.fetchval(f"select count(*) from {table}") == 0  # noqa: S608 - the names above
        await connection.close()
        assert expect(await post(bringer, foreign(20).record), 201)
    assert "Traceback" not in service.log


async def test_every_single_byte_counts(http: httpx.AsyncClient) -> None:
    data, bringer, picks = foreign(21).record, await account(http), Random(1)
    for place in picks.sample(range(len(data)), 40):
        changed = data[:place] + bytes([data[place] ^ picks.randrange(1, 256)]) + data[place + 1 :]
        await refused(bringer, changed)
    assert expect(await post(bringer, data), 201)


async def test_a_record_that_is_too_large_is_refused_while_it_comes(http: httpx.AsyncClient) -> None:
    bringer = await account(http)

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"x" * 65_536

    for content in (b"x" * (LARGEST + 1), chunks()):
        answer = await bringer.post("/v1/records", content=content, headers=NDJSON)
        assert (expect(answer, 413)["code"], answer.json()["most"]) == ("body-too-large", LARGEST)
    assert (await refused(bringer, b"x" * LARGEST))["line"] == 1


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "", "application/x-ndjson; charset=latin-1"])
async def test_a_record_comes_as_ndjson_and_as_nothing_else(http: httpx.AsyncClient, kind: str) -> None:
    bringer = await account(http)
    answer = await bringer.post("/v1/records", content=foreign(22).record, headers={"Content-Type": kind})
    assert expect(answer, 415)["allowed"] == ["application/x-ndjson"]


def longest(number: int = 23) -> Recorded:
    """A game of the toy with as many events as there may be: a seat is taken and left again and again."""
    return recorded(ENTRY.title, ENTRY.text, 2, number, sittings=(MOST_EVENTS - 100) // 2)


@pytest.fixture
async def patient(database: str) -> AsyncGenerator[httpx.AsyncClient]:
    """Give a client of a service that gives records more time, for slow machines."""
    with serving(database, {"TABLELOG_RECORD_SECONDS": "20"}) as service:
        async with http_client(service.url) as http:
            yield http


async def test_others_are_answered_while_large_records_are_verified(patient: httpx.AsyncClient) -> None:
    bringer = await account(patient)
    one = longest()
    assert MOST_EVENTS - 100 < len(one.log) <= MOST_EVENTS
    work = asyncio.gather(*(post(bringer, each.record) for each in (one, *(longest(100 + n) for n in range(9)))))
    slowest, answered = 0.0, 0
    while not work.done():
        begun = time.monotonic()
        expect(await bringer.get("/v1/accounts/me"), 200)
        slowest, answered = max(slowest, time.monotonic() - begun), answered + 1
    answers = await work
    assert [answer.status_code for answer in answers] == [201] * 10
    assert answered > 10
    assert slowest < 1.0, "a request takes some milliseconds, also beside ten records"
    assert await record_of(bringer, one.game_id) == one.record


async def test_a_process_stops_in_time_in_the_middle_of_a_verification_and_leaves_no_worker_behind(
    database: str,
) -> None:
    with serving(database, {"TABLELOG_RECORD_SECONDS": "20"}) as service:
        async with http_client(service.url) as http:
            bringer = await account(http)
            data = [longest(200 + number).record for number in range(3)]
            work = [asyncio.create_task(post(bringer, each)) for each in data]

            async def has_worker() -> bool:
                return bool(worker_of(service))

            await eventually(has_worker)
            workers = worker_of(service)
            assert await asyncio.to_thread(service.interrupt) == 0
            for answer in await asyncio.gather(*work, return_exceptions=True):
                assert isinstance(answer, httpx.TransportError | httpx.Response)
                assert isinstance(answer, httpx.TransportError) or answer.status_code in {201, 503}
            assert not [each for each in workers if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
            assert "Traceback" not in service.log


def worker_of(service: Service) -> list[psutil.Process]:
    """The processes that a service has started."""
    return psutil.Process(service.pid).children()
