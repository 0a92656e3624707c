"""The way to the worker that checks records: one process, started when it is needed, and a short queue before it.

The worker is asyncio's own subprocess. Of the pools in libraries, `concurrent.futures` can neither end a task that
takes too long nor replace a single worker, and its workers outlive a service that is killed, since each holds both ends
of its pipe; `pebble` adds threads and pickled results. Here the answer stays bytes until it is decoded in one go, and a
worker whose pipe closes ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from service.database.errors import Unavailable
from service.play.record_check import Checked, Fit, Unfit
from service.play.record_worker import LENGTH_BYTES, TOO_COSTLY, Setup, answers, encode

MOST_WAITING = 16
"""Records that wait or are being checked. Each takes a second of CPU time at most."""
MOST_WAITING_BYTES = 32 * 1024 * 1024

CHECKS_PER_WORKER = 200
"""Records after which a new worker takes over, so that no memory that Python has not given back adds up."""

IDLE_SECONDS = 10.0
"""After which a worker that has nothing to check is ended: it takes a third as much memory as the service."""

PATIENCE = 20
"""How many times its CPU time a check may last, on a machine that has little time for it."""

_PART = 262_144
"""Bytes that are handed to the pipe at a time."""

_TOO_LONG = frozenset({-signal.SIGPROF, -signal.SIGXCPU})
_HANDED_ON = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "COVERAGE_PROCESS_START")
"""All that a worker gets of the environment: it has no use for the address of the database."""

_log = logging.getLogger("tablelog.records")


class Verifier:
    """Checks records in a worker, one at a time in the order in which they came."""

    def __init__(self, titles: Mapping[str, Title], most_events: int = 2_500, seconds: int = 1) -> None:
        # A mapping proxy, which titles have, cannot be pickled.
        plain = {
            name: replace(title, names=dict(title.names), earlier=dict(title.earlier)) for name, title in titles.items()
        }
        self._setup = encode(Setup(titles=pickle.dumps(plain), most_events=most_events, seconds=seconds))
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._bytes = 0
        self._worker: Process | None = None
        self._checks = 0
        self._closed = False
        self._idle: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the worker's process, if there is one."""
        return None if self._worker is None else self._worker.pid

    async def check(self, data: bytes) -> Fit:
        """Check a record; raises what it is refused with, `overloaded` at once where too many wait."""
        if self._closed:
            raise Unavailable
        if self._waiting >= MOST_WAITING or (self._waiting and self._bytes + len(data) > MOST_WAITING_BYTES):
            raise Rejected("overloaded", "too many records are waiting to be verified")
        self._waiting += 1
        self._bytes += len(data)
        try:
            async with self._turn:
                answer = answers.decode(await self._answer(data))
        finally:
            self._waiting -= 1
            self._bytes -= len(data)
            self._end_when_idle()
        return _fit(answer)

    async def close(self) -> None:
        """End the worker, in the middle of a check as well."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
        await self._end()

    def _end_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = None if self._closed else asyncio.create_task(self._end_idle(), name="idle record worker")

    async def _end_idle(self) -> None:
        await asyncio.sleep(IDLE_SECONDS)
        async with self._turn:  # the next caller waits, and gets a new one
            await asyncio.shield(self._end())

    async def _answer(self, data: bytes) -> bytes:
        """The worker's answer. A worker that dies for no reason of its own is replaced once."""
        for _ in range(2):
            if self._closed:
                raise Unavailable
            worker = await self._ready()
            try:
                async with asyncio.timeout(self._seconds * PATIENCE):
                    return await _exchanged(worker, data)
            except TimeoutError:
                _log.warning("a record of %d bytes was not verified in time: this machine is too busy", len(data))
                await self._end()
                raise Unavailable from None
            except (asyncio.IncompleteReadError, ConnectionError):
                code = await worker.wait()
                await self._end()
                _log.warning("the worker ended with %d while it verified a record of %d bytes", code, len(data))
                if code in _TOO_LONG:
                    detail = f"its verification takes more than {self._seconds} s of CPU time"
                    raise Rejected(TOO_COSTLY, detail) from None
            except BaseException:  # the request is over, and the answer would be taken for that of the next one
                await self._end()
                raise
        if self._closed:
            raise Unavailable
        raise Rejected(TOO_COSTLY, "its verification ends the process that verifies it")

    async def _ready(self) -> Process:
        """The worker, a new one where there is none."""
        if self._worker is not None and (self._worker.returncode is not None or self._checks >= CHECKS_PER_WORKER):
            await self._end()
        if self._worker is None:
            self._checks = 0
            self._worker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "service.play.record_worker"),
                stdin=PIPE,
                stdout=PIPE,
                env=_environment(),
                limit=4 * _PART,
                start_new_session=True,  # Ctrl-C is for the service, which ends its worker itself
            )
            await _send(self._worker, self._setup)
        self._checks += 1
        return self._worker

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        if worker.stdin is not None:
            worker.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()


async def _exchanged(worker: Process, data: bytes) -> bytes:
    await _send(worker, data)
    assert worker.stdout is not None  # noqa: S101 - it is a pipe
    size = int.from_bytes(await worker.stdout.readexactly(LENGTH_BYTES), "big")
    return await worker.stdout.readexactly(size)


async def _send(worker: Process, data: bytes) -> None:
    """Send a frame, in parts, so that no callback of the loop copies all of it."""
    assert worker.stdin is not None  # noqa: S101 - it is a pipe
    worker.stdin.write(len(data).to_bytes(LENGTH_BYTES, "big"))
    view = memoryview(data)
    for start in range(0, len(data), _PART):
        worker.stdin.write(view[start : start + _PART])
        await worker.stdin.drain()


def _fit(answer: Checked) -> Fit:
    if isinstance(answer, Unfit):
        if answer.code == TOO_COSTLY or MemoryError.__name__ in answer.detail:
            _log.warning("a record was refused: %s", answer.detail)
        raise Rejected(answer.code, answer.detail, **answer.facts)
    return answer


def _environment() -> dict[str, str]:
    """The environment of a worker, which finds the same modules."""
    found = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    return found | {"PYTHONPATH": os.pathsep.join(str(Path(each).absolute()) for each in sys.path)}
