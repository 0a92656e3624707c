"""Request headers read strictly: which may stand once, what is accepted, keys, entity tags, positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER

Headers: TypeAlias = dict[bytes, str]
"""The headers that operations look at, by lower-case name."""

_ONCE = frozenset({
    b"authorization", b"content-type", b"content-encoding", b"content-length", b"idempotency-key", b"last-event-id"
})  # fmt: skip
_LISTS = frozenset({b"accept", b"if-match", b"if-none-match"})

_QUOTED_KEY = re.compile(r'"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
_POSITION = re.compile(r"([0-9A-Za-z_-]{1,64}):(0|[1-9][0-9]{0,15})")
_BARE_KEY = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+")
_LONGEST_KEY = 255

_TAG = re.compile(r'\s*(W/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|\Z)')
_RANGE = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*((?:;[^;]*)*)")
_WEIGHT = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", re.IGNORECASE)


def read(raw: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers that any operation looks at; `invalid-header` when one that stands once is repeated."""
    headers: Headers = {}
    for name, value in raw:
        if name in _ONCE:
            if name in headers:
                raise invalid(name.decode(), "it may be sent once")
            headers[name] = value.decode("latin-1")
        elif name in _LISTS:
            known = headers.get(name)
            headers[name] = value.decode("latin-1") if known is None else f"{known},{value.decode('latin-1')}"
    return headers


def invalid(name: str, wrong: str) -> Rejected:
    name = name.title().replace("-Id", "-ID")
    return Rejected("invalid-header", f"{name}: {wrong}", field=name)


def idempotency_key(value: str) -> str:
    """The key in an Idempotency-Key: a quoted string as the IETF draft has it, or bare as many clients send it."""
    quoted = _QUOTED_KEY.fullmatch(value)
    if quoted is not None:
        key = re.sub(r"\\(.)", r"\1", quoted[1])
    elif _BARE_KEY.fullmatch(value):
        key = value
    else:
        raise invalid("Idempotency-Key", "send a quoted string of printable ASCII")
    if not 1 <= len(key) <= _LONGEST_KEY:
        raise invalid("Idempotency-Key", f"a key has 1 to {_LONGEST_KEY} characters")
    return key


def last_event_id(value: str) -> tuple[str, int]:
    found = _POSITION.fullmatch(value)
    if found is None or int(found[2]) > LARGEST_INTEGER:
        raise invalid("Last-Event-ID", "send the id of an event of this stream: an epoch, a colon, and a version")
    return found[1], int(found[2])


@lru_cache(maxsize=256)
def accepted(accept: str | None, offers: Sequence[str]) -> str | None:
    """The offer that an Accept header likes best, the first of equals; None when it likes none."""
    if accept is None or not accept.strip():
        return offers[0]
    ranges = [each for part in accept.split(",") if (each := _range(part)) is not None]
    weights = [(_weight(offer, ranges), -place, offer) for place, offer in enumerate(offers)]
    weight, _, offer = max(weights)
    return offer if weight > 0 else None


def _range(part: str) -> tuple[str, float] | None:
    found = _RANGE.fullmatch(part)
    if found is None:
        return None
    weights = [weight for each in found[2].split(";") if (weight := _WEIGHT.fullmatch(each)) is not None]
    return found[1].lower(), float(weights[-1][1]) if weights else 1.0


def _weight(offer: str, ranges: list[tuple[str, float]]) -> float:
    """The weight of the most specific range that the offer is in."""
    for pattern in (offer, f"{offer.partition('/')[0]}/*", "*/*"):
        for name, weight in ranges:
            if name == pattern:
                return weight
    return 0.0


def is_media(content_type: str | None, media: str) -> bool:
    """Whether a Content-Type says a media type, in UTF-8."""
    if content_type == media:
        return True
    kind, *parameters = (content_type or "").split(";")
    plain = [each.strip().lower().replace('"', "") for each in parameters if each.strip()]
    return kind.strip().lower() == media and all(each in {"charset=utf-8", "charset=utf8"} for each in plain)


def matches(header: str, etag: str, *, weakly: bool) -> bool:
    """Whether a list of entity tags names this one, which is strong.

    If-None-Match compares weakly, If-Match strongly: there a tag marked weak never matches (RFC 9110, 8.8.3.2).
    What is no list of entity tags matches nothing.
    """
    if header.strip() == "*":
        return True
    place, found = 0, False
    while place < len(header):
        tag = _TAG.match(header, place)
        if tag is None:
            return False
        found = found or (tag[2] == etag and (weakly or tag[1] is None))
        place = tag.end()
    return found
