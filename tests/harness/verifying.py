"""Games to verify, played once for all tests, and what verification finds in them."""

from __future__ import annotations

import dataclasses

import pytest

from domain.kernel.record.report import Check, Outcome, Report
from domain.kernel.record.verify import verify
from domain.kernel.rules import Title
from tests.conformance.titles import ALL_TITLES, ENTRIES, Entry
from tests.harness.recording import Recorded, recorded

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


def committed_game(entry: Entry) -> Recorded:
    """A game whose seats committed to their entropy and revealed it."""
    return recorded(entry.title, entry.text, entry.title.seats[0], 5, committed=True)


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


def earlier_of(entry: Entry) -> Title:
    """The title as it would be if there had been rules before it that wrote events of the same form."""
    return dataclasses.replace(entry.title, earlier={"old/1": None})
