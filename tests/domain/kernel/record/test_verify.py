"""Verification: what is right passes every check, and whatever was changed afterwards is refused with its place."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from random import Random

import pytest

from domain.kernel import game as kernel
from domain.kernel.events import (
    Blank,
    encode,
    event_type,
)
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from tests.conformance.titles import Entry
from tests.harness.recording import (
    Logged,
    Recorded,
    recorded,
    write,
)
from tests.harness.verifying import (
    ALL,
    TITLES,
    TOY,
    by_entry,
    committed_game,
    earlier_of,
    game,
    outcomes,
    wrong,
)


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


def require_told(data: bytes, places: Iterator[int] | range, picks: Random) -> None:
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
    require_told(data, iter(sorted(picks.sample(range(len(data)), 300))), picks)


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
@by_entry
def test_a_record_with_any_single_byte_changed_is_refused_at_every_place(entry: Entry) -> None:
    data = game(entry).record
    require_told(data, range(len(data)), Random(2))


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
