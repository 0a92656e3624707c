"""The commands: each loads a game, decides one event and appends it; the log decides who was first.

Whoever loses the race for a version reads what was appended instead. A move is bound to the version it was made for,
and is refused as stale; taking and leaving a seat are not, and are decided anew on what is there now.

An idempotency key is looked up before anything is decided, and again by whoever loses the race: the same key and
request give the first answer, another request under the key is `idempotency-key-reused`. The key stands in the
event's own row, so it is spent if and only if the command went in.

A command reads the clock once, before it decides: what it decides by time and what it is recorded at are one moment,
never earlier than the game's last event. An event that the log refuses because this process is ahead of the database's
clock is decided again after the clock was measured.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias
from uuid import uuid4

import msgspec
from msgspec import UNSET, Struct

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.events import Delay, Event, Fork, GameCreated, encode, event_type
from domain.kernel.game import Game
from domain.kernel.rejected import Rejected
from domain.kernel.seats import Seated
from service.clock import Clock
from service.play.sets import Sets
from service.play.tables import Table, Tables, advanced
from service.store import accounts, events
from service.store.accounts import Account
from service.store.appender import Appender, Unavailable
from service.store.events import Entry, Pool, Row

Decide: TypeAlias = Callable[[Table, datetime], Event]

Match: TypeAlias = Callable[[Table], None]
"""Raises `precondition-failed` unless a game is the one that the request's If-Match names."""


class Key(Struct, frozen=True):
    """An Idempotency-Key and the digest of the request that it came with."""

    key: str
    request_hash: bytes


class Done(Struct, frozen=True):
    """What a command brought about: the game right after it, the event, its row; `replayed` if it was done before."""

    table: Table
    event: Event
    row: Row
    replayed: bool = False


