"""How a decided event gets into the log: appended once, despite concurrent writers and clocks that differ.

The loser of a race for a version reads what was appended instead, and decides again.

An idempotency key is looked up before anything is decided, and again by the loser of a race: the same key and
request give the first answer, another request under the key is `idempotency-key-reused`. The key stands in the
event's own row, so it is spent if and only if the command went in.

A command reads the clock once, before it decides: what it decides by time and what it is recorded at are one moment,
never earlier than the game's last event. An event that the log refuses because this process is ahead of the database's
clock is decided again after the clock was measured.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias
from uuid import uuid4

import msgspec
from msgspec import Struct

from domain.kernel import proof
from domain.kernel.events import Event, GameCreated, encode, ends_game, event_type
from domain.kernel.game import Game
from domain.kernel.rejected import Rejected
from service.auth import accounts
from service.auth.accounts import Account
from service.clock import Clock
from service.database.errors import Unavailable
from service.database.types import Pool
from service.log import events
from service.log.appender import Appender
from service.log.events import Entry, Row
from service.play.game_cache import GameCache, LoadedGame, with_event

Decide: TypeAlias = Callable[[LoadedGame, datetime], tuple[Event, Game]]
"""The next event of a game, decided at a time, and the game after it."""

Match: TypeAlias = Callable[[LoadedGame], None]
"""Raises `precondition-failed` unless a game is the one that the request's If-Match names."""


class Key(Struct, frozen=True):
    """An Idempotency-Key and the digest of the request that it came with."""

    key: str
    request_hash: bytes


class CommandResult(Struct, frozen=True):
    """What a command brought about: the game right after it, the event, its row; `replayed` if it was done before."""

    table: LoadedGame
    event: Event
    row: Row
    replayed: bool = False


