"""Settings of memory and of garbage collection, each in a process of its own, since they cannot be taken back."""

from __future__ import annotations

import os
import subprocess
import sys

_BURST = """
import random, psutil
from service.memory import map_large_blocks
{call}
sizes = random.Random(1)
small, large = [], [bytes(20_000_000)]
large.clear()  # from now on glibc itself would map nothing below 20 MB on its own
for _ in range(300):
    large.append(bytearray(b"x") * sizes.randrange(100_000, 400_000))
    small.append(bytes(1_000))
before = psutil.Process().memory_info().rss
del large
print((before - psutil.Process().memory_info().rss) >> 20)
"""


def returned(call: str) -> int:
    """Megabytes that a process gives back of a burst of about 70."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    command = [sys.executable, "-c", _BURST.format(call=call)]
    return int(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def test_large_blocks_between_small_ones_are_given_back() -> None:
    assert returned("map_large_blocks()") > 50
    assert returned("") < 30  # or else there would be nothing to set


_COLLECTIONS = """
import gc
from service.memory import make_collections_rare
{call}
full = gc.get_stats()[2]["collections"]
kept = [[] for _ in range(1_000_000)]  # as connections come: many middle collections
print(gc.get_stats()[2]["collections"] - full)
class Cycle: pass
cycle = Cycle(); cycle.itself = cycle; del cycle
found = gc.get_stats()[1]["collected"] + gc.get_stats()[0]["collected"]
more = [[] for _ in range(20_000)]
print(gc.get_stats()[1]["collected"] + gc.get_stats()[0]["collected"] - found > 0)
"""


def collections(call: str) -> list[str]:
    """How many full collections a million new objects cause, and whether a young cycle is found."""
    command = [sys.executable, "-c", _COLLECTIONS.format(call=call)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def test_objects_that_grow_in_number_cause_no_full_collection_and_young_cycles_are_found() -> None:
    assert collections("make_collections_rare()") == ["0", "True"]
    assert int(collections("")[0]) > 3  # or else there would be nothing to set
