"""Legal moves are one set, whether they are iterated, counted, asked for a member, or refused from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec
import pytest
from msgspec import Struct

from domain.kernel.legal import Case, LegalMoves, Offer, OneOf, SomeOf, example
from domain.kernel.rejected import Rejected


class Place(Struct, frozen=True, tag="test.place"):
    card: str
    slot: int
    paid: tuple[str, ...] = ()


class Fly(Struct, frozen=True, tag="test.fly"):
    far: bool
    order: tuple[int, ...] = ()
    over: str | None = None


class Rest(Struct, frozen=True, tag="test.rest"):
    pass


def places(*cases: Case) -> LegalMoves:
    return LegalMoves(0, (Offer(Place, cases),))


LEGAL = LegalMoves(
    1,
    (
        Offer(
            Place,
            (
                {"card": "a", "slot": OneOf((1, 2)), "paid": SomeOf(("b", "c"), 0, 1)},
                {"card": "b", "slot": 2, "paid": SomeOf(("a", "c", "d"), 2, 2)},
            ),
        ),
        Offer(Fly, ({"far": False, "order": (2, 1), "over": OneOf(("x", "y"))},)),
        Offer(Rest, ({},)),
    ),
)
ALL: Sequence[Struct] = (
    Place("a", 1),
    Place("a", 1, ("b",)),
    Place("a", 1, ("c",)),
    Place("a", 2),
    Place("a", 2, ("b",)),
    Place("a", 2, ("c",)),
    Place("b", 2, ("a", "c")),
    Place("b", 2, ("a", "d")),
    Place("b", 2, ("c", "d")),
    Fly(far=False, order=(2, 1), over="x"),
    Fly(far=False, order=(2, 1), over="y"),
    Rest(),
)


def test_moves_come_in_the_order_of_offers_cases_and_fields_and_sets_by_size() -> None:
    assert list(LEGAL) == list(ALL)


def test_the_count_is_that_of_the_iteration() -> None:
    assert LEGAL.count() == len(ALL)


def test_what_is_iterated_is_contained_and_passes_the_demand() -> None:
    for move in ALL:
        assert move in LEGAL
        LEGAL.require(move)


@pytest.mark.parametrize(
    "move",
    [
        Place("c", 1),
        Place("a", 3),
        Place("b", 1, ("a", "c")),
        Place("a", 1, ("b", "c")),
        Place("a", 1, ("d",)),
        Place("b", 2, ("a",)),
        Place("b", 2, ("c", "a")),
        Place("b", 2, ("a", "a")),
        Fly(far=True, order=(2, 1), over="x"),
        Fly(far=False, order=(1, 2), over="x"),
        Fly(far=False, order=(2, 1)),
    ],
    ids=repr,
)
def test_what_is_not_iterated_is_not_contained_and_refused(move: Struct) -> None:
    assert move not in LEGAL
    with pytest.raises(Rejected) as refused:
        LEGAL.require(move)
    assert refused.value.code == "illegal-move"


@pytest.mark.parametrize("thing", [None, "test.rest", ("a", 1, ()), {"card": "a"}])
def test_what_is_no_move_at_all_is_not_contained(thing: object) -> None:
    assert thing not in LEGAL


def test_a_set_is_written_in_the_order_of_its_list_and_holds_nothing_twice() -> None:
    legal = places({"card": "a", "slot": 1, "paid": SomeOf(("d", "b", "c"), 0, 3)})
    paid = [move.paid for move in legal if isinstance(move, Place)]
    assert paid == [
        (),
        ("d",),
        ("b",),
        ("c",),
        ("d", "b"),
        ("d", "c"),
        ("b", "c"),
        ("d", "b", "c"),
    ]
    assert Place("a", 1, ("b", "d")) not in legal
    assert Place("a", 1, ("d", "d")) not in legal


def test_a_set_may_be_of_numbers() -> None:
    legal = LegalMoves(0, (Offer(Fly, ({"far": True, "order": SomeOf((1, 2, 3), 2, 3), "over": None},)),))
    assert Fly(far=True, order=(1, 3)) in legal
    assert Fly(far=True, order=(3, 1)) not in legal
    assert legal.count() == 4


def test_a_long_set_is_counted_asked_and_begun_without_being_listed() -> None:
    cards = tuple(f"c{number:03}" for number in range(200))
    legal = places({"card": "a", "slot": 1, "paid": SomeOf(cards, 100, 100)})
    assert legal.count() > 2**63
    assert bool(legal)
    assert Place("a", 1, cards[::2]) in legal
    assert Place("a", 1, cards[:99]) not in legal
    assert next(iter(legal)) == Place("a", 1, cards[:100])
    assert len(set(islice(legal, 50))) == 50


def test_nothing_is_legal_without_offers_and_without_cases() -> None:
    for nothing in (LegalMoves(0), LegalMoves(0, (Offer(Rest, ()),))):
        assert not nothing
        assert list(nothing) == []
        assert nothing.count() == 0
        assert Rest() not in nothing


def test_a_move_without_fields_is_one_move() -> None:
    legal = LegalMoves(0, (Offer(Rest, ({},)),))
    assert bool(legal)
    assert list(legal) == [Rest()]


@pytest.mark.parametrize("case", [{"card": "a", "slot": 1}, {"card": "a", "slot": 1, "paid": (), "more": 1}, {}])
def test_a_case_names_every_field_of_its_move_and_no_other(case: Case) -> None:
    # Left out, `paid` would be listed with its default and accepted with anything.
    with pytest.raises(ValueError, match=r"the cases of test\.place must name its fields: card, slot, paid"):
        Offer(Place, (case,))


def test_an_offer_has_the_tag_of_its_moves() -> None:
    assert [offer.type for offer in LEGAL.offers] == ["test.place", "test.fly", "test.rest"]


def test_the_example_is_the_first_move_as_json() -> None:
    examples = [example(offer) for offer in LEGAL.offers]
    assert msgspec.json.decode(msgspec.json.encode(examples)) == [
        {"type": "test.place", "card": "a", "slot": 1, "paid": []},
        {"type": "test.fly", "far": False, "order": [2, 1], "over": "x"},
        {"type": "test.rest"},
    ]


def test_offers_go_to_json_in_the_compact_form() -> None:
    assert msgspec.json.decode(msgspec.json.encode(LEGAL.offers[0].cases)) == [
        {"card": "a", "slot": {"one_of": [1, 2]}, "paid": {"some_of": ["b", "c"], "least": 0, "most": 1}},
        {"card": "b", "slot": 2, "paid": {"some_of": ["a", "c", "d"], "least": 2, "most": 2}},
    ]


@pytest.mark.parametrize(
    "move, field, detail",
    [
        (Place("c", 1), "move.card", "card of test.place must be one of a, b"),
        (Place("a", 3), "move.slot", "slot of test.place must be one of 1, 2, for the given card"),
        (Place("b", 1), "move.slot", "slot of test.place must be 2, for the given card"),
        (
            Place("b", 2, ("d", "a")),
            "move.paid",
            "paid of test.place must be 2 of a, c, d, in that order and without repeats, for the given card, slot",
        ),
        (
            Place("a", 1, ("x",)),
            "move.paid",
            "paid of test.place must be 0 to 1 of b, c, in that order and without repeats, for the given card, slot",
        ),
        (Fly(far=True), "move.far", "far of test.fly must be false"),
        (Fly(far=False, order=(1, 2)), "move.order", "order of test.fly must be [2,1]"),
        (Fly(far=False, order=(2, 1)), "move.over", "over of test.fly must be one of x, y"),
    ],
)
def test_a_refusal_names_the_first_wrong_field_of_the_nearest_case(move: Struct, field: str, detail: str) -> None:
    with pytest.raises(Rejected) as refused:
        LEGAL.require(move)
    assert refused.value.facts == {"field": field}
    assert refused.value.detail == detail


def refused(legal: LegalMoves, move: Struct) -> str:
    with pytest.raises(Rejected) as refusal:
        legal.require(move)
    return refusal.value.detail


def test_where_several_cases_go_along_equally_far_all_that_they_allow_is_told() -> None:
    orders = [{"far": True, "order": order, "over": None} for order in ((1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 3))]
    legal = LegalMoves(0, (Offer(Fly, tuple(orders)),))
    wanted = "order of test.fly must be one of [1,2,3], [1,3,2], [2,1,3], for the given far"
    assert refused(legal, Fly(far=True, order=(3, 2, 1))) == wanted
    legal = places(
        {"card": "a", "slot": 1, "paid": SomeOf(("b", "c"), 1, 1)},
        {"card": "a", "slot": OneOf((1, 2)), "paid": ()},
        {"card": "a", "slot": 3, "paid": ("d",)},
        {"card": "a", "slot": 2, "paid": SomeOf(("b", "c"), 2, 2)},
    )
    assert refused(legal, Place("a", 4)) == "slot of test.place must be one of 1, 2, 3, for the given card"
    assert refused(legal, Place("a", 1, ("d",))) == (
        "paid of test.place must be []; or 1 of b, c, in that order and without repeats, for the given card, slot"
    )


def test_what_cases_in_another_order_of_fields_allow_is_told_as_well() -> None:
    legal = places({"card": "a", "slot": 1, "paid": ()}, {"slot": 2, "card": "b", "paid": ()})
    assert refused(legal, Place("c", 2)) == "card of test.place must be one of a, b"


def test_a_refusal_stays_short_however_much_would_be_legal() -> None:
    many: list[Case] = [{"card": f"c{number:03}", "slot": number, "paid": ()} for number in range(500)]
    detail = refused(places(*many), Place("x", 1))
    assert detail.endswith("c038, c039 and 460 others")
    sets: list[Case] = [{"card": "a", "slot": 1, "paid": SomeOf((f"c{number}",), 1, 1)} for number in range(9)]
    assert refused(places(*sets), Place("a", 1)).count("; or ") == 3


def test_a_set_of_nothing_is_told_as_such() -> None:
    legal = places({"card": "a", "slot": 1, "paid": SomeOf((), 0, 0)})
    with pytest.raises(Rejected, match=r"paid of test\.place must be 0 of nothing, in that order and without repeats"):
        legal.require(Place("a", 1, ("b",)))


def test_a_move_of_a_type_that_is_not_offered_is_told_what_is() -> None:
    legal = LegalMoves(0, (Offer(Fly, ()), Offer(Rest, ({},))))
    for move in (Place("a", 1), Fly(far=True)):
        with pytest.raises(Rejected) as refused:
            legal.require(move)
        assert refused.value.code == "illegal-move"
        assert refused.value.facts == {"field": "move.type", "allowed": ["test.rest"]}
