"""A Redis for the tests of limits that processes share."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.harness.redis_server import PROGRAM, RedisServer, is_installed, redis_running


def pytest_collection_finish(session: pytest.Session) -> None:
    """End the run at once, and not with an error for each test, where there is no redis-server."""
    if any(item.get_closest_marker("redis") for item in session.items) and not is_installed():
        message = f"there is no {PROGRAM} here; on Debian: apt-get install {PROGRAM}"
        raise pytest.UsageError(message)


@pytest.fixture
def redis() -> Generator[RedisServer]:
    """Give a running Redis of the test's own."""
    with redis_running() as server:
        yield server
