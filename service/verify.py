"""The command `tablelog verify`: checks a record offline, and says in a line for each check how it came out.

The last line is the verdict. Exit codes: 0 every check was made and passed; 1 something is wrong, and the verdict says
where it begins; 2 the file cannot be read; 3 nothing is wrong, but not everything could be checked: the record is
redacted, or the rules that decided it are not the installed ones; 4 cut short: the record says that it is not complete,
and nothing in it is redacted, so its last events are missing (or its game had not started).
"""

# ruff: noqa: T201 - the command talks to the person at the terminal
from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from domain.kernel.record.report import Check, Outcome, Report, failed_at, passed
from domain.kernel.record.verify import verify
from domain.kernel.rules import Title

VERIFIED = 0
WRONG = 1
UNREADABLE = 2
PARTIAL = 3
CUT_SHORT = 4

_REMEMBERED = re.compile(r"([1-9][0-9]{0,15}):([0-9a-f]{64})")


def main(file: str, titles: Mapping[str, Title], remembered: Sequence[str] = ()) -> int:
    """Verify the record in a file (`-`: stdin) and print what was found; gives the exit code."""
    known: list[tuple[int, str]] = []
    for each in remembered:
        found = _REMEMBERED.fullmatch(each)
        if found is None:
            print(f"tablelog: --hash {each}: expected a version, a colon and 64 hex digits", file=sys.stderr)
            return UNREADABLE
        known.append((int(found[1]), found[2]))
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        print(f"tablelog: {file}: {error.strerror}", file=sys.stderr)
        return UNREADABLE
    report = verify(data, titles)
    checks = [*report.checks, *(_hash_of(report, *each) for each in known)]
    for line in _lines(report, checks):
        print(line)
    if any(check.outcome is Outcome.failed for check in checks):
        return WRONG
    if report.verified_in_full:
        return VERIFIED
    return CUT_SHORT if report.cut_short else PARTIAL


def _hash_of(report: Report, version: int, published: str) -> Check:
    """Whether the record has the hash that was published while the game ran."""
    events = report.record.events if report.record is not None else ()
    if version > len(events):
        return failed_at("hash", version, f"the record has no version {version}")
    if events[version - 1].hash != published:
        return failed_at("hash", version, f"version {version} had another hash when it was published")
    return passed("hash", f"version {version} has the hash that was published")


def _lines(report: Report, checks: Sequence[Check]) -> list[str]:
    lines: list[str] = []
    if report.record is not None:
        opening, end = report.record.opening, report.record.end
        kind = "complete" if end.complete else "cut short" if report.cut_short else "redacted"
        played = f"{opening.title}, {opening.component_set}"
        lines.append(f"{opening.game} ({played}): {len(report.record.events)} events, {kind}")
    lines += [f"{check.outcome.value:<12}{check.name:<12}{check.detail}{_place(check)}" for check in checks]
    lines.append(_verdict(report, checks))
    return [ascii(line)[1:-1] for line in lines]  # a record may say anything, and a terminal obeys control characters


def _verdict(report: Report, checks: Sequence[Check]) -> str:
    wrong = [check for check in checks if check.outcome is Outcome.failed]
    if wrong:
        first = min(wrong, key=lambda check: check.line or 0)
        at = f"at version {first.version}" if first.version is not None else "outside its events"
        return f"WRONG: the record differs first on line {first.line}, {at}"
    if report.verified_in_full:
        return "verified"
    if report.cut_short:
        return "CUT SHORT: nothing in the record is redacted, but it ends before its game does"
    if not report.complete:
        return "not verified in full: the record is redacted; verify the complete one when the game has ended"
    return "not verified in full: nothing is wrong, but not everything could be checked with the installed rules"


def _place(check: Check) -> str:
    if check.line is None:
        return ""
    return f" (line {check.line}, version {check.version})" if check.version is not None else f" (line {check.line})"
