"""Every refusal that is written outside the application lets a page of an allowed origin read it (CORS)."""

from __future__ import annotations

import pytest

from service.transport import http_protocol
from service.transport.connections import Peers, bind
from service.transport.request_head import HEAD_BYTES
from tests.service.transport.test_http_protocol import HANDSHAKE, Server

ORIGIN = b"Origin: https://a.example\r\n"
REFUSED = {
    "not HTTP": (400, b"GET / HTTP/1.1\r\nHost: x\r\n%bA: \x00\r\n\r\n"),
    "not HTTP from its first line": (400, b"NONSENSE / HTTP/1.1\r\n%bHost: x\r\n\r\n"),
    "no Host": (400, b"GET / HTTP/1.1\r\n%b\r\n"),
    "a body that cannot be read": (400, b"POST / HTTP/1.1\r\nHost: x\r\n%bTransfer-Encoding: chunked\r\n\r\nZZ\r\n"),
    "a head too large, origin first": (431, b"GET / HTTP/1.1\r\nHost: x\r\n%bA: " + b"a" * HEAD_BYTES + b"\r\n\r\n"),
    "a head too late": (408, b"GET / HTTP/1.1\r\nHost: x\r\n%bA: "),
    "another version of websockets": (426, HANDSHAKE.replace(b"Host: x\r\n", b"Host: x\r\n%b").replace(b"13", b"12")),
    "no key": (400, HANDSHAKE.replace(b"Host: x\r\n", b"Host: x\r\n%b").replace(b"AAAA==", b"AA==")),
    "two upgrades": (400, HANDSHAKE.replace(b"Host: x\r\n", b"Host: x\r\n%bUpgrade: h2c\r\n")),
    "a handshake too large": (
        431,
        HANDSHAKE.replace(b"Host: x\r\n", b"Host: x\r\n%bA: " + b"a" * 9_000 + b"\r\n"),
    ),
}


async def head_of(server: Server, sent: bytes) -> list[bytes]:
    async with server.connection() as (reader, writer):
        writer.write(sent)
        return (await reader.read()).partition(b"\r\n\r\n")[0].lower().split(b"\r\n")


@pytest.mark.parametrize("status,sent", REFUSED.values(), ids=REFUSED)
async def test_a_refusal_can_be_read_by_pages_of_allowed_origins(
    monkeypatch: pytest.MonkeyPatch, status: int, sent: bytes
) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.3)
    for allowed, told in (
        ((), b"access-control-allow-origin: *"),
        (("https://a.example",), b"access-control-allow-origin: https://a.example"),
        (("https://b.example",), None),
    ):
        server = Server()
        async with server.uvicorn:
            bind(server.uvicorn.server_state, Peers(origins=allowed))
            first, *headers = await head_of(server, sent.replace(b"%b", ORIGIN))
        assert int(first.split(b" ")[1]) == status
        found = [each for each in headers if each.startswith(b"access-control-allow-origin")]
        assert found == ([] if told is None else [told])
        assert told is None or any(each.startswith(b"access-control-expose-headers: ") for each in headers)
        assert (b"vary: origin" in headers) == bool(allowed)
