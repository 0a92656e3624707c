"""Random play without rules: a move drawn from the legal ones, over every value of every field, without listing them.

`random_move` works on the kernel's `LegalMoves`, `random_wire_move` on the answer of `GET .../moves`. Both take
anything that has `randrange`, so that a test can play by a seeded generator or by a sequence of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from domain.kernel.legal import LegalMoves, OneOf, SomeOf

Item = TypeVar("Item")


class Picks(Protocol):
    """Where choices come from; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""
        ...


def random_move(legal: LegalMoves, picks: Picks) -> Struct:
    """One of the legal moves."""
    offer = _one(legal.offers, picks)
    case = _one(offer.cases, picks)
    return offer.move(**{name: _value(field, picks) for name, field in case.items()})


def random_wire_move(legal: Mapping[str, Any], picks: Picks) -> dict[str, Any]:
    """One of the legal moves as the service lists them, ready to be posted as `move`."""
    offer = _one(legal["moves"], picks)
    case: Mapping[str, Any] = _one(offer["cases"], picks)
    return {"type": offer["type"]} | {name: _wire_value(field, picks) for name, field in case.items()}


def _value(field: object, picks: Picks) -> object:
    match field:
        case OneOf():
            return _one(field.one_of, picks)
        case SomeOf():
            return tuple(_some(field.some_of, field.least, field.most, picks))
        case _:
            return field


def _wire_value(field: Any, picks: Picks) -> object:
    match field:
        case {"one_of": values}:
            return _one(values, picks)
        case {"some_of": values, "least": least, "most": most}:
            return _some(values, least, most, picks)
        case _:
            return field


def _one(values: Sequence[Item], picks: Picks) -> Item:
    return values[picks.randrange(len(values))]


def _some(values: Sequence[Item], least: int, most: int, picks: Picks) -> list[Item]:
    """`least` to `most` of the values in their order: every size, then every set of it, is equally likely."""
    left = list(range(len(values)))
    size = least + picks.randrange(most - least + 1)
    chosen = [left.pop(picks.randrange(len(left))) for _ in range(size)]
    return [values[index] for index in sorted(chosen)]
