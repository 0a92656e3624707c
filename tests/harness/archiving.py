"""An archive with a worker of its own, which is ended afterwards."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.play.archive import Archive
from service.play.verifier import Verifier
from tests.harness.writing import Writing

SECONDS = 20
"""CPU time for a record: tests run on slow machines."""


@asynccontextmanager
async def archiving(one: Writing, *, foreign_sets: bool = False) -> AsyncGenerator[Archive]:
    """Take records in on the write path of a process."""
    verifier = Verifier(one.sets.titles, seconds=SECONDS)
    try:
        yield Archive(one.pool, one.sets, one.tables, verifier, foreign_sets=foreign_sets)
    finally:
        await verifier.close()
