"""What works in the background while a test goes on."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar


class Part(Protocol):
    """A part of a process that is started and stopped."""

    async def start(self) -> None:
        """Begin."""
        ...

    async def stop(self) -> None:
        """End."""
        ...


AnyPart = TypeVar("AnyPart", bound=Part)


@asynccontextmanager
async def at_work(part: AnyPart) -> AsyncGenerator[AnyPart]:
    """Start a part, and stop it at the end of the test."""
    await part.start()
    try:
        yield part
    finally:
        await part.stop()
