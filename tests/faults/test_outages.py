"""Postgres goes away, is full, or refuses: clients hear 503 while that lasts, and afterwards all goes on.

No answer is a 500, no process writes of an error that is not its own, and what was answered 503 is executed or replayed
by its key.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from tests.conformance.titles import ENTRIES
from tests.harness.play import random_wire_move
from tests.harness.postgres import OwnServer
from tests.harness.processes import Processes, due_move, spoken_to, started
from tests.harness.recording import recorded
from tests.harness.server import Client, account, expect
from tests.toy import TITLE as TOY

ENTRY = next(entry for entry in ENTRIES if entry.title is TOY)


@pytest.fixture
async def lonely(database: str) -> AsyncGenerator[Processes]:
    """A process of the test's own on a database of its own."""
    with started(database, 1) as services:
        async with spoken_to(database, services) as processes:
            yield processes
            await processes.require_order(outage=True)


@pytest.fixture
async def fragile(own_postgres: OwnServer) -> AsyncGenerator[Processes]:
    """Two processes on a server of the test's own, which may go down."""
    with started(own_postgres.dsn(), 2) as services:
        async with spoken_to(own_postgres.dsn(), services) as processes:
            yield processes
            await processes.require_order(outage=True)


class Patient:
    """Sends each command by its key until it is done, and counts what it hears meanwhile."""

    def __init__(self, processes: Processes, number: int) -> None:
        self._processes = processes
        self._number = number
        self.done = 0
        self.heard: Counter[int] = Counter()

    async def command(self, who: Client, path: str, body: object) -> dict[str, Any]:
        """Send it until it is answered."""
        self.done += 1
        key = {"Idempotency-Key": f'"{self._number} {self.done}"'}
        return expect(await self._insist(lambda via: via.post(path, body, key), who), 201)

    async def ask(self, who: Client, path: str) -> dict[str, Any]:
        """Read until it is answered."""
        return expect(await self._insist(lambda via: via.get(path), who), 200)

    async def _insist(self, send: Callable[[Client], Awaitable[httpx.Response]], who: Client) -> httpx.Response:
        for number in range(10_000):
            answer = await send(self._processes.through(who, self._number + number))
            self.heard[answer.status_code] += 1
            if answer.status_code != 503:
                return answer
            assert answer.json()["code"] == "unavailable"
            assert int(answer.headers["retry-after"]) >= 1
            await asyncio.sleep(0.05)
        message = "the database was away for too long"
        raise AssertionError(message)


async def play_on(processes: Processes, number: int, seated: list[Client], over: asyncio.Event) -> Patient:
    """Play games one after the other until it is over."""
    patient, picks = Patient(processes, number), Random(number)
    while not over.is_set():
        game = (await patient.command(seated[0], "/v1/games", {"title": "toy", "seats": 2}))["id"]
        told: dict[str, Any] = {}
        for seat, who in enumerate(seated):
            told = await patient.command(who, f"/v1/games/{game}/seats", {"seat": seat})
        while told["status"] == "running" and not over.is_set():
            waiting: list[int] = told["to_move"]
            who = seated[picks.choice(waiting)]
            legal = await patient.ask(who, f"/v1/games/{game}/moves")
            assert legal["version"] == told["version"], "what was answered is there"
            body = {"expected_version": told["version"], "move": random_wire_move(legal, picks)}
            told = await patient.command(who, f"/v1/games/{game}/moves", body)
    return patient


async def test_postgres_restarted_under_load_costs_nothing_but_503s_while_it_is_away(
    fragile: Processes, own_postgres: OwnServer
) -> None:
    seated = [[await account(fragile.http) for _ in range(2)] for _ in range(4)]
    over = asyncio.Event()
    playing = [asyncio.create_task(play_on(fragile, number, each, over)) for number, each in enumerate(seated)]
    for mode in ("immediate", "fast"):
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_postgres.go_down, mode)
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_postgres.come_back)
    await asyncio.sleep(0.3)
    over.set()
    patients = await asyncio.gather(*playing)
    assert {status for each in patients for status in each.heard} == {200, 201, 503}
    connection = await asyncpg.connect(fragile.database)
    assert await connection.fetchval("select count(*) from events") == sum(each.done for each in patients)
    await connection.close()


async def test_a_postgres_without_a_connection_to_spare_is_waited_for(
    fragile: Processes, own_postgres: OwnServer
) -> None:
    table = await fragile.new_game(2)
    await asyncio.to_thread(own_postgres.go_down, "fast")  # so that no process has a connection
    await asyncio.to_thread(own_postgres.come_back)
    taken: list[asyncpg.Connection[asyncpg.Record]] = []
    try:
        while True:
            taken.append(await asyncpg.connect(own_postgres.dsn()))
    except asyncpg.TooManyConnectionsError:
        pass
    for http in fragile.https:
        expect(await http.get("/healthz"), 200)
        for path in ("/readyz", table.path):
            assert (await http.get(path)).status_code in {200, 503}  # the listener may hold the last one
    for connection in taken:
        connection.terminate()
    for number in range(2):
        patient = Patient(fragile, number)
        assert (await patient.ask(fragile.through(table.seats[0], number), table.path))["version"] == 3


