"""Chance that is passed in: draws named by (ordinal, purpose), which anyone can recompute once the seed is out.

A draw is a function of the game's key, the ordinal of the event that it happens in, its purpose and the things drawn
from, and of nothing else. `kernel/proof.py` says which ordinal an event has. Things are sorted before a shuffle, so
that the outcome does not depend on how the caller happened to hold them, and a reader of the log can repeat the draw
from the outcome alone.

The stream of a draw is HMAC-SHA256(key, "ordinal:purpose:repeat:block") for block 0, 1, 2 ..., cut into 64-bit
big-endian words. A number below n is the first word under the largest multiple of n that fits, modulo n (rejection
sampling: no outcome is likelier than another). A shuffle is Fisher-Yates from the last place down.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from operator import ne
from typing import NamedTuple, TypeVar

from msgspec import Struct

Item = TypeVar("Item", str, int)

_WORD = 8
_WORDS = 1 << (8 * _WORD)


class Draw(Struct, frozen=True):
    """A draw as a fact recorded it: repeating `purpose` over `items` must give `outcome` (repeats count from 0)."""

    purpose: str
    items: tuple[str, ...] | tuple[int, ...]
    outcome: tuple[str, ...] | tuple[int, ...]
    repeat: int = 0


class DrawError(Exception):
    """A mistake in a title: its facts do not record what it drew, so nobody could repeat its draws from the log.

    The message names the draw and neither its items nor its outcome, which may be hidden.
    """


class _Drawn(NamedTuple):
    """A draw as it was made: items in their order, which for a number are those below its limit."""

    items: Sequence[str | int]
    outcome: tuple[str | int, ...]


class Chance:
    """The draws of one event."""

    __slots__ = ("_drawn", "_key", "_ordinal", "_repeats")

    def __init__(self, key: bytes, ordinal: int) -> None:
        self._key = key
        self._ordinal = ordinal
        self._repeats: dict[str, int] = {}
        self._drawn: dict[tuple[str, int], _Drawn] = {}

    @property
    def used(self) -> bool:
        """Whether anything was drawn."""
        return bool(self._drawn)

    def below(self, purpose: str, limit: int) -> int:
        """A number from 0 to limit - 1."""
        repeat, stream = self._next(purpose)
        number = _below(stream, limit)
        self._drawn[purpose, repeat] = _Drawn(range(limit), (number,))
        return number

    def pick(self, purpose: str, items: Iterable[Item]) -> Item:
        """One of the items, which must be distinct."""
        ordered = sorted(items)
        repeat, stream = self._next(purpose)
        picked = ordered[_below(stream, len(ordered))]
        self._drawn[purpose, repeat] = _Drawn(ordered, (picked,))
        return picked

    def shuffle(self, purpose: str, items: Iterable[Item]) -> tuple[Item, ...]:
        """The items in a drawn order; the order they came in does not matter."""
        ordered = sorted(items)
        repeat, stream = self._next(purpose)
        order = shuffled(stream, ordered)
        self._drawn[purpose, repeat] = _Drawn(ordered, order)
        return order

    def require_recorded(self, draws: Sequence[Draw]) -> None:
        """Raise `DrawError` unless these, which facts record, are the draws that were made, in whatever order."""
        if not draws and not self._drawn:
            return
        left = dict(self._drawn)
        for draw in draws:
            made = left.pop((draw.purpose, draw.repeat), None)
            if made is None:
                raise DrawError(f"a fact records {_name(draw.purpose, draw.repeat)}, which was not made")
            if made.outcome != draw.outcome:
                raise DrawError(f"a fact records another outcome of {_name(draw.purpose, draw.repeat)}")
            if len(made.items) != len(draw.items) or any(map(ne, made.items, sorted(draw.items))):
                raise DrawError(f"a fact records that {_name(draw.purpose, draw.repeat)} was made from other items")
        for purpose, repeat in left:
            raise DrawError(f"no fact records {_name(purpose, repeat)}")

    def _next(self, purpose: str) -> tuple[int, Iterator[int]]:
        """The number of the next draw for a purpose, and its words."""
        repeat = self._repeats.get(purpose, 0)
        self._repeats[purpose] = repeat + 1
        return repeat, words(self._key, self._ordinal, purpose, repeat)


def redrawn(key: bytes, ordinal: int, draw: Draw) -> tuple[str | int, ...]:
    """What a recorded draw of an event must have given: all of its items if it was a shuffle, or one of them."""
    ordered = sorted(draw.items)
    stream, places = words(key, ordinal, draw.purpose, draw.repeat), range(len(ordered))
    drawn = (_below(stream, len(ordered)),) if ordered and len(draw.outcome) == 1 else shuffled(stream, places)
    return tuple(ordered[place] for place in drawn)


def words(key: bytes, ordinal: int, purpose: str, repeat: int) -> Iterator[int]:
    """The endless stream of 64-bit words that a draw is made from."""
    block = 0
    while True:
        digest = hmac.digest(key, f"{ordinal}:{purpose}:{repeat}:{block}".encode(), "sha256")
        for start in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[start : start + _WORD], "big")
        block += 1


def shuffled(stream: Iterator[int], ordered: Sequence[Item]) -> tuple[Item, ...]:
    """Fisher-Yates over a sequence by a stream of words."""
    items = list(ordered)
    for last in range(len(items) - 1, 0, -1):
        other = _below(stream, last + 1)
        items[last], items[other] = items[other], items[last]
    return tuple(items)


def _name(purpose: str, repeat: int) -> str:
    return f"the draw {purpose!r}" if repeat == 0 else f"repeat {repeat} of the draw {purpose!r}"


def _below(stream: Iterator[int], limit: int) -> int:
    if not 1 <= limit <= _WORDS:
        message = f"no draw is below {limit}"
        raise ValueError(message)
    fair = _WORDS - _WORDS % limit
    return next(word for word in stream if word < fair) % limit
