"""Verification: what a record says, held against itself, against the seed that it tells, and against the rules.

The checks that need no rules come first (`outside` the game): form, digest, versions, component set, commitment, hash
chain. If they hold, what is written is what was hashed when it happened, and `replay.py` looks at what was played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping

import msgspec
from msgspec import Struct

from domain.kernel import proof
from domain.kernel.events import Event, GameCreated
from domain.kernel.logged import EventReader
from domain.kernel.record.form import Malformed, Record, RecordEvent, reading
from domain.kernel.record.replay import replaying
from domain.kernel.record.report import Check, Outcome, Report, failed, failed_at, passed, skipped
from domain.kernel.rules import Title
from domain.kernel.terms import Version

REDACTED = "the record is redacted, its game was running: only the complete one can be checked any further"
CUT_SHORT = "the record ends before its game does, and nothing in it is redacted: its last events are missing"


class _Typed(Struct):
    """What every event's data has."""

    type: str = ""


class _Created(Struct):
    """What is needed of a first event, in whatever form the rest of it is."""

    title: str = ""
    component_set: str = ""
    component_hash: str = ""
    commitment: str = ""


class _Fact(Struct):
    type: str = ""
    seed: str = ""


class _Ending(Struct):
    """What is needed of a last event."""

    facts: tuple[_Fact, ...] = ()


def verify(data: bytes, titles: Mapping[str, Title]) -> Report:
    """Verify a record; never raises, whatever the bytes are."""
    steps = verifying(data, titles)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def verifying(data: bytes, titles: Mapping[str, Title], most: int | None = None) -> Generator[None, None, Report]:
    """Verify a record in short steps, so that the caller can do something else in between."""
    try:
        record = yield from reading(data, most)
    except Malformed as error:
        return Report(checks=(failed("form", error.line, error.wrong, error.version),))
    checks = [passed("form", f"{record.last_line} lines, each in the one way that it can be written")]
    created = _created(record)
    checks += [_end(record), _digest(record), (yield from _versions(record)), _components(record, created)]
    seed = _published_seed(record)
    if not record.end.complete:
        cut_short = _is_cut_short(record, titles)
        why = CUT_SHORT if cut_short else REDACTED
        checks += [skipped(name, why) for name in ("commitment", "chain", "rules")]
        if seed is not None:
            checks.append(failed("end", record.last_line, "the last event ends the game, so the record is complete"))
        return Report(checks=tuple(checks), record=record, cut_short=cut_short)
    checks += yield from _pinned(record, created, seed)
    wrong = any(check.outcome is Outcome.failed for check in checks)
    if wrong:
        checks.append(skipped("rules", "what was played means nothing as long as the record is not as it was written"))
    read: list[Event] = []
    if seed is not None and not wrong:
        checks += yield from replaying(record, titles, seed, read)
    return Report(checks=tuple(checks), record=record, seed=seed, events=tuple(read))


def _end(record: Record) -> Check:
    count, end, line = len(record.events), record.end, record.last_line
    if end.events != count:
        return failed("end", line, f"the last line counts {end.events} events, and there are {count}")
    if end.hash != record.events[-1].hash:
        return failed("end", line, "the last line has another hash than the last event")
    return passed("end", f"{count} events, the last one has the hash {end.hash}")


def _digest(record: Record) -> Check:
    if record.end.digest != record.digest:
        return failed("digest", record.last_line, f"the bytes before the last line come to {record.digest}")
    return passed("digest", "the bytes before the last line come to the digest that it tells")


def _versions(record: Record) -> Generator[None, None, Check]:
    for version, event in enumerate(record.events, 1):
        if event.version != version:
            return failed_at("versions", version, f"version {event.version} stands where version {version} should")
        try:
            of = msgspec.json.decode(event.data, type=_Typed).type
        except (msgspec.DecodeError, RecursionError) as error:
            return failed_at("versions", version, f"its data is no event: {error}"[:300])
        if of != event.event:
            return failed_at(
                "versions", version, f"it is called {event.event}, and its data is {of or 'no event'}"[:300]
            )
        yield
    return passed("versions", f"1 to {len(record.events)}, none missing, none twice")


