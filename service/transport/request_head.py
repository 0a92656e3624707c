"""Checks of a request's head: one Host, and a valid websocket handshake."""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence

from domain.kernel.rejected import Rejected
from service.problems import WEBSOCKET_VERSION

HEAD_BYTES = 65_536
"""Request line and headers together."""

_HOST = re.compile(rb"(\[[\w.:%~-]+\]|[\w.~!$&'()*+,;=%-]*)(:[0-9]*)?", re.ASCII)
_ORIGIN = re.compile(rb"\norigin:([^\r\n]*)\r?\n", re.IGNORECASE)
"""Blanks belong to the value alone: a choice would make the search quadratic."""

_KEY_BYTES = 16

Headers = Sequence[tuple[bytes, bytes]]


def check_host(headers: Headers, *, optional: bool) -> None:
    """Raise `invalid-request` unless there is one Host (RFC 9112, 3.2); `optional` before HTTP/1.1."""
    hosts = [value for name, value in headers if name == b"host"]
    if not hosts and optional:
        return
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0].strip()):
        raise Rejected("invalid-request", "send one Host header with a host and an optional port", field="Host")


def check_handshake(headers: Headers) -> None:
    """Raise `invalid-request` or `upgrade-required` unless a handshake is valid: uvicorn would answer in plain text."""
    for name, value in headers:
        if name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0 \t")):
            raise Rejected("invalid-request", "a WebSocket handshake has no request body", field=name.decode().title())
    versions = [value.strip() for name, value in headers if name == b"sec-websocket-version"]
    if versions != [WEBSOCKET_VERSION.encode()]:
        detail = f"the supported WebSocket version is {WEBSOCKET_VERSION}"
        raise Rejected("upgrade-required", detail, field="Sec-WebSocket-Version", allowed=[WEBSOCKET_VERSION])
    keys = [value.strip() for name, value in headers if name == b"sec-websocket-key"]
    if len(keys) != 1 or not _is_key(keys[0]):
        detail = f"send one key of {_KEY_BYTES} bytes in base64"
        raise Rejected("invalid-request", detail, field="Sec-WebSocket-Key")


def plain_head(method: bytes, url: bytes, headers: Headers) -> bytes:
    """A parsed head, without its upgrade."""
    lines = [b"%b %b HTTP/1.1" % (method, url)]
    for name, value in headers:
        tokens = [token for token in value.split(b",") if token.strip().lower() != b"upgrade"]
        if name != b"upgrade":
            lines.append(b"%b: %b" % (name, b",".join(tokens) if name == b"connection" else value))
    return b"\r\n".join((*lines, b"", b""))


def too_large() -> Rejected:
    return Rejected(
        "headers-too-large", f"a request line and its headers are limited to {HEAD_BYTES} bytes", most=HEAD_BYTES
    )


def origin_of(headers: Headers | None, raw: bytes) -> bytes | None:
    """The Origin of a request, from its parsed headers or else from its bytes."""
    for name, value in headers or ():
        if name == b"origin":
            return value
    found = _ORIGIN.search(raw)
    return None if found is None else found[1].strip(b" \t")


def _is_key(given: bytes) -> bool:
    try:
        return len(binascii.a2b_base64(given, strict_mode=True)) == _KEY_BYTES
    except binascii.Error:
        return False
