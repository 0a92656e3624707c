"""A database that hangs: every operation is answered within 5 s, readiness within 3, and afterwards all goes on.

The service is a process of its own behind a relay that stops carrying, or its database has a table locked. Limits here
have twofold slack, for machines that are busy.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from service.app import OPERATIONS
from tests.harness.aftermath import require_order
from tests.harness.commands import COMMANDS, READY, Ready, send
from tests.harness.server import Client, Service, Table, account, expect, http_client, new_game
from tests.harness.stalling import StallingRelay, stalling_relay

ANSWER_SECONDS = 5 * 2
READY_SECONDS = 3 * 2
BACK_SECONDS = 20

WITHOUT_DATABASE = {
    *("get_health", "get_metrics", "list_titles", "get_component_set", "get_my_account"),
    *("get_document", "get_document_as_yaml", "get_page", "get_front"),
}
"""Operations that answer from memory; an account whose token was looked up before is remembered."""


@dataclass
class Behind:
    """A service behind a relay, a game on it, and requests of everything."""

    relay: StallingRelay
    service: Service
    database: str
    http: httpx.AsyncClient
    table: Table
    commands: Mapping[str, Ready]


@asynccontextmanager
async def behind_relay(database: str) -> AsyncGenerator[Behind]:
    """Run a service behind a relay; at the end, what is served must be what the log says."""
    async with stalling_relay(database) as (relay, dsn):
        service = Service(dsn)
        try:
            await asyncio.to_thread(service.start)
            async with http_client(service.url) as http:
                table = await new_game(http)
                commands = {name: await make(http) for name, make in READY.items()}
                yield Behind(relay, service, database, http, table, commands)
            await require_order(database, [service], [table], outage=True)
        finally:
            relay.go_on()
            await asyncio.to_thread(service.stop)


async def timed(asking: Awaitable[httpx.Response]) -> tuple[httpx.Response, float]:
    """An answer and the seconds that it took."""
    begun = time.monotonic()
    return await asking, time.monotonic() - begun


def everything(behind: Behind) -> dict[str, Awaitable[httpx.Response]]:
    """A request of every operation, streams included, by its name."""
    asked: dict[str, Awaitable[httpx.Response]] = {}
    player = behind.table.seats[0]
    for operation in OPERATIONS:
        if operation.method != "GET":
            key = {"Idempotency-Key": '"hanging"'} if operation.idempotent else {}
            asked[operation.name] = send(operation, behind.commands[operation.name], key)
            continue
        path = operation.path.replace("{game}", behind.table.id).replace("{title}", "toy").replace("{set}", "toy-1")
        for media in operation.media:
            asked[f"{operation.name} {media}"] = player.get(path, {"Accept": media})
    return asked


async def hear_unavailable(behind: Behind, path: str, *frames: Mapping[str, Any]) -> float:
    """Open a socket and send frames; gives the seconds until it is closed, which must be for want of the database."""
    begun = time.monotonic()
    async with connect(f"ws{behind.service.url.removeprefix('http')}{path}", proxy=None) as socket:
        for frame in frames:
            await socket.send(msgspec.json.encode(frame).decode())
        await socket.wait_closed()
    assert (socket.close_code, socket.close_reason) == (4003, "unavailable")
    return time.monotonic() - begun


async def require_ready_again(behind: Behind) -> None:
    """Wait until requests are served again, which takes seconds and no restart."""
    end = time.monotonic() + BACK_SECONDS
    for path in ("/readyz", behind.table.path):
        answer = await behind.http.get(path)
        while answer.status_code == 503 and time.monotonic() < end:
            await asyncio.sleep(0.05)
            answer = await behind.http.get(path)
        expect(answer, 200)


@pytest.mark.parametrize("forth", [True, False], ids=["hears nothing", "says nothing"])
async def test_every_operation_is_answered_in_time_while_the_database_is_silent_and_all_goes_on_afterwards(
    database: str, *, forth: bool
) -> None:
    async with behind_relay(database) as behind:
        behind.relay.stall(forth=forth)
        ready, took = await timed(behind.http.get("/readyz"))
        assert expect(ready, 503)["code"] == "unavailable"
        assert "not answer" in ready.json()["detail"]
        assert took < READY_SECONDS
        asked = everything(behind)
        # More at once than there are connections: who waits for one is answered as well.
        answers = dict(zip(asked, await asyncio.gather(*map(timed, asked.values())), strict=True))
        for name, (answer, took) in answers.items():
            assert took < ANSWER_SECONDS, name
            if name.partition(" ")[0] in WITHOUT_DATABASE:
                assert answer.status_code < 400, name
            elif name != "get_readiness application/json":
                assert answer.status_code == 503, f"{name}: {answer.status_code}"
                assert answer.json()["code"] == "unavailable"
                assert int(answer.headers["retry-after"]) >= 1
        closing = await asyncio.gather(
            hear_unavailable(behind, f"{behind.table.path}/live"),
            hear_unavailable(behind, "/v1/live", {"type": "subscribe", "game": behind.table.id}),
            hear_unavailable(behind, "/v1/live", {"type": "follow", "feed": "lobby"}),
            hear_unavailable(behind, "/v1/live", {"type": "auth", "token": "tl_unknown"}),
        )
        assert max(closing) < ANSWER_SECONDS
        health, took = await timed(behind.http.get("/healthz"))
        assert (health.status_code, took < 1) == (200, True)
        behind.relay.go_on()
        await require_ready_again(behind)
        for name, ready_command in behind.commands.items():
            if COMMANDS[name].idempotent:  # done then, or now, and once
                again = await send(COMMANDS[name], ready_command, {"Idempotency-Key": '"hanging"'})
                assert again.is_success, again.text


@pytest.mark.parametrize("table", ["events", "accounts", "migrations"])
async def test_a_locked_table_is_waited_for_no_longer_than_for_a_silent_database(database: str, table: str) -> None:
    async with behind_relay(database) as behind:
        connection = await asyncpg.connect(database)
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"lock table {table} in access exclusive mode")
        move = behind.commands["make_move"]
        for _ in range(2):  # the second time all connections have been through a statement that was cancelled
            ready, took = await timed(behind.http.get("/readyz"))
            assert "locked" in expect(ready, 503)["detail"]
            assert took < READY_SECONDS
            sent = [send(COMMANDS["make_move"], move, {"Idempotency-Key": '"hanging"'}) for _ in range(15)]
            for answer, took in await asyncio.gather(*map(timed, sent)):
                assert took < ANSWER_SECONDS
                assert answer.status_code in ({201} if table == "migrations" else {503}), answer.text
            assert (await behind.http.get("/healthz")).status_code == 200
        await transaction.rollback()
        await connection.close()
        await require_ready_again(behind)
        made = await send(COMMANDS["make_move"], move, {"Idempotency-Key": '"hanging"'})
        assert expect(made, 201)["version"] == 4
        assert (await account(behind.http)).id


async def test_a_command_whose_commit_is_not_answered_is_never_said_to_be_refused(database: str) -> None:
    async with behind_relay(database) as behind:
        move = behind.commands["make_move"]
        key = {"Idempotency-Key": '"in doubt"'}
        behind.relay.stall_answer_to(b"in doubt")
        answer, took = await timed(send(COMMANDS["make_move"], move, key))
        assert took < ANSWER_SECONDS
        assert expect(answer, 503)["code"] == "unavailable"
        behind.relay.go_on()
        await require_ready_again(behind)
        again = await send(COMMANDS["make_move"], move, key)
        assert expect(again, 201)["version"] == 4


async def test_a_database_that_hangs_for_a_moment_costs_nobody_an_answer(database: str) -> None:
    async with behind_relay(database) as behind:
        behind.relay.stall()
        asking = [asyncio.create_task(timed(behind.http.get(behind.table.path))) for _ in range(20)]
        await asyncio.wait(asking, timeout=0.5)
        assert not any(each.done() for each in asking)
        behind.relay.go_on()
        assert [(await each)[0].status_code for each in asking] == [200] * 20
        assert isinstance(behind.table.seats[0], Client)
