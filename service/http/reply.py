"""Answers on their way out, as ASGI applications: whole ones, and streams that may break off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from litestar.types import HTTPResponseStartEvent, Receive, Scope, Send

from domain.kernel.rejected import Rejected
from service.database.errors import is_lost
from service.http.operation import Endless
from service.transport.asgi_extension import cut
from service.transport.body_budget import BodyShare

WHOLE_BYTES = 8 * 1024 * 1024
"""How large a stream may be for a client of HTTP/1.0."""

STALL_SECONDS = 60.0
"""How long a client may take nothing of a stream."""

_log = logging.getLogger("tablelog.streams")


class Reply:
    __slots__ = ("body", "first", "headers", "status")

    def __init__(
        self, status: int, headers: list[tuple[bytes, bytes]], body: bytes | AsyncIterator[bytes] | Endless
    ) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.first = b""
        """The part of a stream that was made before its status was sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: HTTPResponseStartEvent = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        if isinstance(self.body, bytes):
            await send(start)
            await send({"type": "http.response.body", "body": self.body, "more_body": False})
            return
        try:
            await send(start)
            if is_head(scope):
                pass  # nothing that is produced would be sent
            elif isinstance(self.body, Endless):
                await self.body.run(scope, receive, send)
                return
            else:
                await _send_part(send, self.first)
                async for part in self.body:
                    await _send_part(send, part)
        except asyncio.CancelledError:
            _log.warning("a stream was broken off: the process stops")
            cut(scope)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is too late to tell the client what
            _log.warning("a stream was broken off: %r", error, exc_info=None if is_lost(error) else error)
            cut(scope)
            return
        finally:
            if isinstance(self.body, Endless):
                self.body.end()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def begin(self, parts: AsyncIterator[bytes]) -> None:
        """Make the first part of its stream: what keeps that from beginning is still answered with a status."""
        self.body = parts
        self.first = await anext(parts, b"")

    async def hold(self, parts: AsyncIterator[bytes], share: BodyShare) -> None:
        """Take the whole stream into memory, which is refused if it is too large, and give it a length.

        A client of HTTP/1.0 sees the end of a stream only by the end of the connection, and could take one that breaks
        for a whole one.
        """
        whole = bytearray(self.first)
        with share:
            share.reserve(len(whole))
            async for part in parts:
                size = len(whole) + len(part)
                if size > WHOLE_BYTES:
                    raise Rejected("http-version-not-supported", "ask for a stream of this size by HTTP/1.1")
                share.reserve(size)
                whole += part
        self.body = bytes(whole)
        self.headers.append((b"content-length", str(len(whole)).encode()))


async def _send_part(send: Send, part: bytes) -> None:
    async with asyncio.timeout(STALL_SECONDS):
        await send({"type": "http.response.body", "body": part, "more_body": True})


def is_head(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "HEAD"
