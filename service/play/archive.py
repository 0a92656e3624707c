"""Records out of the log and into it: a game as a file, and a file as an archived game.

Whatever a stranger sends is verified before anything is stored, by the same function that `tablelog verify` runs, in a
process of its own (`verifier.py`), and held to what this service demands of names, ids and sizes (`record_check.py`).

An archived game was played elsewhere, by accounts that are nobody's here: it is read by its id, forked and exported as
any other, and counts in no list and no history.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.events import Blank, encode, event_type
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.record.form import RecordEvent, RecordOpening, RecordWriter
from domain.kernel.rejected import Rejected
from service.auth import accounts
from service.auth.accounts import Account
from service.database.errors import Unavailable, is_lost
from service.database.types import Pool
from service.log import component_sets, events, imports
from service.log.component_sets import StoredSet
from service.log.events import Row
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache, LoadedGame, Unreadable
from service.play.record_check import Fit, opening_of
from service.play.verifier import Verifier

BATCH = 500
"""Rows that are read at a time."""


class Taken(Struct, frozen=True):
    """An archived game; `known` if the very same was there before."""

    table: LoadedGame
    known: bool


async def record_lines(
    pool: Pool, tables: GameCache, table: LoadedGame, account: AccountId | None
) -> AsyncGenerator[bytes]:
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
        if not rows:
            raise Unreadable(table.id, after + 1)
        lines = (_complete(row) if complete else _redacted(tables, table, row, account) for row in rows)
        yield b"".join(map(writer.event, lines))
        after = rows[-1].version
    yield writer.end(complete=complete)


def _complete(row: Row) -> RecordEvent:
    return _line(row, row.type, row.actor, row.data)


def _redacted(tables: GameCache, table: LoadedGame, row: Row, account: AccountId | None) -> RecordEvent:
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
    """Takes records in. `foreign_sets`: also with component sets that are not known here."""

    def __init__(
        self, pool: Pool, sets: ComponentSets, tables: GameCache, verifier: Verifier, *, foreign_sets: bool = False
    ) -> None:
        self._pool = pool
        self._sets = sets
        self._tables = tables
        self._verifier = verifier
        self._foreign_sets = foreign_sets

    async def take_in(self, account: Account, data: bytes) -> Taken:
        """Verify a record and store its game.

        `bad-record` says what is wrong where, `unknown-component-set` that nobody here vouches for its set,
        `record-too-costly` that its verification was given up, `record-conflict` that the id is that of another game.
        """
        if not self._foreign_sets:
            await self._require_known_set(data)
        fit = await self._verifier.check(data)
        stored = await self._stored(fit, account)
        return Taken(table=await self._tables.fresh(fit.opening.game), known=not stored)

    async def _require_known_set(self, data: bytes) -> None:
        """Refuse a set that was never played with here; what is no record at all is left to the verification."""
        opening = opening_of(data)
        if opening is None or opening.title not in self._sets.titles:
            return
        if not await self._sets.is_known(opening.title, opening.component_hash):
            detail = "no game here uses this component set, and the operator does not allow foreign ones"
            raise Rejected("unknown-component-set", detail, component_hash=opening.component_hash)

    async def _stored(self, fit: Fit, account: Account) -> bool:
        """Store a game; False if the very same is there."""
        opening, last = fit.opening, len(fit.events.types)
        component_set = StoredSet(
            hash=opening.component_hash, title=opening.title, id=opening.component_set, text=opening.components
        )
        try:
            # Without that account, a backup that is older was put back on the way.
            there = await accounts.by_id(self._pool, account.id) is not None
            if there and await imports.take_in(
                self._pool, opening.game, fit.events, seed=fit.seed, stored=component_set, account=account.id
            ):
                return True
            rows = await events.read(self._pool, opening.game, last - 1, 2)
        except Exception as error:
            if is_lost(error):
                raise Unavailable from error
            raise
        if not there:
            raise Unavailable
        if [row.hash for row in rows] != fit.events.hashes[-1:]:
            detail = "there is a game of this id with another history"
            raise Rejected("record-conflict", detail, game=opening.game)
        return False
