"""The digest of a game at a version, which does not change when a later release adds something to a state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import Enum
from typing import Any, cast

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from domain.kernel.game import Game


def digest(game: Game) -> str:
    """The digest of who sits at the table, how things stand there, and how it ended."""
    told = plain({"status": game.status, "seats": game.seats, "state": game.state, "result": game.result})
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()


def plain(value: Any) -> Any:
    """A value as JSON has it, without the fields that are as they are by default: a new one changes no old digest."""
    match value:
        case Struct():
            tag = value.__struct_config__.tag
            told = {"type": tag} if tag is not None else {}
            for field in fields(value):
                of = getattr(value, field.name)
                default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
                if of != default:
                    told[field.name] = plain(of)
            return told
        case Enum():
            return value.value
        case dict():
            return {str(key): plain(each) for key, each in cast("dict[Any, Any]", value).items()}
        case tuple() | list():
            return [plain(each) for each in cast("Iterable[Any]", value)]
        case frozenset() | set():
            return sorted(plain(each) for each in cast("Iterable[Any]", value))
        case _:
            return value
