"""Every operation heeds the headers that make a command safe, or refuses them by name: none is ignored in silence."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

import asyncpg
import httpx
import pytest

from domain.kernel.ids import AccountId
from service.app import OPERATIONS
from service.auth.accounts import Account
from service.http.operation import Operation
from service.openapi.codes import codes
from tests.harness.backup import rewind
from tests.harness.commands import COMMANDS, READY, send
from tests.harness.contract import contract
from tests.harness.play import random_wire_move
from tests.harness.server import Service, expect, http_client, new_game, one_move
from tests.harness.writing import writing

STALE = '"1.bogus.0000000000000000"'

UNTAGGED = [operation for operation in OPERATIONS if operation.method == "GET" and not operation.etag]


async def stored(database: str) -> tuple[int, ...]:
    """The number of rows of everything that a command may write."""
    connection = await asyncpg.connect(database)
    try:
        query = "select (select count(*) from events), (select count(*) from accounts), (select count(*) from imports)"
        return tuple(await connection.fetchrow(query) or ())
    finally:
        await connection.close()


@pytest.fixture
def database_of(service: Service, database: str) -> tuple[Service, str]:
    """Give a service of the test's own and its database, in which rows can be counted."""
    return service, database


def test_every_command_of_the_contract_is_tried_here() -> None:
    assert READY.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", READY)
async def test_a_command_heeds_if_match_or_refuses_it_and_a_stale_tag_changes_nothing(
    database_of: tuple[Service, str], name: str
) -> None:
    service, database = database_of
    operation = COMMANDS[name]
    async with http_client(service.url) as http:
        ready = await READY[name](http)
        before = await stored(database)
        wrong = [STALE, "W/" + STALE, "junk", '"1"', ""]
        if operation.if_match:
            tag = (await ready.client.get(ready.of)).headers["etag"]
            for each in (*wrong, f"W/{tag}"):
                refused = expect(await send(operation, ready, {"If-Match": each}), 412)
                assert (refused["code"], refused["field"]) == ("precondition-failed", "If-Match")
                assert refused["current_etag"] == tag
            assert await stored(database) == before
            fitting = [f"{STALE}, {tag}", "*"]
        else:
            for each in (*wrong, "*"):
                refused = expect(await send(operation, ready, {"If-Match": each}), 400)
                assert (refused["code"], refused["field"]) == ("precondition-refused", "If-Match")
            assert await stored(database) == before
            fitting = []
        done = await send(operation, ready, {"If-Match": fitting[0]} if fitting else {})
        assert done.is_success, done.text
        for each in fitting[1:]:
            again = await READY[name](http)
            assert (await send(operation, again, {"If-Match": each})).is_success
        assert await stored(database) != before


@pytest.mark.parametrize("name", READY)
async def test_a_command_heeds_an_idempotency_key_or_refuses_it(database_of: tuple[Service, str], name: str) -> None:
    service, database = database_of
    operation = COMMANDS[name]
    async with http_client(service.url) as http:
        ready = await READY[name](http)
        before = await stored(database)
        first = await send(operation, ready, {"Idempotency-Key": '"once"'})
        if operation.idempotent:
            assert first.is_success, first.text
            after = await stored(database)
            again = await send(operation, ready, {"Idempotency-Key": '"once"'})
            assert (again.status_code, again.json()) == (first.status_code, first.json())
            assert again.headers["idempotency-replayed"] == "true"
            assert await stored(database) == after != before
        else:
            refused = expect(first, 400)
            assert (refused["code"], refused["field"]) == ("idempotency-key-refused", "Idempotency-Key")
            assert await stored(database) == before
            assert (await send(operation, ready, {})).is_success


@pytest.mark.parametrize("name", [name for name, each in COMMANDS.items() if each.if_match])
async def test_a_repeat_by_its_key_is_replayed_though_its_if_match_is_stale_by_now(
    http: httpx.AsyncClient, name: str
) -> None:
    operation, ready = COMMANDS[name], await READY[name](http)
    tag = (await ready.client.get(ready.of)).headers["etag"]
    sent = {"If-Match": tag, "Idempotency-Key": '"once"'}
    first = await send(operation, ready, sent)
    again = await send(operation, ready, sent)
    assert first.is_success
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    other = await send(operation, ready, {"If-Match": STALE, "Idempotency-Key": '"another"'})
    assert not other.is_success


