"""The digest of a state says what is in it, and nothing of what it could hold besides."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct, field

from tests.logs.states import plain


class Before(Struct, tag="x.seat", frozen=True):
    cards: tuple[str, ...]
    points: int = 0


class After(Struct, tag="x.seat", frozen=True):
    cards: tuple[str, ...]
    points: int = 0
    more: tuple[int, ...] = ()
    even_more: list[int] = field(default_factory=list[int])


class Colour(Enum):
    red = "r"


def test_a_new_field_that_is_as_by_default_changes_nothing() -> None:
    assert plain(After(("a",), 3)) == plain(Before(("a",), 3)) == {"type": "x.seat", "cards": ["a"], "points": 3}


def test_whatever_differs_shows() -> None:
    seats = [Before(("a", "b")), Before(("b", "a")), Before(("a",)), Before(("a", "b"), 1)]
    assert len({repr(plain(seat)) for seat in seats}) == len(seats)
    assert plain(After(("a",), more=(1,), even_more=[2])) == {
        "type": "x.seat",
        "cards": ["a"],
        "more": [1],
        "even_more": [2],
    }


def test_values_of_every_kind_become_json() -> None:
    value = {"a": Colour.red, 1: (Before(()), None, True), "s": frozenset({"y", "x"})}
    assert plain(value) == {"a": "r", "1": [{"type": "x.seat", "cards": []}, None, True], "s": ["x", "y"]}
