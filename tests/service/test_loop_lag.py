"""A timeout is blamed on the database only if the event loop ran while it was waited for."""

from __future__ import annotations

import asyncio
import logging
import time
from http import HTTPStatus

import asyncpg
import pytest

from service import loop_lag
from service.loop_lag import held_up, measuring_lag, why_lost
from service.problems import refusal
from tests.harness.living import living

HELD_UP = "the event loop was held up for"
OUT_OF_REACH = "the database is out of reach: TimeoutError()"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> float:
    """Scale the bound down to a fraction of a second; gives for how long a test has to hold the loop up."""
    monkeypatch.setattr(loop_lag, "HELD_UP_SECONDS", 0.3)
    return 0.5


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]


async def refused(connection: asyncpg.Connection[asyncpg.Record], statement: str) -> int:
    """Wait for an answer of the database as a request does; gives the status of the refusal when it takes too long."""
    with pytest.raises(TimeoutError) as waited:
        async with asyncio.timeout(0.4):
            await connection.execute(statement)
    return refusal(waited.value).status


async def test_an_answer_that_lay_unread_while_the_loop_was_busy_is_not_blamed_on_the_database(
    database: str, impatient: float, caplog: pytest.LogCaptureFixture
) -> None:
    connection = await asyncpg.connect(database)
    with measuring_lag():
        asking = asyncio.create_task(refused(connection, "select pg_sleep(0.01)"))
        await asyncio.sleep(0)
        time.sleep(impatient)  # noqa: ASYNC251 - what this is about
        assert await asking == HTTPStatus.SERVICE_UNAVAILABLE
    await connection.close()
    (told,) = warnings(caplog)
    assert told.startswith(HELD_UP)


async def test_a_database_that_does_not_answer_is_called_that_while_the_loop_runs(
    database: str, impatient: float, caplog: pytest.LogCaptureFixture
) -> None:
    del impatient
    connection = await asyncpg.connect(database)
    with measuring_lag():
        assert await refused(connection, "select pg_sleep(60)") == HTTPStatus.SERVICE_UNAVAILABLE
    await connection.close()
    assert warnings(caplog) == [OUT_OF_REACH]


async def test_what_held_the_loop_up_long_ago_excuses_nothing(
    impatient: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_lag, "WINDOW_SECONDS", 1.0)
    with measuring_lag() as lag:
        time.sleep(impatient)  # noqa: ASYNC251 - as above
        assert why_lost(TimeoutError()).startswith(HELD_UP)
        while lag.seconds > 0.1:  # noqa: ASYNC110 - time passes, and nothing tells of that
            await asyncio.sleep(0.05)
        assert why_lost(TimeoutError()) == OUT_OF_REACH


async def test_many_short_delays_count_together(impatient: float) -> None:
    with measuring_lag():
        for _ in range(5):
            time.sleep(impatient / 2)  # noqa: ASYNC251 - as above
            await asyncio.sleep(0)
        assert why_lost(TimeoutError()).startswith(HELD_UP)


async def test_an_error_that_comes_from_the_network_is_called_what_it_is_however_busy_the_loop(
    impatient: float,
) -> None:
    with measuring_lag():
        time.sleep(impatient)  # noqa: ASYNC251 - as above
        for error in (ConnectionRefusedError(111, "refused"), TimeoutError(110, "timed out")):
            assert why_lost(error).startswith("the database is out of reach")


async def test_a_process_measures_its_own_loop(database: str, impatient: float) -> None:
    async with living(database):
        assert held_up() is None
        time.sleep(impatient)  # noqa: ASYNC251 - as above
        assert str(held_up()).startswith(HELD_UP)
    assert held_up() is None
