"""Records out of the log and into it: a game as a file, and a file as an archived game.

Whatever a stranger sends is verified before anything is stored, by the same function that `tablelog verify` runs, and
held to what this service demands of names, ids and sizes. That takes time, so it is done in slices of a few
milliseconds between which others have their turn, one record at a time.

An archived game was played elsewhere, by accounts that are nobody's here: it is read by its id, forked and exported as
any other, and counts in no list and no history.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import uuid4

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.events import Blank, Event, GameCreated, SeatTaken, encode, event_type
from domain.kernel.game import Status
from domain.kernel.record.form import Record, RecordEvent, RecordOpening, RecordWriter
from domain.kernel.record.report import Report
from domain.kernel.record.verify import REDACTED, verifying
from domain.kernel.rejected import Rejected
from service.auth import names
from service.play.sets import Sets
from service.play.tables import Table, Tables, Unreadable
from service.store import accounts, component_sets, events, imports
from service.store.accounts import Account
from service.store.appender import Unavailable, is_lost
from service.store.component_sets import StoredSet
from service.store.events import Entry, Pool, Row

MOST_EVENTS = 10_000
"""A record that is taken in has at most so many events: long games have a twentieth of it."""

BATCH = 500
"""Rows that are read and written at a time."""

SLICE_SECONDS = 0.003

_GAME = re.compile("g[0-9a-f]{20}")
_ACCOUNT = re.compile("a[0-9a-f]{20}")
_SET = re.compile("[!-~]{1,64}")
_ENTROPY = re.compile("[ -~]{0,64}")

Value = TypeVar("Value")


class Taken(Struct, frozen=True):
    """An archived game; `known` if the very same was there before."""

    table: Table
    known: bool


async def record_lines(pool: Pool, tables: Tables, table: Table, account: str | None) -> AsyncGenerator[bytes]:
    """The record of a game up to a table, in batches of lines: complete if it has ended, else as an account sees it."""
    created = table.game.created
    stored = await component_sets.by_hash(pool, created.component_hash)
    if stored is None:
        raise Unreadable(table.id, 1)
    complete = table.game.status is Status.finished
    writer = RecordWriter()
    yield writer.opening(
        RecordOpening(
            format=1,
            game=table.id,
            title=created.title,
            component_set=created.component_set,
            component_hash=created.component_hash,
            components=stored.text,
        )
    )
    after = 0
    while after < table.version:
        rows = await events.read(pool, table.id, after, min(BATCH, table.version - after))
        tables.demand_current(table)
        if not rows:
            raise Unreadable(table.id, after + 1)
        lines = (_complete(row) if complete else _redacted(tables, table, row, account) for row in rows)
        yield b"".join(map(writer.event, lines))
        after = rows[-1].version
    yield writer.end(complete=complete)


def _complete(row: Row) -> RecordEvent:
    return _line(row, row.type, row.actor, row.data)


def _redacted(tables: Tables, table: Table, row: Row, account: str | None) -> RecordEvent:
    seen = kernel.redact(tables.decode(table, row), table.rules, table.game.seat_of(account))
    return _line(row, event_type(seen), None if isinstance(seen, Blank) else row.actor, encode(seen))


def _line(row: Row, event: str, actor: str | None, data: bytes) -> RecordEvent:
    return RecordEvent(
        version=row.version,
        event=event,
        actor=actor,
        recorded_at=events.moment(row.recorded_at),
        rules_version=row.rules_version,
        hash=row.hash.hex(),
        data=msgspec.Raw(data),
    )


class Archive:
    """Takes records in, one at a time."""

    def __init__(self, pool: Pool, sets: Sets, tables: Tables) -> None:
        self._pool = pool
        self._sets = sets
        self._tables = tables
        self._turn = asyncio.Lock()

    async def take_in(self, account: Account, data: bytes) -> Taken:
        """Verify a record and store its game.

        `bad-record` says what is wrong where, `record-conflict` that the id is that of another game.
        """
        async with self._turn:
            report = await in_slices(verifying(data, self._sets.titles, MOST_EVENTS))
            record, seed = _demand_right(report)
            _demand_known_rules(record, self._sets)
            entries = await in_slices(_fitting(record, report.events))
        stored = await self._stored(record.opening, entries, seed, account)
        return Taken(table=await self._tables.fresh(record.opening.game), known=not stored)

    async def _stored(self, opening: RecordOpening, entries: list[Entry], seed: bytes, account: Account) -> bool:
        """Store a game; False if the very same is there."""
        component_set = StoredSet(
            hash=opening.component_hash, title=opening.title, id=opening.component_set, text=opening.components
        )
        try:
            # Without that account, a backup that is older was put back on the way.
            there = await accounts.by_id(self._pool, account.id) is not None
            if there and await imports.take_in(self._pool, entries, seed, component_set, account.id):
                return True
            last = await events.read(self._pool, opening.game, len(entries) - 1, 2)
        except Exception as error:
            if is_lost(error):
                raise Unavailable from error
            raise
        if not there:
            raise Unavailable
        if [row.hash for row in last] != [entries[-1].hash]:
            detail = "there is a game of this id with another history"
            raise Rejected("record-conflict", detail, game=opening.game)
        return False


async def in_slices(steps: Generator[None, None, Value]) -> Value:
    """Run something that comes in short steps, and let others have their turn every few milliseconds."""
    until = time.perf_counter() + SLICE_SECONDS
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value
        if time.perf_counter() >= until:
            await asyncio.sleep(0)
            until = time.perf_counter() + SLICE_SECONDS


def _demand_right(report: Report) -> tuple[Record, bytes]:
    failure = report.first_failure
    if failure is not None:
        facts = {"version": failure.version} if failure.version is not None else {}
        raise Rejected("bad-record", failure.detail, check=failure.name, line=failure.line or 1, **facts)
    if report.record is None or not report.complete or report.seed is None:
        raise _bad(report.record.last_line if report.record else 1, REDACTED, "end")
    return report.record, report.seed


def _demand_known_rules(record: Record, sets: Sets) -> None:
    """Pass if every event could be read here; what verification could only skip is not taken in."""
    title = sets.titles.get(record.opening.title)
    if title is None:
        raise _bad(1, f"there is no title {record.opening.title[:64]} here")
    for line in record.events:
        if line.rules_version != title.rules_version and line.rules_version not in title.earlier:
            raise _bad_event(line, f"the rules version {line.rules_version[:64]} is not known here")


def _fitting(record: Record, read: Sequence[Event]) -> Generator[None, None, list[Entry]]:
    """The events as they are stored, if they are what this service could have written itself."""
    if not _GAME.fullmatch(record.opening.game):
        raise _bad(1, "the game's id is not one of this service's form")
    if not _SET.fullmatch(record.opening.component_set):
        raise _bad(1, "the id of the component set is not one of this service's form")
    entries: list[Entry] = []
    for line, event in zip(record.events, read, strict=True):
        _demand_fit(line, event)
        entries.append(_entry(record.opening.game, line))
        yield
    return entries


def _demand_fit(line: RecordEvent, event: Event) -> None:
    """Pass if what the rules do not look at is as it would be here."""
    if not _ACCOUNT.fullmatch(line.actor or ""):
        raise _bad_event(line, "its actor is no account's id")
    try:
        datetime.fromisoformat(line.recorded_at)
    except ValueError as error:
        raise _bad_event(line, f"its time is none: {error}") from error
    match event:
        case SeatTaken():
            if not _ENTROPY.fullmatch(event.entropy):
                raise _bad_event(line, "its entropy is not up to 64 printable ASCII characters")
            _demand_name(line, event.name)
        case GameCreated():
            if event.visibility not in {"public", "unlisted"}:
                raise _bad_event(line, "its visibility is neither public nor unlisted")
            if event.forked_from is not None and not _GAME.fullmatch(event.forked_from.game):
                raise _bad_event(line, "it was forked from what is no game's id")
        case _:
            pass


def _demand_name(line: RecordEvent, name: str) -> None:
    try:
        shown = names.normal(name).shown
    except Rejected as error:
        raise _bad_event(line, error.detail) from error
    if shown != name:
        raise _bad_event(line, "its name is not in the form that names have")


def _entry(game_id: str, line: RecordEvent) -> Entry:
    return Entry(
        game_id=game_id,
        version=line.version,
        type=line.event,
        actor=line.actor,
        data=bytes(line.data),
        rules_version=line.rules_version,
        hash=bytes.fromhex(line.hash),
        recorded_at=datetime.fromisoformat(line.recorded_at),
        attempt=uuid4(),
    )


def _bad(line: int, detail: str, check: str = "form") -> Rejected:
    return Rejected("bad-record", detail, check=check, line=line)


def _bad_event(line: RecordEvent, detail: str) -> Rejected:
    return Rejected("bad-record", detail, check="events", line=line.version + 1, version=line.version)
