"""What a process counts: answers by operation and status, and when it began."""

from __future__ import annotations

import time
from collections import Counter


class Counters:
    """Counts since the start of the process; kept in memory, told at /metrics."""

    def __init__(self) -> None:
        self.started_at = time.time()  # noqa: TID251 - what Prometheus means by it is the time of this machine
        self.answers: Counter[tuple[str, int]] = Counter()

    def answered(self, operation: str, status: int) -> None:
        """Count an answer to a request."""
        self.answers[operation, status] += 1
