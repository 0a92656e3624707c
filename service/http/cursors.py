"""Cursors of lists: opaque to clients, signed, and bound to the filters that they were given out under."""

from __future__ import annotations

import base64
import binascii
import hmac
import re

import msgspec

from domain.kernel.rejected import Rejected

PATTERN = r"^[A-Za-z0-9_-]{1,64}(?![\s\S])"

_MAC = 16
_PLACE = re.compile(rb"[1-9][0-9]{0,18}")


def seal(key: bytes, filters: object, place: int) -> str:
    """A cursor to what follows `place` in a list with these filters."""
    text = str(place).encode()
    return base64.urlsafe_b64encode(_mac(key, filters, text) + text).rstrip(b"=").decode()


def open_cursor(key: bytes, filters: object, cursor: str) -> int:
    """The place that a cursor stands for; raises `invalid-cursor` for any that was not given out for these filters."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise _invalid() from None
    mac, text = raw[:_MAC], raw[_MAC:]
    # One cursor has one spelling: the last character of base64 may hold bits that mean nothing.
    if not (_PLACE.fullmatch(text) and hmac.compare_digest(mac, _mac(key, filters, text))):
        raise _invalid()
    if seal(key, filters, int(text)) != cursor:
        raise _invalid()
    return int(text)


def _mac(key: bytes, filters: object, text: bytes) -> bytes:
    return hmac.digest(key, b"cursor:" + msgspec.json.encode([filters, text.decode()]), "sha256")[:_MAC]


def _invalid() -> Rejected:
    return Rejected("invalid-cursor", "take a cursor from a page of the same list and filters", field="cursor")
