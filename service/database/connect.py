"""The first connection to a database, which reports in a sentence why the database cannot be used."""

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
"""Timeout of the first connection, and of each query on it."""

ENCODING = "UTF8"


class UnfitDatabase(Exception):
    """The database is unreachable, or Tablelog cannot use it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"DATABASE_URL: {why}")


@asynccontextmanager
async def reached(dsn: str) -> AsyncGenerator[Connection]:
    """A connection to a usable database, closed at the end; raises `UnfitDatabase`."""
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        why = f"cannot connect to {place(dsn)}: {_reason(error)}"
        raise UnfitDatabase(why) from error
    try:
        try:
            await _require_fit(connection)
        except TimeoutError as error:
            why = f"{place(dsn)} accepts a connection and does not answer"
            raise UnfitDatabase(why) from error
        yield connection
    finally:
        # A database that hangs does not confirm the close either.
        with suppress(TimeoutError):
            await connection.close(timeout=CONNECT_SECONDS)


def place(dsn: str) -> str:
    """The host and port of an address, without name and password."""
    try:
        parts = urlsplit(dsn)
        named = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]
    except ValueError:
        return _UNNAMED
    # An unescaped slash in a password would end the host.
    return named if named and "@" not in f"{parts.path}{parts.query}{parts.fragment}" else _UNNAMED


_UNNAMED = "the server that it names"


def _reason(error: Exception) -> str:
    match error:
        case TimeoutError(errno=None):
            return "it does not answer"
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number)  # its message repeats the address
        case OSError():
            return error.strerror or str(error)
        case ValueError() if not isinstance(error, asyncpg.InterfaceError):
            return "the address cannot be read"  # its message repeats parts of it
        case _:
            return str(error)


async def _require_fit(connection: Connection) -> None:
    version = connection.get_server_version()
    if version.major < LEAST_VERSION:
        why = f"PostgreSQL {LEAST_VERSION} or newer is required, not {version.major}.{version.minor}"
        raise UnfitDatabase(why)
    name: str = await connection.fetchval("select current_database()", timeout=CONNECT_SECONDS)
    encoding: str = await connection.fetchval("show server_encoding", timeout=CONNECT_SECONDS)
    if encoding != ENCODING:
        how = f"create one with: create database ... template template0 encoding '{ENCODING}'"
        why = f"the database {name} is encoded in {encoding}, and Tablelog needs {ENCODING}; {how}"
        raise UnfitDatabase(why)
