"""What a record must be to be taken in: verified, and within what this service could have written itself.

Runs in a worker (`record_worker.py`), so it imports neither the database nor the web framework.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct

from domain.kernel.events import EntropyCommitted, EntropyRevealed, Event, GameCreated, SeatTaken
from domain.kernel.ids import account_id, game_id
from domain.kernel.record.form import Record, RecordEvent, RecordOpening
from domain.kernel.record.report import Report
from domain.kernel.record.verify import REDACTED, verifying
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from domain.kernel.terms import LARGEST_INTEGER
from service.auth import names
from service.log.imported import ImportedEvents

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)
"""Between these an event may have been recorded: every database and every client can hold such a time."""

MOST_DELAY = (1_000, 86_400)
"""Versions and seconds of a spectator delay, as in a request for a game."""

MOST_REVEAL_SECONDS = 604_800

LONGEST_FIRST_LINE = 524_288
"""Bytes. A component set has 65,536 characters, and JSON writes few of them in six bytes."""

_COMMITMENT = re.compile("[0-9a-f]{64}")
_SET = re.compile("[!-~]{1,64}")
_ENTROPY = re.compile("[ -~]{0,64}")
_NUL = b"\\u0000"

_opening = msgspec.json.Decoder(RecordOpening)


class Fit(Struct, frozen=True, tag="fit"):
    """A record that can be stored."""

    opening: RecordOpening
    seed: bytes
    events: ImportedEvents


class Unfit(Struct, frozen=True, tag="unfit"):
    """A record that is refused, as the `Rejected` that says why."""

    code: str
    detail: str
    facts: dict[str, str | int]


Checked: TypeAlias = Fit | Unfit


def opening_of(data: bytes) -> RecordOpening | None:
    """The first line of a record; None if it is not one, which the whole check says better."""
    end = data.find(b"\n", 0, LONGEST_FIRST_LINE)
    try:
        return _opening.decode(memoryview(data)[: max(end, 0)])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def check(data: bytes, titles: Mapping[str, Title], most_events: int) -> Checked:
    """Verify a record and hold it to what is stored here."""
    steps = verifying(data, titles, most_events)
    try:
        while True:
            try:
                next(steps)
            except StopIteration as done:
                report: Report = done.value
                break
        record, seed = _require_verified(report)
        _require_known_rules(record, titles)
        return Fit(opening=record.opening, seed=seed, events=_columns(record, report.events))
    except Rejected as error:
        return Unfit(code=error.code, detail=error.detail, facts=_plain(error))


def _require_verified(report: Report) -> tuple[Record, bytes]:
    failure = report.first_failure
    if failure is not None:
        facts = {"version": failure.version} if failure.version is not None else {}
        raise Rejected("bad-record", failure.detail[:500], check=failure.name, line=failure.line or 1, **facts)
    if report.record is None or not report.complete or report.seed is None:
        raise _bad(report.record.last_line if report.record else 1, REDACTED, "end")
    return report.record, report.seed


def _require_known_rules(record: Record, titles: Mapping[str, Title]) -> None:
    """Refuse what verification could only skip, since its events could not be read here."""
    title = titles.get(record.opening.title)
    if title is None:
        raise _bad(1, f"there is no title {record.opening.title[:64]} here")
    for line in record.events:
        if line.rules_version != title.rules_version and line.rules_version not in title.earlier:
            raise _bad_event(line, f"the rules version {line.rules_version[:64]} is not known here")


def _columns(record: Record, events: tuple[Event, ...]) -> ImportedEvents:
    if game_id(record.opening.game) is None:
        raise _bad(1, "the game's id does not have the form of this service's ids")
    if not _SET.fullmatch(record.opening.component_set):
        raise _bad(1, "the id of the component set does not have the form of this service's ids")
    found = ImportedEvents([], [], [], [], [], [])
    before = EARLIEST
    for line, event in zip(record.events, events, strict=True):
        before = _time(line, before)
        data = bytes(line.data)
        if _NUL in data:
            raise _bad_event(line, "it holds NUL")
        _require_storable(line, event)
        found.types.append(line.event)
        found.actors.append(line.actor or "")
        found.data.append(data.decode())
        found.rules_versions.append(line.rules_version)
        found.hashes.append(bytes.fromhex(line.hash))
        found.recorded_at.append(before)
    return found


def _time(line: RecordEvent, before: datetime) -> datetime:
    """When an event was recorded; not before the previous one."""
    try:
        at = datetime.fromisoformat(line.recorded_at)
    except ValueError as error:
        raise _bad_event(line, f"recorded_at is not a time: {error}") from error
    if not EARLIEST <= at < LATEST:
        raise _bad_event(line, f"recorded_at is not in the years {EARLIEST.year} to {LATEST.year - 1}")
    if at < before:
        raise _bad_event(line, "recorded_at is before that of the previous event")
    return at


def _require_storable(line: RecordEvent, event: Event) -> None:
    """Hold to this service's bounds what the rules do not look at."""
    if account_id(line.actor or "") is None:
        raise _bad_event(line, "its actor does not have the form of an account's id")
    match event:
        case SeatTaken() | EntropyCommitted():
            _require_commitment(line, event)
            if isinstance(event, SeatTaken):
                _require_entropy(line, event.entropy)
                _require_name(line, event.name)
        case EntropyRevealed():
            _require_entropy(line, event.entropy)
        case GameCreated():
            _require_created(line, event)
        case _:
            pass


