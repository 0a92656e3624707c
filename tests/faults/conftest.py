"""Two processes on one database, for faults that are about races; after each test all that it made is looked at."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest

from tests.harness.postgres import PostgresServer, migrated_template
from tests.harness.processes import Processes, spoken_to, started
from tests.harness.server import Service


@pytest.fixture(scope="session")
def pair(postgres: PostgresServer) -> Generator[tuple[str, tuple[Service, ...]]]:
    """Give two running processes and the database that they share, used by many tests."""
    with migrated_template(postgres) as name, started(postgres.dsn(name), 2) as services:
        yield postgres.dsn(name), services


@pytest.fixture
async def processes(pair: tuple[str, tuple[Service, ...]]) -> AsyncGenerator[Processes]:
    """Give clients of the two processes; the test fails if what it leaves behind is not in order."""
    async with spoken_to(*pair) as made:
        yield made
        await made.require_order()
