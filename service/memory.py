"""Memory that comes back after a burst, and a garbage collector that does not stop the process.

glibc maps large blocks on their own and unmaps them when they are freed, but raises the size from which it does so with
each one that is freed, up to 32 MB. From then on such blocks lie on the heap among small ones, and keep it from ever
shrinking: after two minutes of uploads 100 MB of a process of 200 were free and still resident.
"""

from __future__ import annotations

import ctypes
import gc
import os

MAPPED_BYTES = 65_536
"""Blocks from this size on are mapped on their own."""

FULL_COLLECTIONS = 5_000
"""Middle collections between two full ones, where Python's default is ten, if enough objects were added."""

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


def make_collections_rare() -> None:
    """Exempt what is there from garbage collection, and make full collections rare.

    A full collection stops the process for 50 ms with some thousand connections, and finds nothing: requests and
    connections leave no cycles behind (tests/service/test_leftovers.py holds that). Young cycles, as exceptions make
    them, are found by the two smaller collections.
    """
    gc.unfreeze()  # of a node that was stopped, parts would stay
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, FULL_COLLECTIONS)
