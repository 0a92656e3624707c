"""What a request counts for: 1, or more where it may cost as much as many others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXEMPT = frozenset({"get_health", "get_readiness", "get_metrics"})
"""Operations that are never limited."""

CATCH_UP = 10
"""A frame that goes on from a place in a feed, or from a version of a game."""

RESUME = 5

_HEAVY: Mapping[str, int] = MappingProxyType({
    "create_game": 5,
    "fork_game": 20,
    "get_timeline": 20,
    "get_record": 25,
    "take_record": 50,
    "list_games": 3,
    "list_events": 3,
})  # fmt: skip

_PAST = 20
"""A state of the past, which is folded from the log."""

_LINES = 10
"""A stream of all there is."""


def weight(operation: str, query: bytes, accept: str | None) -> int:
    """How many requests one request counts for."""
    if operation == "get_game":
        return _PAST if b"version" in query else 1
    if operation == "list_events" and accept is not None and "json" not in accept.partition("x-nd")[0]:
        return _LINES if "x-ndjson" in accept else RESUME
    return _HEAVY.get(operation, 1)
