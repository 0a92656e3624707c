"""A backup is put back: into another cluster, and in the place of a database that processes are at work on.

Up to the dump everything is as it was, byte for byte; what came after it is gone, and everybody is told so: a position
of the old epoch is refused, watchers are sent away and begin anew, and whoever remembers a version that is gone hears
which one there is.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import asyncpg
import pytest

from service.database.pool import open_pool
from service.log import safe_order
from service.log.safe_order import START, Mark
from tests.faults.past import (
    KEY,
    LATE_KEY,
    NAME,
    Past,
    Watchers,
    eventually_listed,
    listed,
    live_a_while,
    live_url,
    log_of,
)
from tests.harness.aftermath import require_order
from tests.harness.backup import dump, new_database, on_server, restore, restore_in_place, tablelog
from tests.harness.lists import eventually
from tests.harness.living import watching
from tests.harness.postgres import OwnServer, own_server
from tests.harness.processes import Processes, due_move, spoken_to, started
from tests.harness.server import Client, Service, Table, account, expect, play

YEARS = "do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$"
"""Has a server count transactions that another one has yet to come to."""

CUT = "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}' and pid <> pg_backend_pid()"


@pytest.fixture(scope="module")
def first_cluster() -> Generator[OwnServer]:
    """Give the server that the backups are made of."""
    with own_server() as server:
        yield server


@pytest.fixture(scope="module")
def services(first_cluster: OwnServer) -> Generator[tuple[Service, ...]]:
    """Give two processes at work on it."""
    with started(first_cluster.dsn(NAME), 2) as both:
        yield both


@pytest.fixture
async def before(first_cluster: OwnServer, services: tuple[Service, ...]) -> AsyncGenerator[Processes]:
    """Give clients of these."""
    async with spoken_to(first_cluster.dsn(NAME), services) as processes:
        yield processes


async def read_whole_log(database: str) -> list[Mark]:
    """What a reader of the whole log comes to from the start, a few at a time."""
    found: list[Mark] = []
    async with open_pool(database, 1) as pool, pool.acquire() as connection:
        while marks := await safe_order.read(connection, found[-1].position if found else START, 7):
            found += marks
    return found


async def require_past_is_there(processes: Processes, past: Past) -> str:
    """Hold the restored service to the past up to the dump; gives the new epoch."""
    database, picks, epochs = processes.database, Random(1), set[str]()
    assert await log_of(database) == past.log, "what is there is what was dumped, byte for byte"
    for number in range(2):
        public = processes.through(Client(processes.http), number)
        await eventually_listed(public, {table.id for table in past.tables})
        assert past.lost.id not in await listed(public, "limit=200")
        assert await listed(public, "limit=1", past.cursor) == past.left, "cursors go on"
        events = expect(await public.get(f"{past.running.path}/events"), 200)
        epochs.add(events["epoch"])
        assert expect(await public.get(past.lost.path), 404)["code"] == "no-such-game"
        newcomer = processes.through(past.newcomer, number)
        assert expect(await newcomer.get("/v1/accounts/me"), 401)["code"] == "invalid-token"
    who, body, answer = past.keyed
    again = await processes.through(who, 0).post(f"{past.running.path}/moves", body, KEY)
    assert (expect(again, 201), again.headers["idempotency-replayed"]) == (answer, "true")
    late_who, late_body = past.late
    stale = await processes.through(late_who, 1).post(
        f"{past.running.path}/moves", {**late_body, "expected_version": past.version + 4}
    )
    assert (stale.status_code, stale.json()["current_version"]) == (409, past.version)
    made = await processes.through(late_who, 1).post(f"{past.running.path}/moves", late_body, LATE_KEY)
    assert expect(made, 201)["version"] == past.version + 1, "what was lost can be done again"
    assert "idempotency-replayed" not in made.headers
    for table in (past.running, past.long):
        table.seats = [processes.through(seat, 0) for seat in table.seats]
        await play(table, 2, picks)
    fresh = await processes.new_game(2, "spacelab")
    await eventually_listed(Client(processes.http), {fresh.id, *(table.id for table in past.tables)})
    assert len(epochs) == 1
    assert past.epoch not in epochs
    return epochs.pop()


async def require_log_is_read_whole(database: str) -> None:
    """A reader of the whole log comes to each event once, those of a game in their order."""
    log = sorted((row["game_id"], row["version"]) for row in await log_of(database))
    marks = await read_whole_log(database)
    assert sorted((mark.game_id, mark.version) for mark in marks) == log
    for game in {mark.game_id for mark in marks}:
        versions = [mark.version for mark in marks if mark.game_id == game]
        assert versions == list(range(1, len(versions) + 1))


async def require_record_verifies(table: Table, told: dict[int, str], folder: Path) -> None:
    """Play a game to its end and verify its record, with hashes that were told before."""
    await play(table, picks=Random(3))
    record = await table.seats[0].get(f"{table.path}/record")
    file = folder / "record.ndjson"
    file.write_bytes(record.content)
    hashes = [word for version, of in told.items() for word in ("--hash", f"{version}:{of}")]
    done = await asyncio.to_thread(tablelog, "verify", "", str(file), *hashes)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "verified"), done.stdout + done.stderr


async def test_a_backup_goes_on_in_another_cluster(
    first_cluster: OwnServer, before: Processes, own_postgres: OwnServer, tmp_path: Path
) -> None:
    connection = await asyncpg.connect(before.database)
    await connection.execute(YEARS)
    await connection.close()
    past = await live_a_while(before, first_cluster, tmp_path / "backup")
    hashes = {row["version"]: row["hash"].hex() for row in past.log if row["game_id"] == past.running.id}
    database = await new_database(own_postgres, "restored")
    await asyncio.to_thread(restore, past.file, database)
    refused = await asyncio.to_thread(tablelog, "serve", database)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "tablelog restored" in refused.stderr
    prepared = await asyncio.to_thread(tablelog, "restored", database)
    assert prepared.returncode == 0, prepared.stderr
    assert f"{len(past.log)} events" in prepared.stdout
    assert "transaction ids" in prepared.stdout
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            processes.since = 0
            processes.tables += past.tables
            for number, position in enumerate((f"?after={past.version}&epoch={past.epoch}", "?after=1&epoch=")):
                async with watching(live_url(services[number], past.running, position), {"type": "auth"}) as feed:
                    resync, hello = await feed.next(), await feed.next()
                    assert (resync["type"], resync["reason"], hello["type"]) == ("resync", "epoch", "hello")
                    assert hello["epoch"] == resync["epoch"] != past.epoch
                    assert hello["version"] == past.version
            epoch = await require_past_is_there(processes, past)
            assert epoch in prepared.stdout
            await require_log_is_read_whole(database)
            await require_record_verifies(past.running, hashes, tmp_path)
            await require_order(database, services, processes.tables)


async def test_processes_whose_database_is_replaced_under_them_notice_and_tell_their_watchers(
    first_cluster: OwnServer, before: Processes, services: tuple[Service, ...], tmp_path: Path
) -> None:
    past = await live_a_while(before, first_cluster, tmp_path / "backup")
    public = Client(before.http)
    reached = expect(await public.get(past.running.path), 200)["version"]
    assert reached == past.version + 4
    async with AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(Watchers.through(service, past)) for service in services]
        for each in watchers:
            await each.arrive(reached)
        await replace_database(first_cluster, past.file, before)
        for each in watchers:
            await each.begin_anew(reached)
        epoch = await require_past_is_there(before, past)
        for each in watchers:
            await each.go_on(before.tables[-1])
    assert expect(await public.get(f"{past.running.path}/events"), 200)["epoch"] == epoch
    await require_log_is_read_whole(before.database)
    before.tables = [table for table in before.tables if table is not past.lost]
    await before.require_order(outage=True)
    for service in services:
        assert re.findall("the log has another epoch, (.*) instead of (.*): restarting", service.log) == [
            (epoch, past.epoch)
        ]
        assert re.findall("back in service on epoch (.*) after", service.log) == [epoch]


async def test_who_has_no_account_in_the_restored_history_does_nothing_there(
    first_cluster: OwnServer, before: Processes, tmp_path: Path
) -> None:
    """Not even as the first who asks, with a token that a process remembers."""
    open_tables = [await before.new_game(2, seated=1) for _ in range(2)]
    await asyncio.to_thread(dump, before.database, tmp_path / "backup")
    database = await new_database(first_cluster, "beside")
    await asyncio.to_thread(restore, tmp_path / "backup", database)
    assert (await asyncio.to_thread(tablelog, "restored", database)).returncode == 0
    newcomer = await account(before.http)
    through = [before.through(newcomer, number) for number in range(2)]
    for via, table in zip(through, open_tables, strict=True):
        expect(await via.get(table.path), 200)
    cut = CUT.format(name=NAME)
    await on_server(first_cluster, f"alter database {NAME} allow_connections false", cut)
    await on_server(first_cluster, f"alter database {NAME} rename to older", f"alter database beside rename to {NAME}")
    for via, table in zip(through, open_tables, strict=True):
        answers = [await via.post(f"{table.path}/seats"), await via.post("/v1/games", {"title": "toy", "seats": 2})]
        assert {answer.status_code for answer in answers} <= {401, 503}
    connection = await asyncpg.connect(before.database)
    query = "select count(*) from events where actor not in (select id from accounts)"
    assert await connection.fetchval(query) == 0
    await connection.close()
    for via in through:

        async def refused(via: Client = via) -> bool:
            return (await via.get("/v1/accounts/me")).status_code == 401

        await eventually(refused)
    await before.require_order(outage=True)


async def test_a_backup_that_is_put_over_a_database_is_not_worked_with_until_it_is_prepared(
    before: Processes, tmp_path: Path
) -> None:
    picks = Random(5)
    tables = [await before.new_game(2, options={"rounds": 6}) for _ in range(2)]
    for table in tables:
        await play(table, 2, picks)
    await asyncio.to_thread(dump, before.database, tmp_path / "backup")
    due_again = [await due_move(table, picks) for table in tables]
    for table in tables:
        await play(table, 3, picks)
    moves = [await due_move(table, picks) for table in tables]
    await asyncio.to_thread(restore_in_place, tmp_path / "backup", before.database)
    for number in range(2):  # the first process remembers what is gone, and the second one looks it up
        for table, *asked in zip(tables, moves, due_again, strict=True):
            for who, body in asked:
                answer = await before.through(who, number).post(f"{table.path}/moves", body)
                assert (answer.status_code, answer.json()["code"]) in {(503, "unavailable"), (409, "stale-version")}
    prepared = await asyncio.to_thread(tablelog, "restored", before.database)
    assert prepared.returncode == 0, prepared.stderr

    async def known() -> bool:
        found = [await http.get(table.path) for http in before.https for table in tables]
        return all(each.status_code == 200 and each.json()["version"] == 5 for each in found)

    await eventually(known)
    for table in tables:
        await play(table, 4, picks)
    await before.require_order(outage=True)


async def replace_database(server: OwnServer, file: Path, processes: Processes) -> None:
    """Put a backup in the place of the database, as an operator does who is in no hurry."""
    await on_server(server, f"alter database {NAME} allow_connections false", CUT.format(name=NAME))
    await on_server(server, f"alter database {NAME} rename to old")
    database = await new_database(server, NAME)
    await require_unavailable(processes)  # which is no database of ours yet
    await asyncio.to_thread(restore, file, database)
    await require_unavailable(processes)  # which nobody has prepared yet
    prepared = await asyncio.to_thread(tablelog, "restored", database)
    assert prepared.returncode == 0, prepared.stderr

    async def ready() -> bool:
        return all([(await http.get("/readyz")).status_code == 200 for http in processes.https])

    await eventually(ready)


async def require_unavailable(processes: Processes) -> None:
    for http in processes.https:
        for path in ("/readyz", "/v1/games", processes.tables[0].path):
            assert expect(await http.get(path), 503)["code"] == "unavailable"
