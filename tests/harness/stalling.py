"""A TCP relay in front of Postgres that can stop carrying, in one direction or both, and go on where it was."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, suppress

from tests.harness.relay import Relay, first_of, listening


class StallingRelay(Relay):
    """Carries connections between a service and its database until it stalls."""

    def __init__(self, dsn: str) -> None:
        super().__init__(dsn)
        self._forth, self._back = asyncio.Event(), asyncio.Event()
        self._trigger = b""
        self.go_on()

    def stall(self, *, forth: bool = True, back: bool = True) -> None:
        """Hold whatever comes from the service (`forth`) or from the database (`back`); connections stay open."""
        if forth:
            self._forth.clear()
        if back:
            self._back.clear()

    def stall_answer_to(self, statement: bytes) -> None:
        """Pass on the next message that holds these bytes, and nothing of the database from then on."""
        self._trigger = statement

    def go_on(self) -> None:
        """Carry everything that was held, and what comes."""
        self._trigger = b""
        self._forth.set()
        self._back.set()

    async def close(self) -> None:
        """End every connection at both ends, also those that are held."""
        for each in self.carrying:
            each.cancel()
        await super().close()

    async def carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        up_reader: asyncio.StreamReader,
        up_writer: asyncio.StreamWriter,
    ) -> None:
        """Carry one connection, or hold what comes on it."""
        await first_of(
            asyncio.create_task(self._half(reader, up_writer, self._forth, watched=True)),
            asyncio.create_task(self._half(up_reader, writer, self._back, watched=False)),
        )

    async def _half(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event, *, watched: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await gate.wait()
                if watched and self._trigger and self._trigger in data:
                    self.stall(forth=False)
                writer.write(data)
                await writer.drain()


def stalling_relay(dsn: str) -> AbstractAsyncContextManager[tuple[StallingRelay, str]]:
    """A relay to a database, and the address of the database by way of it."""
    return listening(StallingRelay(dsn))
