"""Headers: what is accepted, keys, entity tags, and what may stand once."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from service.http import headers
from service.live.encodings import position
from service.media_types import JSON, NDJSON


@pytest.mark.parametrize(
    "value,key",
    [('"abc"', "abc"), ('"a b"', "a b"), (r'"a\"b\\"', 'a"b\\'), ("abc-1", "abc-1"), (f'"{"x" * 255}"', "x" * 255)],
)
def test_a_key_is_quoted_or_bare(value: str, key: str) -> None:
    assert headers.idempotency_key(value) == key


@pytest.mark.parametrize(
    "value",
    [
        *("", '""', '"', '"a', 'a"', '"a"b"', "a b", "a,b", '"a";b=1', '"a", "b"', '"é"', "é", '"\x00"', '"a\\"'),
        *("x" * 256, f'"{"x" * 256}"', r'"\a"', '"\x7f"'),
    ],
)
def test_what_is_no_key_is_refused_by_the_header_s_name(value: str) -> None:
    with pytest.raises(Rejected) as caught:
        headers.idempotency_key(value)
    assert caught.value.code == "invalid-header"
    assert caught.value.facts["field"] == "Idempotency-Key"


@pytest.mark.parametrize(
    "accept,chosen",
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("application/json", JSON),
        ("APPLICATION/JSON", JSON),
        ("text/html, application/json;q=0.5", JSON),
        ("application/x-ndjson", NDJSON),
        ("application/json;q=0.5, application/x-ndjson", NDJSON),
        ("application/json;q=0, */*", NDJSON),
        ("application/json; charset=utf-8", JSON),
        ("text/html", None),
        ("application/json;q=0", None),
        ("application/jso", None),
        ("junk", None),
        ("*/*;q=0", None),
        (";;,,=", None),
    ],
)
def test_the_media_type_that_is_liked_best_is_served(accept: str | None, chosen: str | None) -> None:
    assert headers.accepted(accept, (JSON, NDJSON)) == chosen


@pytest.mark.parametrize(
    "header,weakly,strongly",
    [
        ('"5"', True, True),
        ('W/"5"', True, False),
        ("*", True, True),
        ('"4", "5"', True, True),
        ('"4",W/"5"', True, False),
        ('W/"5", "5"', True, True),
        ('"4"', False, False),
        ("5", False, False),
        ("", False, False),
        ('"5', False, False),
        ('w/"5"', False, False),
        ('"5" "5"', False, False),
        ('"5",junk', False, False),
        ('"5""', False, False),
        ('*, "5"', False, False),
        ("'5'", False, False),
        ('"5\x00"', False, False),
    ],
)
def test_entity_tags_are_compared_as_their_header_says(header: str, *, weakly: bool, strongly: bool) -> None:
    """Fault 40: a weak tag never matches strongly, and what is no list of tags matches nothing."""
    assert headers.matches(header, '"5"', weakly=True) is weakly
    assert headers.matches(header, '"5"', weakly=False) is strongly


@pytest.mark.parametrize("name", [b"authorization", b"content-type", b"idempotency-key", b"content-length"])
def test_a_header_that_stands_once_is_refused_twice(name: bytes) -> None:
    with pytest.raises(Rejected) as caught:
        headers.read([(name, b"a"), (name, b"a")])
    assert caught.value.code == "invalid-header"


def test_headers_that_are_lists_are_joined() -> None:
    assert headers.read([(b"if-match", b'"1"'), (b"if-match", b'"2"')]) == {b"if-match": '"1","2"'}


@pytest.mark.parametrize(
    "value", ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']
)
def test_json_is_told_from_its_content_type(value: str) -> None:
    assert headers.is_media(value, JSON)


@pytest.mark.parametrize(
    "value", [None, "", "text/plain", "application/json; charset=latin-1", "application/jsonx", "application/x-ndjson"]
)
def test_anything_else_is_no_json(value: str | None) -> None:
    assert not headers.is_media(value, JSON)


def test_a_position_is_an_epoch_and_a_version() -> None:
    assert headers.last_event_id("0f6c:0") == ("0f6c", 0)
    assert headers.last_event_id("0f6c:9007199254740991") == ("0f6c", 2**53 - 1)
    assert headers.last_event_id(position("0f6c", 17)) == ("0f6c", 17)
