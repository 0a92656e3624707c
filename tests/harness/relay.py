"""A TCP relay in front of Postgres; how it carries a connection, or breaks it, is up to its kind."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit


class Relay(ABC):
    """Carries connections to the database of a DSN."""

    def __init__(self, dsn: str) -> None:
        self._parts = urlsplit(dsn)
        self.carrying: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        up_reader: asyncio.StreamReader,
        up_writer: asyncio.StreamWriter,
    ) -> None:
        """Carry one connection, of a client and up to the database, until either of them ends it."""

    def dsn(self, port: int) -> str:
        """The same database by way of this relay."""
        place = f"{self._parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}"
        return urlunsplit(self._parts._replace(netloc=place))

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take in a client."""
        carrying = asyncio.create_task(self._carry(reader, writer))
        self.carrying.add(carrying)
        with suppress(asyncio.CancelledError):
            await carrying

    async def close(self) -> None:
        """Wait until every connection has been closed at both ends."""
        if self.carrying:
            await asyncio.wait(self.carrying)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._parts.hostname, self._parts.port or 5432)
        try:
            await self.carry(reader, writer, up_reader, up_writer)
        finally:
            for end in (up_writer, writer):
                end.close()
                with suppress(OSError):
                    await end.wait_closed()


AnyRelay = TypeVar("AnyRelay", bound=Relay)


async def first_of(*halves: asyncio.Task[None]) -> None:
    """Wait until one direction of a connection has ended, and end the other."""
    try:
        await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for half in halves:
            half.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await half


@asynccontextmanager
async def listening(relay: AnyRelay) -> AsyncGenerator[tuple[AnyRelay, str]]:
    """Let a relay listen; gives it with the DSN that goes through it."""
    server = await asyncio.start_server(relay.relay, "127.0.0.1", 0)
    try:
        yield relay, relay.dsn(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await relay.close()
        await server.wait_closed()
