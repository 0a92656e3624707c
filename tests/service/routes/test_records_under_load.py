"""Records as large as they may be: others are answered while they are verified, and a process that stops ends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator

import httpx
import psutil
import pytest

from tests.harness.bringing import ENTRY, MOST_EVENTS, post, record_of
from tests.harness.lists import eventually
from tests.harness.recording import Recorded, recorded
from tests.harness.server import Service, account, expect, http_client, serving


def longest(number: int = 23) -> Recorded:
    """A game of the toy with as many events as there may be: a seat is taken and left again and again."""
    return recorded(ENTRY.title, ENTRY.text, 2, number, sittings=(MOST_EVENTS - 100) // 2)


@pytest.fixture
async def patient(database: str) -> AsyncGenerator[httpx.AsyncClient]:
    """Give a client of a service that gives records more time, for slow machines."""
    with serving(database, {"TABLELOG_RECORD_SECONDS": "20"}) as service:
        async with http_client(service.url) as http:
            yield http


async def test_others_are_answered_while_large_records_are_verified(patient: httpx.AsyncClient) -> None:
    bringer = await account(patient)
    one = longest()
    assert MOST_EVENTS - 100 < len(one.log) <= MOST_EVENTS
    work = asyncio.gather(*(post(bringer, each.record) for each in (one, *(longest(100 + n) for n in range(9)))))
    slowest, answered = 0.0, 0
    while not work.done():
        begun = time.monotonic()
        expect(await bringer.get("/v1/accounts/me"), 200)
        slowest, answered = max(slowest, time.monotonic() - begun), answered + 1
    answers = await work
    assert [answer.status_code for answer in answers] == [201] * 10
    assert answered > 10
    assert slowest < 1.0, "a request takes some milliseconds, also beside ten records"
    assert await record_of(bringer, one.game_id) == one.record


async def test_a_process_stops_in_time_in_the_middle_of_a_verification_and_leaves_no_worker_behind(
    database: str,
) -> None:
    with serving(database, {"TABLELOG_RECORD_SECONDS": "20"}) as service:
        async with http_client(service.url) as http:
            bringer = await account(http)
            data = [longest(200 + number).record for number in range(3)]
            work = [asyncio.create_task(post(bringer, each)) for each in data]

            async def has_worker() -> bool:
                return bool(worker_of(service))

            await eventually(has_worker)
            workers = worker_of(service)
            assert await asyncio.to_thread(service.interrupt) == 0
            for answer in await asyncio.gather(*work, return_exceptions=True):
                assert isinstance(answer, httpx.TransportError | httpx.Response)
                assert isinstance(answer, httpx.TransportError) or answer.status_code in {201, 503}
            assert not [each for each in workers if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
            assert "Traceback" not in service.log


def worker_of(service: Service) -> list[psutil.Process]:
    """The processes that a service has started."""
    return psutil.Process(service.pid).children()
