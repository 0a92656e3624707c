"""Processes that share rate limits through a Redis, which may be killed and may hang."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from domain.kernel.rejected import Rejected
from service.limits.shared import REPORT_SECONDS, shared_counts
from service.limits.windows import Window
from tests.harness.processes import all_started
from tests.harness.redis_server import RedisServer
from tests.harness.server import Service, http_client

pytestmark = pytest.mark.redis

MOST = 300
"""The limit on requests of one address; two processes that share nothing let twice as many through."""

NEAR = range(MOST * 9 // 10, MOST * 3 // 2)
"""What two processes that share it may let through: a chunk may be lost in each, and reports take a moment."""

OUTAGE = "Redis does not answer"
END = "Redis answers again"


@asynccontextmanager
async def two_processes(
    database: str, redis: RedisServer
) -> AsyncGenerator[tuple[list[Service], list[httpx.AsyncClient]]]:
    """Two processes that share their limits, and a client of each."""
    environment = {
        "TABLELOG_REQUESTS_PER_ADDRESS": str(MOST),
        "TABLELOG_TRUSTED_PROXIES": "127.0.0.1",
        "TABLELOG_REDIS_URL": redis.url,
    }
    services = tuple(Service(database, environment) for _ in range(2))
    async with AsyncExitStack() as clients:
        with all_started(services):
            yield (
                [*services],
                [await clients.enter_async_context(http_client(service.url)) for service in services],
            )


async def ask(http: httpx.AsyncClient, address: str) -> int:
    """Send a request as a client address; gives the status."""
    return (await http.get("/v1/titles", headers={"X-Forwarded-For": address})).status_code


async def flood(https: list[httpx.AsyncClient], address: str) -> int:
    """Send requests to all processes in turn until each refuses one; gives how many were answered."""
    answered = 0
    open_ones = https
    while open_ones:
        statuses = [await ask(http, address) for http in open_ones]
        assert {*statuses} <= {200, 429}
        answered += statuses.count(200)
        open_ones = [http for http, status in zip(open_ones, statuses, strict=True) if status == 200]
    return answered


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.02)


async def use_until(http: httpx.AsyncClient, condition: Callable[[], bool]) -> None:
    """Send requests, each from an address of its own, which must all be served, until something is true."""
    async with asyncio.timeout(60):
        number = 0
        while not condition():
            number += 1
            assert await ask(http, f"198.18.{number >> 8}.{number & 255}") == 200


async def test_a_flood_over_two_processes_is_held_to_about_one_limit(database: str, redis: RedisServer) -> None:
    async with two_processes(database, redis) as (services, https):
        assert await flood(https, "192.0.2.1") in NEAR
        assert [await ask(http, "192.0.2.2") for http in https] == [200, 200]
        assert OUTAGE not in "".join(service.log for service in services)


async def test_while_redis_is_down_requests_are_served_and_afterwards_limits_are_shared_again(
    database: str, redis: RedisServer
) -> None:
    async with two_processes(database, redis) as (services, https):
        for outage in (1, 2):
            redis.kill()
            for service, http in zip(services, https, strict=True):
                await use_until(http, lambda service=service, outage=outage: service.log.count(OUTAGE) == outage)
            assert await flood(https, f"192.0.2.{outage}") >= 2 * MOST * 9 // 10, "each process limits on its own"
            redis.start()
            for service in services:
                await until(lambda service=service, outage=outage: service.log.count(END) == outage)
            assert await flood(https, f"203.0.113.{outage}") in NEAR
        for service in services:
            assert service.log.count(OUTAGE) == 2
            assert "Traceback" not in service.log


async def test_a_redis_that_hangs_delays_no_request_and_no_stop(database: str, redis: RedisServer) -> None:
    async with two_processes(database, redis) as (services, https):
        assert await ask(https[0], "192.0.2.1") == 200
        redis.hang()
        async with asyncio.timeout(20):
            for number in range(250):  # at 80 ms each, which is what a command may take, this would be the whole time
                assert await ask(https[0], f"198.51.100.{number}") == 200
        await use_until(https[0], lambda: OUTAGE in services[0].log)
        redis.go_on()
        await until(lambda: END in services[0].log)
        redis.hang()
        assert [service.interrupt() for service in services] == [0, 0]


async def test_a_process_starts_without_redis(database: str, redis: RedisServer) -> None:
    redis.kill()
    async with two_processes(database, redis) as (services, https):
        await use_until(https[0], lambda: OUTAGE in services[0].log)
        redis.start()
        await until(lambda: END in services[0].log)


async def test_what_one_process_used_up_is_used_up_for_the_other_which_then_says_when_to_come_back(
    redis: RedisServer,
) -> None:
    async with shared_counts(redis.url) as here, shared_counts(redis.url) as there:
        mine, other = Window("requests", 10, 2, here), Window("requests", 10, 2, there)
        for _ in range(10):
            mine.take("ada")
        await asyncio.sleep(REPORT_SECONDS)
        with pytest.raises(Rejected) as refused:
            await take_on(other, "ada")
        other.take("bob")
        wait = refused.value.facts["retry_after"]
        assert isinstance(wait, int)
        assert 1 <= wait <= 5
        async with asyncio.timeout(20):
            while True:
                try:
                    other.take("ada")
                    break
                except Rejected:
                    await asyncio.sleep(0.05)


async def take_on(window: Window, key: str) -> None:
    """Take one after another, with time to report each, until one is refused."""
    for _ in range(9):
        window.take(key)
        await asyncio.sleep(0.2)
    pytest.fail("nothing was refused before the process had used up its own limit")
