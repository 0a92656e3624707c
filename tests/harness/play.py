"""Random play without rules, on the answer of `GET .../moves`; `random_move` does the same on the kernel's moves.

Both take anything that has `randrange`, so that a test can play by a seeded generator or by a sequence of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.titles.random_move import Picks, pick_one, pick_some, random_move

__all__ = ["Picks", "random_move", "random_wire_move"]


def random_wire_move(legal: Mapping[str, Any], picks: Picks) -> dict[str, Any]:
    """One of the legal moves as the service lists them, ready to be posted as `move`."""
    offer = pick_one(legal["moves"], picks)
    case: Mapping[str, Any] = pick_one(offer["cases"], picks)
    return {"type": offer["type"]} | {name: _wire_value(field, picks) for name, field in case.items()}


def _wire_value(field: Any, picks: Picks) -> object:
    match field:
        case {"one_of": values}:
            return pick_one(values, picks)
        case {"some_of": values, "least": least, "most": most}:
            return pick_some(values, least, most, picks)
        case _:
            return field
