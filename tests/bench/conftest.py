"""Benchmarks run on a server as `make run` starts it, with every commit on disk, and not on the tests' careless one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from service.store.embedded import EmbeddedPostgres
from tests.harness.postgres import GivenServer, PostgresServer


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
