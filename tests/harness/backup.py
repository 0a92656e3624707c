"""Backups as an operator makes them: pg_dump, pg_restore, and the command that prepares what was restored."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import asyncpg

from service.embedded_postgres.programs import find_programs, surroundings
from service.log.events import CHANNEL
from service.log.listener import EPOCH_CHANGED
from service.projections import rows
from service.projections.summaries import Summaries
from tests.harness.postgres import OwnServer
from tests.harness.writing import writing

_PROJECT = Path(__file__).resolve().parents[2]


def dump(database: str, file: Path) -> None:
    """Write a backup of a database."""
    _run("pg_dump", "--format=custom", f"--file={file}", database)


def restore(file: Path, database: str) -> None:
    """Put a backup into an empty database."""
    _run("pg_restore", "--no-owner", "--single-transaction", f"--dbname={database}", str(file))


def restore_in_place(file: Path, database: str) -> None:
    """Put a backup over what is there, table by table, which is not how it should be done."""
    options = ("--no-owner", "--clean", "--if-exists", "--single-transaction")
    _run("pg_restore", *options, f"--dbname={database}", str(file))


def _run(program: str, *arguments: str) -> None:
    command = [str(find_programs() / program), *arguments]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def tablelog(command: str, database: str = "", *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the service on a database, with the toy among the titles."""
    return subprocess.run(
        [sys.executable, "-m", "tests.harness.serve", command, *arguments],
        cwd=_PROJECT,
        env={**os.environ, "DATABASE_URL": database, "PORT": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


_REWIND = """
alter table events disable trigger events_append_only;
delete from events where game_id = '{game}' and version > {version};
alter table events enable trigger events_append_only;
update epoch set epoch = replace(gen_random_uuid()::text, '-', '');
delete from lobby where game_id = '{game}';
delete from history where game_id = '{game}';
update projection set xid = last.xid, position = last.position
from (select xid, position from events order by xid desc, position desc limit 1) as last
where (projection.xid, projection.position) > (last.xid, last.position);
"""


async def rewind(database: str, game_id: str, version: int, *, notify: bool = False) -> None:
    """Do to a game what a backup of an earlier moment would have done, under connections that stay open.

    That is worse than what can happen, since nobody notices by connecting anew; with `notify` all are told. The lists
    go back as well: a backup has the log and what was projected of it as they were at one moment.
    """
    async with writing(database) as before:
        then = Summaries()
        if version:
            then.add(game_id, version, await before.tables.at(game_id, version))
        async with before.pool.acquire() as connection, connection.transaction():
            await connection.execute(_REWIND.format(game=game_id, version=version))
            await rows.write(connection, (await rows.checkpoint(connection)).generation, then)
            if notify:
                await connection.execute("select pg_notify($1, $2)", CHANNEL, EPOCH_CHANGED)


async def new_database(server: OwnServer, name: str) -> str:
    """An empty database, as a backup is to be put into; gives its address."""
    await on_server(server, f"create database {name} template template0 encoding 'UTF8' locale 'C'")
    return server.dsn(name)


async def on_server(server: OwnServer, *statements: str) -> None:
    """Run statements that concern databases."""
    connection = await asyncpg.connect(server.dsn("postgres"))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()
