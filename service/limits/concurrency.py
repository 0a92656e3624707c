"""A limit on how much one key holds open at once: connections, sockets. Each process counts its own."""

from __future__ import annotations

from collections import Counter

from service.limits.windows import rate_limited

RETRY_SECONDS = 10
"""A guess: when something that is open will be closed is not known."""


class Open:
    """The number of open things by key."""

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most
        self._counts: Counter[str] = Counter()

    def enter(self, key: str) -> None:
        """Count one more; raises `rate-limited`."""
        if self._counts[key] >= self._most:
            raise rate_limited(self._name, self._most, RETRY_SECONDS)
        self._counts[key] += 1

    def leave(self, key: str) -> None:
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]
