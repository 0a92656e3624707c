"""Who calls: an account by its token, the public without one, and nobody by a wrong one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain.kernel.ids import AccountId
from domain.kernel.rejected import Rejected
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.guards import Access, caller
from service.auth.tokens import Tokens, new_token, token_hash
from service.database.pool import open_pool

ADA = Account(id=AccountId("a" + "0" * 20), name="Ada", created_at=datetime(2026, 1, 1, tzinfo=UTC))


async def test_a_token_is_its_account(database: str) -> None:
    async with open_pool(database, 2) as pool:
        token = new_token()
        assert await accounts.add(pool, ADA, "ada", token_hash(token))
        tokens = Tokens(pool)
        for access in (Access.viewer, Access.account):
            for scheme in ("Bearer", "bearer", "BEARER"):
                assert await caller(tokens, access, f"{scheme} {token}") == ADA


async def test_a_token_makes_no_difference_where_anyone_may_call(database: str) -> None:
    async with open_pool(database, 2) as pool:
        assert await caller(Tokens(pool), Access.anyone, "junk") is None


async def test_the_public_may_view_and_may_not_act(database: str) -> None:
    async with open_pool(database, 2) as pool:
        assert await caller(Tokens(pool), Access.viewer, None) is None
        with pytest.raises(Rejected, match="token-required"):
            await caller(Tokens(pool), Access.account, None)


@pytest.mark.parametrize("access", [Access.viewer, Access.account])
@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer tl_nobody",
        "Basic YTpi",
        "Bearer a b",
        "Bearer a\x00b",
        "Bearer \xff",
        "tl_nobody",
    ],
)
async def test_what_is_no_token_of_anyone_is_refused_even_where_none_is_needed(
    database: str, access: Access, header: str
) -> None:
    async with open_pool(database, 2) as pool:
        with pytest.raises(Rejected, match="invalid-token"):
            await caller(Tokens(pool), access, header)
