"""A random move: any of the legal ones, with sets in the order of their lists."""

from __future__ import annotations

from random import Random

from domain.kernel.legal import LegalMoves, Offer, OneOf, SomeOf
from domain.kernel.value import Value
from service.titles.random_move import random_move


class Pay(Value, frozen=True, tag="x.pay"):
    reward: str
    cards: tuple[str, ...]
    number: int


LEGAL = LegalMoves(
    0,
    (
        Offer(Pay, ({"reward": "a", "cards": SomeOf(("x", "y", "z"), 1, 2), "number": OneOf((1, 2))},)),
        Offer(Pay, ({"reward": "b", "cards": (), "number": 0},)),
    ),
)


def test_every_legal_move_comes_up_and_no_other() -> None:
    picks = Random(1)
    assert {random_move(LEGAL, picks) for _ in range(400)} == set(LEGAL)


def test_the_same_picks_give_the_same_moves() -> None:
    one, other = Random(7), Random(7)
    assert [random_move(LEGAL, one) for _ in range(20)] == [random_move(LEGAL, other) for _ in range(20)]
