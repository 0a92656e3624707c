"""Benchmarks run on a server as `make run` starts it, every commit on disk, and on the service's own loop."""

from __future__ import annotations

import os
import shutil
import tempfile
from asyncio import AbstractEventLoop
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest
import uvloop

from service.embedded_postgres.server import EmbeddedPostgres
from tests.harness.postgres import GivenServer, PostgresServer


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Run benchmarks on uvloop."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """Give the server that DATABASE_URL names, or an embedded one with its durable settings."""
    if url := os.environ.get("DATABASE_URL"):
        yield GivenServer(url)
        return
    top = Path(tempfile.mkdtemp(prefix="tablelog-bench-"))
    with EmbeddedPostgres(top / "postgres") as server:
        yield server
    shutil.rmtree(top)
