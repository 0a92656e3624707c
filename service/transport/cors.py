"""CORS: pages of allowed origins may call the service and read its answers; an empty list allows all origins.

No cookie is ever read, so a page can do only what its user's token permits. Litestar's own middleware parses the
headers of every request and replaces Vary; this one leaves requests without Origin alone and adds to Vary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.problems import Refusal, headers_of

_METHODS = b"GET, HEAD, POST, DELETE, OPTIONS"
_SENT = b"Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
_READ = b"ETag, Location, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Allow"
_SECONDS = b"86400"  # for which a browser may cache the answer


class Origins:
    """Middleware that adds CORS headers and answers preflights."""

    def __init__(
        self, app: ASGIApp, allowed: Sequence[str], limit: Callable[[Scope], Refusal | None] = lambda _: None
    ) -> None:
        """`limit` counts a preflight, which never reaches `app`, and may return a refusal."""
        self._app = app
        self._limit = limit
        self._allowed = frozenset(each.encode() for each in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = _header(scope, b"origin") if scope["type"] == "http" else None
        if origin is None:
            await self._app(scope, receive, send)
            return
        cors = cors_headers(self._allowed, origin)
        if _is_preflight(scope):
            refused = self._limit(scope)
            status, body = (204, b"") if refused is None else (refused.status, refused.body)
            headers = _permissions(cors) if refused is None else [*headers_of(refused), *cors]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": False})
            return

        async def send_with_cors(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *cors]
            await send(message)

        await self._app(scope, receive, send_with_cors)


def cors_headers(allowed: Collection[bytes], origin: bytes | None) -> list[tuple[bytes, bytes]]:
    """The headers that let a page of an origin read an answer; with a list, caches must keep origins apart."""
    exposed = (b"access-control-expose-headers", _READ)
    if not allowed:
        return [(b"access-control-allow-origin", b"*"), exposed]
    vary = (b"vary", b"Origin")
    if origin is None or origin not in allowed:
        return [vary]
    return [(b"access-control-allow-origin", origin), exposed, vary]


def _permissions(cors: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers that answer a preflight: which methods and headers a page may send."""
    allowed = any(name == b"access-control-allow-origin" for name, _ in cors)
    headers = [(b"vary", b"Access-Control-Request-Method, Access-Control-Request-Headers"), *cors]
    if allowed:
        headers += [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _SENT),
            (b"access-control-max-age", _SECONDS),
        ]
    return headers


def _is_preflight(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "OPTIONS":
        return False
    return _header(scope, b"access-control-request-method") is not None


def _header(scope: Scope, wanted: bytes) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == wanted), None)
