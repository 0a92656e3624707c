"""Plain SQL migrations: each file under migrations/ is applied once, in order, in a transaction of its own.

Our own thirty lines, because every maintained migration tool brings a second database driver with it. Two processes
that start at once take turns by an advisory lock, and the one that comes second finds nothing left to do. A migration
that was applied and has changed since is refused: the files are history.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

import asyncpg

from service.database.connect import CONNECT_SECONDS, UnfitDatabase, reached
from service.database.types import Connection

_LOCK = 7_305_911_044
"""Any fixed number: the advisory lock that migrating processes share."""


class MigrationChanged(Exception):
    """A migration that was applied reads otherwise now."""


async def migrate(dsn: str) -> list[str]:
    """Apply what is missing; gives the names of what was applied."""
    async with reached(dsn) as connection:  # its end also gives the lock back
        await connection.execute("select pg_advisory_lock($1)", _LOCK)
        return await _apply_missing(connection)


async def _apply_missing(connection: Connection) -> list[str]:
    known = await _applied(connection)
    await _demand_free(connection, [text for name, text in _migrations() if name not in known])
    await connection.execute(
        "create table if not exists migrations"
        " (name text primary key, hash text not null, applied_at timestamptz not null default now())"
    )
    applied: list[str] = []
    for name, text in _migrations():
        digest = hashlib.sha256(text.encode()).hexdigest()
        if name not in known:
            async with connection.transaction():
                await connection.execute(text)
                await connection.execute("insert into migrations (name, hash) values ($1, $2)", name, digest)
            applied.append(name)
        elif known[name] != digest:
            message = f"migration {name} was applied in another form: {known[name]}, and reads now {digest}"
            raise MigrationChanged(message)
    return applied


async def _applied(connection: Connection) -> dict[str, str]:
    """The hashes of the migrations that were applied, by their names."""
    if not await connection.fetchval("select to_regclass('migrations') is not null"):
        return {}
    try:
        found = await connection.fetch("select name, hash from migrations", timeout=CONNECT_SECONDS)
        return {row["name"]: row["hash"] for row in found}
    except TimeoutError as error:
        raise UnfitDatabase("the table migrations is locked, or the database does not answer") from error
    except asyncpg.UndefinedColumnError:
        raise _taken("migrations") from None


async def _demand_free(connection: Connection, texts: list[str]) -> None:
    """Pass if nobody else has tables of the names that are about to be made here."""
    names = [name for text in texts for name in re.findall(r"^create table (\w+)", text, re.MULTILINE)]
    found = await connection.fetchval("select n from unnest($1::text[]) n where to_regclass(n) is not null", names)
    if found is not None:
        raise _taken(found)


def _taken(table: str) -> UnfitDatabase:
    return UnfitDatabase(f"the database has a table {table} that is not Tablelog's; give Tablelog one of its own")


def _migrations() -> list[tuple[str, str]]:
    folder = files("service.database") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(name, (folder / name).read_text(encoding="utf-8")) for name in names]
