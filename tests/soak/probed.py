"""`python -m tests.soak.probed serve`: the command `tablelog`, measuring the CPU time of each callback of its loop.

uvloop runs its callbacks in C, where nothing can be measured, so the service runs on asyncio's own loop here: slower,
and otherwise the same. `PROBE` names the file that says what was found, as JSON, about once a second.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import uvloop

from domain.catalogue import TITLES
from service.main import main
from tests.toy import TITLE

_KEPT = 10
_WRITE_SECONDS = 1.0
_STARTING = "_serve:"
"""What is done before the first request can come, and after the last."""

_longest: list[tuple[float, str]] = []
"""The callbacks that took the most CPU, in seconds: a heap, the shortest first."""


class _Probe:
    """Stands in for `Handle._run`. Its time is that of the loop's thread: other processes do not count."""

    def __init__(self) -> None:
        self._run = asyncio.Handle._run  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        self.callbacks = 0
        self._collecting = self._collected = 0.0
        gc.callbacks.append(self._collection)

    def _collection(self, phase: str, _info: Mapping[str, int]) -> None:
        """Measure what of a callback's time is the garbage collector's, which comes by when it likes."""
        if phase == "start":
            self._collecting = time.thread_time()
        else:
            self._collected += time.thread_time() - self._collecting

    def run(self, handle: asyncio.Handle) -> None:
        what = _what(handle)
        self._collected = 0.0
        before = time.thread_time()
        self._run(handle)
        spent = time.thread_time() - before
        self.callbacks += 1
        if self._collected > spent / 2:
            what += f" (garbage collection {1e3 * self._collected:.1f} ms)"
        if what.startswith(_STARTING):
            return
        if len(_longest) < _KEPT:
            heapq.heappush(_longest, (spent, what))
        elif spent > _longest[0][0]:
            heapq.heapreplace(_longest, (spent, what))

    def write(self, path: Path) -> None:
        found = {"callbacks": self.callbacks, "longest": sorted(_longest, reverse=True)}
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(found), encoding="utf-8")
        beside.replace(path)


def _what(handle: asyncio.Handle) -> str:
    """The callback; of a task, where it goes on."""
    callback: Any = handle._callback  # noqa: SLF001 # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue]
    task = getattr(callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return getattr(callback, "__qualname__", type(callback).__name__)
    waiting: Any = task.get_coro()
    names: list[str] = []
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        names.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = waiting.cr_await
    return " > ".join(names)[-200:]


def _keep_writing(probe: _Probe, path: Path) -> None:
    while True:
        probe.write(path)
        time.sleep(_WRITE_SECONDS)


def _install() -> None:
    probe = _Probe()

    def run(self: asyncio.Handle) -> None:
        probe.run(self)

    asyncio.Handle._run = run  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    uvloop.new_event_loop = asyncio.SelectorEventLoop  # type: ignore[assignment]
    path = Path(os.environ["PROBE"])
    threading.Thread(target=_keep_writing, args=(probe, path), daemon=True).start()


if __name__ == "__main__":
    _install()
    sys.exit(main(titles={**TITLES, "toy": TITLE}))
