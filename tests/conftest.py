"""What every test may ask for by name: a server, a fresh database."""

from collections.abc import AsyncGenerator, Generator

import httpx
import pytest

from tests.harness.postgres import (
    OwnServer,
    PostgresServer,
    fresh_database,
    migrated_template,
    own_server,
    server_for_tests,
)
from tests.harness.server import Service, http_client, serving


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """Give the one server of the run."""
    with server_for_tests() as server:
        yield server


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> Generator[str]:
    """Give the name of the migrated database that the others are copied from."""
    with migrated_template(postgres) as name:
        yield name


@pytest.fixture
async def database(postgres: PostgresServer, template: str) -> AsyncGenerator[str]:
    """Give the address of a database of the test's own, migrated and empty."""
    async with fresh_database(postgres, template) as dsn:
        yield dsn


@pytest.fixture
async def other_database(postgres: PostgresServer, template: str) -> AsyncGenerator[str]:
    """Give the address of a second one."""
    async with fresh_database(postgres, template) as dsn:
        yield dsn


@pytest.fixture
async def empty_database(postgres: PostgresServer) -> AsyncGenerator[str]:
    """Give the address of a database of the test's own without anything in it."""
    async with fresh_database(postgres) as dsn:
        yield dsn


@pytest.fixture
def own_postgres() -> Generator[OwnServer]:
    """Give a server of the test's own, which it may stop and kill; costs a second."""
    with own_server() as server:
        yield server


@pytest.fixture
def service(database: str) -> Generator[Service]:
    """Give a running service of the test's own, on a database of its own."""
    with serving(database) as running:
        yield running


@pytest.fixture(scope="session")
def shared_service(postgres: PostgresServer) -> Generator[Service]:
    """Give a running service that many tests use at once, each with accounts and games of its own."""
    with migrated_template(postgres) as name, serving(postgres.dsn(name)) as running:
        yield running


@pytest.fixture
async def http(shared_service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    """Give a client of the shared service."""
    async with http_client(shared_service.url) as client:
        yield client
