"""The words that every layer uses for places, numbers and readers."""

from __future__ import annotations

from typing import TypeAlias

Seat: TypeAlias = int
"""A place at the table, 0-based, clockwise."""

Version: TypeAlias = int
"""The number of an event in its game: 1, 2, 3 ... without a gap."""

Viewer: TypeAlias = int | None
"""Who looks: a seat, or None for the public."""

LARGEST_INTEGER = 2**53 - 1
"""The largest integer on the wire: what a client that has only doubles can still tell apart."""
