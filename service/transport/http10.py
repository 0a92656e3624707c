"""Answers to clients of HTTP/1.0, which lacks chunked encoding."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

WITHOUT_CHUNKS = frozenset({"0.9", "1.0"})
"""Versions of HTTP without chunked encoding and required Host; their connections are not kept here."""


async def without_chunks(cycle: RequestResponseCycle, app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Answer without chunked encoding: a body without a length ends with the connection."""
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
