"""Bodies read strictly: what is not exactly of the type is refused, and the refusal names the place in the body.

msgspec's strict decoder sees to types, bounds and unknown fields. It keeps the last of two equal keys and lets NUL
through, which Postgres does not store as text; both are looked for here, at C speed, and named only when they are met.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from litestar.types import Receive

from domain.kernel.expected import explained
from domain.kernel.rejected import Fact, Rejected
from service.deadlines import Deadline
from service.transport.body_budget import BodyShare

MOST_BODY_BYTES = 65_536
"""Bytes that a body may have."""

BODY_SECONDS = 10.0
"""How long a body may take to arrive."""

SLOWEST = 4_096
"""Bytes a second that a body must bring at least, where it may take longer than `BODY_SECONDS`."""

Value = TypeVar("Value")

_LONGEST_DETAIL = 300
"""Characters of a client's own that a refusal repeats at most."""

_PLACE = re.compile(r" - at `(?:key in )?\$(?P<place>[^`]*)`\Z")
_FIELD = re.compile(r"(?:unknown|missing required) field `(?P<name>.*?)`", re.DOTALL)


class _RepeatedKey(Exception):
    """Two equal keys in one object."""


class _Repeated:
    """Stands in a value for an object in which `key` is there twice."""

    def __init__(self, key: str) -> None:
        self.key = key


async def read_body(
    receive: Receive,
    length: str | None,
    share: BodyShare,
    deadline: Deadline,
    *,
    largest: int = MOST_BODY_BYTES,
    seconds: float = BODY_SECONDS,
) -> bytes:
    """The whole body of a request; refused as soon as it is known to be too large, so that no more is ever held.

    Its bytes are reserved in `share`: at once where it declares its length, otherwise as they arrive. It must arrive
    within `seconds`, and in each stretch of `BODY_SECONDS` at `SLOWEST` or faster: else `deadline` ends with
    `request-timeout`. Its phase before this one goes on afterwards.
    """
    if length is not None and length.isdecimal():
        declared = int(length[:20])
        if declared > largest:
            raise _too_large(largest)
        share.reserve(declared)
    parts: list[bytes] = []
    size = arrived = 0
    left, stretch = seconds, min(seconds, BODY_SECONDS)

    def late() -> Rejected:
        slow = f"the body came slower than {SLOWEST} bytes a second"
        return Rejected(
            "request-timeout", slow if stretch < left else f"the body did not come within {seconds:g} seconds"
        )

    after = deadline.restart(stretch, late)
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Rejected("invalid-request", "the request ended early")
        part = message["body"]
        size += len(part)
        if size > largest:
            raise _too_large(largest)
        if size > share.size:
            share.reserve(size)
        if not message["more_body"]:
            deadline.restart(after)
            return b"".join((*parts, part)) if parts else part
        parts.append(part)
        arrived += len(part)
        if arrived >= SLOWEST * stretch:
            left -= stretch - deadline.restart(None)
            stretch, arrived = min(left, BODY_SECONDS), 0
            deadline.restart(stretch, late)


def _too_large(largest: int) -> Rejected:
    return Rejected("body-too-large", f"a body may have {largest} bytes", most=largest)


def decode_body(decoder: msgspec.json.Decoder[Value], body: bytes | msgspec.Raw, prefix: str = "") -> Value:
    """The value in a body; raises `invalid-body`. `prefix` is the field that the body is the value of."""
    try:
        value = decoder.decode(body)
        if not prefix:
            _require_plain(bytes(body))
    except msgspec.ValidationError as error:
        raise _refused(error, decoder.type, prefix) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed(bytes(body), str(error), prefix) from error
    except RecursionError as error:
        raise Rejected("invalid-body", "the body is nested too deeply", field=prefix) from error
    return value


def _refused(error: msgspec.ValidationError, of: Any, prefix: str) -> Rejected:
    message = str(error)
    place = _PLACE.search(message)
    path = place["place"] if place else ""
    if (name := _FIELD.search(message)) is not None:
        path = f"{path}.{name['name']}"
    detail, allowed = explained(message[: place.start()] if place else message, of, path)
    facts: dict[str, Fact] = {"allowed": allowed} if allowed else {}
    return Rejected("invalid-body", detail[:_LONGEST_DETAIL], field=_joined(prefix, path), **facts)


def _require_plain(body: bytes) -> None:
    """Refuse repeated keys and NUL in a body that is well-formed."""
    try:
        _WATCHFUL.decode(body.decode())
    except _RepeatedKey:
        raise _found(body, lambda _: False, "the key stands there twice") from None
    if b"\\u0000" in body and (refused := _search(body, _holds_nul)) is not None:
        raise Rejected("invalid-body", "a string may not hold U+0000", field=refused)


def _malformed(body: bytes, message: str, prefix: str) -> Rejected:
    """What is wrong with a body that is no JSON in UTF-8; a lone surrogate is named by its place."""
    if b"\\u" in body:
        try:
            place = _search(body, _holds_surrogate)
        except (ValueError, RecursionError):
            place = None
        if place is not None:
            return Rejected("invalid-body", "a string may not hold a lone surrogate", field=_joined(prefix, place))
    detail = explained(message, None, "")[0] if body.strip() else "the body is empty"
    return Rejected("invalid-body", detail, field=prefix)


def _found(body: bytes, wrong: Callable[[str], bool], detail: str) -> Rejected:
    return Rejected("invalid-body", detail, field=_search(body, wrong))


def _object(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) < len(pairs):
        raise _RepeatedKey


_WATCHFUL = json.JSONDecoder(object_pairs_hook=_object, parse_int=float)
"""Numbers as floats: an int of 5,000 digits is more than Python turns into one."""


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Repeated:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            return _Repeated(key)
        values[key] = value
    return values


def _search(body: bytes, wrong: Callable[[str], bool]) -> str | None:
    """The place of the first string that is wrong, or of a repeated key."""
    value = json.loads(body, object_pairs_hook=_marked, parse_int=float)
    return next(_places(value, "", wrong), None)


def _places(value: Any, place: str, wrong: Callable[[str], bool]) -> Iterator[str]:
    match value:
        case str() if wrong(value):
            yield _shown(place)
        case _Repeated():
            yield _shown(f"{place}.{value.key}")
        case list():
            for index, each in enumerate(value):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
                yield from _places(each, f"{place}[{index}]", wrong)
        case dict():
            for key, each in value.items():  # pyright: ignore[reportUnknownVariableType]
                if wrong(str(key)):  # pyright: ignore[reportUnknownArgumentType]
                    yield _shown(f"{place}.{key}")
                yield from _places(each, f"{place}.{key}", wrong)
        case _:
            pass


def _joined(prefix: str, path: str) -> str:
    return _shown(f"{prefix}.{path}" if prefix and not path.startswith((".", "[")) else f"{prefix}{path}")


def _shown(path: str) -> str:
    """A path as errors show it: without the root, cut, and with what JSON text cannot hold replaced."""
    return path.strip(".")[:_LONGEST_DETAIL].encode("utf-8", "replace").decode()


def _holds_nul(text: str) -> bool:
    return "\0" in text


def _holds_surrogate(text: str) -> bool:
    return any("\ud800" <= each <= "\udfff" for each in text)
