"""A backup is put back: into another cluster, and in the place of a database that processes are at work on.

Up to the dump everything is as it was, byte for byte; what came after it is gone, and everybody is told so: a position
of the old epoch is refused, watchers begin anew, and whoever remembers a version that is gone hears which one there is.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import pytest

from service.store import positions
from service.store.pool import open_pool
from service.store.positions import START, Mark
from tests.harness.aftermath import demand_order
from tests.harness.backup import dump, new_database, on_server, restore, restore_in_place, tablelog
from tests.harness.lists import eventually
from tests.harness.living import Feed, watching
from tests.harness.postgres import OwnServer, own_server
from tests.harness.processes import Processes, due_move, spoken_to, started
from tests.harness.server import Client, Service, Table, account, expect, play
from tests.harness.server_sent import Events, listening

NAME = "tablelog"
KEY = {"Idempotency-Key": '"before the dump"'}
LATE_KEY = {"Idempotency-Key": '"after the dump"'}

YEARS = "do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$"
"""Has a server count transactions that another one has yet to come to."""

CUT = "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}' and pid <> pg_backend_pid()"


@dataclass
class Past:
    """What there was when the backup was made, and what has been lost since."""

    file: Path
    log: list[asyncpg.Record]
    finished: Table
    running: Table
    long: Table
    """A game of Space Lab that is under way."""
    lost: Table
    """Made after the dump."""
    newcomer: Client
    """An account that was made after it."""
    epoch: str
    version: int
    """Of `running`, in the dump."""
    keyed: tuple[Client, dict[str, Any], dict[str, Any]]
    """Who made the last move before the dump, with what body, and the answer."""
    late: tuple[Client, dict[str, Any]]
    """The same of the first move after it."""
    cursor: str
    left: list[str]
    """What was left of the list at the cursor."""

    @property
    def tables(self) -> list[Table]:
        return [self.finished, self.running, self.long]


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


async def undone(table: Table, picks: Random) -> None:
    """Make moves until one of them may be taken back, and take it back."""
    while True:
        who, body = await due_move(table, picks)
        made = expect(await who.post(f"{table.path}/moves", body), 201)
        taken = await who.post(f"{table.path}/undo", {"expected_version": made["version"]})
        if taken.status_code == 201:
            return
        assert made["status"] == "running", "no move of this game could be taken back"


async def log_of(database: str) -> list[asyncpg.Record]:
    """Every row of the log, but for the transactions that wrote them here."""
    connection = await asyncpg.connect(database)
    columns = "game_id, version, type, actor, data::text, rules_version, hash, recorded_at, attempt, idempotency_key"
    query = f"select {columns}, request_hash, position from events order by position"  # noqa: S608 - the names above
    found = await connection.fetch(query)
    await connection.close()
    return found


async def read_whole_log(database: str) -> list[Mark]:
    """What a reader of the whole log comes to from the start, a few at a time."""
    found: list[Mark] = []
    async with open_pool(database, 1) as pool, pool.acquire() as connection:
        while marks := await positions.read(connection, found[-1].position if found else START, 7):
            found += marks
    return found


async def listed(who: Client, query: str, cursor: str | None = None) -> list[str]:
    """The games of a list, from a cursor to the end."""
    games: list[str] = []
    while True:
        page = expect(await who.get(f"/v1/games?{query}" + (f"&cursor={cursor}" if cursor else "")), 200)
        games += [game["id"] for game in page["games"]]
        cursor = page["next"]
        if cursor is None:
            return games


async def live_a_while(processes: Processes, server: OwnServer, file: Path) -> Past:
    """Play, make a backup on the way, and play on."""
    picks = Random(7)
    finished = await processes.new_game(2, options={"rounds": 3})
    running = await processes.new_game(3, options={"rounds": 6})
    long = await processes.new_game(2, "spacelab")
    await play(finished, picks=picks)
    await undone(running, picks)
    await play(long, 12, picks)
    public = Client(processes.http)
    await eventually_listed(public, {table.id for table in (finished, running, long)})
    page = expect(await public.get("/v1/games?limit=1"), 200)
    who, body = await due_move(running, picks)
    made = expect(await who.post(f"{running.path}/moves", body, KEY), 201)
    log = await log_of(server.dsn(NAME))
    await asyncio.to_thread(dump, server.dsn(NAME), file)
    late_who, late_body = await due_move(running, picks)
    expect(await late_who.post(f"{running.path}/moves", late_body, LATE_KEY), 201)
    await play(running, 3, picks)
    await play(long, 3, picks)
    newcomer = await account(processes.http)
    for number in range(2):  # so that both processes know the token
        expect(await processes.through(newcomer, number).get("/v1/accounts/me"), 200)
    events = expect(await public.get(f"{running.path}/events"), 200)
    return Past(
        file=file,
        log=log,
        finished=finished,
        running=running,
        long=long,
        lost=await processes.new_game(2),
        newcomer=newcomer,
        epoch=events["epoch"],
        version=made["version"],
        keyed=(who, body, made),
        late=(late_who, late_body),
        cursor=page["next"],
        left=await listed(public, "limit=1", page["next"]),
    )


async def eventually_listed(who: Client, games: set[str]) -> None:
    """Wait until the list has these games."""

    async def holds() -> bool:
        return games <= set(await listed(who, "limit=200"))

    await eventually(holds)


async def demand_past_is_there(processes: Processes, past: Past) -> str:
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


async def demand_log_is_read_whole(database: str) -> None:
    """A reader of the whole log comes to each event once, those of a game in their order."""
    log = sorted((row["game_id"], row["version"]) for row in await log_of(database))
    marks = await read_whole_log(database)
    assert sorted((mark.game_id, mark.version) for mark in marks) == log
    for game in {mark.game_id for mark in marks}:
        versions = [mark.version for mark in marks if mark.game_id == game]
        assert versions == list(range(1, len(versions) + 1))


async def demand_record_verifies(table: Table, told: dict[int, str], folder: Path) -> None:
    """Play a game to its end and verify its record, with hashes that were told before."""
    await play(table, picks=Random(3))
    record = await table.seats[0].get(f"{table.path}/record")
    file = folder / "record.ndjson"
    file.write_bytes(record.content)
    hashes = [word for version, of in told.items() for word in ("--hash", f"{version}:{of}")]
    done = await asyncio.to_thread(tablelog, "verify", "", str(file), *hashes)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "verified"), done.stdout + done.stderr


def live_url(service: Service, table: Table, query: str = "") -> str:
    return f"ws{service.url.removeprefix('http')}{table.path}/live{query}"


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
            epoch = await demand_past_is_there(processes, past)
            assert epoch in prepared.stdout
            await demand_log_is_read_whole(database)
            await demand_record_verifies(past.running, hashes, tmp_path)
            await demand_order(database, services, processes.tables)


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
            await each.begin_anew()
        epoch = await demand_past_is_there(before, past)
        for each in watchers:
            await each.go_on(before.tables[-1])
    assert expect(await public.get(f"{past.running.path}/events"), 200)["epoch"] == epoch
    await demand_log_is_read_whole(before.database)
    before.tables = [table for table in before.tables if table is not past.lost]
    await before.demand_order(outage=True)
    for service in services:
        assert len(re.findall("another history: epoch", service.log)) == 1


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
    await before.demand_order(outage=True)


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
    await before.demand_order(outage=True)


@dataclass
class Watchers:
    """Those who watch through one process, in every way there is."""

    past: Past
    present: Feed
    """From a hello on."""
    resumed: Feed
    lost: Feed
    """At the game that is gone."""
    lobby: Feed
    sent: Events

    @classmethod
    @asynccontextmanager
    async def through(cls, service: Service, past: Past) -> AsyncGenerator[Watchers]:
        """Connect to a process."""
        follow = {"type": "follow", "feed": "lobby"}
        async with (
            watching(live_url(service, past.running), {"type": "auth"}) as present,
            watching(live_url(service, past.running, f"?after=2&epoch={past.epoch}"), {"type": "auth"}) as resumed,
            watching(live_url(service, past.lost), {"type": "auth"}) as lost,
            watching(f"ws{service.url.removeprefix('http')}/v1/live", follow) as lobby,
            listening(f"{service.url}{past.running.path}/events") as sent,
        ):
            yield cls(past, present, resumed, lost, lobby, sent)

    async def arrive(self, reached: int) -> None:
        """Have all that there is to see before the database is replaced."""
        for feed, kind in ((self.present, "hello"), (self.resumed, "resumed"), (self.lost, "hello")):
            first = await feed.next()
            assert (first["type"], first["epoch"]) == (kind, self.past.epoch)
        await self.resumed.through(reached)
        assert (await self.lobby.next())["epoch"] == self.past.epoch
        assert (await self.sent.next()).id == f"{self.past.epoch}:{reached}"

    async def begin_anew(self) -> None:
        """Be told of the other history, and by nothing else."""
        for feed in (self.present, self.resumed):
            told, then = await feed.next(), await feed.next()
            assert (told["type"], told["reason"], told["version"]) == ("resync", "epoch", self.past.version)
            assert (then["type"], then["version"], then["epoch"]) == ("hello", self.past.version, told["epoch"])
            assert then["epoch"] != self.past.epoch
        told, then = await self.lost.next(), await self.lost.next()
        assert (told["type"], told["code"], then["type"]) == ("error", "no-such-game", "unsubscribed")
        *late, told = await self.lobby.until(lambda frame: frame["type"] == "refollow")
        assert {frame["game"] for frame in late} <= {self.past.lost.id}
        assert (told["reason"], (await self.lobby.next())["type"]) == ("epoch", "following")
        resync, hello = await self.sent.next(), await self.sent.next()
        assert (resync.event, resync.frame["reason"], hello.event) == ("resync", "epoch", "hello")
        assert hello.id == f"{hello.frame['epoch']}:{self.past.version}"

    async def go_on(self, fresh: Table) -> None:
        """See what has been done in the other history, and miss nothing of it."""
        last = self.past.version + 3
        due = list(range(self.past.version + 1, last + 1))
        for feed in (self.present, self.resumed):
            assert [frame["version"] for frame in await feed.through(last)] == due
        assert [each.frame["version"] for each in await self.sent.through(last)] == due
        *late, created = await self.lobby.until(lambda frame: frame["game"] == fresh.id)
        assert {frame["game"] for frame in late} <= {table.id for table in self.past.tables}, "what lists had not yet"
        assert created["what"] == ["created"]
        assert ["seat_taken" in (await self.lobby.next())["what"] for _ in fresh.seats] == [True, True]


async def replace_database(server: OwnServer, file: Path, processes: Processes) -> None:
    """Put a backup in the place of the database, as an operator does who is in no hurry."""
    await on_server(server, f"alter database {NAME} allow_connections false", CUT.format(name=NAME))
    await on_server(server, f"alter database {NAME} rename to old")
    database = await new_database(server, NAME)
    await demand_unavailable(processes)  # which is no database of ours yet
    await asyncio.to_thread(restore, file, database)
    await demand_unavailable(processes)  # which nobody has prepared yet
    prepared = await asyncio.to_thread(tablelog, "restored", database)
    assert prepared.returncode == 0, prepared.stderr

    async def ready() -> bool:
        return all([(await http.get("/readyz")).status_code == 200 for http in processes.https])

    await eventually(ready)


async def demand_unavailable(processes: Processes) -> None:
    for http in processes.https:
        for path in ("/readyz", "/v1/games", processes.tables[0].path):
            assert expect(await http.get(path), 503)["code"] == "unavailable"
