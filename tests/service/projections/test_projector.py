"""The projector keeps up with the log, whatever happens to processes and connections."""

from __future__ import annotations

import asyncio
import signal

import pytest

from service.database.migrate import migrate
from service.projections.lobby import Lobby
from service.projections.projector import Projector
from tests.harness.lists import agrees_with_log, eventually, listed
from tests.harness.postgres import OwnServer
from tests.harness.projecting import ProjectingProcess, projecting
from tests.harness.writing import Writing, writing

_END_SESSION = """
select pg_terminate_backend(pid) from pg_locks
where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
"""


async def open_table(process: Writing, name: str) -> str:
    return (await process.commands.create(await process.account(name), "toy", 2)).table.id


async def is_listed(process: Writing, game_id: str) -> bool:
    return game_id in {game.id for game in await listed(Lobby(process.pool, process.tables))}


async def answers(process: Writing) -> bool:
    """Whether the database answers on every connection of the pool; those that do not are given up."""
    asked = await asyncio.gather(
        *(process.pool.fetchval("select 1 from pg_sleep(0.1)") for _ in range(3)), return_exceptions=True
    )
    return asked == [1, 1, 1]


async def test_what_is_appended_is_listed_after_a_wake_up(database: str) -> None:
    async with writing(database) as process, projecting(process) as projector:
        game_id = await open_table(process, "Ann")
        projector.wake({game_id: 1})
        await eventually(lambda: is_listed(process, game_id))


async def test_a_wake_up_that_went_astray_is_made_up_for(database: str) -> None:
    async with writing(database) as process, projecting(process):
        await eventually(lambda: agrees_with_log(process))
        game_id = await open_table(process, "Ann")
        await eventually(lambda: is_listed(process, game_id))


async def test_what_was_appended_while_nobody_worked_is_made_up_for(database: str) -> None:
    async with writing(database) as process:
        game_ids = [await open_table(process, f"Account {number}") for number in range(5)]
        async with projecting(process):
            for game_id in game_ids:
                await eventually(lambda game_id=game_id: is_listed(process, game_id))


async def test_more_than_one_batch_is_worked_off(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.projections.projector.BATCH", 3)
    async with writing(database) as process:
        for number in range(10):
            await open_table(process, f"Account {number}")
        async with projecting(process):
            await eventually(lambda: agrees_with_log(process))


async def test_a_projector_that_was_stopped_can_be_started_again(database: str) -> None:
    async with writing(database) as process:
        projector = Projector(process.pool, process.tables)
        for name in ("Ann", "Bob"):
            game_id = await open_table(process, name)
            await projector.start()
            await eventually(lambda game_id=game_id: is_listed(process, game_id))
            await projector.stop()
        await projector.stop()


async def test_a_projector_that_stops_leaves_the_work_to_another(database: str) -> None:
    async with writing(database) as one, writing(database) as other, projecting(one) as projector, projecting(other):
        await eventually(lambda: agrees_with_log(one))
        await projector.stop()
        game_id = await open_table(one, "Ann")
        await eventually(lambda: is_listed(one, game_id))


async def test_a_session_that_the_database_ends_is_replaced(database: str) -> None:
    async with writing(database) as process, projecting(process):
        for name in ("Ann", "Bob", "Cid"):
            game_id = await open_table(process, name)
            await eventually(lambda game_id=game_id: is_listed(process, game_id))
            assert await process.pool.fetch(_END_SESSION)


async def test_the_work_goes_on_after_the_database_was_away(own_postgres: OwnServer) -> None:
    await migrate(own_postgres.dsn())
    async with writing(own_postgres.dsn()) as process, projecting(process):
        first = await open_table(process, "Ann")
        await eventually(lambda: is_listed(process, first))
        own_postgres.go_down()
        own_postgres.come_back()
        await eventually(lambda: answers(process))
        second = await open_table(process, "Bob")
        await eventually(lambda: is_listed(process, second))


async def test_an_error_that_nobody_foresaw_is_told_and_the_work_goes_on(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with writing(database) as process, projecting(process):
        await process.pool.execute("alter table projection rename column position to mislaid")
        await eventually(lambda: is_told("reading the log failed", caplog))
        await process.pool.execute("alter table projection rename column mislaid to position")
        game_id = await open_table(process, "Ann")
        await eventually(lambda: is_listed(process, game_id))


async def is_told(what: str, caplog: pytest.LogCaptureFixture) -> bool:
    return what in caplog.text


async def test_a_database_that_does_not_answer_does_not_keep_a_process_from_stopping(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.projections.projector.BATCH_STOP_SECONDS", 0.1)
    async with writing(database) as process, projecting(process) as projector:
        await eventually(lambda: agrees_with_log(process))
        async with process.pool.acquire() as connection, connection.transaction():
            await connection.execute("lock table projection")
            projector.wake(None)
            await eventually(lambda: connection.fetchval("select exists (select from pg_locks where not granted)"))
            await projector.stop()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
async def test_another_process_takes_over_from_one_that_was_killed_or_hangs(database: str, end: signal.Signals) -> None:
    with ProjectingProcess(database) as worker:
        async with writing(database) as process, projecting(process):
            first = await open_table(process, "Ann")
            await eventually(lambda: is_listed(process, first))
            worker.send(end)
            second = await open_table(process, "Bob")
            await eventually(lambda: is_listed(process, second))
