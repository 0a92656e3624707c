"""Random play without rules: a move drawn from the legal ones over all values of all fields, without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

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
    offer = pick_one(legal.offers, picks)
    case = pick_one(offer.cases, picks)
    return offer.move(**{name: _value(field, picks) for name, field in case.items()})


def pick_one(values: Sequence[Item], picks: Picks) -> Item:
    """One of the values."""
    return values[picks.randrange(len(values))]


def pick_some(values: Sequence[Item], least: int, most: int, picks: Picks) -> list[Item]:
    """`least` to `most` of the values in their order: every size, then every set of it, is equally likely."""
    left = list(range(len(values)))
    size = least + picks.randrange(most - least + 1)
    chosen = [left.pop(picks.randrange(len(left))) for _ in range(size)]
    return [values[index] for index in sorted(chosen)]


def _value(field: object, picks: Picks) -> object:
    match field:
        case OneOf():
            return pick_one(field.one_of, picks)
        case SomeOf():
            return tuple(pick_some(field.some_of, field.least, field.most, picks))
        case _:
            return field
