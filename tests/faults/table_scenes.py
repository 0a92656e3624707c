"""Scenes of refusals at a table: moves, seats, versions, positions, undo, records."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable
from random import Random
from typing import Any

import httpx

from tests.faults.stage import SCENES, Scene, Stage, lay, legal_body, scene
from tests.harness.processes import due_move
from tests.harness.server import Client, Table, expect, play


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


@scene("unknown-component-set")
async def _unknown_component_set(stage: Stage) -> AsyncGenerator[Awaitable[httpx.Response], httpx.Response]:
    await play(stage.table)
    record = (await stage.ada.get(f"{stage.path}/record")).content
    ndjson = {"Content-Type": "application/x-ndjson"}
    known = expect(await stage.ada.get(stage.path), 200)["component_hash"]
    foreign = record.replace(known.encode(), b"0" * 64)
    refused = (yield stage.ada.post("/v1/records", content=foreign, headers=ndjson)).json()
    yield stage.ada.post(
        "/v1/records", content=foreign.replace(refused["component_hash"].encode(), known.encode()), headers=ndjson
    )
