"""Plain SQL migrations: each file under migrations/ is applied once, in order, in a transaction of its own.

Our own thirty lines, because every maintained migration tool brings a second database driver with it. Two processes
that start at once take turns by an advisory lock, and the one that comes second finds nothing left to do. A migration
that was applied and has changed since is refused: the files are history.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files

import asyncpg

_LOCK = 7_305_911_044
"""Any fixed number: the advisory lock that migrating processes share."""


class MigrationChanged(Exception):
    """A migration that was applied reads otherwise now."""


async def migrate(dsn: str) -> list[str]:
    """Apply what is missing; gives the names of what was applied."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("select pg_advisory_lock($1)", _LOCK)
        return await _apply_missing(connection)
    finally:
        await connection.close()  # which also gives the lock back


async def _apply_missing(connection: asyncpg.Connection[asyncpg.Record]) -> list[str]:
    await connection.execute(
        "create table if not exists migrations"
        " (name text primary key, hash text not null, applied_at timestamptz not null default now())"
    )
    known = {row["name"]: row["hash"] for row in await connection.fetch("select name, hash from migrations")}
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


def _migrations() -> list[tuple[str, str]]:
    folder = files("service.store") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(name, (folder / name).read_text(encoding="utf-8")) for name in names]