def _created(record: Record) -> _Created:
    """The first event, or one that names nothing where it cannot be read."""
    try:
        return msgspec.json.decode(record.events[0].data, type=_Created)
    except (msgspec.DecodeError, RecursionError):
        return _Created()


def _components(record: Record, created: _Created) -> Check:
    opening = record.opening
    if hashlib.sha256(opening.components.encode()).hexdigest() != opening.component_hash:
        return failed("components", 1, "the text of the component set does not have the hash that stands beside it")
    for name in ("title", "component_set", "component_hash"):
        if getattr(opening, name) != getattr(created, name):
            return failed("components", 1, f"the first line and the first event name another {name}", 1)
    return passed("components", f"the text of {opening.component_set} has the hash that the first event names")


def _published_seed(record: Record) -> bytes | None:
    """The seed that the last event tells."""
    try:
        facts = msgspec.json.decode(record.events[-1].data, type=_Ending).facts
    except (msgspec.DecodeError, RecursionError):
        return None
    if not facts or facts[-1].type != "game.ended":
        return None
    try:
        seed = bytes.fromhex(facts[-1].seed)
    except ValueError:
        return None
    return seed if len(seed) == proof.SEED_BYTES and seed.hex() == facts[-1].seed else None


def _is_cut_short(record: Record, titles: Mapping[str, Title]) -> bool:
    """Whether nothing is redacted in the events of a record that is not complete.

    A viewer of a running game never gets such a record: the facts of its start hide something, and so does a position.
    Only a table that still waits for players has one, which looks like a longer record that was cut there.
    """
    title = titles.get(record.opening.title)
    if title is None:
        return False
    reader = EventReader(title)
    try:
        for line in record.events:
            (event,) = reader.read(b"[%b]" % line.data, (line.rules_version,))
            if isinstance(event, GameCreated) and event.sandbox and event.position is None:
                return False
    except Exception:  # noqa: BLE001 - a redacted event, or no event at all: it is not one of the log
        return False
    return True


def _pinned(record: Record, created: _Created, seed: bytes | None) -> Generator[None, None, list[Check]]:
    """The commitment and the chain. A seed that neither fits is the wrong one, and says nothing of the events."""
    last = len(record.events)
    if seed is None:
        wrong = failed_at("commitment", last, "the record says that it is complete, and its last event tells no seed")
        return [wrong, skipped("chain", "there is no seed")]
    broken = yield from _broken_links(record, seed)
    checks: list[Check] = []
    if proof.commitment(record.opening.game, seed) == created.commitment:
        checks.append(
            passed("commitment", "the seed published at the end is the one that the first event committed to")
        )
    elif len(broken) < last:
        checks.append(
            failed_at("commitment", 1, "the first event commits to another seed than the one published at the end")
        )
    else:
        detail = "the seed published at the end does not fit the commitment, or the first line has another game's id"
        return [failed_at("commitment", last, detail), skipped("chain", "it cannot be checked without the game's seed")]
    if broken:
        detail = f"the hash of version {broken[0]} is not that of what is written there"
        checks.append(failed_at("chain", broken[0], detail))
    else:
        checks.append(passed("chain", f"each of {last} hashes follows from the one before and what is written"))
    return checks


def _broken_links(record: Record, seed: bytes) -> Generator[None, None, list[Version]]:
    """The versions whose hash does not follow from the hash before it as that is written."""
    broken: list[Version] = []
    previous = proof.NO_HASH
    for version, event in enumerate(record.events, 1):
        found = bytes.fromhex(event.hash)
        if found != _hash(record.opening.game, event, previous, seed):
            broken.append(version)
        previous = found
        yield
    return broken


def _hash(game: str, event: RecordEvent, previous: bytes, seed: bytes) -> bytes:
    header = proof.header(
        game,
        event.version,
        event_type=event.event,
        actor=event.actor,
        rules_version=event.rules_version,
        recorded_at=event.recorded_at,
    )
    return proof.link(previous, proof.salt(seed, event.version), header, bytes(event.data))
