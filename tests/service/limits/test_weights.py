"""What a request counts for does not depend on how a client spells it."""

from __future__ import annotations

import pytest

from service.http.headers import accepted
from service.limits.weights import weight
from service.media_types import EVENT_STREAM, JSON, NDJSON

EVENTS = (JSON, NDJSON, EVENT_STREAM)


@pytest.mark.parametrize("query", [b"version=17", b"versi%6fn=17", b"reveal=true&%76ersion=17"])
def test_a_state_of_the_past_counts_as_that_however_its_parameter_is_written(query: bytes) -> None:
    assert weight("get_game", query, JSON) == weight("get_game", b"version=1", JSON) > weight("get_game", b"", JSON)


@pytest.mark.parametrize(
    "accept", ["application/x-ndjson", "Application/X-NDJSON", "application/json;q=0.1, application/x-ndjson"]
)
def test_a_stream_counts_by_what_is_answered_and_not_by_the_words_of_accept(accept: str) -> None:
    media = accepted(accept, EVENTS)
    assert media == NDJSON
    assert (
        weight("list_events", b"", media) > weight("list_events", b"", EVENT_STREAM) > weight("list_events", b"", JSON)
    )
