"""Answers to clients of HTTP/1.0, which know no chunks."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

WITHOUT_CHUNKS = frozenset({"0.9", "1.0"})
"""The versions of HTTP that know neither chunks nor Host, and keep no connection here."""


async def without_chunks(cycle: RequestResponseCycle, app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Answer a client that knows no chunks: what has no length of its own ends with the connection."""
    by_length = True

    async def sending(message: Any) -> None:
        nonlocal by_length
        if message["type"] == "http.response.start":
            by_length = any(name.lower() == b"content-length" for name, _ in message["headers"])
            if not by_length:
                cycle.chunked_encoding = False
        elif not by_length:
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    await app(scope, receive, sending)
