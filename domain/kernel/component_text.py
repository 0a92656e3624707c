"""The text of a component set on its way to a title: checked by a linear scan, parsed, and its strings looked at.

`Title.load` sends every text through `parse`, so no title parses TOML by itself. `tomllib` takes quadratic time and
memory for a key of many parts and recurses into brackets, so what makes it slow is counted before it runs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, cast

from domain.kernel import visible
from domain.kernel.rejected import ComponentError

LARGEST = 65_536
"""Bytes of a text in UTF-8."""
DEEPEST_KEY = 8
"""Parts of a dotted key or of the name of a table."""
DEEPEST_NESTING = 8
"""Arrays and inline tables inside one another."""
MOST_KEYS = 5_000
MOST_TABLES = 4_000
"""Tables and arrays, inline ones included."""
MOST_COMMAS = 10_000
"""Commas between values, which is how many values arrays hold."""

_LONGEST_REASON = 200
"""Characters of a reason of `tomllib`, which repeats whole keys."""

_TOKEN = re.compile(r"\"\"\"|'''|[\"'#.=,\[\]{}\n]")
_IN_BASIC = re.compile(r"\\.|[\"\n]", re.DOTALL)
_IN_BASIC_LINES = re.compile(r"\\.|\"\"\"", re.DOTALL)
_IN_LITERAL = re.compile(r"['\n]")
_IN_LITERAL_LINES = re.compile(r"'''")
_INSIDE = {'"': _IN_BASIC, '"""': _IN_BASIC_LINES, "'": _IN_LITERAL, "'''": _IN_LITERAL_LINES}
"""By the quotes that open a string: what is to be looked at inside it."""


def parse(text: str) -> dict[str, Any]:
    """The tables of a component set; raises `ComponentError`.

    The slowest text that is accepted takes about 0.1 seconds of CPU time.
    """
    scan(text)
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # ValueError: also a number of more digits than Python reads
        raise ComponentError("text", f"is not TOML: {wrong}"[:_LONGEST_REASON]) from wrong
    for place, string in _strings(tables, ""):
        wrong = visible.fault(string)
        if wrong is not None:
            raise ComponentError(place or "set", wrong)
    return tables


def scan(text: str) -> None:
    """Raise `ComponentError` unless TOML of this text is parsed in time and memory proportional to its length.

    The scan knows strings and comments as TOML has them, and nothing else of it. Up to the first place that `tomllib`
    cannot parse the two agree; what comes after that, `tomllib` never reads.
    """
    if len(text.encode(errors="surrogatepass")) > LARGEST:
        raise ComponentError("text", f"is larger than {LARGEST} bytes")
    text = text.replace("\r\n", "\n")
    position = depth = dots = keys = tables = commas = 0
    while (token := _TOKEN.search(text, position)) is not None:
        position = token.end()
        match token[0]:
            case "#":
                end = text.find("\n", position)
                position = len(text) if end < 0 else end
            case ".":  # also of a number, which has one
                dots += 1
                _require(dots < DEEPEST_KEY, f"has a key of more than {DEEPEST_KEY} parts")
            case "=":
                keys, dots = keys + 1, 0
                _require(keys <= MOST_KEYS, f"has more than {MOST_KEYS} keys")
            case "[" | "{":
                tables, depth, dots = tables + 1, depth + 1, 0
                _require(tables <= MOST_TABLES, f"has more than {MOST_TABLES} tables and arrays")
                _require(depth <= DEEPEST_NESTING, f"nests arrays and tables more than {DEEPEST_NESTING} deep")
            case "]" | "}":
                depth, dots = depth - 1, 0
                _require(depth >= 0, "is not TOML: a bracket is closed that was not opened")
            case ",":
                commas, dots = commas + 1, 0
                _require(commas <= MOST_COMMAS, f"has more than {MOST_COMMAS} commas between values")
            case "\n":
                dots = 0
            case quotes:
                position = _after_string(text, position, quotes)


def _after_string(text: str, position: int, quotes: str) -> int:
    """Where a string ends whose content begins at a position; raises `ComponentError` if it does not end."""
    while (found := _INSIDE[quotes].search(text, position)) is not None:
        position = found.end()
        if found[0] == quotes:
            # A string of several lines may end with one or two more quotes, which belong to it.
            extra = 0 if len(quotes) == 1 else 2
            while extra and text.startswith(quotes[0], position):
                position, extra = position + 1, extra - 1
            return position
        if found[0] == "\n":
            break
    raise ComponentError("text", "is not TOML: a string is not closed")


def _require(condition: bool, otherwise: str) -> None:  # noqa: FBT001 - the condition is what it is about
    if not condition:
        raise ComponentError("text", otherwise)


def _strings(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every key and every string, with its place as refusals name it: `labs[3] gp_04.name.en`."""
    match value:
        case str():
            yield place, value
        case dict():
            for key, each in cast("dict[str, object]", value).items():
                yield place, key
                yield from _strings(each, f"{place}.{key}" if place else key)
        case list():
            for index, each in enumerate(cast("list[object]", value)):
                yield from _strings(each, f"{place}[{index}]{_name(each)}")
        case _:
            return


def _name(entry: object) -> str:
    """The id of an entry, to stand beside its number."""
    name = cast("dict[str, object]", entry).get("id") if isinstance(entry, dict) else None
    return f" {name}" if isinstance(name, str) and 0 < len(name) <= 40 and visible.fault(name) is None else ""
