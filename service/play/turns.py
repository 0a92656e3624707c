"""Heavy work on the past of games, done in turns: while it goes on for some, light requests of others come in between.

An event loop runs everything that is ready before it looks at its sockets again. A hundred timelines at once, each a
few milliseconds of work between two waits, would keep everybody else waiting for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

Part = TypeVar("Part")

AT_ONCE = 2
"""One that computes while another waits for the database."""


class Turns(asyncio.Semaphore):
    """The turns of a process, in the order in which they were asked for."""

    def __init__(self) -> None:
        super().__init__(AT_ONCE)

    async def __aenter__(self) -> None:
        """Wait for a turn, and let the loop come round: others that are ready wait for the next one."""
        await self.acquire()
        try:
            await asyncio.sleep(0)
        except BaseException:
            self.release()
            raise


async def in_turns(parts: AsyncIterator[Part], turns: Turns) -> AsyncGenerator[Part]:
    """The same parts, each made in a turn of its own; no turn is held while one is on its way to a client."""
    try:
        while True:
            async with turns:
                try:
                    part = await anext(parts)
                except StopAsyncIteration:
                    return
            yield part
    finally:
        if isinstance(parts, AsyncGenerator):
            await parts.aclose()
