"""A limit on how many things one key holds open at once: connections, sockets, subscriptions. Of this process alone."""

from __future__ import annotations

from collections import Counter

from service.limits.windows import rate_limited

RETRY_SECONDS = 10
"""Nobody knows when something that is open will be closed."""


class Open:
    """What is open, by key."""

    def __init__(self, name: str, most: int) -> None:
        self.name = name
        self.most = most
        self._counts: Counter[str] = Counter()

    def __getitem__(self, key: str) -> int:
        return self._counts[key]

    def enter(self, key: str, count: int = 1, factor: int = 1) -> None:
        """Open `count` more; raises `rate-limited` where that is more than `factor` times the limit."""
        if self._counts[key] + count > self.most * factor:
            raise rate_limited(self.name, self.most * factor, RETRY_SECONDS)
        self._counts[key] += count

    def leave(self, key: str, count: int = 1) -> None:
        """Close `count` of them."""
        left = self._counts[key] - count
        if left > 0:
            self._counts[key] = left
        else:
            del self._counts[key]
