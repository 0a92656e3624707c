"""The write path of a process without its HTTP, to test what play itself promises. Several may share a database."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from service.auth import accounts
from service.auth.accounts import Account
from service.clock import Clock
from service.database.pool import open_pool
from service.database.types import Pool
from service.log import events, safe_order
from service.log.appender import Appender
from service.log.epoch import LogEpoch
from service.log.safe_order import LogPosition
from service.play.commands import Commands
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache, LoadedGame
from service.play.writer import CommandResult
from service.projections import projector
from tests.harness.play import random_move
from tests.toy import TITLE as TOY


@dataclass(frozen=True)
class Writing:
    """What a process decides and appends with."""

    pool: Pool
    sets: ComponentSets
    tables: GameCache
    appender: Appender
    clock: Clock
    commands: Commands

    async def account(self, name: str) -> Account:
        """A new account."""
        account = Account(id=AccountId(f"a{token_hex(10)}"), name=name, created_at=datetime.now(UTC))
        assert await accounts.add(self.pool, account, name.casefold(), account.id.encode())
        return account

    async def started(self, title: str, *seated: Account, **options: Any) -> LoadedGame:
        """A game that has just begun, the accounts sitting in order."""
        table = (await self.commands.create(seated[0], title, len(seated), **options)).table
        for account in seated:
            table = (await self.commands.take_seat(account, table.id)).table
        return table

    async def moved(self, table: LoadedGame, seated: tuple[Account, ...], picks: random.Random) -> CommandResult:
        """One random legal move of the first seat that the game waits for."""
        seat = kernel.to_move(table.game, table.rules)[0]
        move = random_move(kernel.legal_moves(table.game, table.rules, seat), picks)
        return await self.commands.move(seated[seat], table.id, table.version, move)

    async def finished(self, *seated: Account, **options: Any) -> LoadedGame:
        """A game of the toy that was played to its end."""
        table, picks = await self.started("toy", *seated, **options), random.Random(1)
        while table.game.status is Status.running:
            table = (await self.moved(table, seated, picks)).table
        return table

    async def project(self) -> None:
        """Bring the projections up to the end of the log."""
        async with self.pool.acquire() as connection:
            while await projector.step(connection, self.tables):
                pass

    async def end_of_log(self) -> LogPosition:
        """How far the log is final."""
        async with self.pool.acquire() as connection:
            return await safe_order.final(connection)

    async def folded(self, game_id: str) -> LoadedGame:
        """A game folded from the log alone, by a reader that knew nothing of it."""
        return await GameCache(self.pool, self.sets, limit=1).fresh(game_id)


@asynccontextmanager
async def writing(dsn: str, *, hot_games: int = 100, epoch: LogEpoch | None = None) -> AsyncGenerator[Writing]:
    """The write path of one process on a database, bound to an epoch of the log if one is given."""
    async with open_pool(dsn, 4, epoch) as pool:
        sets = ComponentSets(pool, {**TITLES, "toy": TOY})
        await sets.load(None)
        tables = GameCache(pool, sets, hot_games, epoch)
        appender = Appender(pool)
        clock = Clock()
        async with pool.acquire() as connection:
            await clock.measure(connection)
        key = await events.service_key(pool)
        commands = Commands(pool, sets, tables, appender, service_key=key, clock=clock)
        yield Writing(pool=pool, sets=sets, tables=tables, appender=appender, clock=clock, commands=commands)
        await appender.close()
