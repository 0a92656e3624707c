"""The background loop of those who read the log: pauses, wake-ups, failures and its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from service.log import log_reader
from service.log.log_reader import AT_ONCE, UNTIL_WOKEN, LogReader, Pause
from tests.harness.at_work import at_work

_log = logging.getLogger(__name__)


class Reads:
    """Counts reads, and answers each with the next of `outcomes`; the last one repeats."""

    def __init__(self, *outcomes: Pause | Exception) -> None:
        self._outcomes = list(outcomes)
        self._changed = asyncio.Condition()
        self.count = 0

    async def __call__(self) -> Pause:
        async with self._changed:
            self.count += 1
            self._changed.notify_all()
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def reach(self, count: int) -> None:
        async with asyncio.timeout(5), self._changed:
            await self._changed.wait_for(lambda: self.count >= count)


def reading(reads: Reads) -> AbstractAsyncContextManager[LogReader]:
    return at_work(LogReader("test", _log, reads))


@pytest.fixture(autouse=True)
def retry_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "RETRY_SECONDS", 0.01)


async def test_reads_go_on_at_once_until_a_read_asks_for_a_pause() -> None:
    reads = Reads(AT_ONCE, AT_ONCE, UNTIL_WOKEN)
    async with reading(reads):
        await reads.reach(3)
    assert reads.count == 3


async def test_a_wake_up_ends_a_pause() -> None:
    reads = Reads(UNTIL_WOKEN)
    async with reading(reads) as reader:
        for count in range(1, 4):
            await reads.reach(count)
            reader.wake()
        await reads.reach(4)


async def test_a_wake_up_during_a_read_leads_to_another_read() -> None:
    woken: list[Callable[[], None]] = []

    class Waking(Reads):
        async def __call__(self) -> Pause:
            pause = await super().__call__()
            if self.count == 1:
                woken[0]()
            return pause

    reads = Waking(UNTIL_WOKEN)
    reader = LogReader("test", _log, reads)
    woken.append(reader.wake)
    await reader.start()
    await reads.reach(2)
    await reader.stop()


async def test_a_lost_wake_up_is_made_up_for_by_the_poll() -> None:
    reads = Reads(Pause(poll=0.01))
    async with reading(reads):
        await reads.reach(3)


async def test_no_wake_up_cuts_a_rest_short_but_stopping_does() -> None:
    reads = Reads(Pause(rest=1_000))
    async with reading(reads) as reader:
        await reads.reach(1)
        reader.wake()
        async with asyncio.timeout(1):
            await reader.stop()
    assert reads.count == 1


async def test_an_unreachable_database_is_logged_once_per_outage(caplog: pytest.LogCaptureFixture) -> None:
    gone = OSError("gone")
    reads = Reads(gone, gone, gone, AT_ONCE, gone, gone, UNTIL_WOKEN)
    async with reading(reads):
        await reads.reach(7)
    assert [each.levelname for each in caplog.records] == ["WARNING", "WARNING"]
    assert "test: waiting for the database: " in caplog.text


async def test_any_other_failure_is_logged_each_time_and_reading_resumes(caplog: pytest.LogCaptureFixture) -> None:
    reads = Reads(ValueError("odd"), ValueError("odd"), UNTIL_WOKEN)
    async with reading(reads):
        await reads.reach(3)
    assert [each.levelname for each in caplog.records] == ["ERROR", "ERROR"]


async def test_stopping_waits_for_a_read_in_progress_but_not_longer_than_it_may() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()
    finish = asyncio.Event()

    async def read() -> Pause:
        begun.set()
        try:
            await finish.wait()
        finally:
            ended.set()
        return UNTIL_WOKEN

    reader = LogReader("test", _log, read)
    await reader.start()
    await begun.wait()
    finish.set()
    await reader.stop(1_000)
    assert ended.is_set()

    begun.clear()
    ended.clear()
    finish.clear()
    await reader.start()
    await begun.wait()
    await reader.stop(0.01)
    assert ended.is_set()
