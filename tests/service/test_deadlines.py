"""Time limits that are looked at now and then: what ends, when, and as what."""

from __future__ import annotations

import asyncio

import pytest

from service.deadlines import Deadlines


async def test_what_takes_too_long_ends_with_a_timeout() -> None:
    with pytest.raises(TimeoutError), Deadlines().within(0.01):
        await asyncio.Event().wait()


async def test_a_limit_that_is_kept_leaves_nothing() -> None:
    deadlines = Deadlines()
    with deadlines.within(0.01):
        pass
    await asyncio.sleep(0.3)  # nothing is cancelled that came after it
    with deadlines.within(None):
        await asyncio.sleep(0.2)


async def test_a_limit_that_is_restarted_counts_from_then_on() -> None:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    deadline = Deadlines().within(0.01)

    async def work() -> None:
        with deadline:
            deadline.restart(0.5)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await work()
    assert loop.time() - begun >= 0.5


async def test_a_limit_ends_with_the_error_of_the_phase_that_took_too_long() -> None:
    with Deadlines().within(60) as deadline:
        assert 50 < deadline.restart(None, ConnectionError) <= 60
        await asyncio.sleep(0.2)
        deadline.restart(60, ConnectionError)

    async def work() -> None:
        with Deadlines().within(60) as deadline:
            deadline.restart(0.01, ConnectionError)
            await asyncio.Event().wait()

    with pytest.raises(ConnectionError):
        await work()


async def test_each_task_has_its_own_limit() -> None:
    deadlines = Deadlines()

    async def work(seconds: float | None) -> str:
        try:
            with deadlines.within(seconds):
                await asyncio.sleep(0.4)
        except TimeoutError:
            return "late"
        return "done"

    assert await asyncio.gather(work(0.01), work(60), work(None), work(0.02)) == ["late", "done", "done", "late"]


async def test_a_cancellation_from_outside_stays_one() -> None:
    async def work() -> None:
        with Deadlines().within(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_limit_within_a_limit_ends_the_inner_work_alone() -> None:
    deadlines = Deadlines()
    with deadlines.within(60):
        with pytest.raises(TimeoutError), deadlines.within(0.01):
            await asyncio.Event().wait()
        await asyncio.sleep(0)