class Writer:
    """Appends what was decided, on behalf of an account."""

    def __init__(self, pool: Pool, tables: GameCache, appender: Appender, clock: Clock) -> None:
        self._pool = pool
        self._tables = tables
        self._appender = appender
        self._clock = clock

    async def _open(
        self,
        account: Account,
        blank: LoadedGame,
        event: GameCreated[Any, Any],
        key: Key | None,
        require_match: Callable[[], None] = lambda: None,
    ) -> CommandResult:
        game_id = blank.id
        if key is not None and (row := await self._find(game_id, account, event_type(event), key)) is not None:
            return await self._replayed(row, key)
        require_match()
        entry = _entry(blank, account, event, self._clock.now(), key=key, seed=blank.seed)
        if not await self._appender.append(entry):
            if key is not None and (row := await self._find(game_id, account, event_type(event), key)) is not None:
                return await self._replayed(row, key)
            await self._check_epoch()
            if await self._has_gone(account):
                raise Unavailable
            if not await self._was_ahead(entry):
                message = f"the id {game_id} is taken"
                raise LookupError(message)
            entry = _entry(blank, account, event, self._clock.now(), key=key, seed=blank.seed)
            if not await self._appender.append(entry):
                raise Unavailable
        row = _row(entry)
        return self._done(with_event(blank, row, blank.game), event, row)

    async def _command(
        self, account: Account, game_id: str, kind: str, decide: Decide, *, key: Key | None, match: Match | None
    ) -> CommandResult:
        if key is not None and (row := await self._find(game_id, account, kind, key)):
            return await self._replayed(row, key)
        table = await self._tables.get(game_id)
        corrected = False
        while True:
            now = self._now(table)
            try:
                # The append takes the event on this very table or not at all, so the match cannot go stale in between.
                event, game = _decide_matching(table, now, account, decide, match)
            except Rejected:
                # The refusal may only be due to a table that lags: what is refused is refused on what is there now.
                current = await self._tables.fresh(game_id)
                if current.version == table.version:
                    # The same command may have gone in since the key was looked up: that is what stands in the way.
                    if key is not None and (row := await self._find(game_id, account, kind, key)):
                        return await self._replayed(row, key)
                    raise
                table = current
                continue
            entry = _entry(table, account, event, now, key=key, version=table.version + 1)
            row = _row(entry)
            # Before it is appended: readers may be woken by it before this command is.
            self._tables.recent.keep(row, event, game)
            if await self._appender.append(entry):
                return self._done(with_event(table, row, game), event, row)
            if key is not None and (row := await self._find(game_id, account, kind, key)):
                return await self._replayed(row, key)
            current = await self._overtaken(table, None if corrected else entry)
            corrected = corrected or current.version == table.version
            table = current

    async def _overtaken(self, table: LoadedGame, entry: Entry | None) -> LoadedGame:
        """The game after the log has refused its next event: somebody was first.

        It may be the same one, once this process has corrected its clock, by which `entry` was ahead of time; an entry
        of None says that this was done before. Raises `Unavailable` where a backup was restored.
        """
        current = await self._tables.fresh(table.id)
        if current.version > table.version:
            return current
        await self._check_epoch()
        if entry is None or not await self._was_ahead(entry):
            # The log is not the one that this table was folded from.
            self._tables.forget(table.id)
            raise Unavailable
        return current

    def _now(self, table: LoadedGame) -> datetime:
        """The time of the next event of a game: now, and not before its last one."""
        now = self._clock.now()
        # An archived game takes no more events, and the times of its own may be none that can be compared.
        return now if table.recorded_at is None or table.archived else max(now, table.recorded_at)

    async def _was_ahead(self, entry: Entry) -> bool:
        """Measure the clock; whether an entry was ahead of it, so that the log has refused it for its time."""
        async with self._pool.acquire() as connection:
            await self._clock.measure(connection)
        return entry.recorded_at > self._clock.now()

    async def _check_epoch(self) -> None:
        """Raises `EpochChanged` if the log has another epoch, which nobody here may have noticed yet."""
        if self._tables.epoch is not None:
            async with self._pool.acquire() as connection:
                await self._tables.epoch.check(connection)

    async def _has_gone(self, account: Account) -> bool:
        """Whether there is no such account, since a backup was put back that is older."""
        return await accounts.by_id(self._pool, account.id) is None

    async def _find(self, game_id: str, account: Account, kind: str, key: Key) -> Row | None:
        return await events.find_key(self._pool, game_id, account.id, kind, key.key)

    async def _replayed(self, row: Row, key: Key) -> CommandResult:
        if row.request_hash is None or not hmac.compare_digest(row.request_hash, key.request_hash):
            detail = "this Idempotency-Key was used with another request"
            raise Rejected("idempotency-key-reused", detail, field="Idempotency-Key")
        table = await self._tables.at(row.game_id, row.version)
        return CommandResult(table=table, event=self._tables.decode(table, row), row=row, replayed=True)

    def _done(self, table: LoadedGame, event: Event, row: Row) -> CommandResult:
        self._tables.keep(table)
        return CommandResult(table=table, event=event, row=row)


def _decide_matching(
    table: LoadedGame, now: datetime, account: Account, decide: Decide, match: Match | None
) -> tuple[Event, Game]:
    """Decide on a table that the request's If-Match names.

    Players hear first that the game is another one than they saw. Anyone else hears first why the command is refused to
    them, since the current tag would show how far a game with a spectator delay has got.
    """
    seated = table.game.seat_of(account.id) is not None
    if match is not None and seated:
        match(table)
    decided = decide(table, now)
    if match is not None and not seated:
        match(table)
    return decided


def _entry(
    table: LoadedGame,
    account: Account,
    event: Event,
    now: datetime,
    *,
    key: Key | None,
    version: int = 1,
    seed: bytes | None = None,
) -> Entry:
    entry = Entry(
        game_id=table.id,
        version=version,
        type=event_type(event),
        actor=account.id,
        data=encode(event),
        rules_version=table.title.rules_version,
        hash=proof.NO_HASH,
        recorded_at=now,
        attempt=uuid4(),
        idempotency_key=key.key if key else None,
        request_hash=key.request_hash if key else None,
        seed=seed,
        epoch=table.epoch,
        previous=table.hash if version > 1 else None,
        ends_game=ends_game(event),
    )
    return msgspec.structs.replace(entry, hash=events.chain(table.hash, table.seed, entry))


def _row(entry: Entry) -> Row:
    return Row(
        game_id=entry.game_id,
        version=entry.version,
        type=entry.type,
        actor=entry.actor,
        data=entry.data,
        rules_version=entry.rules_version,
        hash=entry.hash,
        recorded_at=entry.recorded_at,
        request_hash=entry.request_hash,
    )
