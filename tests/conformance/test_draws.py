"""A decision is a function of its inputs, and all of its chance is recorded so that anyone can check it afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.chance import Chance, Draw, shuffled, words
from domain.kernel.rules import AnyRules
from tests.conformance.games import Played, Position, facts_of, games, in_each_place, places
from tests.conformance.law import law


@law(places)
@in_each_place
def test_the_same_decision_twice_gives_equal_facts_and_leaves_the_state_alone(position: Position) -> None:
    played, rules, at = position.played, position.played.entry.rules, position.at
    event = position.next
    if event is None:
        return
    before = msgspec.json.encode(position.game.state)
    first = rules.decide(position.game.state, event.seat, event.move, played.chance(at + 1))
    second = rules.decide(position.game.state, event.seat, event.move, played.chance(at + 1))
    assert first == second == tuple(facts_of(event, played.entry))
    assert msgspec.json.encode(position.game.state) == before


@law(games)
def test_every_recorded_draw_follows_from_the_seed_and_the_entropy_of_the_seats(played: Played) -> None:
    for at, event in enumerate(played.log):
        for fact in facts_of(event, played.entry):
            for draw in played.entry.rules.draws(fact):
                assert _drawn(played, at, draw) == draw.outcome
                assert draw.items == tuple(sorted(draw.items))


@law(games)
def test_draws_of_one_event_are_told_apart_by_their_purpose_and_repeat(played: Played) -> None:
    for event in played.log:
        draws = [draw for fact in facts_of(event, played.entry) for draw in played.entry.rules.draws(fact)]
        for purpose in {draw.purpose for draw in draws}:
            repeats = [draw.repeat for draw in draws if draw.purpose == purpose]
            assert repeats == list(range(len(repeats)))


@law(places)
@in_each_place
def test_another_seed_changes_nothing_before_the_first_recorded_draw(position: Position) -> None:
    played, rules = position.played, position.played.entry.rules
    event = position.next
    if event is None:
        return
    other = rules.decide(position.game.state, event.seat, event.move, Chance(b"another key", position.at + 2))
    _agree_but_for_chance(rules, tuple(facts_of(event, played.entry)), other)


@law(games)
def test_another_seed_sets_up_the_same_game_but_for_the_recorded_draws(played: Played) -> None:
    rules, created = played.entry.rules, played.games[0].created
    event = played.log[played.started]
    other = rules.begin(created.options, played.seats, Chance(b"another key", played.started + 1))
    _agree_but_for_chance(rules, tuple(facts_of(event, played.entry)), other)


def _agree_but_for_chance(rules: AnyRules, facts: Sequence[Struct], other: Sequence[Struct]) -> None:
    """The facts are equal up to the first one that records a draw, which is for the same purpose from the same."""
    fixed = list(takewhile(lambda fact: not rules.draws(fact), facts))
    assert list(other[: len(fixed)]) == fixed
    if len(fixed) == len(facts):
        assert tuple(other) == tuple(facts)
        return
    assert type(other[len(fixed)]) is type(facts[len(fixed)])
    assert _questions(rules, other[len(fixed)]) == _questions(rules, facts[len(fixed)])


def _questions(rules: AnyRules, fact: Struct) -> list[tuple[Any, ...]]:
    return [(draw.purpose, draw.items, len(draw.outcome), draw.repeat) for draw in rules.draws(fact)]


def _drawn(played: Played, at: int, draw: Draw) -> tuple[str | int, ...]:
    """The draw done again from its name: a shuffle gives all items, a pick gives one."""
    stream = words(played.draw_key, played.ordinal(at), draw.purpose, draw.repeat)
    number = len(draw.items)
    if len(draw.outcome) == number:
        return tuple(draw.items[index] for index in shuffled(stream, range(number)))
    assert len(draw.outcome) == 1
    fair = 2**64 - 2**64 % number
    return (draw.items[next(word for word in stream if word < fair) % number],)
