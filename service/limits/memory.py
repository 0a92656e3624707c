"""Sliding windows in the memory of the process: a storage of the `limits` package.

The package's own memory storage starts a thread for each 10 ms in which it is used, which goes through all keys: 24 us
a hit on the machine of the benches, and the event loop waits for the thread. This one needs neither thread nor lock,
since only the event loop uses it, keeps at most `most` keys (the least recently used goes first), and takes a few
expired ones away with each new key.
"""

from __future__ import annotations

import time
from collections import OrderedDict

from limits.storage.base import SlidingWindowCounterSupport, Storage

KEYS = 100_000
"""Keys of one window: more than the /64 networks of a /48."""

_SWEPT = 2_000


class Counts:
    """What was taken in a window and in the one before it. Windows are numbered on the monotonic clock."""

    __slots__ = ("current", "expiry", "previous", "window")

    def __init__(self, window: int, expiry: int) -> None:
        self.window = window
        self.expiry = expiry
        self.previous = 0
        self.current = 0

    def roll(self, window: int) -> None:
        """Go on to a later window; it never goes back."""
        if window > self.window:
            self.previous = self.current if window == self.window + 1 else 0
            self.current = 0
            self.window = window


class Memory(SlidingWindowCounterSupport, Storage):
    """The counts of one limit, by key."""

    STORAGE_SCHEME = None

    def __init__(self, most: int = KEYS) -> None:
        super().__init__()
        self._most = most
        self._counts: OrderedDict[str, Counts] = OrderedDict()

    def __len__(self) -> int:
        return len(self._counts)

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing here fails."""
        return ValueError

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Take `amount`, unless that is more than is left."""
        now = time.monotonic()
        counts = self._at(key, expiry, now)
        left = limit - amount - counts.current
        if left < 0 or (counts.previous and int(counts.previous * (1 - now / expiry % 1)) > left):
            return False
        counts.current += amount
        return True

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """The previous count and for how long it still matters, then the same of the current one, in seconds."""
        now = time.monotonic()
        counts = self._counts.get(key)
        left = (1 - now / expiry % 1) * expiry
        if counts is None:
            return 0, 0.0, 0, left + expiry
        counts.roll(int(now // expiry))
        return counts.previous, left if counts.previous else 0.0, counts.current, left + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget a key."""
        del expiry
        self._counts.pop(key, None)

    def sweep(self) -> None:
        """Forget some of the keys that have expired: few enough for a millisecond."""
        self._forget(_SWEPT, time.monotonic())

    def _at(self, key: str, expiry: int, now: float) -> Counts:
        window = int(now // expiry)
        counts = self._counts.get(key)
        if counts is None:
            self._forget(2, now)
            if len(self._counts) >= self._most:
                self._counts.popitem(last=False)
            counts = self._counts[key] = Counts(window, expiry)
            return counts
        self._counts.move_to_end(key)
        if window != counts.window:
            counts.roll(window)
        return counts

    def _forget(self, most: int, now: float) -> None:
        """Forget up to `most` expired keys; those used least recently come first."""
        for _ in range(most):
            oldest = next(iter(self._counts.items()), None)
            if oldest is None or (oldest[1].window + 2) * oldest[1].expiry > now:
                return
            del self._counts[oldest[0]]

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count without a limit."""
        counts = self._at(key, expiry, time.monotonic())
        counts.current += amount
        return counts.current

    def get(self, key: str) -> int:
        """What was taken in the current window."""
        counts = self._counts.get(key)
        return 0 if counts is None else counts.current

    def get_expiry(self, key: str) -> float:
        """When the current window of a key ends, on the monotonic clock."""
        counts = self._counts.get(key)
        return time.monotonic() if counts is None else (counts.window + 1) * counts.expiry

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int | None:
        """Forget everything."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget a key."""
        self._counts.pop(key, None)
