"""A move is legal if and only if it is listed, whichever way one asks."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec

from domain.kernel import game as kernel
from domain.kernel.events import MoveMade
from domain.kernel.legal import LegalMoves, Offer, SomeOf, example
from domain.kernel.rejected import Rejected
from tests.conformance.games import Position, Script, in_each_place, places, scripts
from tests.conformance.law import law
from tests.conformance.mutation import bent_move, edge_moves, words_of
from tests.harness.play import random_move, random_wire_move

MOST_LISTED = 5_000
"""Positions with more moves are not listed to be compared one by one."""


def _legal(position: Position) -> LegalMoves:
    rules = position.played.entry.rules
    waiting = kernel.to_move(position.game, rules)
    return kernel.legal_moves(position.game, rules, waiting[position.at % len(waiting)])


def _wire(legal: LegalMoves) -> dict[str, Any]:
    offers = [{"type": each.type, "cases": each.cases, "example": example(each)} for each in legal.offers]
    return msgspec.json.decode(msgspec.json.encode({"moves": offers}))


def _accepted(position: Position, seat: int, move: Any) -> bool:
    refused: Rejected | None = None
    try:
        event = kernel.make_move(position.game, position.played.entry.rules, seat, move, position.played.seed)
        assert event.move == move
    except Rejected as refusal:
        refused = refusal
    assert refused is None or refused.code == "illegal-move"
    assert refused is None or str(refused.facts["field"]).startswith("move.")
    return refused is None


@law(places, scripts)
@in_each_place
def test_every_listed_move_is_accepted(position: Position, picks: Script) -> None:
    legal = _legal(position)
    for move in [*islice(legal, 12), *(random_move(legal, picks) for _ in range(6))]:
        assert _accepted(position, legal.seat, move)


@law(places)
@in_each_place
def test_iteration_count_and_membership_agree_and_no_move_is_listed_twice(position: Position) -> None:
    legal = _legal(position)
    if legal.count() > MOST_LISTED:
        return
    listed = list(legal)
    assert len(listed) == legal.count()
    assert len(set(listed)) == len(listed)
    assert all(move in legal for move in listed)
    assert listed == list(_legal(position)), "the order is not stable"


@law(places)
@in_each_place
def test_every_case_of_every_offer_holds_a_move_and_can_be_chosen_from_without_logic(position: Position) -> None:
    legal = _legal(position)
    for offer in legal.offers:
        assert offer.cases
        for case in offer.cases:
            assert LegalMoves(legal.seat, (Offer(offer.move, (case,)),)).count() > 0
            for field in case.values():
                assert not isinstance(field, SomeOf) or 0 <= field.least <= field.most <= len(field.some_of)


@law(places)
@in_each_place
def test_the_example_of_an_offer_is_its_first_move_ready_to_post(position: Position) -> None:
    legal, title = _legal(position), position.played.entry.title
    for offer in legal.offers:
        posted = msgspec.json.decode(msgspec.json.encode(example(offer)), type=title.move)
        assert posted in legal
        assert posted == next(iter(LegalMoves(legal.seat, (offer,))))


@law(places, scripts)
@in_each_place
def test_a_move_put_together_from_the_wire_form_is_legal(position: Position, picks: Script) -> None:
    legal = _legal(position)
    wire = _wire(legal)
    for _ in range(6):
        move = msgspec.convert(random_wire_move(wire, picks), position.played.entry.title.move)
        assert move in legal


@law(places, scripts)
@in_each_place
def test_a_bent_move_is_accepted_exactly_when_it_is_listed(position: Position, picks: Script) -> None:
    legal = _legal(position)
    if legal.count() > MOST_LISTED:
        return
    listed, words = set(legal), words_of(position.played)
    for _ in range(10):
        bent = bent_move(random_move(legal, picks), random_move(legal, picks), words, picks)
        try:
            move = msgspec.convert(bent, position.played.entry.title.move)
        except msgspec.ValidationError:
            continue
        assert (move in legal) == (move in listed)
        assert _accepted(position, legal.seat, move) == (move in listed)


@law(places, scripts)
@in_each_place
def test_a_refusal_tells_every_value_that_is_legal_where_what_stands_before_it_is_as_given(
    position: Position, picks: Script
) -> None:
    legal = _legal(position)
    if legal.count() > MOST_LISTED:
        return
    words = words_of(position.played)
    for _ in range(4):
        bent = bent_move(random_move(legal, picks), random_move(legal, picks), words, picks)
        try:
            move = msgspec.convert(bent, position.played.entry.title.move)
        except msgspec.ValidationError:
            continue
        refused = _refused(legal, move)
        if refused is None or " others" in refused.detail or "in that order" in refused.detail:
            continue
        wrong = str(refused.facts["field"]).removeprefix("move.")
        before = move.__struct_fields__[: (*move.__struct_fields__, wrong).index(wrong)]
        for other in legal:
            if type(other) is type(move) and all(getattr(other, each) == getattr(move, each) for each in before):
                value = getattr(other, wrong)
                assert (value if isinstance(value, str) else msgspec.json.encode(value).decode()) in refused.detail


def _refused(legal: LegalMoves, move: Any) -> Rejected | None:
    try:
        legal.require(move)
    except Rejected as refused:
        return refused
    return None


@law(places, scripts)
@in_each_place
def test_a_set_is_accepted_exactly_when_its_size_and_order_are_listed(position: Position, picks: Script) -> None:
    legal = _legal(position)
    if legal.count() > MOST_LISTED:
        return
    listed = set(legal)
    for move in islice(edge_moves(legal, picks), 60):
        assert (move in legal) == (move in listed)
        assert _accepted(position, legal.seat, move) == (move in listed)


@law(places)
@in_each_place
def test_a_move_made_elsewhere_in_the_game_is_accepted_exactly_when_it_is_listed(position: Position) -> None:
    legal = _legal(position)
    if legal.count() > MOST_LISTED:
        return
    listed = set(legal)
    made = {event.move for event in position.played.log if isinstance(event, MoveMade)}
    for move in made:
        assert (move in legal) == (move in listed)
        assert _accepted(position, legal.seat, move) == (move in listed)
