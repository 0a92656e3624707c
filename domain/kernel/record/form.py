"""The form of a record: its three kinds of line, written one after the other, and read strictly."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.kernel.documented import OBJECT
from domain.kernel.expected import explained
from domain.kernel.terms import LARGEST_INTEGER, Version

Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])", description="64 small hex digits.")]
Moment: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}"
        r"\.[0-9]{6}\+00:00(?![\s\S])",
        description="A time in UTC to the microsecond, as in 2026-01-01T12:00:01.000000+00:00.",
    ),
]
"""A time as it is hashed: in UTC, to the microsecond."""
Count: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]


class RecordOpening(Struct, frozen=True, tag="record", forbid_unknown_fields=True):
    """The first line: which game, and by what it was played."""

    format: Literal[1]
    game: str
    title: str
    component_set: str
    component_hash: Digest
    components: Annotated[str, Meta(max_length=65_536)]
    """The text of the component set."""


class RecordEvent(Struct, frozen=True, tag="event", forbid_unknown_fields=True):
    """An event: everything that is hashed, and the hash. `event` is the type of `data`; a blank names no actor."""

    version: Count
    event: str
    actor: str | None
    recorded_at: Moment
    rules_version: str
    hash: Digest
    data: Annotated[msgspec.Raw, OBJECT]
    """The stored bytes; in a record that is not complete, the event as its reader may see it."""


class RecordEnd(Struct, frozen=True, tag="end", forbid_unknown_fields=True):
    """The last line. `digest` is the SHA-256 of all bytes before it, `hash` that of the last event."""

    events: Count
    hash: Digest
    complete: bool
    digest: Digest


RecordLine: TypeAlias = RecordOpening | RecordEvent | RecordEnd

_EVENT = b'{"type":"event"'
_KINDS = {RecordOpening: "the first line", RecordEvent: "an event", RecordEnd: "the last line"}


class Record(Struct, frozen=True):
    """A record that was read. `digest` is the one of its bytes, which the last line should tell."""

    opening: RecordOpening
    events: tuple[RecordEvent, ...]
    end: RecordEnd
    digest: str

    @property
    def last_line(self) -> int:
        """The number of the last line, from 1."""
        return len(self.events) + 2


class Malformed(Exception):
    """What cannot be read as a record: a line, from 1, the version whose event stands there, and what is wrong."""

    def __init__(self, line: int, wrong: str, version: Version | None = None) -> None:
        super().__init__(f"line {line}: {wrong}")
        self.line = line
        self.version = version
        self.wrong = wrong


class RecordWriter:
    """Gives the lines of a record one after the other."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._events = 0
        self._hash = ""

    def opening(self, opening: RecordOpening) -> bytes:
        """The first line."""
        return self._line(opening)

    def event(self, event: RecordEvent) -> bytes:
        """The line of the next event."""
        self._events += 1
        self._hash = event.hash
        return self._line(event)

    def end(self, *, complete: bool) -> bytes:
        """The last line."""
        digest = self._digest.hexdigest()
        return self._line(RecordEnd(events=self._events, hash=self._hash, complete=complete, digest=digest))

    def _line(self, of: RecordLine) -> bytes:
        line = _encode(of) + b"\n"
        self._digest.update(line)
        return line


def reading(data: bytes, most: int | None = None) -> Generator[None, None, Record]:
    """Read a record of at most `most` events, a line at each step; raises `Malformed`."""
    digest = hashlib.sha256()
    opening: RecordOpening | None = None
    found: list[RecordEvent] = []
    start, number = 0, 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start) + 1
        text = data[start:end] if end else data[start:]
        version = number - 1 if number > 1 and (0 < end < len(data) or text.startswith(_EVENT)) else None
        if not end:
            raise Malformed(number, "it is not ended by a line feed: the record was cut", version)
        line = _read(number, version, text)
        if (number == 1) is not isinstance(line, RecordOpening):
            raise Malformed(number, f"{_KINDS[type(line)]} has no place here", version)
        match line:
            case RecordOpening():
                opening = line
            case RecordEvent():
                if most is not None and len(found) == most:
                    raise Malformed(number, f"there are more than {most} events", version)
                found.append(line)
            case RecordEnd():
                if end != len(data):
                    raise Malformed(number + 1, "nothing may come after the last line")
                if opening is None or not found:
                    raise Malformed(number, "there are no events before the last line")
                return Record(opening=opening, events=tuple(found), end=line, digest=digest.hexdigest())
        digest.update(text)
        start = end
        yield
    raise Malformed(number + 1, "there is no last line: the record was cut", number or None)


def _read(number: int, version: Version | None, text: bytes) -> RecordLine:
    try:
        text.decode()
        line = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        what, _, place = str(error).partition(" - at `$")
        detail, _ = explained(what, RecordLine, place.rstrip("`"))
        raise Malformed(number, (f"{detail} - at `${place}" if place else detail)[:300], version) from error
    except RecursionError as error:
        raise Malformed(number, "it is nested too deeply", version) from error
    if _encode(line) + b"\n" != text:
        raise Malformed(number, "it is not written in the one way that a record has", version)
    return line


_encode = msgspec.json.encode
_decoder = msgspec.json.Decoder(RecordLine)