REFUSE = """
create or replace function refuse_now() returns trigger language plpgsql as $$
begin raise exception 'not now' using errcode = '{state}'; end $$;
create or replace trigger refuse_now before insert on events for each statement execute function refuse_now();
"""

STATES = {
    "a full disk": "53100",
    "no memory": "53200",
    "a limit of its configuration": "53400",
    "a disk that fails": "58030",
    "a standby": "25006",
    "a statement that was canceled": "57014",
    "a lock": "55P03",
    "a serialization that failed": "40001",
    "a deadlock": "40P01",
}


async def test_a_postgres_that_cannot_write_now_is_no_fault_of_the_client_s(lonely: Processes) -> None:
    table = await lonely.new_game(2, options={"rounds": 6})
    connection = await asyncpg.connect(lonely.database)
    for number, (why, state) in enumerate(STATES.items()):
        who, body = await due_move(table, Random(number))
        await connection.execute(REFUSE.format(state=state))
        key = {"Idempotency-Key": f'"{why}"'}
        refused = await who.post(f"{table.path}/moves", body, key)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable"), why
        expect(await who.get(table.path), 200)
        await connection.execute("drop trigger refuse_now on events")
        made = await who.post(f"{table.path}/moves", body, key)
        assert expect(made, 201)["version"] == body["expected_version"] + 1
        assert "idempotency-replayed" not in made.headers
    await connection.close()


AWAY: dict[str, tuple[str, str]] = {
    "lets nobody in": ("alter database {name} allow_connections false", "alter database {name} allow_connections true"),
    "has another name": ("alter database {name} rename to gone", "alter database gone rename to {name}"),
    "has another password": ("alter role {user} password 'another'", "alter role {user} password '{password}'"),
}


async def test_a_postgres_that_refuses_to_be_connected_to_is_waited_for(
    fragile: Processes, own_postgres: OwnServer
) -> None:
    table = await fragile.new_game(2, options={"rounds": 6})
    place = urlsplit(fragile.database)
    names = {"name": place.path[1:], "user": place.username, "password": place.password}
    admin = await asyncpg.connect(own_postgres.dsn("postgres"))
    for number, (why, (go, come)) in enumerate(AWAY.items()):
        who, body = await due_move(table, Random(number))
        await go_away(admin, go.format_map(names), place.path[1:])
        for http in fragile.https:
            for path in ("/readyz", table.path, f"{table.path}/events", f"{table.path}/record"):
                for accept in ("application/json", "application/x-ndjson"):
                    answer = await http.get(path, headers={"Accept": accept})
                    assert answer.status_code in {503, 406}, f"{why}: {path}: {answer.status_code}"
        assert expect(await who.post(f"{table.path}/moves", body), 503)["code"] == "unavailable"
        record = recorded(ENTRY.title, ENTRY.text, 2, number).record
        assert expect(await taken_in(who, record), 503)["code"] == "unavailable"
        await admin.execute(come.format_map(names))
        for via in range(2):
            back = await Patient(fragile, via).ask(fragile.through(who, via), table.path)
            assert back["version"] == body["expected_version"]
        await Patient(fragile, number).command(who, f"{table.path}/moves", body)
        assert expect(await taken_in(who, record), 201)["status"] == "finished"
    await admin.close()


async def taken_in(who: Client, record: bytes) -> httpx.Response:
    """Bring a record."""
    return await who.post("/v1/records", headers={"Content-Type": "application/x-ndjson"}, content=record)


async def go_away(admin: asyncpg.Connection[asyncpg.Record], statement: str, name: str) -> None:
    """Let nobody into a database any more, nor stay there, however quickly they come back."""
    gone = False
    while not gone or await admin.fetchval("select count(*) from pg_stat_activity where datname = $1", name):
        await admin.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", name)
        with suppress(asyncpg.ObjectInUseError):
            if not gone:
                await admin.execute(statement)
                gone = True


END_OTHERS = """
select case when $1 then pg_terminate_backend(pid) else pg_cancel_backend(pid) end
from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
"""


async def test_statements_that_are_canceled_under_load_cost_nothing_but_503s(lonely: Processes) -> None:
    seated = [[await account(lonely.http) for _ in range(2)] for _ in range(3)]
    over = asyncio.Event()
    playing = [asyncio.create_task(play_on(lonely, number, each, over)) for number, each in enumerate(seated)]
    async with AsyncExitStack() as stack:
        connection = await asyncpg.connect(lonely.database)
        stack.push_async_callback(connection.close)
        for number in range(40):
            await connection.execute(END_OTHERS, number % 4 == 0)
            await asyncio.sleep(0.02)
        over.set()
        patients = await asyncio.gather(*playing)
        assert await connection.fetchval("select count(*) from events") == sum(each.done for each in patients)
