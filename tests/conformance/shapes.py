"""The types that a title puts on the wire, found by walking through what it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, inspect

from domain.kernel.rules import Title


def wire_types(title: Title) -> tuple[Any, ...]:
    """Everything of a title that any client may send or be sent."""
    return (title.options, title.move, title.fact, title.seen, title.view, title.state)


def structs(types: Iterable[Any]) -> set[type[Struct]]:
    """Every struct that occurs in the types, however deep."""
    return {each.cls for each in _walk(inspect.multi_type_info(types)) if isinstance(each, inspect.StructType)}


def named(types: Iterable[Any]) -> set[type]:
    """Every struct and enum that occurs in the types: what a schema has a name for."""
    named_types = (inspect.StructType, inspect.EnumType)
    return {each.cls for each in _walk(inspect.multi_type_info(types)) if isinstance(each, named_types)}


def tag(struct: type[Struct]) -> str | int | None:
    """The tag of a struct, None for one that has none."""
    return struct.__struct_config__.tag


def arms(union: Any) -> set[type[Struct]]:
    """The structs that a union of structs is made of, not those inside them."""
    info = inspect.type_info(union)
    members = info.types if isinstance(info, inspect.UnionType) else (info,)
    return {each.cls for each in members if isinstance(each, inspect.StructType)}


def _walk(types: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
    seen: set[type] = set()
    left = list(types)
    while left:
        match left.pop():
            case inspect.StructType() as each:
                if each.cls not in seen:
                    seen.add(each.cls)
                    left += [field.type for field in each.fields]
                    yield each
            case inspect.UnionType() as each:
                left += each.types
            case inspect.TupleType() as each:
                left += each.item_types
            case inspect.CollectionType() as each:
                left.append(each.item_type)
            case inspect.DictType() as each:
                left += (each.key_type, each.value_type)
            case inspect.Metadata() as each:
                left.append(each.type)
            case each:
                yield each
