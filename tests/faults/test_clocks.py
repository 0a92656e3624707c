"""Processes whose machines disagree about the time of day record by one clock, and keep one spectator delay."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from time import monotonic
from typing import Any

import asyncpg
import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from domain.kernel.rejected import Rejected
from service import clock as clock_module
from service.database.errors import Unavailable
from service.log.events import TOLERANCE_SECONDS
from tests.faults.test_live_delay import frames
from tests.harness import serve_shifted
from tests.harness.postgres import PostgresServer, migrated_template
from tests.harness.processes import Processes, all_started, due_move, spoken_to
from tests.harness.server import Client, Service, Table, expect, new_game
from tests.harness.writing import Writing, writing


def shifted(dsn: str, seconds: float) -> Service:
    return Service(dsn, {serve_shifted.SHIFT: str(seconds)}, "tests.harness.serve_shifted")


@contextmanager
def apart(postgres: PostgresServer, seconds: float) -> Generator[tuple[str, tuple[Service, ...]]]:
    """Two processes, the second of which has a wrong time of day."""
    with migrated_template(postgres) as name:
        dsn = postgres.dsn(name)
        with all_started((Service(dsn), shifted(dsn, seconds))) as services:
            yield dsn, services


@pytest.fixture(scope="module", params=[60, -60], ids=["ahead", "behind"])
def pair(request: pytest.FixtureRequest, postgres: PostgresServer) -> Generator[tuple[str, tuple[Service, ...]]]:
    """In the place of the two processes of the other fault tests, which agree."""
    with apart(postgres, request.param) as made:
        yield made


@pytest.fixture
async def processes(pair: tuple[str, tuple[Service, ...]]) -> AsyncIterator[Processes]:
    """Without the check that everybody is served the whole log: not the public of a delayed game."""
    async with spoken_to(*pair) as made:
        yield made


async def move_through(processes: Processes, table: Table, number: int, picks: Random) -> None:
    player, body = await due_move(table, picks)
    expect(await processes.through(player, number).post(f"{table.path}/moves", body), 201)


async def times(table: Table) -> list[datetime]:
    """When the events of a game were recorded."""
    events = expect(await table.seats[0].get(f"{table.path}/events?limit=1000"), 200)["events"]
    return [datetime.fromisoformat(event["recorded_at"]) for event in events]


async def database_time(dsn: str) -> datetime:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval("select clock_timestamp()")
    finally:
        await connection.close()


async def test_recorded_at_never_goes_back_in_a_game_that_is_played_through_processes_a_minute_apart(
    processes: Processes,
) -> None:
    begun = await database_time(processes.database)
    table = await processes.new_game(seated=0)
    for seat, player in enumerate(table.seats):
        expect(await processes.through(player, seat).post(f"{table.path}/seats"), 201)
    picks = Random(1)
    for number in range(8):
        await move_through(processes, table, number, picks)
    found = await times(table)
    ended = await database_time(processes.database)
    assert found == sorted(found)
    slack = timedelta(seconds=TOLERANCE_SECONDS)
    assert begun - slack < found[0]
    assert found[-1] < ended + slack
    await processes.require_order()


async def test_an_account_is_made_at_the_time_of_the_database_whichever_process_makes_it(processes: Processes) -> None:
    for number, http in enumerate(processes.https):
        before = await database_time(processes.database)
        made = expect(await http.post("/v1/accounts", json={"name": f"Made here {number}"}), 201)
        off = datetime.fromisoformat(made["created_at"]) - before
        assert timedelta(seconds=-TOLERANCE_SECONDS) < off < timedelta(seconds=30)


async def public_versions(http: httpx.AsyncClient, table: Table) -> dict[str, int]:
    """The version up to which the public is shown a game, by channel."""
    public = Client(http)
    record = (await public.get(f"{table.path}/record")).text.splitlines()
    listed = expect(await public.get("/v1/games?limit=200"), 200)["games"]
    state = expect(await public.get(table.path), 200)["version"]
    beyond = await public.get(f"{table.path}?version={state + 1}")
    return {
        "state": state,
        "?version": state if beyond.status_code == 404 else state + 1,
        "events": expect(await public.get(f"{table.path}/events?limit=1000"), 200)["version"],
        "timeline": expect(await public.get(f"{table.path}/timeline?limit=1000"), 200)["version"],
        "record": max(msgspec.json.decode(line).get("version", 0) for line in record),
        "lists": next((game["version"] for game in listed if game["id"] == table.id), 0),
    }


@pytest.fixture
async def spectators(processes: Processes) -> AsyncIterator[list[ClientConnection]]:
    """Give a socket to each process, which has still to say what it watches."""
    urls = [f"ws{service.url.removeprefix('http')}/v1/live" for service in processes.services]
    async with connect(urls[0], proxy=None) as one, connect(urls[1], proxy=None) as other:
        yield [one, other]


@pytest.mark.parametrize("order", [(0, 0), (1, 1), (0, 1), (1, 0)])
async def test_a_delay_of_a_minute_holds_on_every_channel_of_both_processes_whoever_records_and_whoever_serves(
    processes: Processes, spectators: list[ClientConnection], order: tuple[int, ...]
) -> None:
    table = await new_game(processes.http, spectator_delay={"seconds": 60})
    start = expect(await table.seats[0].get(table.path), 200)["version"]
    await listed(processes.http, table, start)
    for socket in spectators:
        await socket.send('{"type":"auth","token":null}')
        await socket.send(msgspec.json.encode({"type": "subscribe", "game": table.id}).decode())
        hello: dict[str, Any] = msgspec.json.decode(await socket.recv())
        assert (hello["type"], hello["version"]) == ("hello", start)
    picks = Random(2)
    for number in order:
        await move_through(processes, table, number, picks)
    for http in processes.https:
        assert set((await public_versions(http, table)).values()) == {start}
    # Longer than the poll that looks for what has become visible.
    assert await asyncio.gather(*(frames(socket, 2.5) for socket in spectators)) == [[], []]


async def listed(http: httpx.AsyncClient, table: Table, version: int) -> None:
    """Wait until lists have come to a version."""
    async with asyncio.timeout(60):
        while (await public_versions(http, table))["lists"] != version:  # noqa: ASYNC110 - asked over HTTP
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("number", [0, 1])
async def test_a_short_delay_ends_on_every_channel_of_both_processes_whoever_has_recorded(
    processes: Processes, number: int
) -> None:
    table = await new_game(processes.http, spectator_delay={"seconds": 1})
    await move_through(processes, table, number, Random(3))
    head = expect(await table.seats[0].get(table.path), 200)["version"]
    async with asyncio.timeout(40):  # by a clock that is a minute behind it would be there much later
        for http in processes.https:
            while set((await public_versions(http, table)).values()) != {head}:  # noqa: ASYNC110 - asked over HTTP
                await asyncio.sleep(0.1)


async def test_a_time_of_day_that_is_set_while_a_process_runs_changes_nothing(postgres: PostgresServer) -> None:
    with apart(postgres, 3_600) as (dsn, services):
        async with spoken_to(dsn, services) as processes:
            table = await processes.new_game()
            picks = Random(4)
            for number in range(4):
                await move_through(processes, table, number, picks)
            services[1].send(signal.SIGUSR1)
            for number in range(4):
                await move_through(processes, table, number, picks)
            found = await times(table)
            assert found == sorted(found)
            assert found[-1] - found[0] < timedelta(seconds=600)
            await processes.require_order()


@pytest.fixture
async def one(database: str) -> AsyncIterator[Writing]:
    async with writing(database) as made:
        yield made


@pytest.mark.parametrize("seconds", [60, -60, 10 * TOLERANCE_SECONDS])
async def test_a_command_by_a_clock_that_has_gone_wrong_is_decided_again_by_the_right_one(
    one: Writing, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    account, other = await one.account("One"), await one.account("Another")
    table = await one.started("toy", account, other)
    monkeypatch.setattr(clock_module, "monotonic", lambda: monotonic() + seconds)
    opened = (await one.commands.create(account, "toy", 2)).row
    moved = (await one.moved(table, (account, other), Random(1))).row
    now: datetime = await one.pool.fetchval("select clock_timestamp()")
    assert table.recorded_at is not None
    assert table.recorded_at <= moved.recorded_at <= now + timedelta(seconds=TOLERANCE_SECONDS)
    assert opened.recorded_at <= now + timedelta(seconds=TOLERANCE_SECONDS)
    assert (await one.folded(table.id)).recorded_at == moved.recorded_at


async def test_a_clock_that_cannot_be_set_right_makes_the_service_unavailable_and_nothing_else(
    one: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, other = await one.account("One"), await one.account("Another")
    table = await one.started("toy", account, other)
    leaping = itertools.count(monotonic() + 600, 600)
    monkeypatch.setattr(clock_module, "monotonic", lambda: next(leaping))
    with pytest.raises(Unavailable):
        await one.moved(table, (account, other), Random(1))
    with pytest.raises(Unavailable):
        await one.commands.create(account, "toy", 2)
    assert (await one.folded(table.id)).version == table.version


async def test_a_game_goes_on_when_the_clock_of_the_database_was_set_back(one: Writing) -> None:
    account, other = await one.account("One"), await one.account("Another")
    table = await one.started("toy", account, other)
    await one.pool.execute("alter table events disable trigger events_append_only")
    await one.pool.execute("update events set recorded_at = recorded_at + interval '1 hour'")
    await one.pool.execute("alter table events enable trigger events_append_only")
    one.tables.forget(table.id)
    last = (await one.tables.fresh(table.id)).recorded_at
    for _ in range(2):
        moved = await one.moved(await one.tables.fresh(table.id), (account, other), Random(1))
        assert moved.row.recorded_at == last
    with pytest.raises(Rejected, match="stale-version"):
        await one.moved(table, (account, other), Random(1))
