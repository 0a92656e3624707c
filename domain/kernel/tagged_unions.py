"""Unions of tagged structs taken apart."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import Struct


def members(union: Any) -> tuple[type[Any], ...]:
    """The structs of a union, or the one struct that it is."""
    return get_args(union) or (union,)


def tag(of: type[Struct]) -> str:
    """The value of `type` that tells a struct from the others of its union."""
    return str(of.__struct_config__.tag)
