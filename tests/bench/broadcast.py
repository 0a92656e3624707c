"""The yardstick: `websockets`' own broadcast to whoever is connected. Run as a process; prints its port.

For each line on standard input, a number of frames, a size and a text, it sends so many frames of that size, the last
one with the text in it, and prints the time at which it began.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

_connected: set[ServerConnection] = set()


async def _hold(connection: ServerConnection) -> None:
    with suppress(ConnectionClosed):
        await connection.recv()
        _connected.add(connection)
        await connection.send("welcome")
        await connection.wait_closed()


async def _send(count: int, size: int, last: str) -> None:
    frame = "x" * size
    for _ in range(count - 1):
        broadcast(_connected, frame)
        await asyncio.sleep(0)  # so that what is not taken at once is sent
    broadcast(_connected, last + frame[len(last) :])


async def main() -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    async with serve(_hold, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            count, size, last = line.split()
            print(time.monotonic(), flush=True)
            await _send(int(count), int(size), last)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
