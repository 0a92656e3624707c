"""A title that cannot be served is an error where it is declared, and the error says what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.kernel.value import Hides, Value
from tests.toy import TITLE
from tests.toy.moves import ToyDecline, ToyLayCard


class OtherView(Value, frozen=True, tag="chess.view"):
    """The view of another title."""


class OtherMove(Value, frozen=True, tag="chess.castle"):
    """A move of another title."""


class Untagged(Value, frozen=True):
    """A fact that nothing tells apart."""


class HidesNothing(Value, frozen=True, tag="toy.hides_nothing"):
    """A fact that hides a field it does not have."""

    hides = Hides("Something.", counts=("cards",))


@pytest.mark.parametrize(
    "changes,wrong",
    [
        ({"id": "Toy"}, "title 'Toy': its id must be small letters and digits, and begin with a letter"),
        ({"id": "toy_2"}, "title 'toy_2': its id must be small letters and digits, and begin with a letter"),
        ({"names": {"en": "Toy"}}, "title 'toy': it needs a name in English (en) and in Japanese (ja)"),
        ({"names": {"en": "Toy", "ja": ""}}, "title 'toy': it needs a name in English (en) and in Japanese (ja)"),
        ({"seats": (5, 2)}, "title 'toy': 5 to 2 seats are no range"),
        ({"view": OtherView}, "title 'toy': the tag of OtherView is 'chess.view', and a view has toy.view"),
        (
            {"move": ToyLayCard | OtherMove},
            "title 'toy': the tag of OtherMove is 'chess.castle', and has to begin with toy.",
        ),
        ({"fact": Untagged}, "title 'toy': the tag of Untagged is None, and has to begin with toy."),
        ({"fact": HidesNothing}, "title 'toy': HidesNothing hides cards, and has no such field"),
    ],
)
def test_a_mistake_in_a_title_is_told_where_it_is_declared(changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - its message is compared whole
        replace(TITLE, **changes)
    assert str(error.value) == wrong


def test_a_title_may_have_one_move_and_one_fact() -> None:
    assert replace(TITLE, move=ToyDecline).seen
