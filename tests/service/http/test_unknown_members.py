"""Members that nobody named, found wherever they are."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Struct

from domain.kernel.rejected import Rejected
from service.http.unknown_members import require_known


class Card(Struct, tag="x.card", frozen=True, omit_defaults=True):
    name: str = ""
    cost: int = 0


class Hand(Struct, frozen=True, rename={"left": "links"}):
    cards: tuple[Card, ...] = ()
    by_seat: dict[int, Card] | None = None
    left: int = 0


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"cards": [{"type": "x.card"}, {"type": "x.card", "cost": 0}], "links": 3}',
        b'{"by_seat": {"1": {"type": "x.card", "name": "a"}}}',
        b'{"by_seat": null}',
    ],
)
def test_what_the_type_names_passes_whether_it_is_written_by_default_or_not(body: bytes) -> None:
    require_known(body, msgspec.json.decode(body, type=Hand), "position")


@pytest.mark.parametrize(
    "body,place",
    [
        (b'{"more": 1}', "position.more"),
        (b'{"type": "x"}', "position.type"),
        (b'{"left": 1}', "position.left"),
        (b'{"cards": [{"type": "x.card"}, {"type": "x.card", "price": 1}]}', "position.cards[1].price"),
        (b'{"by_seat": {"1": {"type": "x.card", "\\u0000": []}}}', "position.by_seat.1.\0"),
    ],
)
def test_what_it_does_not_name_is_refused_by_its_place(body: bytes, place: str) -> None:
    with pytest.raises(Rejected) as caught:
        require_known(body, msgspec.json.decode(body, type=Hand), "position")
    assert (caught.value.code, caught.value.facts["field"]) == ("invalid-body", place)
