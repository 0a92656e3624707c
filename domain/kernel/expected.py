"""What a value should have been: msgspec's refusals of words and patterns, with what would have been accepted.

msgspec says that a value is not among those of an enumeration, and which regular expression a text does not match.
Here the type is followed to the place that was refused, and the error gives its values or its description instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from msgspec import inspect

_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\]]*)\]")

_LONGEST_LIST = 240
"""Characters of values that a sentence holds; more of them stand beside it only."""

_ENUM = "Invalid enum value "
_TAG = "Invalid value "
_PATTERN = "Expected `str` matching regex "
_CUT = "Input data was truncated"


def explained(message: str, of: Any, path: str) -> tuple[str, list[str]]:
    """A refusal by msgspec in words, and the values that would have been taken, where they are few."""
    if message == _CUT:
        return "it ends too early", []
    if not message.startswith((_ENUM, _TAG, _PATTERN)):
        return message, []
    if message.startswith(_PATTERN):
        found = [text for each in _at(of, path) if (text := _description(each))]
        return (f"expected: {found[0]}" if found else "it does not have the expected form"), []
    allowed = _values(_at(of, path))
    if not allowed:  # the tag of a union is no field of its structs
        parent, _, name = path.rpartition(".")
        allowed = _tags(_at(of, parent), name)
    if not allowed:
        return message, []
    listed = ", ".join(allowed)
    return f"must be one of {listed if len(listed) <= _LONGEST_LIST else 'the values in `allowed`'}", allowed


def _at(of: Any, path: str) -> list[inspect.Type]:
    """The types that may stand at a place."""
    here = list(_alternatives(inspect.type_info(of)))
    for name, index in _STEP.findall(path):
        here = [deeper for each in here for deeper in _step(each, name, index)]
    return here


def _step(of: inspect.Type, name: str, index: str) -> Iterator[inspect.Type]:
    match of:
        case inspect.Metadata():
            yield from _step(of.type, name, index)
        case inspect.StructType() if name:
            for field in of.fields:
                if field.encode_name == name:
                    yield from _alternatives(field.type)
        case inspect.VarTupleType() | inspect.ListType() if index.isdecimal():
            yield from _alternatives(of.item_type)
        case inspect.TupleType() if index.isdecimal():
            for item in of.item_types:
                yield from _alternatives(item)
        case inspect.DictType():
            yield from _alternatives(of.value_type)
        case _:
            return


def _alternatives(of: inspect.Type) -> Iterator[inspect.Type]:
    match of:
        case inspect.UnionType():
            for each in of.types:
                yield from _alternatives(each)
        case inspect.Metadata() if isinstance(of.type, inspect.UnionType):
            yield from _alternatives(of.type)
        case _:
            yield of


def _bare(of: inspect.Type) -> inspect.Type:
    return _bare(of.type) if isinstance(of, inspect.Metadata) else of


def _description(of: inspect.Type) -> str:
    extra = cast("dict[str, Any] | None", of.extra_json_schema) if isinstance(of, inspect.Metadata) else None
    return str((extra or {}).get("description", ""))


def _values(types: Iterable[inspect.Type]) -> list[str]:
    found: list[str] = []
    for each in map(_bare, types):
        match each:
            case inspect.LiteralType():
                found += map(str, each.values)
            case inspect.EnumType():
                found += (str(member.value) for member in each.cls)
            case _:
                pass
    return list(dict.fromkeys(found))


def _tags(types: Iterable[inspect.Type], name: str) -> list[str]:
    structs = [each for each in map(_bare, types) if isinstance(each, inspect.StructType)]
    return [str(each.tag) for each in structs if each.tag_field == name]
