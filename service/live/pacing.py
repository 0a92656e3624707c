"""The pace at which watchers are sent what they missed, and how many are served before others have their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from service.live.outbox import Outbox
from service.transport.close_codes import SLOW_READER

CHUNK_BYTES = 65_536
"""About how much a watcher that catches up is sent at once."""

STALL_SECONDS = 30.0
"""How long it may take to read a chunk."""

CROWD = 100
"""Watchers served in one go before the event loop has its turn."""


async def takes_more(outbox: Outbox) -> bool:
    """Wait until an outbox is ready for the next chunk; closes it on a stalled reader. False once it is closed."""
    try:
        async with asyncio.timeout(STALL_SECONDS):
            await outbox.drained()
    except TimeoutError:
        outbox.close(SLOW_READER)
    return not outbox.closed


def chunk(frames: Iterable[bytes]) -> list[bytes]:
    """The first frames, up to the one that completes `CHUNK_BYTES`; the rest are not encoded."""
    taken: list[bytes] = []
    size = 0
    for frame in frames:
        taken.append(frame)
        size += len(frame)
        if size >= CHUNK_BYTES:
            break
    return taken
