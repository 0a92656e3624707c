"""The first connection to a database: what keeps it from being worked with is told in a sentence, by the variable."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit

import asyncpg

from service.database.types import Connection

LEAST_VERSION = 14
"""The first PostgreSQL with `idle_session_timeout`, which the projector sets; the type xid8 came with 13."""

CONNECT_SECONDS = 10.0
"""How long a database may take to let the first connection in, and to answer what is asked of every database."""

ENCODING = "UTF8"


class UnfitDatabase(Exception):
    """The database cannot be reached, or is none that Tablelog can work with."""

    def __init__(self, why: str) -> None:
        super().__init__(f"DATABASE_URL: {why}")


@asynccontextmanager
async def reached(dsn: str) -> AsyncGenerator[Connection]:
    """A connection to a database that can be worked with, closed at the end; raises `UnfitDatabase`."""
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        why = f"cannot connect to {place(dsn)}: {_reason(error)}"
        raise UnfitDatabase(why) from error
    try:
        try:
            await _demand_fit(connection)
        except TimeoutError as error:
            why = f"{place(dsn)} lets a connection in and does not answer"
            raise UnfitDatabase(why) from error
        yield connection
    finally:
        # A database that hangs does not confirm the end of a connection either.
        with suppress(TimeoutError):
            await connection.close(timeout=CONNECT_SECONDS)


def place(dsn: str) -> str:
    """The host and port that an address leads to, without name and password."""
    try:
        parts = urlsplit(dsn)
        named = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]
    except ValueError:
        return _UNTOLD
    # A slash in a password that is not escaped ends what is taken for the host.
    return named if named and "@" not in f"{parts.path}{parts.query}{parts.fragment}" else _UNTOLD


_UNTOLD = "the server that it names"


def _reason(error: Exception) -> str:
    match error:
        case TimeoutError(errno=None):
            return "it does not answer"
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number)  # the error's own words repeat the address
        case OSError():
            return error.strerror or str(error)
        case ValueError() if not isinstance(error, asyncpg.InterfaceError):
            return "the address cannot be read"  # the error repeats parts of it
        case _:
            return str(error)


async def _demand_fit(connection: Connection) -> None:
    version = connection.get_server_version()
    if version.major < LEAST_VERSION:
        why = f"PostgreSQL {LEAST_VERSION} or newer is needed, and this is {version.major}.{version.minor}"
        raise UnfitDatabase(why)
    name: str = await connection.fetchval("select current_database()", timeout=CONNECT_SECONDS)
    encoding: str = await connection.fetchval("show server_encoding", timeout=CONNECT_SECONDS)
    if encoding != ENCODING:
        how = f"create one with: create database ... template template0 encoding '{ENCODING}'"
        why = f"the database {name} is encoded in {encoding}, and Tablelog needs {ENCODING}; {how}"
        raise UnfitDatabase(why)