def _require_entropy(line: RecordEvent, entropy: str) -> None:
    if not _ENTROPY.fullmatch(entropy):
        raise _bad_event(line, "its entropy is not up to 64 printable ASCII characters")


def _require_commitment(line: RecordEvent, event: SeatTaken[Any] | EntropyCommitted) -> None:
    if event.entropy_commitment is not UNSET and not _COMMITMENT.fullmatch(event.entropy_commitment):
        raise _bad_event(line, "entropy_commitment is not 64 lowercase hex digits")
    if event.reveal_by is not UNSET and (event.reveal_by.tzinfo is None or not EARLIEST <= event.reveal_by < LATEST):
        raise _bad_event(line, f"reveal_by is not a time in the years {EARLIEST.year} to {LATEST.year - 1}")


def _require_created(line: RecordEvent, event: GameCreated[Any, Any]) -> None:
    if event.visibility not in {"public", "unlisted"}:
        raise _bad_event(line, "its visibility is neither public nor unlisted")
    if event.forked_from is not None:
        if game_id(event.forked_from.game) is None:
            raise _bad_event(line, "forked_from.game does not have the form of a game's id")
        if not 1 <= event.forked_from.version <= LARGEST_INTEGER:
            raise _bad_event(line, f"forked_from.version is not from 1 to {LARGEST_INTEGER}")
    if event.reveal_seconds is not UNSET and not 0 <= event.reveal_seconds <= MOST_REVEAL_SECONDS:
        raise _bad_event(line, f"reveal_seconds is not from 0 to {MOST_REVEAL_SECONDS}")
    delay = event.spectator_delay
    if delay is not None:
        for member, value, most in zip(
            ("versions", "seconds"), (delay.versions, delay.seconds), MOST_DELAY, strict=True
        ):
            if not 0 <= value <= most:
                raise _bad_event(line, f"spectator_delay.{member} is not from 0 to {most}")


def _require_name(line: RecordEvent, name: str) -> None:
    try:
        shown = names.normal(name).shown
    except Rejected as error:
        raise _bad_event(line, error.detail) from error
    if shown != name:
        raise _bad_event(line, "its name is not in the form that names have")


def _bad(line: int, detail: str, check: Literal["form", "end"] = "form") -> Rejected:
    return Rejected("bad-record", detail, check=check, line=line)


def _bad_event(line: RecordEvent, detail: str) -> Rejected:
    return Rejected("bad-record", detail, check="events", line=line.version + 1, version=line.version)


def _plain(error: Rejected) -> dict[str, str | int]:
    return {name: value for name, value in error.facts.items() if isinstance(value, str | int)}
