"""Verification of records that were forged: every hash fits, by someone who knows the seed or makes it up."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel.chance import Draw
from domain.kernel.events import (
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    MoveUndone,
    SeatLeft,
    SeatTaken,
)
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.record.verify import verify
from tests.conformance.titles import Entry
from tests.harness.recording import (
    Logged,
    account_of,
    logged,
    with_event,
    write,
)
from tests.harness.verifying import TITLES, TOY, by_entry, earlier_of, game, version_with, wrong


def test_another_seed_than_the_one_that_was_committed_to_is_refused_though_every_hash_fits() -> None:
    played = game(TOY)
    end = cast("MoveMade[Any, Any]", played.events[-1])
    other = replace(end.facts[-1], seed=bytes(32).hex())
    last = logged(replace(end, facts=(*end.facts[:-1], other)), "toy/2")
    found = wrong(write(played.opening, bytes(32), (*played.log[:-1], last)))
    assert (found.name, found.version) == ("commitment", 1)


@by_entry
def test_who_knows_the_seed_cannot_change_what_was_drawn(entry: Entry) -> None:
    played = game(entry)
    starts = ((version, event) for version, event in enumerate(played.events, 1) if isinstance(event, SeatTaken))
    version, event = next((at, each) for at, each in starts if any(shuffles(entry, fact) for fact in each.facts))
    place = next(place for place, fact in enumerate(event.facts) if shuffles(entry, fact))
    text = msgspec.json.encode(event.facts[place])
    draw = max(shuffles(entry, event.facts[place]), key=lambda each: len(each.outcome))
    one, other = (msgspec.json.encode(each) for each in draw.outcome[-2:])
    swapped = text.replace(one, b"\0", 1).replace(other, one, 1).replace(b"\0", other, 1)
    assert swapped != text
    fact = msgspec.json.decode(swapped, type=entry.title.fact)
    facts = (*event.facts[:place], fact, *event.facts[place + 1 :])
    found = wrong(with_event(played, version, replace(event, facts=facts)))
    assert (found.name, found.version) == ("rules", version)
    assert f"facts[{place}]" in found.detail
    earlier = {**TITLES, entry.title.id: earlier_of(entry)}
    old = [logged(each, "old/1") for each in played.events]
    old[version - 1] = logged(replace(event, facts=facts), "old/1")
    report = verify(write(played.opening, played.seed, old), earlier)
    assert report.first_failure is not None
    assert (report.first_failure.name, report.first_failure.version) == ("draws", version)


def shuffles(entry: Entry, fact: Any) -> list[Draw]:
    """The draws of a fact that put things into an order."""
    return [] if isinstance(fact, GameStarted) else [each for each in entry.rules.draws(fact) if len(each.outcome) > 1]


def test_who_knows_the_seed_cannot_change_what_was_played() -> None:
    """Each kind of event, changed by the server itself, which can make every hash fit."""
    played = game(TOY, 3, 3)
    last = len(played.events)
    taken, moved, undone = (version_with(played, kind) for kind in (SeatTaken, MoveMade, MoveUndone))
    created = cast("GameCreated[Any, Any]", played.events[0])
    move = cast("MoveMade[Any, Any]", played.events[moved - 1])
    end = cast("MoveMade[Any, Any]", played.events[-1])
    ended = cast("GameEnded", end.facts[-1])
    result = ended.result
    better = (replace(result.scores[0], points=99), *result.scores[1:])
    cases: list[tuple[int, Any, str]] = [
        (1, replace(created, seats=9), "facts"),
        (1, replace(created, sandbox=True), "rules"),
        (taken, replace(cast("SeatTaken[Any]", played.events[taken - 1]), seat=-1), "rules"),
        (taken, replace(cast("SeatTaken[Any]", played.events[taken - 1]), seat=3), "rules"),
        (moved, replace(move, facts=()), "rules"),
        (moved, replace(move, facts=move.facts[:-1]), "rules"),
        (moved, replace(move, facts=(*move.facts, *move.facts)), "rules"),
        (moved, replace(move, final="chance"), "rules"),
        (moved, replace(move, move=replace(move.move, card="nothing")), "rules"),
        (moved, replace(move, facts=(*move.facts, ended)), "rules"),
        (moved, MoveUndone(seat=move.seat, undone=moved - 1), "rules"),
        (moved, SeatLeft(seat=0, account=AccountId(account_of(0))), "rules"),
        (undone, MoveUndone(seat=cast("MoveUndone", played.events[undone - 1]).seat, undone=1), "rules"),
        (last, replace(end, facts=(*end.facts[:-1], replace(ended, result=replace(result, scores=better)))), "rules"),
        (last, replace(end, facts=(*end.facts[:-1], replace(ended, result=replace(result, winners=())))), "rules"),
        (last, replace(end, final=None), "rules"),
    ]
    for version, event, name in cases:
        found = wrong(with_event(played, version, event))
        assert (found.version, found.name) == (version, name), (event, found)
    fewer = wrong(with_event(played, 1, replace(created, seats=2)))
    assert (fewer.name, fewer.detail) == ("rules", "no-such-seat: the seats are 0 to 1")
    assert played.games[-1].status is Status.finished


def test_nobody_acts_for_another() -> None:
    played = game(TOY)
    for version, each in enumerate(played.log, 1):
        other = [*played.log]
        other[version - 1] = Logged(each.event, account_of(9), each.rules_version, each.data)
        found = wrong(write(played.opening, played.seed, other))
        assert (found.name, found.version) == ("events", version)


def test_data_that_means_the_same_in_other_bytes_is_refused() -> None:
    played = game(TOY)
    for version in (1, 2, version_with(played, MoveMade)):
        each = played.log[version - 1]
        for data in (each.data.replace(b'":', b'": ', 1), each.data[:-1] + b',"more":1}'):
            other = [*played.log]
            other[version - 1] = Logged(each.event, each.actor, each.rules_version, data)
            found = wrong(write(played.opening, played.seed, other))
            assert (found.name, found.version) == ("rules", version)


@pytest.mark.parametrize(
    "data",
    [
        b"1",
        b"[]",
        b"null",
        b'"seat_taken"',
        b"{}",
        b'{"type":"seat_taken"}',
        b'{"type":"seat_taken","seat":1e400,"account":"a","name":"b"}',
        b'{"type":"seat_taken","seat":1.5,"account":"a","name":"b"}',
        b'{"type":"seat_taken","seat":' + b"9" * 4_000 + b',"account":"a","name":"b"}',
        b'{"type":"seat_taken","seat":0,"account":"a","name":"b","facts":[{"type":"toy.nothing"}]}',
        b'{"type":"seat_taken","seat":0,"account":"a","name":"\xff"}',
        b'{"type":"seat_taken","seat":0,"account":"a","name":"\\ud800"}',
        b'{"type":"seat_taken","seat":0,"account":"a","name":"b","facts":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"type":"nothing"}',
    ],
)
def test_hostile_data_in_an_event_is_refused_with_its_version(data: bytes) -> None:
    played = game(TOY)
    other = [*played.log]
    other[1] = Logged("seat_taken", other[1].actor, other[1].rules_version, data)
    found = wrong(write(played.opening, played.seed, other))
    assert (found.line, found.version) == (3, 2)
    assert len(found.detail) <= 300


def test_facts_with_numbers_that_would_fill_the_memory_are_never_folded() -> None:
    played = game(TOY)
    start = version_with(played, SeatTaken, 5)
    event = cast("SeatTaken[Any]", played.events[start - 1])
    huge = replace(event, facts=(replace(event.facts[0], seats=10**10), *event.facts[1:]))
    assert wrong(with_event(played, start, huge)).name == "rules"
    log = [logged(each, "old/1") for each in (*played.events[: start - 1], huge, *played.events[start:])]
    report = verify(write(played.opening, played.seed, log), {"toy": earlier_of(TOY)})
    assert report.first_failure is not None
    assert (report.first_failure.name, report.first_failure.version) == ("facts", start)


def test_events_out_of_order_are_no_game_whatever_rules_decided_them() -> None:
    played = game(TOY)
    moved = version_with(played, MoveMade)
    by_first = next(each for each in played.events if isinstance(each, MoveMade) and each.seat == 0)
    assert isinstance(played.events[1], SeatTaken)
    for version, event in ((moved, SeatLeft(seat=0, account=AccountId(account_of(0)))), (3, by_first)):
        log = [
            logged(each, "old/1", before) for each, before in zip(played.events, (None, *played.games), strict=False)
        ]
        log[version - 1] = logged(event, "old/1", played.games[version - 2])
        report = verify(write(played.opening, played.seed, log), {"toy": earlier_of(TOY)})
        assert report.first_failure is not None
        found = report.first_failure
        assert (found.version, found.name, found.detail) == (version, "facts", "it cannot be folded: TypeError")


@pytest.mark.parametrize("components", ["", "id = 1", "[" * 50_000, 'id = "toy-1"\ntitle = "toy"\n', "\0", "é" * 1_000])
def test_a_component_set_that_cannot_be_used_is_refused(components: str) -> None:
    played = game(TOY)
    digest = hashlib.sha256(components.encode()).hexdigest()
    opening = replace(played.opening, components=components, component_hash=digest)
    created = replace(cast("GameCreated[Any, Any]", played.events[0]), component_hash=digest)
    log = (logged(created, "toy/2"), *played.log[1:])
    found = wrong(write(opening, played.seed, log))
    assert (found.name, found.line) == ("rules", 1)


def test_a_component_set_under_another_name_is_refused() -> None:
    played = game(TOY)
    opening = replace(played.opening, component_set="toy-2")
    assert wrong(write(opening, played.seed, played.log)).name == "components"
    created = replace(cast("GameCreated[Any, Any]", played.events[0]), component_set="toy-2")
    log = (logged(created, "toy/2"), *played.log[1:])
    assert wrong(write(opening, played.seed, log)).name == "rules"
