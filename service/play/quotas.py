"""How many tables an account may have open, and at how many waiting tables it may sit.

Each is a row with a slot number below the quota: the primary key makes the quota exact, also between processes that
race. A slot is reserved before the event is appended. Where all are used up, their games are looked at in the log:
those that have started no longer count, and neither does what was reserved a minute ago for an event that never came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import asyncpg

from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from service.database.errors import is_lost
from service.database.types import Pool
from service.limits.limit_settings import LimitSettings
from service.log.appender import Appender
from service.log.events import Entry
from service.play.game_cache import GameCache, Unreadable

Kind: TypeAlias = Literal["tables", "seats"]

_RESERVE = """
with held as (select slot, game_id from quota_slots where account = $1 and kind = $2)
insert into quota_slots (account, kind, slot, game_id)
select $1, $2, free.slot, $3
from (select 0 as slot union all select slot + 1 from held) as free
where free.slot < $4::bigint and free.slot not in (select slot from held) and $3::text not in (select game_id from held)
order by free.slot limit 1
on conflict do nothing returning slot
"""
_HELD = """
select game_id, taken_at < now() - interval '60 seconds' as settled from quota_slots where account = $1 and kind = $2
"""
_RELEASE = "delete from quota_slots where account = $1 and kind = $2 and game_id = any($3::text[])"


class Quotas:
    """The quotas of all accounts."""

    def __init__(self, pool: Pool, tables: GameCache, numbers: LimitSettings) -> None:
        self._pool = pool
        self._tables = tables
        self._most: dict[Kind, int] = {
            "tables": numbers.open_tables_per_account,
            "seats": numbers.seats_per_account,
        }

    async def reserve(self, kind: Kind, account: AccountId, game_id: str) -> None:
        """Reserve a slot, unless there is one; raises `too-many-open-tables` or `too-many-seats`."""
        most = self._most[kind]
        while True:
            if await self._pool.fetchval(_RESERVE, account, kind, game_id, most) is not None:
                return
            held = await self._pool.fetch(_HELD, account, kind)
            if any(row["game_id"] == game_id for row in held):
                return
            if len(held) < most:
                continue  # somebody else was faster, or has freed one
            free = [row["game_id"] for row in held if await self._is_free(kind, account, row)]
            if not free:
                raise _refused(kind, most)
            await self._pool.execute(_RELEASE, account, kind, free)

    async def release(self, kind: Kind, account: str, game_ids: Sequence[str]) -> None:
        """Give slots back; if the database is away, they are freed when the account has used up the others."""
        try:
            await self._pool.execute(_RELEASE, account, kind, game_ids)
        except Exception as error:
            if not is_lost(error):
                raise

    async def _is_free(self, kind: Kind, account: AccountId, row: asyncpg.Record) -> bool:
        try:
            game = (await self._tables.fresh(row["game_id"])).game
        except Unreadable:
            return True
        except Rejected:  # there is no such game: what was reserved has not come, or not yet
            return row["settled"]
        if game.status in {Status.running, Status.finished}:
            return True
        return kind == "seats" and game.seat_of(account) is None and row["settled"]


class CountedAppender(Appender):
    """An appender that counts what opens a table or takes a seat at one that goes on waiting."""

    def __init__(self, pool: Pool, tables: GameCache, quotas: Quotas) -> None:
        super().__init__(pool)
        self._tables = tables
        self._quotas = quotas

    async def append(self, entry: Entry) -> bool:
        """Append an entry; raises `too-many-open-tables` and `too-many-seats` as well."""
        if entry.actor is not None and entry.version == 1:
            await self._quotas.reserve("tables", entry.actor, entry.game_id)
        elif entry.actor is not None and entry.type == "seat_taken":
            game = (await self._tables.get(entry.game_id)).game
            if game.seats.count(None) > 1:  # taking the last seat starts the game
                await self._quotas.reserve("seats", entry.actor, entry.game_id)
        written = await super().append(entry)
        if written and entry.actor is not None and entry.type == "seat_left":
            await self._quotas.release("seats", entry.actor, [entry.game_id])
        return written


def _refused(kind: Kind, most: int) -> Rejected:
    if kind == "tables":
        detail = f"at most {most} of your tables may wait for players; one that starts no longer counts"
        return Rejected("too-many-open-tables", detail, limit="open-tables-per-account", most=most)
    detail = f"you may sit at {most} tables that wait for players; leave one, or wait until one starts"
    return Rejected("too-many-seats", detail, limit="seats-per-account", most=most)
