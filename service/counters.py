"""What a process counts: answers by operation and status, and when it began."""

from __future__ import annotations

import time
from collections import Counter

from domain.kernel.rejected import Rejected


class Counters:
    """Counts since the start of the process; kept in memory, published at /metrics."""

    def __init__(self) -> None:
        self.started_at = time.time()  # noqa: TID251 - what Prometheus means by it is the time of this machine
        self.answers: Counter[tuple[str, int]] = Counter()
        self.limited: Counter[str] = Counter()

    def answered(self, operation: str, status: int) -> None:
        """Count an answer to a request."""
        self.answers[operation, status] += 1

    def refused(self, error: Rejected) -> bool:
        """Count a refusal, if a limit is the reason; gives whether it is."""
        limit = error.facts.get("limit")
        if limit is not None:
            self.limited[str(limit)] += 1
        return error.code == "rate-limited"
