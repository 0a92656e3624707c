"""Memory that comes back: what a burst of large bodies and answers took is given to the system again.

glibc maps large blocks on their own and unmaps them when they are freed, but raises the size from which it does so with
each one that is freed, up to 32 MB. From then on such blocks lie on the heap among small ones, and keep it from ever
shrinking: after two minutes of uploads 100 MB of a process of 200 were free and still resident.
"""

from __future__ import annotations

import ctypes
import os

MAPPED_BYTES = 65_536
"""Blocks from this size on are mapped on their own."""

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_VARIABLES = ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_")
"""By which an operator sets the same."""


def map_large_blocks() -> bool:
    """Fix the size from which blocks are mapped; False where the C library cannot, or the operator has set it."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc's own: musl and macOS give memory back by themselves
    if mallopt is None or any(each in os.environ for each in _VARIABLES):
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, MAPPED_BYTES)) and bool(mallopt(_M_TRIM_THRESHOLD, 2 * MAPPED_BYTES))
