"""A process starts its node again when the log has another epoch; what was the old node's serves and keeps nothing."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import asyncpg
import pytest

from domain.kernel.ids import AccountId
from service import process as process_module
from service.auth import accounts
from service.auth.accounts import Account
from service.auth.tokens import token_hash
from service.database.errors import EpochChanged
from service.log.events import CHANNEL
from service.log.listener import EPOCH_CHANGED
from service.log.restore import restored
from service.node import Node
from tests.harness.living import living


async def execute(database: str, *statements: str) -> None:
    connection = await asyncpg.connect(database)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


NEW_EPOCH = (
    "update epoch set epoch = replace(gen_random_uuid()::text, '-', '')",
    f"notify {CHANNEL}, '{EPOCH_CHANGED}'",
)


async def test_a_process_that_is_at_work_hears_of_a_new_epoch_and_connects_to_it(database: str) -> None:
    async with living(database) as process:
        old, before = process.node, await process.node.pool.fetchval("select pg_backend_pid()")
        epoch = (await restored(database)).epoch
        await process.restarted(old.epoch)
        assert process.node.epoch == epoch
        assert await process.node.pool.fetchval("select pg_backend_pid()") != before
        with pytest.raises(EpochChanged):
            await old.pool.fetchval("select 1")
        assert old.pool.get_size() == 0
        for name in ("settings", "limits", "peers", "counters", "bodies", "deadlines"):
            assert getattr(process.node, name) is getattr(old, name), name


async def test_offered_component_sets_are_stored_in_a_database_that_has_never_seen_them(database: str) -> None:
    async with living(database) as process:
        old = process.node.epoch
        stored = await process.node.pool.fetchval("select count(*) from component_sets")
        await execute(database, "delete from component_sets", *NEW_EPOCH)
        await process.restarted(old)
        assert await process.node.pool.fetchval("select count(*) from component_sets") == stored > 0


async def test_an_account_that_went_with_its_epoch_is_nobody_again(database: str) -> None:
    async with living(database) as process:
        old = process.node
        account = Account(id=AccountId("a1"), name="Ann", created_at=datetime.now(UTC))
        assert await accounts.add(old.pool, account, "ann", token_hash("tl_a"))
        assert await old.tokens.account("tl_a") == account
        await execute(database, "delete from accounts", *NEW_EPOCH)
        await process.restarted(old.epoch)
        assert await process.node.tokens.account("tl_a") is None
        with pytest.raises(EpochChanged):
            await old.tokens.account("tl_a")


async def test_a_game_that_was_kept_is_not_served_by_the_old_node(database: str) -> None:
    async with living(database) as process:
        old, players = process.node, (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        await execute(database, *NEW_EPOCH)
        await process.restarted(old.epoch)
        old.tables.keep(table)  # as a command that was under way does
        for ask in (old.tables.get(table.id), old.tables.fresh(table.id), old.tables.at(table.id, 1)):
            with pytest.raises(EpochChanged):
                await ask
        assert (await process.node.tables.get(table.id)).epoch == process.node.epoch != table.epoch


async def test_a_node_that_cannot_start_is_tried_again_and_reported_once(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real, failures = process_module.migrate, [ConnectionResetError("gone")] * 2 + [ZeroDivisionError("a bug")] * 2

    async def failing(dsn: str) -> list[str]:
        if failures:
            raise failures.pop(0)
        return await real(dsn)

    async with living(database) as process:
        served: list[Node] = []
        process.process.on_restart(served.append)
        monkeypatch.setattr(process_module, "migrate", failing)
        old = process.node.epoch
        await execute(database, *NEW_EPOCH)
        await process.restarted(old)
        while not served:  # noqa: ASYNC110 - in a moment
            await asyncio.sleep(0.01)
        assert served == [process.node]
    told = [(each.levelname, each.getMessage()) for each in caplog.records if each.name == "service.process"]
    told = [each for each in told if each[0] != "INFO"]  # "back in service" comes when it will
    assert [level for level, _ in told] == ["WARNING", "ERROR"]
    assert [text for _, text in told] == [
        "cannot restart, trying again: gone",
        "cannot restart, trying again: a bug",
    ]
