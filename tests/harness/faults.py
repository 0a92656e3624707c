"""Ways to break the way to Postgres: a commit that fails, an answer that is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

import asyncpg

_KILL_COMMITS = """
create sequence kills;
create function kill_commit() returns trigger language plpgsql as $$
begin
    -- A sequence is not rolled back: so the kills can be counted.
    if nextval('kills') <= {times} then perform pg_terminate_backend(pg_backend_pid()); end if;
    return null;
end $$;
create constraint trigger kill_commits after insert on events
    deferrable initially deferred for each row execute function kill_commit();
"""


async def fail_commits(dsn: str, times: int) -> None:
    """Have the backend killed between the statement and its commit, for the next `times` events."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(_KILL_COMMITS.format(times=times))
    await connection.close()


class Wire:
    """A TCP relay to Postgres that can be cut after the server did its work and before the answer is through."""

    def __init__(self, dsn: str) -> None:
        self._parts = urlsplit(dsn)
        self._lose_answers_to = b""
        self._times = 0
        self.lost = 0
        self._carrying: set[asyncio.Task[None]] = set()

    def lose_answer_to(self, statement: bytes, times: int = 1) -> None:
        """Swallow the server's answer to the next messages that hold these bytes, cutting the connection each time.

        A statement is prepared before it is executed: bytes of its text lose the answer to that, bytes of what is put
        into it lose the answer to its execution.
        """
        self._lose_answers_to, self._times = statement, times

    def dsn(self, port: int) -> str:
        """The same database by way of this relay."""
        place = f"{self._parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}"
        return urlunsplit(self._parts._replace(netloc=place))

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        carrying = asyncio.create_task(self._carry(reader, writer))
        self._carrying.add(carrying)
        await carrying

    async def close(self) -> None:
        """Wait until every connection has been closed at both ends."""
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._parts.hostname, self._parts.port or 5432)
        doomed = asyncio.Event()

        async def forth() -> None:
            while data := await reader.read(65_536):
                if self._times and self._lose_answers_to in data:
                    self._times -= 1
                    doomed.set()
                up_writer.write(data)
                await up_writer.drain()

        async def back() -> None:
            while data := await up_reader.read(65_536):
                if doomed.is_set():
                    self.lost += 1
                    return
                writer.write(data)
                await writer.drain()

        halves = [asyncio.create_task(forth()), asyncio.create_task(back())]
        await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
        for half in halves:
            half.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await half
        for end in (up_writer, writer):
            end.close()
            with suppress(OSError):
                await end.wait_closed()


@asynccontextmanager
async def wire_to(dsn: str) -> AsyncGenerator[tuple[Wire, str]]:
    """A relay to a database, and the DSN that goes through it."""
    wire = Wire(dsn)
    server = await asyncio.start_server(wire.relay, "127.0.0.1", 0)
    try:
        yield wire, wire.dsn(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await wire.close()
        await server.wait_closed()
