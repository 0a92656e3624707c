"""How one migration is run while others play.

Most are one transaction. What it locks keeps everybody else waiting for as long as it waits itself, so it gives up soon
and tries again later.

A file whose first line is `-- steps` is run statement by statement, each one introduced by a line `-- step`: for what
cannot be in a transaction (`create index concurrently`) and for updates that commit batch by batch. It is noted when
all steps are done, and a process that is killed before that begins with the first one again: each must do nothing, or
only what is left, where it has been run.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time

import asyncpg

from service.database.connect import UnfitDatabase
from service.database.types import Connection

LOCK_TIMEOUT = "250ms"
"""How long a transaction waits for a lock, and keeps those waiting who come after it."""

RETRY_SECONDS = 0.5
TRIES = 600
"""Five minutes and more: as long as a transaction of somebody else may keep a migration from beginning."""

_HEADER = "-- steps\n"
_STEP = re.compile(r"^-- step$", re.MULTILINE)
_INDEX = re.compile(r"^create (?:unique )?index concurrently (\w+)", re.MULTILINE)
_VALID = "select indisvalid from pg_index where indexrelid = to_regclass($1)"

WORTH_A_LINE_SECONDS = 2.0
"""Shorter steps are not logged: those of an empty database, at its first start, concern nobody."""

_log = logging.getLogger(__name__)


def steps_of(text: str) -> list[str] | None:
    """The statements of a migration in steps; None of one that is a transaction."""
    return [step.strip() for step in _STEP.split(text)[1:]] if text.startswith(_HEADER) else None


async def run_transaction(connection: Connection, name: str, text: str, note: tuple[str, str, str]) -> None:
    """Run a migration and the statement that notes it; raises `UnfitDatabase` where locks are never to be had."""
    for _ in range(TRIES):
        try:
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'")
                await connection.execute(text)
                await connection.execute(*note)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            _log.info("migration %s waits for other transactions", name)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
    message = f"migration {name} found its tables locked for minutes: end the transactions that are open, and try again"
    raise UnfitDatabase(message)


async def run_steps(connection: Connection, name: str, steps: list[str]) -> None:
    """Run the statements of a migration; they wait for transactions of others, and nobody waits for them."""
    for number, step in enumerate(steps, 1):
        begun = time.monotonic()
        while True:
            try:
                await _run_step(connection, step)
                break
            except asyncpg.DeadlockDetectedError:
                await asyncio.sleep(RETRY_SECONDS)
        if (seconds := time.monotonic() - begun) > WORTH_A_LINE_SECONDS:
            _log.info("migration %s: step %s of %s took %.0f s", name, number, len(steps), seconds)


async def _run_step(connection: Connection, step: str) -> None:
    if built := _INDEX.search(step):
        valid: bool | None = await connection.fetchval(_VALID, built[1])
        if valid:
            return
        if valid is not None:  # building it was broken off
            await connection.execute(f"drop index concurrently {built[1]}")
    await connection.execute(step)
