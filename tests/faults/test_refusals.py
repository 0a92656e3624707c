"""A refused request is told to whoever sent it, with enough in the body to go on from there and nothing else.

Each code of the contract has a scene here: somebody does something wrong, is refused, and takes from the body of the
refusal what it needs to do it right. A code without a scene says why it has none.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import httpx
import pytest

from service.app import OPERATIONS
from service.openapi.codes import codes
from service.problems import CODES
from tests.harness.play import random_wire_move
from tests.harness.processes import Processes, due_move
from tests.harness.server import Client, Table, account, expect, play

Refused: TypeAlias = dict[str, Any]

NONE_HERE: Mapping[str, str] = {
    "invalid-request": "what cannot be read as HTTP at all: service/contract/test_protocol.py",
    "internal-error": "is a bug: no test of the whole run may meet it",
    "request-timeout": "wants a body that does not come: service/contract/test_bodies.py",
    "headers-too-large": "wants a head that no client library sends: service/contract/test_protocol.py",
    "record-conflict": "wants a forged history: service/routes/test_records.py",
    "unavailable": "wants a database that is away: faults/test_outages.py",
    "game-unreadable": "wants a broken log: faults/test_projections.py",
}


@dataclass
class Stage:
    """What a scene is played on: a game that has begun, the two who play it, and a stranger."""

    processes: Processes
    table: Table
    stranger: Client

    @property
    def ada(self) -> Client:
        """Who sits at seat 0."""
        return self.table.seats[0]

    @property
    def path(self) -> str:
        """The path of the game."""
        return self.table.path

    @property
    def moves(self) -> str:
        """The path of its moves."""
        return f"{self.table.path}/moves"


Scene: TypeAlias = Callable[[Stage], AsyncGenerator[Awaitable[httpx.Response], httpx.Response]]
"""Gives a request that is refused, takes the answer, and gives one that is not."""

SCENES: dict[str, Scene] = {}


def scene(code: str) -> Callable[[Scene], Scene]:
    """Note what a code is shown by."""

    def note(of: Scene) -> Scene:
        SCENES[code] = of
        return of

    return note


def lay(card: str) -> dict[str, Any]:
    """A move of the toy."""
    return {"type": "toy.lay_card", "card": card}


async def legal_body(player: Client, stage: Stage, version: int | None = None) -> dict[str, Any]:
    """A legal move, for the version that a refusal told (None: that of the list)."""
    legal = expect(await player.get(stage.moves), 200)
    return {"expected_version": version or legal["version"], "move": random_wire_move(legal, Random(0))}


@scene("stale-version")
async def _stale_version(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = await legal_body(stage.ada, stage)
    refused = (yield stage.ada.post(stage.moves, {**body, "expected_version": 1})).json()
    # It missed everything since version 1, and is told up to where to read.
    page = expect(await stage.ada.get(f"{stage.path}/events?after=1&limit={refused['current_version'] - 1}"), 200)
    assert page["events"][-1]["version"] == refused["current_version"]
    yield stage.ada.post(stage.moves, await legal_body(stage.ada, stage, refused["current_version"]))


@scene("not-your-turn")
async def _not_your_turn(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = await legal_body(stage.ada, stage)
    made = expect(await stage.ada.post(stage.moves, body), 201)
    again = {"expected_version": made["version"], "move": body["move"]}
    waiting: list[int] = (yield stage.ada.post(stage.moves, again)).json()["to_move"]
    (seat,) = waiting
    yield stage.table.seats[seat].post(stage.moves, await legal_body(stage.table.seats[seat], stage))


@scene("illegal-move")
async def _illegal_move(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = await legal_body(stage.ada, stage)
    wrong = expect(await stage.ada.post(stage.moves, {**body, "move": {"type": "toy.decline"}}), 422)
    assert wrong["field"] == "move.type"
    move = {**body["move"], "type": wrong["allowed"][0]}
    refused = (yield stage.ada.post(stage.moves, {**body, "move": {**move, "card": "none"}})).json()
    legal = expect(await stage.ada.get(stage.moves), 200)
    field = refused["field"].removeprefix("move.")
    case = next(offer["cases"][0] for offer in legal["moves"] if offer["type"] == move["type"])
    yield stage.ada.post(stage.moves, {**body, "move": {**move, field: case[field]["one_of"][0]}})


@scene("game-not-started")
async def _game_not_started(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(2, seated=1)
    yield table.seats[0].post(f"{table.path}/moves", {"expected_version": 2, "move": lay("ant_1")})
    expect(await table.seats[1].post(f"{table.path}/seats"), 201)
    player, body = await due_move(table)
    yield player.post(f"{table.path}/moves", body)


@scene("game-over")
async def _game_over(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = await legal_body(stage.ada, stage)
    over = await play(stage.table)
    yield stage.ada.post(stage.moves, {**body, "expected_version": over["version"]})
    yield stage.ada.get(f"{stage.path}?reveal=true")


@scene("not-seated")
async def _not_seated(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(2, seated=0)
    yield table.seats[0].get(f"{table.path}/moves")
    expect(await table.seats[0].post(f"{table.path}/seats"), 201)
    yield table.seats[0].get(f"{table.path}/moves")


@scene("already-seated")
async def _already_seated(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post(f"{stage.path}/seats")).json()
    assert expect(await stage.ada.get(stage.moves), 200)["seat"] == refused["seat"]
    yield stage.ada.post(stage.moves, await legal_body(stage.ada, stage))


@scene("seat-taken")
async def _seat_taken(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(3, seated=1)
    refused = (yield table.seats[1].post(f"{table.path}/seats", {"seat": 0})).json()
    assert refused["field"] == "seat"
    yield table.seats[1].post(f"{table.path}/seats", {"seat": refused["free_seats"][0]})


@scene("no-such-seat")
async def _no_such_seat(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    table = await stage.processes.new_game(3, seated=0)
    refused = (yield table.seats[0].post(f"{table.path}/seats", {"seat": 7})).json()
    assert (refused["field"], refused["least"]) == ("seat", 0)
    yield table.seats[0].post(f"{table.path}/seats", {refused["field"]: refused["most"]})


@scene("game-full")
async def _game_full(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.stranger.post(f"{stage.path}/seats")
    yield stage.stranger.get("/v1/games?open_seats=true")


@scene("game-started")
async def _game_started(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.delete(f"{stage.path}/seats/me")
    yield stage.ada.post(stage.moves, await legal_body(stage.ada, stage))


@scene("game-not-finished")
async def _game_not_finished(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.get(f"{stage.path}?reveal=true")).json()
    yield stage.ada.get(stage.path if refused["field"] == "reveal" else "")


@scene("no-such-game")
async def _no_such_game(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.get(f"/v1/games/g{'0' * 20}")
    yield stage.ada.get("/v1/games?account=me")


@scene("no-such-version")
async def _no_such_version(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.get(f"{stage.path}?version=99")).json()
    yield stage.ada.get(f"{stage.path}?{refused['field']}={refused['current_version']}")


@scene("precondition-failed")
async def _precondition_failed(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = await legal_body(stage.ada, stage)
    refused = (yield stage.ada.post(stage.moves, body, {"If-Match": '"old"'})).json()
    yield stage.ada.post(stage.moves, body, {refused["field"]: refused["current_etag"]})


@scene("no-such-title")
async def _no_such_title(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = {"title": "chess", "seats": 2}
    refused = (yield stage.ada.post("/v1/games", body)).json()
    yield stage.ada.post("/v1/games", {**body, refused["field"]: refused["titles"][0]})


@scene("no-such-component-set")
async def _no_such_component_set(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = {"title": "toy", "seats": 2, "component_set": "none"}
    refused = (yield stage.ada.post("/v1/games", body)).json()
    yield stage.ada.post("/v1/games", {**body, refused["field"]: refused["component_sets"][0]})


@scene("bad-seat-count")
async def _bad_seat_count(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/games", {"title": "toy", "seats": 99})).json()
    yield stage.ada.post("/v1/games", {"title": "toy", refused["field"]: refused["most"]})


@scene("bad-options")
async def _bad_options(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    titles = expect(await stage.ada.get("/v1/titles"), 200)["titles"]
    (schema,) = (title["options"] for title in titles if title["id"] == "chimera")
    (factions,) = (each["items"]["enum"] for each in schema_of(schema, "factions")["anyOf"] if "items" in each)
    options: dict[str, Any] = {"sides": "standard", "factions": factions[:2]}
    body = {"title": "chimera", "seats": 2}
    refused = (yield stage.ada.post("/v1/games", {**body, "options": options})).json()
    other = schema_of(schema, refused["field"].removeprefix("options."))["enum"]
    yield stage.ada.post("/v1/games", {**body, "options": {**options, "sides": other[0]}})


def schema_of(options: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of one of a title's options."""
    definitions: dict[str, Any] = options["$defs"]
    return definitions[options["$ref"].rpartition("/")[2]]["properties"][name]


