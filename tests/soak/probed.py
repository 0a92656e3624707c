"""`python -m tests.soak.probed serve`: the command `tablelog`, measuring the CPU time of each callback of its loop.

uvloop runs its callbacks in C. What is scheduled is measured by a loop that wraps each callback, and what a socket
brings by the methods of the service's protocols; asyncpg's protocol, which is C as well, is left out. `PROBE` names the
file with the figures, as JSON, written about once a second.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import heapq
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import uvloop

from domain.catalogue import TITLES
from service.main import main
from service.transport.http_protocol import RequestProtocol
from service.transport.websocket_protocol import SocketProtocol
from tests.toy import TITLE

_KEPT = 10
_WRITE_SECONDS = 1.0
_STARTING = "_serve:"
"""What is done before the first request can come, and after the last."""

_longest: list[tuple[float, str]] = []
"""The callbacks that took the most CPU, in seconds: a heap, the shortest first."""


class _Probe:
    """Runs callbacks. Their time is that of the loop's thread: other processes do not count."""

    def __init__(self) -> None:
        self.callbacks = 0
        self._collecting = self._collected = 0.0
        self._fullest = 0.0, ""
        gc.callbacks.append(self._collection)

    def _collection(self, phase: str, info: Mapping[str, int]) -> None:
        """Measure what of a callback's time is the garbage collector's, which comes by when it likes."""
        if phase == "start":
            self._collecting = time.thread_time()
            return
        spent = time.thread_time() - self._collecting
        self._collected += spent
        if spent > self._fullest[0]:
            self._fullest = spent, f"generation {info['generation']}, {info['collected']:,} freed"

    def run(self, callback: Callable[..., Any], *args: Any) -> Any:
        what = _what(callback)
        self._collected, self._fullest = 0.0, (0.0, "")
        before = time.thread_time()
        try:
            return callback(*args)
        finally:
            spent = time.thread_time() - before
            self.callbacks += 1
            if self._collected > spent / 2:
                what += f" (garbage collection {1e3 * self._collected:.1f} ms, {self._fullest[1]})"
            if not what.startswith(_STARTING):
                _note(spent, what)

    def write(self, path: Path) -> None:
        found = {"callbacks": self.callbacks, "longest": sorted(_longest, reverse=True)}
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(found), encoding="utf-8")
        beside.replace(path)


def _note(spent: float, what: str) -> None:
    if len(_longest) < _KEPT:
        heapq.heappush(_longest, (spent, what))
    elif spent > _longest[0][0]:
        heapq.heapreplace(_longest, (spent, what))


def _what(callback: Callable[..., Any]) -> str:
    """The callback; of a task, where it goes on."""
    task = getattr(callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return getattr(callback, "__qualname__", type(callback).__name__)
    waiting: Any = cast("Any", task).get_coro()
    names: list[str] = []
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        names.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        waiting = waiting.cr_await
    return " > ".join(names)[-200:]


def _keep_writing(probe: _Probe, path: Path) -> None:
    while True:
        probe.write(path)
        time.sleep(_WRITE_SECONDS)


_probe = _Probe()


class _ProbedLoop(uvloop.Loop):
    """Tasks, futures and timers come through these methods."""

    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:
        return super().call_soon(_probe.run, callback, *args, context=context)

    def call_soon_threadsafe(self, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:
        return super().call_soon_threadsafe(_probe.run, callback, *args, context=context)

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:
        return super().call_later(delay, _probe.run, callback, *args, context=context)

    def call_at(self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None) -> Any:
        return super().call_at(when, _probe.run, callback, *args, context=context)


def _probed(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(*args: Any) -> Any:
        return _probe.run(method, *args)

    return run


def _install() -> None:
    for protocol in (RequestProtocol, SocketProtocol):
        for name in ("connection_made", "data_received", "eof_received", "connection_lost", "resume_writing"):
            setattr(protocol, name, _probed(getattr(protocol, name)))
    uvloop.new_event_loop = _ProbedLoop
    path = Path(os.environ["PROBE"])
    threading.Thread(target=_keep_writing, args=(_probe, path), daemon=True).start()


if __name__ == "__main__":
    _install()
    sys.exit(main(titles={**TITLES, "toy": TITLE}))
