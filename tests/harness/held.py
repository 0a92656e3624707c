"""Commits that are held open: an event has its place in the log, and nobody can see it yet."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg

_LOCK = 4_711

_HOLD = f"""
create function hold_commit() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock({_LOCK});
    return null;
end $$;
create constraint trigger hold_commits after insert on events
    deferrable initially deferred for each row when (new.actor = '{{actor}}') execute function hold_commit();
"""


class Held:
    """Holds the commits of every event of one account until it is told to let go."""

    def __init__(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        self._connection = connection

    async def hold(self) -> None:
        """Hold them; also anew, after they were let go."""
        await self._connection.execute("select pg_advisory_lock($1)", _LOCK)

    async def arrived(self, number: int = 1) -> None:
        """Wait until so many commits are being held."""
        query = "select count(*) from pg_locks where locktype = 'advisory' and objid = $1 and not granted"
        while await self._connection.fetchval(query, _LOCK) < number:
            pass

    async def let_go(self) -> None:
        """Let those that are held commit, and all that come later."""
        await self._connection.execute("select pg_advisory_unlock($1)", _LOCK)

    async def kill(self) -> None:
        """End the sessions whose commits are held: what they wrote is rolled back."""
        await self._connection.execute(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
            _LOCK,
        )


@asynccontextmanager
async def held_commits(dsn: str, actor: str) -> AsyncGenerator[Held]:
    """Hold the commits of every event of an account."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(_HOLD.format(actor=actor))
        held = Held(connection)
        await held.hold()
        yield held
    finally:
        await connection.close()
