"""A TCP relay in front of Postgres that can stop carrying, in one direction or both, and go on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit


class StallingRelay:
    """Carries connections between a service and its database as long as it is not told to stall."""

    def __init__(self, dsn: str) -> None:
        self._parts = urlsplit(dsn)
        self._forth, self._back = asyncio.Event(), asyncio.Event()
        self._trigger = b""
        self._carrying: set[asyncio.Task[None]] = set()
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

    def dsn(self, port: int) -> str:
        """The same database by way of this relay."""
        place = f"{self._parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}"
        return urlunsplit(self._parts._replace(netloc=place))

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        carrying = asyncio.create_task(self._carry(reader, writer))
        self._carrying.add(carrying)
        with suppress(asyncio.CancelledError):
            await carrying

    async def close(self) -> None:
        """End every connection at both ends."""
        for each in self._carrying:
            each.cancel()
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._parts.hostname, self._parts.port or 5432)
        halves = {
            asyncio.create_task(self._half(reader, up_writer, self._forth, watched=True)),
            asyncio.create_task(self._half(up_reader, writer, self._back, watched=False)),
        }
        try:
            await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for half in halves:
                half.cancel()
            for end in (up_writer, writer):
                end.close()

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


@asynccontextmanager
async def stalling_relay(dsn: str) -> AsyncGenerator[tuple[StallingRelay, str]]:
    """A relay to a database, and the address of the database by way of it."""
    relay = StallingRelay(dsn)
    server = await asyncio.start_server(relay.relay, "127.0.0.1", 0)
    try:
        yield relay, relay.dsn(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await relay.close()
        await server.wait_closed()
