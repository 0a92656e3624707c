"""The number of connections that the limit on open file descriptors has room for."""

from __future__ import annotations

import resource
from pathlib import Path

from service.transport.connections import RESERVED

SPARE = 16
"""Short-lived descriptors: pipes to workers, files, name lookups, and connections about to be closed."""


def room(coming: int) -> int:
    """Connections that can be opened besides `coming` other descriptors; at least 1. Raises the soft limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = soft
    elif soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard == resource.RLIM_INFINITY:
        return 2**31
    # The listing itself takes one.
    return max(1, hard - len(list(Path("/dev/fd").iterdir())) + 1 - coming - SPARE - RESERVED)
