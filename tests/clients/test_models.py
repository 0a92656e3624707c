"""What a client builds from legal moves."""

from __future__ import annotations

from random import Random
from typing import Any

from tablelog_client import LegalMoves, Offer

SIZES = {"type": "t.pay", "size": {"one_of": [1, 2]}, "cards": {"some_of": ["a", "b", "c"], "least": 1, "most": 2}}


def legal(*cases: dict[str, Any]) -> LegalMoves:
    fields = [{name: field for name, field in case.items() if name != "type"} for case in cases]
    return LegalMoves(version=3, seat=0, moves=(Offer(type="t.pay", cases=tuple(fields), example={"type": "t.pay"}),))


def test_no_moves_are_false() -> None:
    assert not LegalMoves(version=1, seat=0, moves=())
    assert legal({})


def test_the_first_move_is_the_example() -> None:
    assert legal(SIZES).first() == {"type": "t.pay"}


def test_random_moves_reach_every_value_of_every_field_and_nothing_else() -> None:
    picks, seen = Random(1), set[tuple[int, tuple[str, ...]]]()
    for _ in range(500):
        move = legal(SIZES).random(picks)
        assert move.keys() == {"type", "size", "cards"}
        seen.add((move["size"], tuple(move["cards"])))
    sets = [("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c")]
    assert seen == {(size, cards) for size in (1, 2) for cards in sets}


def test_what_is_fixed_is_taken_as_it_is() -> None:
    fixed: dict[str, Any] = {"seat": 2, "cards": ["b", "a"], "nothing": None, "open": True}
    assert legal(fixed).random(Random(1)) == {"type": "t.pay", **fixed}


def test_the_same_seed_gives_the_same_moves() -> None:
    assert [legal(SIZES).random(Random(4)) for _ in range(3)] == [legal(SIZES).random(Random(4)) for _ in range(3)]
