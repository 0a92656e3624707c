"""Values bent a little: moves that are nearly legal, and states that lost, doubled or swapped something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct

from domain.kernel.events import MoveMade
from domain.kernel.legal import LegalMoves, Offer, SomeOf
from tests.conformance.games import Played, Script
from tests.harness.play import random_move

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value in JSON."""

_NUMBERS = (-1, 0, 1, 2, 3, 9, 2**53)


def written_out(value: Struct) -> dict[str, Any]:
    """A value as its JSON would be read without knowing its type."""
    return msgspec.json.decode(msgspec.json.encode(value))


def words_of(played: Played) -> list[str]:
    """Every string that a move of this game could have held: those of all its moves, and all pieces."""
    moves = [written_out(event.move) for event in played.log if isinstance(event, MoveMade)]
    held = {value for move in moves for _, value in leaves(move) if isinstance(value, str)}
    return sorted(held | played.entry.kinds().keys())


def bent_move(move: Struct, other: Struct, words: Sequence[str], picks: Script) -> object:
    """A move's JSON with one field replaced by another value of its kind, or by that of another legal move."""
    written, beside = written_out(move), written_out(other)
    fields = [name for name in written if name != "type"]
    if not fields:
        return written
    name = fields[picks.randrange(len(fields))]
    return written | {name: _bent_field(written[name], beside.get(name), words, picks)}


def edge_moves(legal: LegalMoves, picks: Script) -> Iterator[Struct]:
    """Moves at the edge of each set that can be chosen: one too few, one too many, out of order, or one twice."""
    for offer in legal.offers:
        for case in offer.cases:
            move = random_move(LegalMoves(legal.seat, (Offer(offer.move, (case,)),)), picks)
            for name, field in case.items():
                if isinstance(field, SomeOf):
                    for size in range(max(field.least - 1, 0), field.most + 2):
                        chosen = field.some_of[:size]
                        for value in (chosen, chosen[::-1], chosen[:1] + chosen[:-1]):
                            yield msgspec.structs.replace(move, **{name: value})


def _bent_field(value: Any, other: Any, words: Sequence[str], picks: Script) -> Any:
    if type(value) is type(other) and picks.randrange(3) == 0:
        # Of two legal sets the second, or both: each of its elements fits, but there may be too many.
        return value + other if isinstance(value, list) and picks.randrange(2) else other
    match value:
        case bool():
            return not value
        case int():
            return _NUMBERS[picks.randrange(len(_NUMBERS))]
        case list():
            return _bent_list(cast("list[Any]", value), words, picks)
        case _:
            return (None, *words)[picks.randrange(1 + len(words))]


def _bent_list(values: list[Any], words: Sequence[str], picks: Script) -> list[Any]:
    """A list reordered, doubled in one place, cut, extended, or with one element replaced."""
    place = picks.randrange(len(values)) if values else 0
    other = words[picks.randrange(len(words))]
    before, after = values[:place], values[place + 1 :]
    ways = (
        values[::-1],
        [*values[1:], *values[:1]],
        [*values, *values[place : place + 1]],
        [*before, *after],
        [*values, other],
        [*before, other, *values[place:]],
        [*before, other, *after],
    )
    return ways[picks.randrange(len(ways))]


def bent_state(state: Struct, picks: Script) -> bytes:
    """A state's JSON with one thing dropped, doubled, replaced by or swapped with another, or counted wrongly."""
    written = written_out(state)
    places = list(leaves(written))
    path, value = places[picks.randrange(len(places))]
    other_path, other = places[picks.randrange(len(places))]
    lists = list(_elements(written))
    match picks.randrange(6):
        case 0 if lists:
            holder, index = lists[picks.randrange(len(lists))]
            del holder[index]
        case 1 if lists:
            holder, index = lists[picks.randrange(len(lists))]
            holder.insert(index, holder[index])
        case 2:
            _put(written, path, other)
        case 3:
            _put(written, path, other)
            _put(written, other_path, value)
        case 4:
            _put(written, path, None)
        case _:
            numbers = [(path, leaf) for path, leaf in places if isinstance(leaf, int)]
            path, leaf = numbers[picks.randrange(len(numbers))]
            _put(written, path, _off_by_some(leaf, picks))
    return msgspec.json.encode(written)


def _off_by_some(leaf: bool | int, picks: Script) -> bool | int:  # noqa: FBT001 - JSON's own values
    return not leaf if isinstance(leaf, bool) else leaf + (1, -1, 2, 1000, -1000)[picks.randrange(5)]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str | int | None]]:
    """Every value in JSON that holds no others, with the way to it."""
    match value:
        case dict():
            for key, each in cast("dict[str, Any]", value).items():
                yield from leaves(each, (*path, key))
        case list():
            for index, each in enumerate(cast("list[Any]", value)):
                yield from leaves(each, (*path, index))
        case _:
            yield path, value


def _elements(value: Any) -> Iterator[tuple[list[Any], int]]:
    """Every element of every list in JSON, as the list and the index."""
    match value:
        case dict():
            for each in cast("dict[str, Any]", value).values():
                yield from _elements(each)
        case list():
            values = cast("list[Any]", value)
            for index, each in enumerate(values):
                yield values, index
                yield from _elements(each)
        case _:
            pass


def _put(value: Any, path: Path, leaf: object) -> None:
    *way, last = path
    for key in way:
        value = value[key]
    value[last] = leaf
