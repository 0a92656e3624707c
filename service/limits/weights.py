"""The number of requests that a costly one counts as."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from service.media_types import EVENT_STREAM, NDJSON

EXEMPT = frozenset({"get_health", "get_readiness", "get_metrics"})
"""Operations that are never limited."""

CATCH_UP = 10
"""A frame that resumes a feed. The events themselves are counted as they are delivered (`delivery.py`)."""

RESUME = 5
"""A frame or stream that resumes a game, whose events are counted likewise."""

HEAVY = 20
"""Reads of this weight or more take turns."""

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
"""A past version, which is folded from the log."""

_STREAMS: Mapping[str, int] = MappingProxyType({NDJSON: 10, EVENT_STREAM: RESUME})
"""Events, by the media type of a stream of them."""


def weight(operation: str, query: bytes, accepted: str) -> int:
    """The number of requests that one counts as.

    `query` is raw, since a parameter's name can be written in many ways; `accepted` is the media type of the answer.
    """
    if operation == "get_game":
        return _PAST if query else 1
    if operation == "list_events" and accepted in _STREAMS:
        return _STREAMS[accepted]
    return _HEAVY.get(operation, 1)
