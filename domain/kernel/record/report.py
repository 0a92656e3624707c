"""What verification found: an ordered list of checks, each passed, failed at a place, or not made."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from domain.kernel.events import Event
from domain.kernel.record.form import Record
from domain.kernel.terms import Version


class Outcome(Enum):
    """How a check came out."""

    passed = "ok"
    failed = "FAILED"
    skipped = "not checked"


class Check(Struct, frozen=True):
    """One thing that was looked at. One that failed names the line, and the version if an event stands there."""

    name: str
    outcome: Outcome
    detail: str
    line: int | None = None
    version: Version | None = None


class Report(Struct, frozen=True):
    """All checks, in the order in which they were made. `record` is None if the bytes are none."""

    checks: tuple[Check, ...]
    record: Record | None = None
    seed: bytes | None = None
    """The game's seed, if the record tells one."""
    events: tuple[Event, ...] = ()
    """Those that were read, in today's form, up to the first one that is wrong or not known."""
    cut_short: bool = False
    """Whether the record is not complete although nothing in it is redacted."""

    @property
    def complete(self) -> bool:
        """Whether the record tells everything, so that everything could be checked."""
        return self.record is not None and self.record.end.complete

    @property
    def first_failure(self) -> Check | None:
        """The failed check that is nearest to the start of the record; None if nothing is wrong."""
        failed = [check for check in self.checks if check.outcome is Outcome.failed]
        return min(failed, key=lambda check: check.line or 0, default=None)

    @property
    def verified(self) -> bool:
        """Whether the record is complete, every event of it could be read, and nothing is wrong with it."""
        read = self.record is not None and len(self.events) == len(self.record.events)
        return self.complete and read and self.first_failure is None

    @property
    def verified_in_full(self) -> bool:
        """Whether every check was made and passed, so that each event was decided again by the installed rules."""
        return self.verified and all(check.outcome is Outcome.passed for check in self.checks)


def passed(name: str, detail: str) -> Check:
    """A check that found nothing wrong."""
    return Check(name=name, outcome=Outcome.passed, detail=detail)


def skipped(name: str, detail: str) -> Check:
    """A check that was not made, and why."""
    return Check(name=name, outcome=Outcome.skipped, detail=detail)


def failed(name: str, line: int, detail: str, version: Version | None = None) -> Check:
    """A check that found something wrong on a line."""
    return Check(name=name, outcome=Outcome.failed, detail=detail, line=line, version=version)


def failed_at(name: str, version: Version, detail: str) -> Check:
    """A check that found something wrong with the event of a version."""
    return failed(name, version + 1, detail, version)
