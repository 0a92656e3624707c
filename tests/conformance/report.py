"""How a failing law says what it found: the word, the viewer, the version, and where it lies in the state."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, cast

import msgspec

MOST = 6
"""Elements of a list that are written out."""
LONGEST = 700
"""Characters of a state in a message."""

_MISSING = object()


def places(value: Any, word: str, path: str = "") -> Iterator[str]:
    """Where a word stands in a state or in JSON, as paths like `hands[0][2]`."""
    match value:
        case dict():
            for key, each in cast("dict[str, Any]", value).items():
                yield from places(each, word, f"{path}.{key}" if path else key)
        case list():
            for index, each in enumerate(cast("list[Any]", value)):
                yield from places(each, word, f"{path}[{index}]")
        case str() if word == value:
            yield path
        case msgspec.Struct():
            yield from places(as_json(value), word, path)
        case _:
            pass


def place(state: Any, word: str) -> str:
    """The first place of a piece in a state, in words."""
    return next((f"lies at {path}" for path in places(as_json(state), word)), "lies nowhere in the state")


def brief(state: Any) -> str:
    """A state as JSON, long lists cut."""
    written = json.dumps(_cut(as_json(state)), ensure_ascii=False)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]} …"


def difference(one: bytes, other: bytes) -> str:
    """The first place at which two JSON texts differ, and what stands there in each."""
    path, first, second = next(_differences(json.loads(one or b"null"), json.loads(other or b"null"), ""), ("", "", ""))
    return f"{path or 'the whole'}: {_value(first)} and {_value(second)}"


def as_json(value: Any) -> Any:
    """A value as its JSON is read by a client."""
    return json.loads(msgspec.json.encode(value))


def _differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        for key in first | second:
            yield from _differences(
                first.get(key, _MISSING), second.get(key, _MISSING), f"{path}.{key}" if path else key
            )
    elif isinstance(one, list) and isinstance(other, list):
        pairs = itertools.zip_longest(cast("list[Any]", one), cast("list[Any]", other), fillvalue=_MISSING)
        for index, (left, right) in enumerate(pairs):
            yield from _differences(left, right, f"{path}[{index}]")
    elif one != other:
        yield path, one, other


def _value(value: Any) -> str:
    return "nothing" if value is _MISSING else json.dumps(_cut(value), ensure_ascii=False)


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cut(each) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        values = cast("list[Any]", value)
        more = [f"… {len(values) - MOST} more"] if len(values) > MOST else []
        return [_cut(each) for each in values[:MOST]] + more
    return value
