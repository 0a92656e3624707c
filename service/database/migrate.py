"""Plain SQL migrations: each file under migrations/ is applied once, in order.

Our own few lines, because every maintained migration tool brings a second database driver with it. A migration that was
applied and has changed since is refused: the files are history. `migration_run.py` says how one of them is run so that
play goes on meanwhile.

One process migrates at a time; the others wait, and find nothing left to do. They try for the advisory lock again and
again: a session that waits for it inside the server holds a snapshot, for which an index that is built concurrently
would wait in turn. Processes of earlier releases do wait so, for a lock of their own: it is held as well, except during
steps.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from importlib.resources import files

import asyncpg

from service.database.connect import CONNECT_SECONDS, UnfitDatabase, reached
from service.database.migration_run import run_steps, run_transaction, steps_of
from service.database.types import Connection

_LOCK = 7_305_911_047
"""Any fixed number: the advisory lock that migrating processes share."""

_EARLIER_LOCK = 7_305_911_044
"""The one of releases without steps."""

TURN_SECONDS = 0.1
"""How often a process that waits for its turn tries again."""


class MigrationChanged(Exception):
    """A migration that was applied reads otherwise now."""


async def migrate(dsn: str) -> list[str]:
    """Apply what is missing; gives the names of what was applied. May be killed and started again at any point."""
    async with reached(dsn) as connection:  # its end also gives the locks back
        await connection.execute("set lock_timeout = 0; set statement_timeout = 0")
        with suppress(asyncpg.PostgresError):  # not every system can tell
            # The work of a process that was killed ends with it, and so does its turn.
            await connection.execute("set client_connection_check_interval = '1s'")
        async with _turn(connection, _LOCK):
            return await _apply_missing(connection)


@asynccontextmanager
async def _turn(connection: Connection, lock: int) -> AsyncGenerator[None]:
    while True:
        if await connection.fetchval("select pg_try_advisory_lock($1)", lock):
            break
        await asyncio.sleep(TURN_SECONDS)
    yield
    await connection.execute("select pg_advisory_unlock($1)", lock)


async def _apply_missing(connection: Connection) -> list[str]:
    async with _turn(connection, _EARLIER_LOCK):
        known = await _applied(connection)
        await _require_no_lock(connection, [text for name, text in _migrations() if name not in known])
        await connection.execute(
            "create table if not exists migrations"
            " (name text primary key, hash text not null, applied_at timestamptz not null default now())"
        )
    applied: list[str] = []
    for name, text in _migrations():
        digest = hashlib.sha256(text.encode()).hexdigest()
        if name not in known:
            await _apply(connection, name, text, digest)
            applied.append(name)
        elif known[name] != digest:
            message = f"migration {name} was applied in another form: {known[name]}, and reads now {digest}"
            raise MigrationChanged(message)
    return applied


async def _apply(connection: Connection, name: str, text: str, digest: str) -> None:
    noted = "insert into migrations (name, hash) values ($1, $2)"
    if (steps := steps_of(text)) is not None:
        await run_steps(connection, name, steps)
        await connection.execute(noted, name, digest)
        return
    async with _turn(connection, _EARLIER_LOCK):
        # An earlier release may have been quicker since it was looked up.
        if not await connection.fetchval("select exists (select from migrations where name = $1)", name):
            await run_transaction(connection, name, text, (noted, name, digest))


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


async def _require_no_lock(connection: Connection, texts: list[str]) -> None:
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
