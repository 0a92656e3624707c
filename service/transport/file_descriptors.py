"""How many connections the limit of open file descriptors leaves room for."""

from __future__ import annotations

import resource
from pathlib import Path

from service.transport.connections import RESERVED

SPARE = 16
"""Descriptors for what comes and goes: pipes to workers, files, name lookups, and connections about to be closed."""


def room(coming: int) -> int:
    """Connections that can be opened, when the process is about to open `coming` other descriptors; at least 1.

    The soft limit is raised to the hard one first, as every server with many connections has to.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = soft
    elif soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard == resource.RLIM_INFINITY:
        return 2**31
    # The listing itself is one of them.
    return max(1, hard - len(list(Path("/dev/fd").iterdir())) + 1 - coming - SPARE - RESERVED)
