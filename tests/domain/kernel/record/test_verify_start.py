"""Verification of how a game was started: commitments, reveals, deadlines, and the times that they rest on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, cast

import pytest
from msgspec.structs import replace

from domain.kernel.events import EntropyRevealed, SeatFreed, SeatTaken
from domain.kernel.record.verify import verify
from tests.conformance.titles import Entry
from tests.harness.recording import Recorded, account_of, moment, recorded_at, with_event, write
from tests.harness.verifying import TITLES, TOY, by_entry, committed_game, game, version_with, wrong


def _with_changed_start(played: Recorded) -> Iterator[tuple[str, bytes]]:
    """Records by somebody who knows the seed and bends how the game was started."""
    freed = version_with(played, SeatFreed)
    revealed = version_with(played, EntropyRevealed)
    event = next(each for each in played.events if isinstance(each, SeatTaken) and each.reveal_by)
    filled = played.events.index(event) + 1
    assert isinstance(event.reveal_by, datetime)
    yield (
        "a deadline that is not the table's",
        with_event(played, filled, replace(event, reveal_by=event.reveal_by + timedelta(seconds=1))),
    )
    reveal = cast("EntropyRevealed[Any]", played.events[revealed - 1])
    yield "an entropy that was not committed to", with_event(played, revealed, replace(reveal, entropy="x" * 22))
    other = replace(cast("SeatFreed", played.events[freed - 1]), account=account_of(0), seat=0)
    yield "a seat freed that had revealed", with_event(played, freed, other)
    by_nobody = dataclasses.replace(played.log[freed - 1], actor=account_of(9))
    log = (*played.log[: freed - 1], by_nobody, *played.log[freed:])
    yield "a seat freed by a stranger", write(played.opening, played.seed, log)
    early = (*played.log[: revealed - 1], *played.log[revealed:])
    yield "a start without a reveal", write(played.opening, played.seed, early)


@by_entry
def test_a_start_that_did_not_follow_from_commitments_and_deadlines_is_found(entry: Entry) -> None:
    played = committed_game(entry)
    for what, record in _with_changed_start(played):
        assert wrong(record).name in {"rules", "facts", "events"}, what


@by_entry
def test_a_seat_freed_before_its_deadline_is_found(entry: Entry) -> None:
    played = committed_game(entry)
    created = played.games[0].created
    record = with_event(played, 1, replace(created, reveal_seconds=60))
    assert wrong(record).name == "rules"


@pytest.mark.parametrize("seconds", [-5, 0, 604_801, 10**18])
def test_a_time_to_reveal_that_no_table_may_choose_is_found(seconds: int) -> None:
    """With less than a second, a seat could be freed before anyone was able to reveal."""
    played = game(TOY)
    found = wrong(with_event(played, 1, replace(played.games[0].created, reveal_seconds=seconds)))
    assert (found.name, found.version) == ("rules", 1)


@pytest.mark.parametrize("seconds", [1, 604_800])
def test_a_time_to_reveal_that_a_table_may_choose_is_verified(seconds: int) -> None:
    played = game(TOY)
    assert verify(with_event(played, 1, replace(played.games[0].created, reveal_seconds=seconds)), TITLES).verified


@by_entry
def test_time_never_goes_back_in_a_game_that_can_have_a_deadline(entry: Entry) -> None:
    """Else a seat is freed by a clock that was put forward for this one event."""
    played = committed_game(entry)
    version = version_with(played, SeatFreed) + 2
    first = moment(recorded_at(1))
    bent = write(
        played.opening, played.seed, played.log, at=lambda each: first if each == version else moment(recorded_at(each))
    )
    found = wrong(bent)
    assert (found.name, found.version) == ("events", version)


def test_games_of_the_first_scheme_may_have_been_recorded_by_clocks_that_differ() -> None:
    played = game(TOY)
    last = len(played.log)
    at = [moment(recorded_at(last - each)) for each in range(last)]
    assert verify(write(played.opening, played.seed, played.log, at=lambda each: at[each - 1]), TITLES).verified
