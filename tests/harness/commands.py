"""One request of every command of the contract that succeeds as it is, to try headers and outages on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from service.app import OPERATIONS
from service.http.operation import Operation
from tests.conformance.titles import ENTRIES
from tests.harness.entropy import Committed, seated
from tests.harness.play import random_wire_move
from tests.harness.recording import recorded
from tests.harness.server import Client, account, expect, new_game, one_move, play
from tests.toy import TITLE as TOY

ENTRY = next(entry for entry in ENTRIES if entry.title is TOY)

COMMANDS: Mapping[str, Operation] = {each.name: each for each in OPERATIONS if each.method != "GET"}


@dataclass
class Ready:
    """A request that succeeds as it is; `of` is the path of the game that it changes, if there is one."""

    client: Client
    path: str
    body: dict[str, Any] = field(default_factory=dict[str, Any])
    of: str = ""


async def _create_account(http: httpx.AsyncClient) -> Ready:
    name = f"new {(await account(http)).id}"
    return Ready(Client(http), "/v1/accounts", {"json": {"name": name}})


async def _create_game(http: httpx.AsyncClient) -> Ready:
    return Ready(await account(http), "/v1/games", {"json": {"title": "toy", "seats": 2}})


async def _fork_game(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http)
    await play(table)
    return Ready(await account(http), f"{table.path}/forks", {"json": {"version": 3}}, table.path)


async def _take_seat(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http, 3, seated=1)
    return Ready(table.seats[1], f"{table.path}/seats", {"json": {}}, table.path)


async def _leave_seat(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http, 3, seated=1)
    return Ready(table.seats[0], f"{table.path}/seats/me", {}, table.path)


async def _commit_entropy(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http, 3, seated=1)
    body = {"entropy_commitment": Committed(table).commitment(0, table.seats[0])}
    return Ready(table.seats[0], f"{table.path}/commitments", {"json": body}, table.path)


async def _reveal_entropy(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http, 2, seated=0)
    body = {"entropy": (await seated(table)).secrets[0]}
    return Ready(table.seats[0], f"{table.path}/reveals", {"json": body}, table.path)


async def _free_seat(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http, 2, seated=0, reveal_seconds=1)
    committed = await seated(table)
    await committed.reveal(0)
    await committed.overdue()
    await asyncio.sleep(0.1)  # the service goes by the clock of the database
    return Ready(table.seats[0], f"{table.path}/seats/1", {}, table.path)


async def _make_move(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http)
    legal = expect(await table.seats[0].get(f"{table.path}/moves"), 200)
    body = {"expected_version": legal["version"], "move": random_wire_move(legal, Random(0))}
    return Ready(table.seats[0], f"{table.path}/moves", {"json": body}, table.path)


async def _undo_move(http: httpx.AsyncClient) -> Ready:
    table = await new_game(http)
    moved = await one_move(table, 0, Random(1))
    return Ready(table.seats[0], f"{table.path}/undo", {"json": {"expected_version": moved["version"]}}, table.path)


async def _take_record(http: httpx.AsyncClient) -> Ready:
    client = await account(http)
    record = recorded(TOY, ENTRY.text, 2, int(client.id or "a0", 16)).record
    sent = {"content": record, "headers": {"Content-Type": "application/x-ndjson"}}
    return Ready(client, "/v1/records", sent)


READY: Mapping[str, Callable[[httpx.AsyncClient], Awaitable[Ready]]] = {
    "create_account": _create_account,
    "create_game": _create_game,
    "fork_game": _fork_game,
    "take_seat": _take_seat,
    "leave_seat": _leave_seat,
    "commit_entropy": _commit_entropy,
    "reveal_entropy": _reveal_entropy,
    "free_seat": _free_seat,
    "make_move": _make_move,
    "undo_move": _undo_move,
    "take_record": _take_record,
}


async def send(operation: Operation, ready: Ready, headers: Mapping[str, str]) -> httpx.Response:
    """Send a request with further headers."""
    more = dict(ready.body)
    all_headers = {**ready.client.headers, **more.pop("headers", {}), **headers}
    return await ready.client.http.request(operation.method, ready.path, headers=all_headers, **more)
