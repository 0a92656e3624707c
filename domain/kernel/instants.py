"""Times as values: they are given from outside, compared and added to, and no clock is ever read here."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeAlias

Instant: TypeAlias = datetime
"""A time with its zone, to the microsecond."""


def after(instant: Instant, seconds: int) -> Instant:
    """The time that many seconds later."""
    return instant + timedelta(seconds=seconds)


def parse(text: str) -> Instant:
    """A time as it is hashed (`kernel/proof.py`); raises `ValueError`."""
    return datetime.fromisoformat(text)
