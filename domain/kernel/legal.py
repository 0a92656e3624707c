"""Legal moves as values: complete, in a stable order, and small enough to send.

What a seat may do is a list of offers, one per type of move. An offer has cases; a case is a free product of its
fields, so that a client needs no logic across fields to build a move. A field is fixed, one of a list, or some of
a list (a set, written in the order of the list). The whole is iterated, counted and tested for membership without
being listed: a hand of twelve cards has 924 ways to pay six, and they are one case.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct

from domain.kernel.rejected import Rejected
from domain.kernel.terms import Seat

Value: TypeAlias = str | int | bool | tuple[str, ...] | tuple[int, ...] | None
"""What a field of a move may hold: a fixed list is a tuple."""


class OneOf(Struct, frozen=True):
    """A field that takes any single value of the list."""

    one_of: tuple[str, ...] | tuple[int, ...]


class SomeOf(Struct, frozen=True):
    """A field that takes a set of the list: `least` to `most` of its values, in the list's order, none twice."""

    some_of: tuple[str, ...] | tuple[int, ...]
    least: int
    most: int


_MOST_WORDS = 40
"""Values that a refusal tells at most."""

_MOST_SETS = 3
"""Sets of values that it tells at most."""

Case: TypeAlias = Mapping[str, Value | OneOf | SomeOf]


class Offer(Struct, frozen=True):
    """The moves of one type; `move` is the struct that they are instances of."""

    move: type[Struct]
    cases: tuple[Case, ...]

    def __post_init__(self) -> None:
        # A field that a case left out would be accepted with any value, although only its default is listed.
        fields = self.move.__struct_fields__
        if any(tuple(case) != fields and set(case) != set(fields) for case in self.cases):
            message = f"the cases of {self.type} must name its fields: {', '.join(self.move.__struct_fields__)}"
            raise ValueError(message)

    @property
    def type(self) -> str:
        """The tag of the moves."""
        return str(self.move.__struct_config__.tag)


class LegalMoves(Struct, frozen=True):
    """All that a seat may do now. Iterates over moves, counts them and tests membership without listing them."""

    seat: Seat
    offers: tuple[Offer, ...] = ()

    def __iter__(self) -> Iterator[Struct]:
        for offer in self.offers:
            for case in offer.cases:
                for values in _products(tuple(case.values())):
                    yield offer.move(**dict(zip(case, values, strict=True)))

    def __bool__(self) -> bool:
        return any(offer.cases for offer in self.offers)

    def count(self) -> int:
        """How many moves there are (no __len__: the number may pass what that can return)."""
        return sum(math.prod(_size(field) for field in case.values()) for offer in self.offers for case in offer.cases)

    def __contains__(self, move: object) -> bool:
        # In plain loops, which take half the time of generators: this is asked of every move that is made.
        for offer in self.offers:
            if type(move) is offer.move:
                for case in offer.cases:
                    if _fits(case, move):
                        return True
        return False

    def require(self, move: Struct) -> None:
        """Pass if the move is legal; else raise `illegal-move` with what is wrong with it."""
        if move not in self:
            raise self._refusal(move)

    def _refusal(self, move: Struct) -> Rejected:
        tag = str(move.__struct_config__.tag)
        offered = [offer.type for offer in self.offers if offer.cases]
        cases = [case for offer in self.offers if type(move) is offer.move for case in offer.cases]
        if not cases:
            detail = f"{tag} is not among the moves you may make now"
            return Rejected("illegal-move", detail, field="move.type", allowed=offered)
        # The cases that go along longest tell best which field is wrong; no others have what agrees as it is.
        fields = move.__struct_fields__
        agreed = max(_agreeing(fields, case, move) for case in cases)
        nearest = [case for case in cases if _agreeing(fields, case, move) == agreed]
        wrong = fields[agreed]
        detail = f"{wrong} of {tag} must be {_wanted([case[wrong] for case in nearest])}"
        if len(cases) > 1 and agreed > 0:
            detail += f", for the given {', '.join(fields[:agreed])}"
        return Rejected("illegal-move", detail, field=f"move.{wrong}")


def example(offer: Offer) -> dict[str, Any]:
    """The first move of an offer as JSON-ready values."""
    case = offer.cases[0]
    first = {name: next(_values(field)) for name, field in case.items()}
    return msgspec.to_builtins(offer.move(**first))


def _products(fields: Sequence[Value | OneOf | SomeOf]) -> Iterator[tuple[Any, ...]]:
    """The product of some fields, the last one running fastest; `itertools.product` would list each of them first."""
    if not fields:
        yield ()
        return
    for value in _values(fields[0]):
        for rest in _products(fields[1:]):
            yield (value, *rest)


def _values(field: Value | OneOf | SomeOf) -> Iterator[Any]:
    match field:
        case OneOf():
            return iter(field.one_of)
        case SomeOf():
            sizes = range(field.least, field.most + 1)
            return itertools.chain.from_iterable(itertools.combinations(field.some_of, size) for size in sizes)
        case _:
            return iter((field,))


def _size(field: Value | OneOf | SomeOf) -> int:
    match field:
        case OneOf():
            return len(field.one_of)
        case SomeOf():
            return sum(math.comb(len(field.some_of), size) for size in range(field.least, field.most + 1))
        case _:
            return 1


def _fits(case: Case, move: object) -> bool:
    for name, field in case.items():  # noqa: SIM110 - as above
        if not _allows(field, getattr(move, name)):
            return False
    return True


def _agreeing(fields: Sequence[str], case: Case, move: object) -> int:
    """How many fields there are before the first one that the case does not allow."""
    return next(number for number, name in enumerate(fields) if not _allows(case[name], getattr(move, name)))


def _allows(field: Value | OneOf | SomeOf, value: object) -> bool:
    match field:
        case OneOf():
            return value in field.one_of
        case SomeOf():
            return isinstance(value, tuple) and _is_some(cast("tuple[object, ...]", value), field)
        case _:
            return value == field


def _is_some(value: tuple[object, ...], field: SomeOf) -> bool:
    """Whether the value is a subsequence of the list: each value found after the one before it."""
    rest = iter(field.some_of)
    return field.least <= len(value) <= field.most and all(any(each == other for other in rest) for each in value)


def _wanted(choices: Sequence[Value | OneOf | SomeOf]) -> str:
    """What a field may be, by any of some cases."""
    values: list[Any] = []
    sets: list[SomeOf] = []
    for field in choices:
        match field:
            case SomeOf():
                sets.append(field)
            case OneOf():
                values += field.one_of
            case _:
                values.append(field)
    parts: list[str] = []
    if len(set(values)) == 1:
        parts.append(msgspec.json.encode(values[0]).decode())
    elif values:
        parts.append(f"one of {_listed(values)}")
    parts += [_some(field) for field in dict.fromkeys(sets)]
    return "; or ".join(parts[:_MOST_SETS]) + ("; or something else" if len(parts) > _MOST_SETS else "")


def _some(field: SomeOf) -> str:
    number = str(field.least) if field.least == field.most else f"{field.least} to {field.most}"
    return f"{number} of {_listed(field.some_of) or 'nothing'}, in that order and without repeats"


def _listed(values: Sequence[Any]) -> str:
    """Values in words, each once, and not more of them than can be taken in."""
    words = list(dict.fromkeys(v if isinstance(v, str) else msgspec.json.encode(v).decode() for v in values))
    return ", ".join(words[:_MOST_WORDS]) + (
        f" and {len(words) - _MOST_WORDS} others" if len(words) > _MOST_WORDS else ""
    )
