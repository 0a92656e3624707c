"""For each operation that takes a body: a request that goes through, to be spoilt in one place at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from tests.harness.entropy import Committed, seated
from tests.harness.play import random_wire_move
from tests.harness.server import Client, Table, account, expect, new_game, one_move, play


@dataclass(frozen=True)
class Scene:
    """A request that goes through, and the game that it is about if it is about one."""

    path: str
    caller: Client
    body: dict[str, Any]
    table: Table | None = None


async def _create_account(http: httpx.AsyncClient) -> Scene:
    return Scene("/v1/accounts", Client(http), {"name": "Somebody New"})


async def _create_game(http: httpx.AsyncClient) -> Scene:
    body = {"title": "toy", "seats": 2, "component_set": "toy-1", "options": {"rounds": 2}, "visibility": "public"}
    body |= {"reveal_seconds": 5}
    return Scene("/v1/games", await account(http), body)


async def _take_seat(http: httpx.AsyncClient) -> Scene:
    table = await new_game(http, seated=1)
    return Scene(f"{table.path}/seats", table.seats[1], {"seat": 1, "entropy": "dice"}, table)


async def _commit_entropy(http: httpx.AsyncClient) -> Scene:
    table = await new_game(http, seated=1)
    body = {"entropy_commitment": Committed(table).commitment(0, table.seats[0])}
    return Scene(f"{table.path}/commitments", table.seats[0], body, table)


async def _reveal_entropy(http: httpx.AsyncClient) -> Scene:
    table = await seated(await new_game(http, seated=0))
    body = {"entropy": table.secrets[0]}
    return Scene(f"{table.path}/reveals", table.table.seats[0], body, table.table)


async def _make_move(http: httpx.AsyncClient) -> Scene:
    table = await new_game(http, title="spacelab")
    seat = int(expect(await http.get(table.path), 200)["to_move"][0])
    legal = expect(await table.seats[seat].get(f"{table.path}/moves"), 200)
    body = {"expected_version": legal["version"], "move": random_wire_move(legal, Random(0))}
    return Scene(f"{table.path}/moves", table.seats[seat], body, table)


async def _undo_move(http: httpx.AsyncClient) -> Scene:
    table = await new_game(http)
    moved = await one_move(table, 0, Random(1))
    return Scene(f"{table.path}/undo", table.seats[0], {"expected_version": moved["version"]}, table)


async def _fork_game(http: httpx.AsyncClient) -> Scene:
    table = await new_game(http)
    await play(table)
    return Scene(f"{table.path}/forks", table.seats[0], {"version": 3}, table)


SCENES: Mapping[str, Callable[[httpx.AsyncClient], Awaitable[Scene]]] = {
    "create_account": _create_account,
    "create_game": _create_game,
    "take_seat": _take_seat,
    "commit_entropy": _commit_entropy,
    "reveal_entropy": _reveal_entropy,
    "make_move": _make_move,
    "undo_move": _undo_move,
    "fork_game": _fork_game,
}
