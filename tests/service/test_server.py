"""The process: it starts with a line for a newcomer, stops when it is told to, and comes back where it was."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from service.projections import rebuild
from service.server import PortTaken, bound
from tests.harness.postgres import OwnServer
from tests.harness.server import Service, expect, new_game, play, public

PROJECT = Path(__file__).resolve().parents[2]


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    known = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "PORT", "HOST"}}
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=PROJECT,
        env={**known, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


async def test_a_newcomer_is_told_where_everything_is_and_how_to_begin(service: Service) -> None:
    assert f"{service.url}/docs" in service.log
    line = next(line for line in service.log.splitlines() if line.strip().startswith("curl"))
    words = shlex.split(line)
    assert words[:4] == ["curl", "-s", f"{service.url}/v1/accounts", "-H"]
    name, _, value = words[4].partition(": ")
    async with public(service.url) as anyone:
        answer = await anyone.post(words[2], content=words[words.index("-d") + 1], headers={name: value})
        assert "token" in expect(answer, 201)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_the_process_cleanly(service: Service, sent: signal.Signals) -> None:
    async with public(service.url) as anyone:
        expect(await anyone.get("/healthz"), 200)  # its connection stays open
        assert await asyncio.to_thread(service.interrupt, sent) == 0
    assert "Traceback" not in service.log


@pytest.mark.parametrize("killed", [True, False])
async def test_a_second_start_finds_the_games_where_they_were(service: Service, *, killed: bool) -> None:
    async with public(service.url) as anyone:
        table = await new_game(anyone.http)
        before = await play(table, 5)
        await asyncio.to_thread(service.kill if killed else service.interrupt)
        service.start()
        assert expect(await anyone.get(table.path), 200) == before
        assert (await play(table))["status"] == "finished"


def test_a_port_that_is_taken_gives_one_clear_line(database: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = command("serve", DATABASE_URL=database, PORT=port)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"tablelog: PORT: 127.0.0.1:{port} cannot be listened on: Address already in use"
    ]


@pytest.mark.parametrize(
    "environment,begins",
    [
        ({"PORT": "80a"}, "PORT: "),
        ({"PORT": "70000"}, "PORT: "),
        ({"TABLELOG_HOT_GAMES": "0"}, "TABLELOG_HOT_GAMES: "),
        ({"HOST": "no such host"}, "HOST: "),
        ({"TABLELOG_COMPONENTS": "/no/such/folder"}, "/no/such/folder: "),
    ],
)
def test_a_setting_that_cannot_be_used_gives_one_clear_line(
    database: str, environment: dict[str, str], begins: str
) -> None:
    done = command("serve", **{"DATABASE_URL": database, "PORT": "0", **environment})
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"tablelog: {begins}")


@pytest.mark.parametrize("url", ["postgresql://nobody@127.0.0.1:1/none", "nonsense"])
def test_a_database_that_is_not_there_gives_one_clear_line(url: str) -> None:
    done = command("serve", DATABASE_URL=url, PORT="0")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("tablelog: DATABASE_URL: ")


def test_migrating_twice_finds_nothing_left_to_do(empty_database: str) -> None:
    assert command("migrate", DATABASE_URL=empty_database).stdout.startswith("applied 0001")
    assert command("migrate", DATABASE_URL=empty_database).stdout == "the database is up to date\n"


async def test_lists_are_made_anew_while_the_service_runs(service: Service, database: str) -> None:
    async with public(service.url) as anyone:
        player = (await new_game(anyone.http, title="spacelab")).seats[1]  # the last to act, who sees that at once
        before = expect(await player.get("/v1/games"), 200)
        done = await asyncio.to_thread(command, "rebuild", DATABASE_URL=database)
        assert (done.returncode, done.stderr) == (0, "")
        assert expect(await player.get("/v1/games"), 200) == before


async def test_lists_that_are_being_made_anew_elsewhere_are_told_of_in_a_line(database: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("select pg_advisory_lock($1)", rebuild.LOCK)
    done = await asyncio.to_thread(command, "rebuild", DATABASE_URL=database)
    await connection.close()
    assert (done.returncode, done.stderr) == (2, f"tablelog: {rebuild.RebuildRunning.__doc__}\n")


def test_the_document_is_printed_without_a_database() -> None:
    done = command("openapi")
    assert (done.returncode, done.stdout) == (0, (PROJECT / "openapi" / "tablelog.json").read_text())


def test_a_socket_is_bound_once() -> None:
    with bound("127.0.0.1", 0) as first, pytest.raises(PortTaken):
        bound("127.0.0.1", first.getsockname()[1])


async def test_no_token_and_no_junk_of_a_client_comes_into_the_log(service: Service) -> None:
    """Faults 39 and 43."""
    async with httpx.AsyncClient(base_url=service.url) as http:
        junk = ("/v1/games?token=tl_secret", "/v1/games/%0aINFO%20forged", "/%1b[2J", "/v1/titles/%0d%0a/components/x")
        for path in junk:
            await http.get(path, headers={"Authorization": "Bearer tl_secret", "User-Agent": "forged"})
        await http.post("/v1/accounts", json={"name": "a\r\nforged"})
    assert "tl_secret" not in service.log
    assert "forged" not in service.log


async def test_while_the_database_restarts_requests_are_told_to_come_again(own_postgres: OwnServer) -> None:
    service = Service(own_postgres.dsn())
    try:
        service.start()
        async with public(service.url) as anyone:
            table = await new_game(anyone.http)
            own_postgres.go_down("fast")
            refused = await table.seats[0].post("/v1/games", {"title": "toy", "seats": 2})
            assert expect(refused, 503)["code"] == "unavailable"
            own_postgres.come_back()
            assert (await play(table))["status"] == "finished"
    finally:
        service.stop()


async def test_a_stop_does_not_wait_for_a_database_that_does_not_answer(own_postgres: OwnServer) -> None:
    service = Service(own_postgres.dsn())
    try:
        service.start()
        async with public(service.url) as anyone:
            expect(await anyone.get("/v1/games"), 200)
            with silent(own_postgres):
                asking = [asyncio.create_task(anyone.get("/v1/games")) for _ in range(3)]
                await asyncio.sleep(0.2)  # all of them wait for the database, some for a connection to it
                assert await asyncio.to_thread(service.interrupt) == 0
                assert [expect(answer, 503)["code"] for answer in await asyncio.gather(*asking)] == ["unavailable"] * 3
        assert "the database does not answer" in service.log
        assert "Traceback" not in service.log
    finally:
        service.stop()


@contextmanager
def silent(postgres: OwnServer) -> Generator[None]:
    """Let a server take connections and say nothing, as behind a network that swallows everything."""
    (file,) = postgres.folder.rglob("postmaster.pid")
    first = file.read_text().split()[0]
    others = subprocess.run(
        [shutil.which("pgrep") or "pgrep", "-P", first], capture_output=True, text=True, check=True
    ).stdout.split()
    processes = [int(each) for each in (first, *others)]
    for each in processes:
        os.kill(each, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in processes:
            os.kill(each, signal.SIGCONT)
