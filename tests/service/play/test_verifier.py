"""Records are checked in a process of its own: what kills it, what replaces it, and what it never outlives."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import psutil
import pytest

from domain.kernel.rejected import Rejected
from service.database.errors import Unavailable
from service.play import verifier
from service.play.record_check import Fit
from service.play.verifier import MOST_WAITING, Verifier
from tests.harness.costly import COSTLY, record
from tests.harness.lists import eventually

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
async def checking() -> AsyncGenerator[Verifier]:
    """Give a verifier with two seconds of CPU time for a record."""
    made = Verifier(COSTLY, seconds=2)
    yield made
    await made.close()


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def gone(pid: int) -> None:
    async def is_gone() -> bool:
        return not is_running(pid)

    await eventually(is_gone)


async def refusal(checking: Verifier, data: bytes) -> Rejected:
    with pytest.raises(Rejected) as caught:
        await checking.check(data)
    return caught.value


async def pid_of(checking: Verifier) -> int:
    async def has_begun() -> bool:
        return checking.pid is not None

    await eventually(has_begun)
    assert checking.pid is not None
    return checking.pid


async def test_a_record_is_checked_and_the_same_worker_checks_the_next_one(checking: Verifier) -> None:
    assert checking.pid is None, "it starts when it is needed"
    first = await checking.check(record("1"))
    pid = checking.pid
    assert isinstance(first, Fit)
    assert len(first.events.types) == len(first.events.hashes) == len(first.events.recorded_at)
    assert (await refusal(checking, record("1")[:-1])).code == "bad-record"
    assert (await checking.check(record("1", 2))).opening.game != first.opening.game
    assert checking.pid == pid


@pytest.mark.parametrize(
    "cost,code,named",
    [
        ("time", "record-too-costly", "2 s of CPU time"),
        ("memory", "bad-record", "MemoryError"),
        ("crash", "record-too-costly", "ends the process"),
    ],
)
async def test_what_costs_too_much_is_refused_and_the_next_record_is_checked(
    checking: Verifier, caplog: pytest.LogCaptureFixture, cost: str, code: str, named: str
) -> None:
    refused = await refusal(checking, record(cost))
    assert (refused.code, named in refused.detail) == (code, True), refused
    assert caplog.records, "the operator hears of it"
    assert isinstance(await checking.check(record("1")), Fit)


async def test_a_worker_that_is_killed_is_replaced_and_the_record_is_checked_all_the_same(checking: Verifier) -> None:
    asked = asyncio.create_task(checking.check(record("sleep")))
    pid = await pid_of(checking)
    os.kill(pid, signal.SIGKILL)
    assert isinstance(await asked, Fit)
    assert checking.pid != pid
    os.kill(checking.pid or 0, signal.SIGKILL)  # while it waits
    assert isinstance(await checking.check(record("1")), Fit)


async def test_a_worker_with_nothing_to_do_ends_and_the_next_record_has_another(
    checking: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "IDLE_SECONDS", 0.2)
    assert isinstance(await checking.check(record("1")), Fit)
    pid = await pid_of(checking)
    await gone(pid)
    assert isinstance(await checking.check(record("1")), Fit)
    assert checking.pid not in {None, pid}


async def test_beyond_a_short_queue_records_are_refused_at_once(checking: Verifier) -> None:
    data = record("1")
    waiting = [asyncio.create_task(checking.check(data)) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    begun = time.monotonic()
    assert (await refusal(checking, data)).code == "overloaded"
    assert time.monotonic() - begun < 0.5
    assert all(isinstance(each, Fit) for each in await asyncio.gather(*waiting))
    assert isinstance(await checking.check(data), Fit), "there is room again"


async def test_the_bytes_that_wait_are_bounded_too(checking: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    data = record("1")
    monkeypatch.setattr(verifier, "MOST_WAITING_BYTES", 2 * len(data))
    waiting = [asyncio.create_task(checking.check(data)) for _ in range(2)]
    await asyncio.sleep(0)
    assert (await refusal(checking, data)).code == "overloaded"
    await asyncio.gather(*waiting)


async def test_who_gives_up_leaves_no_answer_for_the_next_one(checking: Verifier) -> None:
    abandoned = asyncio.create_task(checking.check(record("sleep", 7)))
    await pid_of(checking)
    abandoned.cancel()
    fit = await checking.check(record("1", 8))
    assert fit.opening.component_set == "toy-1"
    assert abandoned.cancelled()


async def test_closing_ends_a_check_that_is_under_way() -> None:
    made = Verifier(COSTLY, seconds=20)
    asked = [asyncio.create_task(made.check(record("time"))) for _ in range(2)]
    pid = await pid_of(made)
    await made.close()
    for each in asked:
        with pytest.raises(Unavailable):
            await each
    await gone(pid)
    with pytest.raises(Unavailable):
        await made.check(record("1"))


async def test_the_loop_goes_on_while_a_record_is_handed_over_and_its_answer_is_read(checking: Verifier) -> None:
    """The promised limit is 50 ms for one callback, here with fourfold slack."""
    await checking.check(record("1"))
    asked = asyncio.create_task(checking.check(record("1") * 60))
    longest = 0.0
    while not asked.done():
        begun = time.monotonic()
        await asyncio.sleep(0)
        longest = max(longest, time.monotonic() - begun)
    with pytest.raises(Rejected):
        await asked
    assert longest < 0.2


_PARENT = """
import asyncio
from service.play.verifier import Verifier
from tests.harness.costly import COSTLY, record
from tests.harness.lists import eventually

async def main():
    made = Verifier(COSTLY, seconds=2)
    await made.check(record("1"))
    asked = asyncio.create_task(made.check(record("{cost}")))
    await asyncio.sleep(0.2)
    print(made.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("cost", ["1", "time"])
async def test_a_worker_ends_when_its_service_is_killed(cost: str) -> None:
    """While it waits at once, and in the middle of a check when its time is up."""
    program = [sys.executable, "-c", _PARENT.replace("{cost}", cost)]
    parent = await asyncio.create_subprocess_exec(*program, cwd=PROJECT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    assert is_running(pid)
    parent.kill()
    await parent.wait()
    await gone(pid)


async def test_a_worker_knows_nothing_of_the_database(checking: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    await checking.check(record("1"))
    environment = psutil.Process(checking.pid).environ()
    assert "DATABASE_URL" not in environment
    assert not {"asyncpg", "litestar", "uvicorn"} & imported_by_a_worker()


def imported_by_a_worker() -> set[str]:
    """The packages that a worker imports by itself."""
    program = "import sys, service.play.record_worker; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())
