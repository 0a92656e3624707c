"""The same command on a machine with a wrong clock: its time of day is `SHIFT_SECONDS` off.

`SIGUSR1` sets it back to the right time while the process runs, as an operator or NTP does. Everything in Python that
asks for the time of day is concerned, from before the service is imported.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

SHIFT = "SHIFT_SECONDS"
"""The environment variable: seconds to be added, negative ones for a clock that is behind."""

_off = float(os.environ.get(SHIFT, "0"))
_now, _time, _time_ns = datetime.now, time.time, time.time_ns


def _right(_signal: int, _frame: object) -> None:
    global _off  # noqa: PLW0603 - the time of day is one for the process
    _off = 0.0


def shift() -> None:
    """Make every clock of this process that tells the time of day wrong."""

    def now(_cls: type[datetime], tz: tzinfo | None = None) -> datetime:
        return _now(tz) + timedelta(seconds=_off)

    # Modules take `datetime` itself by name, and msgspec knows it by its address: so it is changed in place.
    members: dict[str, Any] = gc.get_referents(datetime.__dict__)[0]
    members["now"] = classmethod(now)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))
    time.time = lambda: _time() + _off
    time.time_ns = lambda: _time_ns() + int(_off * 1e9)
    if abs(datetime.now(UTC).timestamp() - _time() - _off) > 1 or abs(time.time() - _time() - _off) > 1:
        raise RuntimeError("the clock of this process cannot be shifted")


if __name__ == "__main__":
    shift()
    signal.signal(signal.SIGUSR1, _right)
    from tests.harness import serve

    sys.exit(serve.run())
