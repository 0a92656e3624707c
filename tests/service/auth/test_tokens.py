"""Tokens: random, kept as a hash, remembered in bounds."""

from __future__ import annotations

from datetime import UTC, datetime

from domain.kernel.ids import AccountId
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import Tokens, new_token, token_hash
from service.database.pool import open_pool


def test_no_two_tokens_are_alike() -> None:
    assert len({new_token() for _ in range(1_000)}) == 1_000


async def test_the_database_holds_no_token(database: str) -> None:
    async with open_pool(database, 2) as pool:
        token = new_token()
        made = Account(id=AccountId("a1"), name="Ada", created_at=datetime(2026, 1, 1, tzinfo=UTC))
        assert await accounts.add(pool, made, "ada", token_hash(token))
        rows = await pool.fetch("select accounts::text as row from accounts")
        assert token.removeprefix("tl_") not in rows[0]["row"]


async def test_those_asked_for_last_are_remembered_without_the_database(database: str) -> None:
    async with open_pool(database, 2) as pool:
        tokens = Tokens(pool, limit=2)
        made: dict[str, str] = {}
        for name in ("Ada", "Bo", "Cy"):
            made[name] = new_token()
            account = Account(id=AccountId(name), name=name, created_at=datetime(2026, 1, 1, tzinfo=UTC))
            assert await accounts.add(pool, account, name, token_hash(made[name]))
            assert await tokens.account(made[name]) == account
        await pool.execute("drop table accounts")
        for name in ("Bo", "Cy"):
            found = await tokens.account(made[name])
            assert found is not None
            assert found.name == name


async def test_a_token_that_came_too_early_is_not_remembered_as_nobodys(database: str) -> None:
    async with open_pool(database, 2) as pool:
        tokens, token = Tokens(pool), new_token()
        assert await tokens.account(token) is None
        made = Account(id=AccountId("a1"), name="Ada", created_at=datetime(2026, 1, 1, tzinfo=UTC))
        assert await accounts.add(pool, made, "ada", token_hash(token))
        assert await tokens.account(token) == made