class Commands:
    """The write path of a process."""

    def __init__(
        self, pool: Pool, sets: Sets, tables: Tables, appender: Appender, *, service_key: bytes, clock: Clock
    ) -> None:
        self._pool = pool
        self._sets = sets
        self._tables = tables
        self._appender = appender
        self._service_key = service_key
        self._clock = clock

    async def create(
        self,
        account: Account,
        title_id: str,
        seats: int,
        *,
        component_set: str | None = None,
        options: bytes = b"{}",
        visibility: str = "public",
        position: Any = None,
        spectator_delay: Delay | None = None,
        reveal_seconds: int = seating.REVEAL_SECONDS,
        key: Key | None = None,
    ) -> Done:
        """Open a table. `options` is the JSON of the title's options; a `position` (its state) makes it a sandbox."""
        set_id, digest = self._sets.find(title_id, component_set)
        title = self._sets.titles[title_id]
        least, most = title.seats
        if not least <= seats <= most:
            detail = f"{title_id} is played by {least} to {most}"
            raise Rejected("bad-seat-count", detail, field="seats", least=least, most=most)
        game_id = self._game_id(account, key)
        seed = secrets.token_bytes(proof.SEED_BYTES)
        event = GameCreated[Any, Any](
            title=title_id,
            seats=seats,
            options=msgspec.json.decode(options, type=title.options),
            component_set=set_id,
            component_hash=digest,
            visibility=visibility,
            creator=account.id,
            commitment=proof.commitment(game_id, seed),
            sandbox=position is not None,
            position=position,
            spectator_delay=spectator_delay,
            scheme=2,
            reveal_seconds=reveal_seconds,
        )
        rules = self._sets.offered_rules(title_id, set_id)
        rules.check_options(event.options, seats)
        if position is not None:
            kernel.demand_position(rules, position, seats)
        game = kernel.evolve(None, rules, event)
        epoch = self._tables.history.epoch
        blank = Table(id=game_id, game=game, title=title, rules=rules, seed=seed, epoch=epoch)
        return await self._open(account, blank, event, key)

    async def _open(
        self,
        account: Account,
        blank: Table,
        event: GameCreated[Any, Any],
        key: Key | None,
        require_match: Callable[[], None] = lambda: None,
    ) -> Done:
        game_id = blank.id
        if key is not None and (row := await self._find(game_id, account, event_type(event), key)) is not None:
            return await self._replayed(row, key)
        require_match()
        entry = _entry(blank, account, event, self._clock.now(), key=key, seed=blank.seed)
        if not await self._appender.append(entry):
            if key is not None and (row := await self._find(game_id, account, event_type(event), key)) is not None:
                return await self._replayed(row, key)
            if await self._is_another_history(blank) or await self._has_gone(account):
                raise Unavailable
            if not await self._was_ahead(entry):
                message = f"the id {game_id} is taken"
                raise LookupError(message)
            entry = _entry(blank, account, event, self._clock.now(), key=key, seed=blank.seed)
            if not await self._appender.append(entry):
                raise Unavailable
        return self._done(msgspec.structs.replace(blank, hash=entry.hash, recorded_at=entry.recorded_at), event, entry)

    async def fork(
        self,
        account: Account,
        then: Table,
        fork: Fork,
        key: Key | None = None,
        require_match: Callable[[], None] = lambda: None,
    ) -> Done:
        """Open a sandbox where another game was, by the same component set."""
        created = then.game.created
        game_id = self._game_id(account, key, then.id)
        seed = secrets.token_bytes(proof.SEED_BYTES)
        event = msgspec.structs.replace(
            created,
            creator=account.id,
            commitment=proof.commitment(game_id, seed),
            sandbox=True,
            position=then.game.state,
            forked_from=fork,
            spectator_delay=None,
            scheme=2,
            reveal_seconds=created.reveal_seconds if created.reveal_seconds is not UNSET else seating.REVEAL_SECONDS,
        )
        try:
            kernel.demand_position(then.rules, then.game.state, created.seats)
        except Rejected as error:  # of the request it is the version that is wrong
            detail = f"at version {fork.version} {error.detail}"
            raise Rejected(error.code, detail, field="version") from error
        game = kernel.evolve(None, then.rules, event)
        blank = Table(id=game_id, game=game, title=then.title, rules=then.rules, seed=seed, epoch=then.epoch)
        return await self._open(account, blank, event, key, require_match)

    async def take_seat(
        self,
        account: Account,
        game_id: str,
        seat: int | None = None,
        entropy: str = "",
        key: Key | None = None,
        *,
        commitment: str | None = None,
        match: Match | None = None,
    ) -> Done:
        """Take a seat with open entropy or a commitment to it; the last one starts the game, or its reveals."""
        who = Seated(account=account.id, name=account.name, entropy=entropy, commitment=commitment)

        def decide(table: Table, now: datetime) -> Event:
            return seating.take_seat(table.game, table.rules, who, seat, table.seed, now)

        return await self._command(account, game_id, "seat_taken", decide, key=key, match=match)

    async def leave_seat(
        self, account: Account, game_id: str, key: Key | None = None, *, match: Match | None = None
    ) -> Done:
        """Get up before the start."""

        def decide(table: Table, _now: datetime) -> Event:
            return seating.leave_seat(table.game, account.id)

        return await self._command(account, game_id, "seat_left", decide, key=key, match=match)

    async def commit_entropy(
        self, account: Account, game_id: str, commitment: str, key: Key | None = None, *, match: Match | None = None
    ) -> Done:
        """Commit to entropy before the start."""

        def decide(table: Table, now: datetime) -> Event:
            return seating.commit_entropy(table.game, table.rules, account.id, commitment, table.seed, now)

        return await self._command(account, game_id, "entropy_committed", decide, key=key, match=match)

    async def reveal_entropy(
        self, account: Account, game_id: str, entropy: str, key: Key | None = None, *, match: Match | None = None
    ) -> Done:
        """Reveal the entropy that a starting game waits for; the last one starts it."""

        def decide(table: Table, _now: datetime) -> Event:
            return seating.reveal_entropy(table.game, table.rules, account.id, entropy, table.seed)

        return await self._command(account, game_id, "entropy_revealed", decide, key=key, match=match)

    async def free_seat(
        self, account: Account, game_id: str, seat: int, key: Key | None = None, *, match: Match | None = None
    ) -> Done:
        """Free a seat that has not revealed its entropy in time."""

        def decide(table: Table, now: datetime) -> Event:
            return seating.free_seat(table.game, account.id, seat, now)

        return await self._command(account, game_id, "seat_freed", decide, key=key, match=match)

    async def move(
        self,
        account: Account,
        game_id: str,
        expected_version: int,
        move: Struct,
        key: Key | None = None,
        *,
        match: Match | None = None,
    ) -> Done:
        """Make a move at the version it was made for; `stale-version` when the game is elsewhere."""

        def decide(table: Table, _now: datetime) -> Event:
            seat = kernel.demand_seat(table.game, account.id)
            demand_version(table.game, expected_version)
            return kernel.make_move(table.game, table.rules, seat, move, table.seed)

        return await self._command(account, game_id, "move_made", decide, key=key, match=match)

    async def undo(
        self,
        account: Account,
        game_id: str,
        expected_version: int,
        key: Key | None = None,
        *,
        match: Match | None = None,
    ) -> Done:
        """Take back one's own last move; bound to a version, so that a double click takes back one."""

        def decide(table: Table, _now: datetime) -> Event:
            seat = kernel.demand_seat(table.game, account.id)
            demand_version(table.game, expected_version)
            return kernel.undo_move(table.game, seat)

        return await self._command(account, game_id, "move_undone", decide, key=key, match=match)

    async def _command(
        self, account: Account, game_id: str, kind: str, decide: Decide, *, key: Key | None, match: Match | None
    ) -> Done:
        if key is not None and (row := await self._find(game_id, account, kind, key)):
            return await self._replayed(row, key)
        table = await self._tables.get(game_id)
        corrected = False
        while True:
            now = self._now(table)
            try:
                # The append takes the event on this very table or not at all, so the match cannot go stale in between.
                event = _decide_matching(table, now, account, decide, match)
            except Rejected:
                # The refusal may only be due to a table that lags: what is refused is refused on what is there now.
                current = await self._tables.fresh(game_id)
                if (current.version, current.epoch) == (table.version, table.epoch):
                    # The same command may have gone in since the key was looked up: that is what stands in the way.
                    if key is not None and (row := await self._find(game_id, account, kind, key)):
                        return await self._replayed(row, key)
                    raise
                table = current
                continue
            entry = _entry(table, account, event, now, key=key, version=table.version + 1)
            if await self._appender.append(entry):
                moved = advanced(table, _row(entry), event)
                return self._done(moved, event, entry)
            if key is not None and (row := await self._find(game_id, account, kind, key)):
                return await self._replayed(row, key)
            current = await self._overtaken(table, None if corrected else entry)
            corrected = corrected or current.version == table.version
            table = current

    async def _overtaken(self, table: Table, entry: Entry | None) -> Table:
        """The game after the log has refused its next event: somebody was first, or has put back a backup.

        It may be the same one, once this process has corrected its clock, by which `entry` was ahead of time; an entry
        of None says that this was done before.
        """
        current = await self._tables.fresh(table.id)
        if current.epoch != table.epoch or current.version > table.version:
            return current
        if await self._is_another_history(table):
            return await self._tables.fresh(table.id)
        if entry is None or not await self._was_ahead(entry):
            # The log is not the one that this table was folded from.
            self._tables.forget(table.id)
            raise Unavailable
        return current

    def _now(self, table: Table) -> datetime:
        """The time of the next event of a game: now, and not before its last one."""
        now = self._clock.now()
        # An archived game takes no more events, and the times of its own may be none that can be compared.
        return now if table.recorded_at is None or table.archived else max(now, table.recorded_at)

    async def _was_ahead(self, entry: Entry) -> bool:
        """Measure the clock; whether an entry was ahead of it, so that the log has refused it for its time."""
        async with self._pool.acquire() as connection:
            await self._clock.measure(connection)
        return entry.recorded_at > self._clock.now()

    async def _is_another_history(self, table: Table) -> bool:
        """Whether the log has another epoch than a table, which nobody here may have noticed yet."""
        if table.epoch is None:
            return False
        async with self._pool.acquire() as connection:
            await self._tables.history.reach(connection)
        return table.epoch != self._tables.history.epoch

    async def _has_gone(self, account: Account) -> bool:
        """Whether there is no such account, since a backup was put back that is older."""
        return await accounts.by_id(self._pool, account.id) is None

    async def _find(self, game_id: str, account: Account, kind: str, key: Key) -> Row | None:
        return await events.find_key(self._pool, game_id, account.id, kind, key.key)

    async def _replayed(self, row: Row, key: Key) -> Done:
        if row.request_hash is None or not hmac.compare_digest(row.request_hash, key.request_hash):
            detail = "this Idempotency-Key was used with another request"
            raise Rejected("idempotency-key-reused", detail, field="Idempotency-Key")
        table = await self._tables.at(row.game_id, row.version)
        return Done(table=table, event=self._tables.decode(table, row), row=row, replayed=True)

    def _done(self, table: Table, event: Event, entry: Entry) -> Done:
        self._tables.keep(table)
        return Done(table=table, event=event, row=_row(entry))

    def _game_id(self, account: Account, key: Key | None, forked: str = "") -> str:
        """A fresh id; with a key, what this account's key always gives here, so that the primary key decides."""
        if key is None:
            return f"g{secrets.token_hex(10)}"
        digest = hmac.digest(self._service_key, f"game:{account.id}:{forked}:{key.key}".encode(), "sha256")
        return f"g{digest[:10].hex()}"


def _decide_matching(table: Table, now: datetime, account: Account, decide: Decide, match: Match | None) -> Event:
    """Decide on a table that the request's If-Match names.

    Players hear first that the game is another one than they saw. Anyone else hears first why the command is refused to
    them, since the current tag would show how far a game with a spectator delay has got.
    """
    seated = table.game.seat_of(account.id) is not None
    if match is not None and seated:
        match(table)
    event = decide(table, now)
    if match is not None and not seated:
        match(table)
    return event


def demand_version(game: Game, expected: int) -> None:
    """Pass if the game is at the version; else `stale-version` with the current one."""
    if expected != game.version:
        detail = f"the game is at version {game.version}, not {expected}"
        raise Rejected("stale-version", detail, field="expected_version", current_version=game.version)


def _entry(
    table: Table,
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
