"""The pool gives up on connections that do not come free, so that nobody waits for ever for a database that hangs."""

from __future__ import annotations

import asyncio

import pytest

from service.database.errors import is_lost
from service.database.pool import open_pool


async def test_a_connection_that_does_not_come_free_is_not_waited_for_for_ever(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.database.pool.STATEMENT_SECONDS", 0.2)
    async with open_pool(database, 1) as pool:
        async with pool.acquire():
            with pytest.raises(TimeoutError) as raised:
                await pool.fetchval("select 1")
            assert is_lost(raised.value)
            # Who has given up leaves the place to those behind.
            waiting = asyncio.create_task(pool.fetchval("select 2"))
            await asyncio.sleep(0.05)
        assert await waiting == 2
        assert await pool.fetchval("select 3") == 3


async def test_a_statement_that_takes_too_long_fails_and_its_connection_goes_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.database.pool.STATEMENT_SECONDS", 0.2)
    async with open_pool(database, 1) as pool:
        with pytest.raises(TimeoutError) as raised:
            await pool.execute("select pg_sleep(60)")
        assert is_lost(raised.value)
        assert await pool.fetchval("select 1") == 1
