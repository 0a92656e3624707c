"""Ways to break the way to Postgres: a commit that fails, an answer that is lost."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import asyncpg

from tests.harness.relay import Relay, first_of, listening

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


class Wire(Relay):
    """Can be cut after the server did its work and before the answer is through."""

    def __init__(self, dsn: str) -> None:
        super().__init__(dsn)
        self._lose_answers_to = b""
        self._times = 0
        self.lost = 0

    def lose_answer_to(self, statement: bytes, times: int = 1) -> None:
        """Swallow the server's answer to the next messages that hold these bytes, cutting the connection each time.

        A statement is prepared before it is executed: bytes of its text lose the answer to that, bytes of what is put
        into it lose the answer to its execution.
        """
        self._lose_answers_to, self._times = statement, times

    async def carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        up_reader: asyncio.StreamReader,
        up_writer: asyncio.StreamWriter,
    ) -> None:
        """Carry one connection, until an answer is to be lost."""
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

        await first_of(asyncio.create_task(forth()), asyncio.create_task(back()))


def wire_to(dsn: str) -> AbstractAsyncContextManager[tuple[Wire, str]]:
    """A relay to a database, and the DSN that goes through it."""
    return listening(Wire(dsn))
