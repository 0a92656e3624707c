"""Query parameters read strictly: each at most once, none unknown, every value in its one spelling.

A query is a msgspec struct of whole numbers, booleans and strings. Numbers are decimal digits without sign or leading
zero, booleans are `true` and `false`; the struct's own bounds and patterns decide the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar, cast
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import Struct, inspect

from domain.kernel.expected import explained
from domain.kernel.rejected import Fact, Rejected

Query = TypeVar("Query", bound=Struct)

_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_FIELD = re.compile(r"\$\.(\w+)")


Reader: TypeAlias = Callable[[str, str], Any]


class QueryDecoder(Generic[Query]):
    """Reads the parameters of a request into a struct, or refuses all where there is none."""

    def __init__(self, query: type[Query] | None) -> None:
        self._query = query
        self._readers: dict[str, Reader] = {}
        if query is not None:
            fields = cast("inspect.StructType", inspect.type_info(query)).fields
            self._readers = {each.encode_name: _reader(each.type) for each in fields}

    def decode(self, raw: bytes) -> Query | None:
        """The parameters as the struct; raises `invalid-query` with the parameter's name."""
        texts = _split(raw) if raw else {}
        values: dict[str, Any] = {}
        for name, text in texts.items():
            if self._query is None:
                raise _invalid(name, "this operation takes no query parameters")
            if name not in self._readers:
                raise _invalid(name, f"the parameters here are {', '.join(self._readers)}", list(self._readers))
            values[name] = self._readers[name](name, text)
        if self._query is None:
            return None
        try:
            return msgspec.convert(values, self._query)
        except msgspec.ValidationError as error:
            message = str(error)
            place = _FIELD.search(message)
            name = place[1] if place else ""
            wrong, allowed = explained(message.partition(" - at ")[0], self._query, f".{name}")
            raise _invalid(name, wrong, allowed) from error


def _split(raw: bytes) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in raw.split(b"&"):
        name, _, value = part.partition(b"=")
        shown = _text(name, "")
        if not shown:
            raise _invalid("", "a parameter has no name")
        if shown in texts:
            raise _invalid(shown, "it may be given once")
        texts[shown] = _text(value, shown)
    return texts


def _text(raw: bytes, name: str) -> str:
    if _BROKEN_ESCAPE.search(raw):
        raise _invalid(name, "a percent sign is followed by two hex digits")
    try:
        text = unquote_to_bytes(raw.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise _invalid(name, "it is not UTF-8") from None
    if "\0" in text:
        raise _invalid(name or text.replace("\0", ""), "it may not hold U+0000")
    return text


def _invalid(name: str, wrong: str, allowed: list[str] | None = None) -> Rejected:
    facts: dict[str, Fact] = {"allowed": allowed} if allowed else {}
    return Rejected("invalid-query", f"{name}: {wrong}" if name else wrong, field=name, **facts)


def _whole(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise _invalid(name, "must be a decimal integer")
    return int(text)


def _flag(name: str, text: str) -> bool:
    if text not in {"true", "false"}:
        raise _invalid(name, "must be true or false")
    return text == "true"


def _string(_name: str, text: str) -> str:
    return text


def _reader(of: inspect.Type) -> Reader:
    match of:
        case inspect.IntType():
            return _whole
        case inspect.BoolType():
            return _flag
        case inspect.Metadata():
            return _reader(of.type)
        case _:
            return _string
