"""How much of the event loop's time one peer may take by what it sends.

Parsing thousands of tiny frames costs the loop more than they cost their sender, and no number of bytes tells how much.
So the time itself is counted: a peer may use up a burst, and then a small share of all time.
"""

from __future__ import annotations

import time

SHARE = 0.02
"""The part of all time that one peer may take."""

BURST_SECONDS = 0.1


class Pace:
    """The time that one peer has taken."""

    __slots__ = ("_at", "_begun", "_spent")

    def __init__(self) -> None:
        self._spent = 0.0
        self._at = self._begun = time.perf_counter()

    def begin(self) -> None:
        """Begin to work for the peer."""
        self._begun = time.perf_counter()

    def rest(self) -> float:
        """End the work; gives the seconds to wait before more is done for this peer, mostly none."""
        now = time.perf_counter()
        self._spent = max(0.0, self._spent - SHARE * (now - self._at)) + now - self._begun
        self._at = now
        return max(0.0, self._spent - BURST_SECONDS) / SHARE
