"""Accounts: a name and the hash of a token that is shown once."""

from __future__ import annotations

from datetime import datetime

import asyncpg
from msgspec import Struct

from domain.kernel.ids import AccountId
from service.database.types import Pool


class Account(Struct, frozen=True):
    """A person or a program with a token."""

    id: AccountId
    name: str
    created_at: datetime


async def add(pool: Pool, account: Account, name_key: str, token_hash: bytes) -> bool:
    """Store an account; False when its name (by `name_key`, its one normal form) is taken."""
    status = await pool.execute(
        "insert into accounts (id, name, name_key, token_hash, created_at) values ($1, $2, $3, $4, $5)"
        " on conflict (name_key) do nothing",
        account.id,
        account.name,
        name_key,
        token_hash,
        account.created_at,
    )
    return status == "INSERT 0 1"


async def by_token(pool: Pool, token_hash: bytes) -> Account | None:
    """The account that a token belongs to, or None."""
    record = await pool.fetchrow("select id, name, created_at from accounts where token_hash = $1", token_hash)
    return None if record is None else _account(record)


async def by_id(pool: Pool, account_id: AccountId) -> Account | None:
    """An account by its id, or None."""
    record = await pool.fetchrow("select id, name, created_at from accounts where id = $1", account_id)
    return None if record is None else _account(record)


def _account(record: asyncpg.Record) -> Account:
    return Account(id=record["id"], name=record["name"], created_at=record["created_at"])
