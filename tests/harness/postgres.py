"""Databases for tests: one server per run, a fresh database per test, made from a template in milliseconds.

The server is an embedded one without fsync, or the one that DATABASE_URL names.
"""

import asyncio
import os
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from service.database.migrate import migrate
from service.embedded_postgres.cluster import Cluster
from service.embedded_postgres.server import EmbeddedPostgres

Result = TypeVar("Result")

CARELESS: Mapping[str, str] = {"fsync": "off", "full_page_writes": "off"}
"""Settings for data that nobody will miss after a power cut."""


AT_HOME_ANYWHERE = """
create or replace function this_database() returns text language sql stable
return 'any/where/' || 'events'::regclass::oid;
update epoch set home = this_database()
"""
"""Makes copies of a database pass for the original, each of which would have to be connected to otherwise."""


class PostgresServer(Protocol):
    """A server with databases."""

    def dsn(self, database: str = ...) -> str:
        """Give the address of a database."""
        ...


class GivenServer:
    """The server that DATABASE_URL names; its user must be allowed to create databases."""

    def __init__(self, url: str) -> None:
        self._parts = urlsplit(url)
        self._own = self._parts.path.lstrip("/")

    def dsn(self, database: str = "") -> str:
        """Give the address of a database, by default the one in the URL."""
        return urlunsplit(self._parts._replace(path=f"/{database or self._own}"))


class OwnServer:
    """An embedded server that a test may stop and kill; it comes back at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._postgres = EmbeddedPostgres(folder, settings=CARELESS)

    def start(self) -> None:
        """Start it."""
        self._postgres.start()

    def stop(self) -> None:
        """Stop it, if nobody else uses it."""
        self._postgres.stop()

    def dsn(self, database: str = "tablelog") -> str:
        """Give the address of a database."""
        return self._postgres.dsn(database)

    def go_down(self, mode: str = "immediate") -> None:
        """Stop the server though it is in use: `immediate` is a crash, `fast` a maintenance."""
        self._cluster().stop(mode)

    def come_back(self) -> None:
        """Start the server that went down."""
        self._cluster().run()

    def _cluster(self) -> Cluster:
        return Cluster(self.folder.resolve(), CARELESS)


@contextmanager
def own_server() -> Generator[OwnServer]:
    """Run an embedded server in a temporary folder."""
    top = Path(tempfile.mkdtemp(prefix="tablelog-"))
    server = OwnServer(top / "postgres")
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(top)


@contextmanager
def server_for_tests() -> Generator[PostgresServer]:
    """Give the server that DATABASE_URL names, or run one."""
    if url := os.environ.get("DATABASE_URL"):
        yield GivenServer(url)
        return
    with own_server() as server:
        yield server


@asynccontextmanager
async def fresh_database(server: PostgresServer, template: str = "") -> AsyncGenerator[str]:
    """Make a database, empty or as a copy of another, give its address, and drop it even when it is in use."""
    name = f"test_{secrets.token_hex(8)}"
    await _create(server, name, template)
    try:
        yield server.dsn(name)
    finally:
        await _drop(server, name)


@contextmanager
def migrated_template(server: PostgresServer) -> Generator[str]:
    """Make a database with all migrations in it, to be copied by every test; gives its name."""
    name = f"template_{secrets.token_hex(8)}"
    _in_loop_of_its_own(_create(server, name))
    try:
        _in_loop_of_its_own(migrate(server.dsn(name)))
        _in_loop_of_its_own(_command(server, AT_HOME_ANYWHERE, name))
        yield name
    finally:
        _in_loop_of_its_own(_drop(server, name))


async def _create(server: PostgresServer, name: str, template: str = "") -> None:
    # UTF8 and C as in the embedded server, whatever the given server's own defaults are.
    how = f'template "{template}"' if template else "template template0 encoding 'UTF8' locale 'C'"
    await _command(server, f'create database "{name}" {how}')


async def _drop(server: PostgresServer, name: str) -> None:
    await _command(server, f'drop database if exists "{name}" with (force)')


async def _command(server: PostgresServer, statement: str, database: str = "") -> None:
    connection = await asyncpg.connect(server.dsn(database) if database else server.dsn())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _in_loop_of_its_own(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine to its end where the test's loop is not to be touched."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
