"""The commands: each loads a game, decides one event and appends it; the log decides who was first.

A move is bound to the version it was made for, and is refused as stale; taking and leaving a seat are not, and are
decided again on what is there now. `writer.py` says how a decision gets into the log.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.events import Delay, Event, Fork, GameCreated
from domain.kernel.game import Game
from domain.kernel.ids import GameId
from domain.kernel.rejected import Rejected
from domain.kernel.seats import Seated
from service.auth.accounts import Account
from service.clock import Clock
from service.database.types import Pool
from service.log.appender import Appender
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache, LoadedGame
from service.play.writer import CommandResult, Key, Match, Writer

MOST_EVENTS = 2_500
"""Events of a game, by default, after which nobody undoes, sits down or commits any more."""


class Commands(Writer):
    """The write path of a process."""

    def __init__(
        self,
        pool: Pool,
        sets: ComponentSets,
        tables: GameCache,
        appender: Appender,
        *,
        service_key: bytes,
        clock: Clock,
        most_events: int = MOST_EVENTS,
    ) -> None:
        super().__init__(pool, tables, appender, clock)
        self._sets = sets
        self._service_key = service_key
        self._most_events = most_events

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
    ) -> CommandResult:
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
            kernel.require_position(rules, position, seats)
        game = kernel.evolve(None, rules, event)
        epoch = self._tables.epoch_name
        blank = LoadedGame(id=game_id, game=game, title=title, rules=rules, seed=seed, epoch=epoch)
        return await self._open(account, blank, event, key)

    async def fork(
        self,
        account: Account,
        then: LoadedGame,
        fork: Fork,
        key: Key | None = None,
        require_match: Callable[[], None] = lambda: None,
    ) -> CommandResult:
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
            kernel.require_position(then.rules, then.game.state, created.seats)
        except Rejected as error:  # of the request it is the version that is wrong
            detail = f"at version {fork.version} {error.detail}"
            raise Rejected(error.code, detail, field="version") from error
        game = kernel.evolve(None, then.rules, event)
        blank = LoadedGame(id=game_id, game=game, title=then.title, rules=then.rules, seed=seed, epoch=then.epoch)
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
    ) -> CommandResult:
        """Take a seat with open entropy or a commitment to it; the last one starts the game, or its reveals."""
        who = Seated(account=account.id, name=account.name, entropy=entropy, commitment=commitment)

        def decide(table: LoadedGame, now: datetime) -> tuple[Event, Game]:
            self._require_room(table.game)
            return _with_game(table, seating.take_seat(table.game, table.rules, who, seat, table.seed, now))

        return await self._command(account, game_id, "seat_taken", decide, key=key, match=match)

    async def leave_seat(
        self, account: Account, game_id: str, key: Key | None = None, *, match: Match | None = None
    ) -> CommandResult:
        """Get up before the start."""

        def decide(table: LoadedGame, _now: datetime) -> tuple[Event, Game]:
            return _with_game(table, seating.leave_seat(table.game, account.id))

        return await self._command(account, game_id, "seat_left", decide, key=key, match=match)

    async def commit_entropy(
        self, account: Account, game_id: str, commitment: str, key: Key | None = None, *, match: Match | None = None
    ) -> CommandResult:
        """Commit to entropy before the start."""

        def decide(table: LoadedGame, now: datetime) -> tuple[Event, Game]:
            self._require_room(table.game)
            return _with_game(
                table, seating.commit_entropy(table.game, table.rules, account.id, commitment, table.seed, now)
            )

        return await self._command(account, game_id, "entropy_committed", decide, key=key, match=match)

    async def reveal_entropy(
        self, account: Account, game_id: str, entropy: str, key: Key | None = None, *, match: Match | None = None
    ) -> CommandResult:
        """Reveal the entropy that a starting game waits for; the last one starts it."""

        def decide(table: LoadedGame, _now: datetime) -> tuple[Event, Game]:
            return _with_game(table, seating.reveal_entropy(table.game, table.rules, account.id, entropy, table.seed))

        return await self._command(account, game_id, "entropy_revealed", decide, key=key, match=match)

    async def free_seat(
        self, account: Account, game_id: str, seat: int, key: Key | None = None, *, match: Match | None = None
    ) -> CommandResult:
        """Free a seat that has not revealed its entropy in time."""

        def decide(table: LoadedGame, now: datetime) -> tuple[Event, Game]:
            return _with_game(table, seating.free_seat(table.game, account.id, seat, now))

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
    ) -> CommandResult:
        """Make a move at the version it was made for; `stale-version` when the game is elsewhere."""

        def decide(table: LoadedGame, _now: datetime) -> tuple[Event, Game]:
            seat = kernel.require_seat(table.game, account.id)
            require_version(table.game, expected_version)
            return kernel.play_move(table.game, table.rules, seat, move, table.seed)

        return await self._command(account, game_id, "move_made", decide, key=key, match=match)

    async def undo(
        self,
        account: Account,
        game_id: str,
        expected_version: int,
        key: Key | None = None,
        *,
        match: Match | None = None,
    ) -> CommandResult:
        """Take back one's own last move; bound to a version, so that a double click takes back one."""

        def decide(table: LoadedGame, _now: datetime) -> tuple[Event, Game]:
            seat = kernel.require_seat(table.game, account.id)
            require_version(table.game, expected_version)
            self._require_room(table.game)
            return _with_game(table, kernel.undo_move(table.game, seat))

        return await self._command(account, game_id, "move_undone", decide, key=key, match=match)

    def _require_room(self, game: Game) -> None:
        """Raise `too-many-events` for what could be repeated without end: not for moves, nor what ends a wait."""
        if game.version >= self._most_events:
            detail = f"after {self._most_events} events a game takes moves and nothing that could go on without end"
            raise Rejected("too-many-events", detail, most=self._most_events)

    def _game_id(self, account: Account, key: Key | None, forked: str = "") -> GameId:
        """A fresh id; with a key, what this account's key always gives here, so that the primary key decides."""
        if key is None:
            return GameId(f"g{secrets.token_hex(10)}")
        digest = hmac.digest(self._service_key, f"game:{account.id}:{forked}:{key.key}".encode(), "sha256")
        return GameId(f"g{digest[:10].hex()}")


def _with_game(table: LoadedGame, event: Event) -> tuple[Event, Game]:
    return event, kernel.evolve(table.game, table.rules, event)


def require_version(game: Game, expected: int) -> None:
    """Pass if the game is at the version; else `stale-version` with the current one."""
    if expected != game.version:
        detail = f"the game is at version {game.version}, not {expected}"
        raise Rejected("stale-version", detail, field="expected_version", current_version=game.version)
