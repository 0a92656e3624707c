"""Pages of other origins: what they are told, and that nobody else notices."""

from __future__ import annotations

from typing import Any

import pytest

from service.transport.cors import Origins

PAGE = (b"origin", b"https://a.example")
ASKS = (b"access-control-request-method", b"POST")


Told = tuple[int, dict[bytes, list[bytes]]]


async def answered(allowed: list[str], method: str, *headers: tuple[bytes, bytes]) -> Told:
    """Status and headers of an answer; the application itself answers 200 with a Vary of its own."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"vary", b"Accept")]})
        await send({"type": "http.response.body", "body": b"{}", "more_body": False})

    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    scope: Any = {"type": "http", "method": method, "headers": list(headers)}
    await Origins(app, allowed)(scope, None, send)  # pyright: ignore[reportArgumentType] - nothing is received
    told: dict[bytes, list[bytes]] = {}
    for name, value in messages[0]["headers"]:
        told.setdefault(name, []).append(value)
    return messages[0]["status"], told


async def test_who_is_no_page_is_told_nothing_of_it() -> None:
    assert await answered([], "GET") == (200, {b"vary": [b"Accept"]})
    assert (await answered([], "OPTIONS"))[0] == 200


async def test_every_origin_may_read_where_none_is_listed() -> None:
    _, told = await answered([], "GET", PAGE)
    assert told[b"access-control-allow-origin"] == [b"*"]
    assert b"ETag" in told[b"access-control-expose-headers"][0]
    assert told[b"vary"] == [b"Accept"]


async def test_an_origin_that_is_listed_may_read_and_others_may_not() -> None:
    _, told = await answered(["https://a.example"], "GET", PAGE)
    assert told[b"access-control-allow-origin"] == [b"https://a.example"]
    assert told[b"vary"] == [b"Accept", b"Origin"]
    _, told = await answered(["https://b.example"], "GET", PAGE)
    assert b"access-control-allow-origin" not in told
    assert told[b"vary"] == [b"Accept", b"Origin"], "a cache must not hand this to an origin that may read"


@pytest.mark.parametrize("allowed", [[], ["https://a.example"]])
async def test_a_browser_that_asks_first_is_told_what_it_may_send(allowed: list[str]) -> None:
    status, told = await answered(allowed, "OPTIONS", PAGE, ASKS)
    assert status == 204
    assert b"DELETE" in told[b"access-control-allow-methods"][0]
    names = (b"Authorization", b"Content-Type", b"Idempotency-Key", b"If-Match", b"If-None-Match", b"Last-Event-ID")
    for name in names:
        assert name in told[b"access-control-allow-headers"][0]
    assert b"access-control-allow-credentials" not in told


async def test_a_page_that_may_not_call_is_allowed_nothing() -> None:
    status, told = await answered(["https://b.example"], "OPTIONS", PAGE, ASKS)
    assert status == 204
    assert [name for name in told if name.startswith(b"access-control-allow")] == []
