"""Games of every released rules version fold to the states that they have always had (fault 29)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.kernel import game as kernel
from domain.kernel.game import Game
from domain.kernel.logged import EventReader
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from domain.kernel.rules import Title
from tests.conformance.titles import ALL_TITLES, ENTRIES, Entry
from tests.harness.recording import Recorded, recorded
from tests.logs.states import digest

FOLDER = Path(__file__).parent
TITLES = {title.id: title for title in ALL_TITLES}
RECORDS = sorted(FOLDER.glob("*.ndjson"))
FIRST = {entry.title.id: entry for entry in reversed(ENTRIES)}
"""Each title with its first component set."""
BEFORE_COMMITMENTS = {"toy/0"}
"""Rules versions that were released when seats could not commit to their entropy yet."""


def plays(entry: Entry) -> Iterator[tuple[str, Recorded]]:
    """The games of a rules version that are kept: of every size, with moves taken back, and from a position."""
    least, most = entry.title.seats
    for seats in range(least, most + 1):
        yield f"{seats}-seats", recorded(entry.title, entry.text, seats, seats)
    with_undo = recorded(entry.title, entry.text, least, 0, undo=0.4)
    yield "undo", with_undo
    middle = with_undo.games[2 * len(with_undo.games) // 3].state
    yield "position", recorded(entry.title, entry.text, least, 1, undo=0.2, position=middle)
    yield "committed", recorded(entry.title, entry.text, least, 77, undo=0.2, committed=True)


def names(title: Title, rules_version: str) -> set[str]:
    """The names of the records that there must be of a rules version."""
    least, most = title.seats
    kinds = [*(f"{seats}-seats" for seats in range(least, most + 1)), "undo", "position"]
    if rules_version not in BEFORE_COMMITMENTS:
        kinds.append("committed")
    return {f"{rules_version.replace('/', '-')}-{kind}.ndjson" for kind in kinds}


def states(record: Path) -> Path:
    return record.with_suffix(".states")


def lines(games: list[Game]) -> str:
    return "".join(f"{game.version} {digest(game)}\n" for game in games)


@pytest.mark.golden
@pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
def test_there_are_games_of_every_rules_version(title: Title) -> None:
    if os.environ.get("TABLELOG_GOLDEN") == "write":
        for kind, played in plays(FIRST[title.id]):
            record = FOLDER / f"{title.rules_version.replace('/', '-')}-{kind}.ndjson"
            if not record.exists():  # what is there is history
                record.write_bytes(played.record)
                states(record).write_text(lines(list(played.games)))
    there = {record.name for record in FOLDER.glob("*.ndjson")}
    for rules_version in (title.rules_version, *title.earlier):
        assert names(title, rules_version) - there == set(), "make golden adds those of the installed version"


def test_every_file_is_that_of_a_version_that_is_known() -> None:
    known = {
        name
        for title in ALL_TITLES
        for version in (title.rules_version, *title.earlier)
        for name in names(title, version)
    }
    assert {record.name for record in RECORDS} - known == set()
    assert {path.name for path in FOLDER.glob("*.states")} == {states(record).name for record in RECORDS}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_an_old_log_folds_to_the_states_that_it_always_had(record: Path) -> None:
    read = verify(record.read_bytes(), TITLES).record
    assert read is not None
    title = TITLES[read.opening.title]
    rules, reader = title.load(read.opening.components), EventReader(title)
    games: list[Game] = []
    for line in read.events:
        (event,) = reader.read(b"[%b]" % line.data, (line.rules_version,))
        games.append(kernel.evolve(games[-1] if games else None, rules, event))
    assert lines(games).splitlines() == states(record).read_text().splitlines()


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_an_old_log_is_verified_for_ever(record: Path) -> None:
    """What the installed rules decided they decide again; if they do not, they need a rules version of their own."""
    report = verify(record.read_bytes(), TITLES)
    assert report.verified, report.first_failure
    assert report.record is not None
    installed = TITLES[report.record.opening.title].rules_version
    decided_again = [check for check in report.checks if (check.name, check.outcome) == ("rules", Outcome.passed)]
    assert bool(decided_again) == any(line.rules_version == installed for line in report.record.events)


def test_the_old_logs_hold_what_can_happen_in_a_game() -> None:
    text = b"".join(record.read_bytes() for record in RECORDS)
    for kind in ("seat_left", "entropy_committed", "entropy_revealed", "seat_freed", "move_undone"):
        assert b'"event":"%b"' % kind.encode() in text
    assert b'"sandbox":true' in text
