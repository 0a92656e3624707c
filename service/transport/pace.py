"""Bounds the event loop's time that one peer's data may take: a burst, and then a small share.

Parsing thousands of tiny frames costs the loop more than their sender, and their number of bytes does not show it.
"""

from __future__ import annotations

import time

SHARE = 0.02
"""The share of time that one peer may take."""

BURST_SECONDS = 0.1


class Pace:
    """The time that one peer has taken recently."""

    __slots__ = ("_at", "_begun", "_spent")

    def __init__(self) -> None:
        self._spent = 0.0
        self._at = self._begun = time.perf_counter()

    def begin(self) -> None:
        self._begun = time.perf_counter()

    def rest(self) -> float:
        """End the work; returns the seconds to wait before the peer's next turn, mostly 0."""
        now = time.perf_counter()
        self._spent = max(0.0, self._spent - SHARE * (now - self._at)) + now - self._begun
        self._at = now
        return max(0.0, self._spent - BURST_SECONDS) / SHARE
