"""Sliding window counters in the memory of the process.

The `limits` package has a storage in memory that starts a thread for each 10 ms in which it is used, which goes through
all keys: 24 us a hit, and the event loop waits for the thread. Only the event loop uses this one, so it needs neither
thread nor lock. It keeps at most `most` keys (the least recently used goes first), and frees a few expired ones with
each new key.
"""

from __future__ import annotations

import time
from collections import OrderedDict

KEYS = 100_000
"""Keys of one window: more than the /64 networks of a /48."""

_SWEPT = 2_000


class _Counts:
    """Amounts in a window and in the one before it. Windows are numbered on the monotonic clock."""

    __slots__ = ("current", "previous", "window")

    def __init__(self, window: int) -> None:
        self.window = window
        self.previous = 0
        self.current = 0

    def roll(self, window: int) -> None:
        """Go on to a later window; it never goes back."""
        if window > self.window:
            self.previous = self.current if window == self.window + 1 else 0
            self.current = 0
            self.window = window


class Memory:
    """The counts of one limit of `amount` in `seconds`, by key."""

    def __init__(self, amount: int, seconds: int, most: int = KEYS) -> None:
        self._amount = amount
        self._seconds = seconds
        self._most = most
        self._counts: OrderedDict[str, _Counts] = OrderedDict()

    def __len__(self) -> int:
        return len(self._counts)

    def acquire(self, key: str, cost: int) -> bool:
        """Count `cost`, unless that is more than is left."""
        now = time.monotonic()
        counts = self._at(key, now)
        left = self._amount - cost - counts.current
        if left < 0 or (counts.previous and int(counts.previous * (1 - now / self._seconds % 1)) > left):
            return False
        counts.current += cost
        return True

    def window(self, key: str) -> tuple[int, float, int, float]:
        """The previous count and for how long it still matters, then the same of the current one, in seconds."""
        now = time.monotonic()
        counts = self._counts.get(key)
        left = (1 - now / self._seconds % 1) * self._seconds
        if counts is None:
            return 0, 0.0, 0, left + self._seconds
        counts.roll(int(now // self._seconds))
        return counts.previous, left if counts.previous else 0.0, counts.current, left + self._seconds

    def sweep(self) -> None:
        """Free some of the keys that have expired: few enough for a millisecond."""
        self._free(_SWEPT, time.monotonic())

    def _at(self, key: str, now: float) -> _Counts:
        window = int(now // self._seconds)
        counts = self._counts.get(key)
        if counts is None:
            self._free(2, now)
            if len(self._counts) >= self._most:
                self._counts.popitem(last=False)
            counts = self._counts[key] = _Counts(window)
            return counts
        self._counts.move_to_end(key)
        if window != counts.window:
            counts.roll(window)
        return counts

    def _free(self, most: int, now: float) -> None:
        """Free up to `most` expired keys; those used least recently come first."""
        for _ in range(most):
            oldest = next(iter(self._counts.items()), None)
            if oldest is None or (oldest[1].window + 2) * self._seconds > now:
                return
            del self._counts[oldest[0]]
