"""Verification: what is right passes every check, and whatever is not is told with its place."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import game as kernel
from domain.kernel.chance import Draw
from domain.kernel.events import (
    Blank,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    MoveUndone,
    SeatLeft,
    SeatTaken,
    encode,
    event_type,
)
from domain.kernel.game import Status
from domain.kernel.record.report import Check, Outcome, Report
from domain.kernel.record.verify import verify
from domain.kernel.rules import Title
from tests.conformance.titles import ALL_TITLES, ENTRIES, Entry
from tests.harness.recording import (
    Logged,
    Recorded,
    account_of,
    logged,
    recorded,
    with_event,
    write,
)

TITLES = {title.id: title for title in ALL_TITLES}
TOY = next(entry for entry in ENTRIES if entry.title.id == "toy")
ALL = {"form", "end", "digest", "versions", "components", "commitment", "chain", "facts", "draws", "rules", "result"}

by_entry = pytest.mark.parametrize("entry", ENTRIES, ids=repr)


_GAMES: dict[tuple[str, int, int], Recorded] = {}


def game(entry: Entry, seats: int = 2, number: int = 1) -> Recorded:
    """A game with moves that were taken back, played once for all tests."""
    name = (repr(entry), seats, number)
    if name not in _GAMES:
        _GAMES[name] = recorded(entry.title, entry.text, seats, number, undo=0.3)
    return _GAMES[name]


def outcomes(report: Report) -> dict[str, Outcome]:
    return {check.name: check.outcome for check in report.checks}


def wrong(data: bytes) -> Check:
    """The first thing that is wrong with a record."""
    report = verify(data, TITLES)
    assert not report.verified
    assert report.first_failure is not None
    return report.first_failure


def version_with(of: Recorded, kind: type, least: int = 1) -> int:
    """The first version from one on whose event is of a kind."""
    return next(version for version, event in enumerate(of.events, 1) if isinstance(event, kind) and version >= least)


@by_entry
def test_games_of_every_size_with_moves_taken_back_pass_every_check(entry: Entry) -> None:
    least, most = entry.title.seats
    for seats in range(least, most + 1):
        played = game(entry, seats, seats)
        report = verify(played.record, TITLES)
        assert report.verified_in_full, report.first_failure
        assert outcomes(report) == dict.fromkeys(ALL, Outcome.passed)
        assert report.seed == played.seed


@by_entry
def test_a_game_that_began_at_a_position_passes_every_check(entry: Entry) -> None:
    whole = game(entry)
    middle = whole.games[len(whole.games) // 2]
    sandbox = recorded(entry.title, entry.text, 2, 7, undo=0.3, position=middle.state)
    report = verify(sandbox.record, TITLES)
    assert report.verified, report.first_failure
    assert outcomes(report) == dict.fromkeys(ALL, Outcome.passed)


def committed_game(entry: Entry) -> Recorded:
    return recorded(entry.title, entry.text, entry.title.seats[0], 5, committed=True)


@by_entry
def test_a_game_whose_seats_committed_and_revealed_passes_every_check(entry: Entry) -> None:
    report = verify(committed_game(entry).record, TITLES)
    assert report.verified_in_full, report.first_failure
    assert outcomes(report) == dict.fromkeys(ALL, Outcome.passed)


def test_commitment_and_chain_are_as_the_theory_page_has_them() -> None:
    """Worked out from the bytes of a record with nothing but hashlib."""
    played = game(TOY)
    lines = [json.loads(line) for line in played.record.splitlines()]
    seed = bytes.fromhex(lines[-2]["data"]["facts"][-1]["seed"])

    def joined(*parts: bytes) -> bytes:
        return b"".join(len(part).to_bytes(8, "big") + part for part in parts)

    told = joined(b"tablelog/commitment/1", lines[0]["game"].encode(), seed)
    assert hashlib.sha256(told).hexdigest() == lines[1]["data"]["commitment"]
    last = bytes(32)
    for text, line in zip(played.record.splitlines()[1:-1], lines[1:-1], strict=True):
        data = text[text.index(b'"data":') + 7 : -1]
        names = ("version", "event", "actor", "rules_version", "recorded_at")
        header = json.dumps([lines[0]["game"], *(line[name] for name in names)], separators=(",", ":")).encode()
        salt = hmac.digest(seed, joined(b"tablelog/salt/1", str(line["version"]).encode()), "sha256")
        last = hashlib.sha256(last + hashlib.sha256(joined(salt, header, data)).digest()).digest()
        assert line["hash"] == last.hex()
    assert lines[-1]["hash"] == last.hex()


def changes(data: bytes, places: Iterator[int] | range, picks: Random) -> Iterator[tuple[int, bytes]]:
    """The record with the byte at each place changed to another, and the place."""
    for place in places:
        other = bytes([(data[place] + picks.randrange(1, 256)) % 256])
        yield place, data[:place] + other + data[place + 1 :]


def demand_told(data: bytes, places: Iterator[int] | range, picks: Random) -> None:
    """Each byte at these places cannot be changed unnoticed, and the line that it stands on is named."""
    last = data.count(b"\n")
    for place, changed in changes(data, places, picks):
        line = data.count(b"\n", 0, place) + 1
        found = wrong(changed)
        due = {line}
        if line == 1 and found.name == "commitment":
            due.add(last - 1)  # the game's id stands in no other place: what it does not fit is the seed
        if line == 2 and found.name == "components":
            due.add(1)  # the first line and the first event name different things: both are told
        assert found.line in due, (place, data[place : place + 1], found)


@by_entry
def test_a_record_with_any_single_byte_changed_is_refused_and_the_line_is_told(entry: Entry) -> None:
    data, picks = game(entry).record, Random(1)
    demand_told(data, iter(sorted(picks.sample(range(len(data)), 300))), picks)


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
@by_entry
def test_a_record_with_any_single_byte_changed_is_refused_at_every_place(entry: Entry) -> None:
    data = game(entry).record
    demand_told(data, range(len(data)), Random(2))


def test_lines_that_were_left_out_doubled_or_swapped_are_told_by_the_version() -> None:
    lines = game(TOY).record.splitlines(keepends=True)
    for version in range(2, len(lines) - 2):
        without = [*lines[:version], *lines[version + 1 :]]
        doubled = [*lines[: version + 1], *lines[version:]]
        swapped = [*lines[:version], lines[version + 1], lines[version], *lines[version + 2 :]]
        assert wrong(b"".join(without)).version == version
        assert wrong(b"".join(doubled)).version == version + 1
        assert wrong(b"".join(swapped)).version == version


def test_the_end_of_a_game_cannot_be_left_out() -> None:
    """Neither by whoever cuts the record and counts anew, nor by whoever says that it is complete all the same."""
    played = game(TOY)
    for count in range(1, len(played.log)):
        data = write(played.opening, played.seed, played.log[:count])
        found = wrong(data)
        assert (found.name, found.version) == ("commitment", count)


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


def earlier_of(entry: Entry) -> Title:
    """The title as it would be if there had been rules before it that wrote events of the same form."""
    return dataclasses.replace(entry.title, earlier={"old/1": None})


@by_entry
def test_what_earlier_rules_decided_is_folded_and_not_decided_again_and_verify_says_so(entry: Entry) -> None:
    played = recorded(entry.title, entry.text, 2, 3, undo=0.3, rules_version="old/1")
    report = verify(played.record, {entry.title.id: earlier_of(entry)})
    assert (report.verified, report.verified_in_full) == (True, False), report.first_failure
    skips = [check.detail for check in report.checks if check.outcome is Outcome.skipped]
    count, now = len(played.log), entry.title.rules_version
    assert skips == [
        f"{count} events decided by old/1 were not decided again: {now} is installed",
        f"the scores were counted by old/1, and {now} is installed",
    ]


def test_what_rules_of_a_later_release_decided_is_told_to_be_unknown() -> None:
    played = recorded(TOY.title, TOY.text, 2, 3, rules_version="toy/3")
    report = verify(played.record, TITLES)
    assert report.first_failure is None
    last = report.checks[-1]
    assert last.outcome is Outcome.skipped
    assert "from version 1 on: toy/3 is not known here, only toy/0, toy/1, toy/2" in last.detail


def test_of_a_title_that_is_not_known_all_but_what_needs_its_rules_is_checked() -> None:
    data = game(TOY).record
    report = verify(data, {})
    assert report.first_failure is None
    found = outcomes(report)
    assert found.pop("rules") is Outcome.skipped
    assert set(found.values()) == {Outcome.passed}
    assert {"chain", "commitment", "components"} <= set(found)


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
        (moved, SeatLeft(seat=0, account=account_of(0)), "rules"),
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


def redacted(played: Recorded, upto: int) -> bytes:
    """The record as the public gets it while the game runs."""
    log: list[Logged] = []
    for event, each in zip(played.events[:upto], played.log, strict=False):
        seen = kernel.redact(event, played.rules, None)
        actor = None if isinstance(seen, Blank) else each.actor
        log.append(Logged(event_type(seen), actor, each.rules_version, encode(seen)))
    return write(played.opening, played.seed, log, complete=False)


def test_of_a_redacted_record_it_is_said_what_could_be_checked() -> None:
    played = game(TOY)
    report = verify(redacted(played, 8), TITLES)
    assert not report.verified
    assert not report.complete
    assert report.first_failure is None
    found = outcomes(report)
    assert {name for name, outcome in found.items() if outcome is Outcome.skipped} == {"commitment", "chain", "rules"}
    assert {"form", "end", "digest", "versions", "components"} <= set(found)


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"\xff", b"null\n", b"[" * 100_000, b"x" * 100_000, b"\n" * 9])
def test_what_is_no_record_is_told_so(data: bytes) -> None:
    report = verify(data, TITLES)
    assert report.record is None
    assert [check.name for check in report.checks] == ["form"]
    assert wrong(data).line == 1