@scene("impossible-position")
async def _impossible_position(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    await play(stage.table)
    position = expect(await stage.ada.get(f"{stage.path}?version=5&reveal=true"), 200)["revealed"]
    body = {"title": "toy", "seats": 2}
    refused = (yield stage.ada.post("/v1/games", {**body, "position": {**position, "deck": []}})).json()
    assert refused["detail"]
    yield stage.ada.post("/v1/games", {**body, "position": position})


async def final_move(stage: Stage, final: str | None) -> tuple[Client, Table, int]:
    """Play until a move was made that is final for this reason; who made it, and the version.

    Five seats use the deck up soon, and then the discards are shuffled.
    """
    for number in range(20):
        table = await stage.processes.new_game(5, "toy", options={"rounds": 6})
        picks = Random(number)
        while (await stage.ada.get(table.path)).json()["status"] == "running":
            who, body = await due_move(table, picks)
            made = expect(await who.post(f"{table.path}/moves", body), 201)
            if made["event"]["data"].get("final") == final:
                return who, table, made["version"]
    message = f"no move is final because of {final}"
    raise AssertionError(message)


def undo_of(reason: str) -> Scene:
    """Somebody wants to take back what is final, and moves on instead."""

    async def played(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
        who, table, version = await final_move(stage, reason)
        yield who.post(f"{table.path}/undo", {"expected_version": version})
        player, body = await due_move(table)
        yield player.post(f"{table.path}/moves", body)

    return played


SCENES.update({f"undo-{reason}": undo_of(reason) for reason in ("chance", "hidden")})


@scene("undo-seat")
async def _undo_seat(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    _, table, _ = await final_move(stage, None)
    second, body = await due_move(table)
    made = expect(await second.post(f"{table.path}/moves", body), 201)
    to_come: list[int] = made["to_move"]
    (first,) = (each for seat, each in enumerate(table.seats) if each is not second and seat not in to_come)
    yield first.post(f"{table.path}/undo", {"expected_version": made["version"]})
    yield second.post(f"{table.path}/undo", {"expected_version": made["version"]})


@scene("undo-nothing")
async def _undo_nothing(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.post(f"{stage.path}/undo", {"expected_version": 3})
    yield stage.ada.post(stage.moves, await legal_body(stage.ada, stage))


@scene("bad-record")
async def _bad_record(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    await play(stage.table)
    record = (await stage.ada.get(f"{stage.path}/record")).content
    lines = record.splitlines(keepends=True)
    ndjson = {"Content-Type": "application/x-ndjson"}
    cut = b"".join([*lines[:4], *lines[5:]])
    refused = (yield stage.ada.post("/v1/records", content=cut, headers=ndjson)).json()
    assert refused["line"] == 5
    yield stage.ada.post("/v1/records", content=record, headers=ndjson)


@scene("idempotency-key-reused")
async def _idempotency_key_reused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    key = {"Idempotency-Key": '"open"'}
    expect(await stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, key), 201)
    refused = (yield stage.ada.post("/v1/games", {"title": "toy", "seats": 3}, key)).json()
    yield stage.ada.post("/v1/games", {"title": "toy", "seats": 3}, {refused["field"]: '"another"'})


@scene("idempotency-key-refused")
async def _idempotency_key_refused(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body, headers = {"name": f"kept {stage.ada.name}"}, {"Idempotency-Key": '"mine"'}
    refused = (yield stage.ada.post("/v1/accounts", body, headers)).json()
    yield stage.ada.post("/v1/accounts", body, {n: v for n, v in headers.items() if n != refused["field"]})


@scene("invalid-name")
async def _invalid_name(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/accounts", {"name": "x" * 41})).json()
    yield stage.ada.post("/v1/accounts", {refused["field"]: f"short {stage.ada.id}"})


@scene("name-taken")
async def _name_taken(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/accounts", {"name": stage.ada.name})).json()
    yield stage.ada.post("/v1/accounts", {refused["field"]: f"not {stage.ada.id}"})


@scene("token-required")
async def _token_required(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    answer = yield Client(stage.processes.http).get(stage.moves)
    (scheme, _) = answer.headers["www-authenticate"].split(" ", 1)
    yield stage.ada.http.get(stage.moves, headers={"Authorization": f"{scheme} {stage.ada.token}"})


@scene("invalid-token")
async def _invalid_token(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.http.get(stage.path, headers={"Authorization": "Bearer nobodys"})
    yield stage.ada.http.get(stage.path)


@scene("invalid-body")
async def _invalid_body(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body: dict[str, Any] = {"title": "toy", "seats": "2", "options": {"rounds": 2}}
    refused = (yield stage.ada.post("/v1/games", body)).json()
    yield stage.ada.post("/v1/games", {**body, refused["field"]: 2})


@scene("invalid-query")
async def _invalid_query(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    query = {"after": "0", "limit": "ten"}
    refused = (yield stage.ada.get(f"{stage.path}/events", params=query)).json()
    yield stage.ada.get(f"{stage.path}/events", params={**query, refused["field"]: "10"})


@scene("invalid-header")
async def _invalid_header(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, {"Idempotency-Key": '"open'})).json()
    yield stage.ada.post("/v1/games", {"title": "toy", "seats": 2}, {refused["field"]: '"open"'})


@scene("invalid-cursor")
async def _invalid_cursor(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    query = {"account": "me", "cursor": "AAAA"}
    refused = (yield stage.ada.get("/v1/games", params=query)).json()
    yield stage.ada.get("/v1/games", params={n: v for n, v in query.items() if n != refused["field"]})


@scene("not-found")
async def _not_found(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    yield stage.ada.get("/v1/tables")
    yield stage.ada.get("/openapi.json")


@scene("method-not-allowed")
async def _method_not_allowed(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    answer = yield stage.ada.http.put(stage.path, json={}, headers=stage.ada.headers)
    assert answer.json()["allowed"] == answer.headers["allow"].split(", ")
    yield stage.ada.http.request(answer.json()["allowed"][0], stage.path, headers=stage.ada.headers)


@scene("not-acceptable")
async def _not_acceptable(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    refused = (yield stage.ada.get(stage.path, {"Accept": "text/html"})).json()
    yield stage.ada.get(stage.path, {refused["field"]: refused["allowed"][0]})


@scene("body-too-large")
async def _body_too_large(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    name = f"large {stage.ada.id}"
    refused = (yield stage.ada.post("/v1/accounts", {"name": name, "more": "x" * 65_536})).json()
    body = b'{"name": "%s"}' % name.encode()
    padded = body + b" " * (refused["most"] - len(body))
    yield stage.ada.post("/v1/accounts", content=padded, headers={"Content-Type": "application/json"})


@scene("unsupported-media-type")
async def _unsupported_media_type(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    body = b'{"title": "toy", "seats": 2}'
    refused = (yield stage.ada.post("/v1/games", content=body, headers={"Content-Type": "text/plain"})).json()
    yield stage.ada.post("/v1/games", content=body, headers={refused["field"]: refused["allowed"][0]})


@pytest.mark.parametrize("code", SCENES)
async def test_a_refusal_is_told_with_enough_to_go_on(processes: Processes, code: str) -> None:
    stage = Stage(processes, await processes.new_game(), await account(processes.http))
    played = SCENES[code](stage)
    answer = await (await anext(played))
    assert (answer.status_code, answer.json()["code"]) == (CODES[code].status, code)
    answer = await (await played.asend(answer))
    assert answer.is_success, answer.text
    await played.aclose()


def test_every_code_that_an_operation_refuses_with_has_a_scene_or_a_reason_to_have_none() -> None:
    refused = {code for operation in OPERATIONS for found in codes(operation).values() for code in found}
    assert refused - SCENES.keys() == refused & NONE_HERE.keys()
    assert SCENES.keys() - refused == {"method-not-allowed"} - refused, "where there is no operation"


IMPATIENT = {"toy": {"type": "toy.decline"}, "spacelab": {"type": "spacelab.draw_labs"}}
"""Moves that can be written down without being asked."""


@pytest.mark.parametrize("title", IMPATIENT)
async def test_a_clumsy_player_who_hears_nothing_but_refusals_plays_a_game_to_its_end(
    processes: Processes, title: str
) -> None:
    """It believes in wrong versions, wrong turns and wrong moves, and is led by the refusals alone."""
    table = await processes.new_game(2, title)
    picks = Random(7)
    version, seat, met = 1, 0, set[str]()
    while True:
        player = processes.through(table.seats[seat], picks.randrange(2))
        legal = expect(await player.get(f"{table.path}/moves"), 200)
        move = random_wire_move(legal, picks) if legal["moves"] else IMPATIENT[title]
        if picks.random() < 0.1:  # a slip of the hand
            move = picks.choice([*IMPATIENT.values(), {"type": f"{title}.nonsense"}])
        answer = await player.post(f"{table.path}/moves", {"expected_version": version, "move": move})
        told = answer.json()
        met.add(told.get("code", ""))
        match told.get("code"):
            case None:
                version, (seat, *_) = told["version"], [*told["to_move"], 0]
            case "stale-version":
                version = told["current_version"]
            case "not-your-turn":
                seat = picks.choice(told["to_move"])
            case "illegal-move" | "invalid-body":
                assert told["field"].startswith("move")
            case code:
                assert code == "game-over"
                break
        if picks.random() < 0.3:  # and a short memory
            version, seat = picks.randrange(1, version + 1), picks.randrange(2)
    assert {"stale-version", "not-your-turn", "invalid-body", "game-over"} <= met