@pytest.mark.parametrize("name", READY)
async def test_a_command_refuses_if_none_match_and_ignores_what_http_lets_it_ignore(
    http: httpx.AsyncClient, name: str
) -> None:
    operation, ready = COMMANDS[name], await READY[name](http)
    for each in ("*", STALE):
        refused = expect(await send(operation, ready, {"If-None-Match": each}), 400)
        assert (refused["code"], refused["field"]) == ("precondition-refused", "If-None-Match")
    past = "Thu, 01 Jan 1970 00:00:00 GMT"
    ignored = {"If-Modified-Since": past, "If-Unmodified-Since": past, "Range": "bytes=0-1", "If-Range": STALE}
    done = await send(operation, ready, {**ignored, "Prefer": "return=minimal"})
    assert done.is_success
    assert done.content


@pytest.mark.parametrize("operation", UNTAGGED, ids=lambda each: each.name)
async def test_a_read_that_gives_no_tag_refuses_if_match(http: httpx.AsyncClient, operation: Operation) -> None:
    table = await new_game(http)
    path = operation.path.replace("{game}", table.id).replace("{title}", "toy").replace("{set}", "toy-1")
    for method in ("GET", "HEAD"):
        answer = await http.request(method, path, headers={**table.seats[0].headers, "If-Match": STALE})
        assert answer.status_code == 400
    refused = expect(await table.seats[0].get(path, {"If-Match": "*"}), 400)
    assert (refused["code"], refused["field"]) == ("precondition-refused", "If-Match")


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_the_document_lists_the_headers_that_are_heeded_and_the_codes_of_those_that_are_not(
    operation: Operation,
) -> None:
    told = contract()["paths"][operation.path][operation.method.lower()]
    heeded = {each["name"] for each in told["parameters"] if each["in"] == "header"}
    refuses = {code for found in codes(operation).values() for code in found}
    assert ("If-Match" in heeded) == (operation.if_match or operation.etag)
    assert ("precondition-failed" in refuses) == ("If-Match" in heeded)
    assert ("Idempotency-Key" in heeded) == operation.idempotent
    if operation.method != "GET":
        assert ("idempotency-key-refused" in refuses) != operation.idempotent
    assert ("precondition-refused" in refuses) == (operation.method != "GET" or "If-Match" not in heeded)


@pytest.mark.parametrize("command", ["undo", "moves"])
async def test_a_tag_of_a_history_that_is_gone_matches_nothing_though_the_version_is_there_again(
    database_of: tuple[Service, str], command: str
) -> None:
    service, database = database_of
    async with http_client(service.url) as http, writing(database) as other:
        table = await new_game(http)
        seated = tuple(
            Account(id=each.id or AccountId(""), name="", created_at=datetime.now(UTC)) for each in table.seats
        )
        first = (await one_move(table, 0, Random(0)))["version"]
        player = table.seats[0 if command == "undo" else 1]
        body: dict[str, Any] = {"expected_version": first}
        if command == "moves":
            legal = expect(await player.get(f"{table.path}/moves"), 200)
            body["move"] = random_wire_move(legal, Random(0))
        seen = (await player.get(table.path)).headers["etag"]
        # The same version comes to be again, by another process and a way that this one has not noticed.
        await rewind(database, table.id, first - 1)
        await other.moved(await other.tables.fresh(table.id), seated, Random(5))
        before = await stored(database)
        sent = (f"{table.path}/{command}", body, {"If-Match": seen})
        assert expect(await player.post(*sent), 503)["code"] == "unavailable"  # now it has, and starts again
        while (answer := await player.post(*sent)).status_code == 503:
            assert await stored(database) == before
        assert expect(answer, 412)["code"] == "precondition-failed"
        assert await stored(database) == before
        assert (await player.get(table.path)).headers["etag"] != seen
