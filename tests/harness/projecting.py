"""Projectors at work: in this process, and in processes of their own, to be killed or made to hang."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Self

from service.projections import projector
from service.projections.projector import Projector
from tests.harness.at_work import at_work
from tests.harness.lists import eventually
from tests.harness.writing import Writing, writing

PROJECT = Path(__file__).resolve().parents[2]


def projecting(process: Writing) -> AbstractAsyncContextManager[Projector]:
    """A projector that works in a process of this test."""
    return at_work(Projector(process.pool, process.tables))


class ProjectingProcess:
    """A process that does nothing but project; it has the work when this is made."""

    def __init__(self, dsn: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.harness.projecting", dsn],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "working\n"

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


async def _work(dsn: str) -> None:
    projector.SILENCE = "2s"  # so that the test of a process that hangs is over soon
    async with writing(dsn) as process, projecting(process):
        held = "select count(*) > 0 from pg_locks where locktype = 'advisory' and granted"
        await eventually(lambda: process.pool.fetchval(held))
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_work(sys.argv[1]))
    os._exit(0)
