"""Freed memory goes back to the system, in a process of its own: the setting is for good."""

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
