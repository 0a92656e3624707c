"""A client that costs little: prepared requests, one after the other on each of several kept connections."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct


class Answers(Struct, frozen=True):
    """How long a rush took, and how many answers of each status there were."""

    seconds: float
    statuses: Counter[int]

    @property
    def per_second(self) -> float:
        """Answers in a second."""
        return self.statuses.total() / self.seconds


def post(path: str, body: object, token: str = "") -> bytes:
    """A whole POST request."""
    content = msgspec.json.encode(body)
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: bench",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*lines, "", ""]).encode() + content


async def rush(port: int, plans: Sequence[Sequence[bytes]]) -> Answers:
    """Send each plan's requests over a connection of its own, all plans at once."""
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in plans]
    begun = time.perf_counter()
    statuses = await asyncio.gather(
        *(_run(plan, *connection) for plan, connection in zip(plans, connections, strict=True))
    )
    seconds = time.perf_counter() - begun
    for _, writer in connections:
        writer.close()
        await writer.wait_closed()
    total: Counter[int] = Counter()
    for each in statuses:
        total.update(each)
    return Answers(seconds=seconds, statuses=total)


async def _run(plan: Sequence[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Counter[int]:
    statuses: Counter[int] = Counter()
    for request in plan:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        _, _, rest = head.lower().partition(b"content-length:")
        await reader.readexactly(int(rest.split(b"\r\n", 1)[0]))
        statuses[int(head.split(b" ", 2)[1])] += 1
    return statuses
