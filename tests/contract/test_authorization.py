"""Who may do what, over every operation of the document (faults 14 and 15)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import asyncpg
import httpx
import pytest

from service.app import OPERATIONS
from service.auth.guards import Access
from service.http.operation import Operation
from tests.harness.contract import contract
from tests.harness.play import random_wire_move
from tests.harness.server import Client, Service, Table, account, expect, http_client, new_game, one_move

MUTATING = [operation for operation in OPERATIONS if operation.method != "GET"]
READING = [operation for operation in OPERATIONS if operation.method == "GET"]


OPEN_TO_ALL = {
    "take_seat": {"game-full", "seat-taken", "bad-entropy"},
    "fork_game": {"game-not-finished"},
}
"""What anyone may do where a seat is free, or where the game has ended: here neither is so, and nothing happens."""


def named(operation: Operation) -> str:
    return operation.name


def targets(operation: Operation, table: Table) -> str:
    return (
        operation.path.replace("{game}", table.id)
        .replace("{title}", "toy")
        .replace("{set}", "toy-1")
        .replace("{seat}", "0")
    )


async def bodies(operation: Operation, table: Table) -> Iterator[dict[str, Any]]:
    """Bodies that would do, if only the right account sent them."""
    if operation.name == "make_move":
        legal = expect(await table.seats[0].get(f"{table.path}/moves"), 200)
        return iter([{"expected_version": legal["version"], "move": random_wire_move(legal, Random(0))}])
    known: dict[str, list[dict[str, Any]]] = {
        "create_game": [{"title": "toy", "seats": 2}],
        "take_seat": [{}, {"seat": 0}, {"seat": 1}],
        "commit_entropy": [{"entropy_commitment": "0" * 64}],
        "reveal_entropy": [{"entropy": "x" * 22}],
        "free_seat": [{}],
        "leave_seat": [{}],
        "undo_move": [{"expected_version": expect(await table.seats[0].get(table.path), 200)["version"]}],
        "fork_game": [{"version": 3}],
        "take_record": [{}],
    }
    return iter(known[operation.name])


async def log_of(table: Table) -> bytes:
    accept = {"Accept": "application/x-ndjson"}
    return b"".join([(await each.get(f"{table.path}/events", accept)).content for each in table.seats])


def test_the_document_says_of_every_operation_who_may_call_it() -> None:
    for operation in OPERATIONS:
        told = contract()["paths"][operation.path][operation.method.lower()]["security"]
        assert (
            told
            == {
                Access.anyone: [],
                Access.viewer: [{}, {"token": []}],
                Access.account: [{"token": []}],
            }[operation.access]
        )


def test_everything_that_changes_something_but_making_an_account_needs_a_token() -> None:
    assert {operation.name for operation in MUTATING if operation.access is not Access.account} == {"create_account"}


@pytest.mark.parametrize("operation", [each for each in MUTATING if each.access is Access.account], ids=named)
async def test_who_has_no_token_or_a_wrong_one_changes_nothing(http: httpx.AsyncClient, operation: Operation) -> None:
    table = await new_game(http, seats=3, seated=1) if operation.name.endswith("seat") else await new_game(http)
    before = await log_of(table)
    for body in await bodies(operation, table):
        for token, code in ((None, "token-required"), ("tl_nobody", "invalid-token")):
            headers = Client(http, token).headers
            answer = await http.request(operation.method, targets(operation, table), json=body, headers=headers)
            assert expect(answer, 401)["code"] == code
    assert await log_of(table) == before


@pytest.mark.parametrize("operation", [each for each in MUTATING if "{game}" in each.path], ids=named)
async def test_a_spectator_changes_nothing_in_a_game(http: httpx.AsyncClient, operation: Operation) -> None:
    table = await new_game(http)
    await one_move(table, 1, Random(0))
    stranger = await account(http)
    before = await log_of(table)
    for body in await bodies(operation, table):
        answer = await http.request(operation.method, targets(operation, table), json=body, headers=stranger.headers)
        assert answer.json()["code"] in OPEN_TO_ALL.get(operation.name, {"not-seated"})
    assert await log_of(table) == before


async def rows(database: str) -> dict[str, list[str]]:
    """Every row of every table that is not folded from the log."""
    connection = await asyncpg.connect(database)
    try:
        tables = ("events", "seeds", "accounts", "component_sets", "epoch", "service_key")
        return {
            table: sorted(row["row"] for row in await connection.fetch(f"select t::text as row from {table} as t"))  # noqa: S608
            for table in tables
        }
    finally:
        await connection.close()


async def test_reading_never_writes(service: Service, database: str) -> None:
    """Fault 15: whoever follows a link to a waiting game is not seated by that, nor is anything else changed."""
    async with http_client(service.url) as http:
        waiting, running = await new_game(http, seats=3, seated=1), await new_game(http)
        stranger = await account(http)
        before = await rows(database)
        for operation in READING:
            for table in (waiting, running):
                for viewer in (*table.seats, stranger, Client(http)):
                    for method in ("GET", "HEAD", "OPTIONS"):
                        sent = {**viewer.headers, "Idempotency-Key": '"k"'}
                        answer = await http.request(method, targets(operation, table), headers=sent)
                        assert answer.status_code in {200, 204, 307, 401, 403}
        assert await rows(database) == before
