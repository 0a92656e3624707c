"""What a request counts for: 1, or more where it may cost as much as many others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from service.media_types import EVENT_STREAM, NDJSON

EXEMPT = frozenset({"get_health", "get_readiness", "get_metrics"})
"""Operations that are never limited."""

CATCH_UP = 10
"""A frame that goes on from a place in a feed. What it leads to is counted as it is delivered (`delivery.py`)."""

RESUME = 5
"""A frame, or a stream, that goes on from a version of a game; counted on in the same way."""

HEAVY = 20
"""From this weight on a read is done in turns with others of its kind."""

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

_STREAMS: Mapping[str, int] = MappingProxyType({NDJSON: 10, EVENT_STREAM: RESUME})
"""Events by the media type that they are streamed as."""


def weight(operation: str, query: bytes, accepted: str) -> int:
    """How many requests one request counts for.

    `query` is as it was sent, where a name can be written in many ways; `accepted` is the media type of the answer.
    """
    if operation == "get_game":
        return _PAST if query else 1
    if operation == "list_events" and accepted in _STREAMS:
        return _STREAMS[accepted]
    return _HEAVY.get(operation, 1)
