"""A record is read in the one form that it is written in, and what is not in it is refused by line."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest

from domain.kernel.record.form import Malformed, Record, RecordEvent, RecordOpening, RecordWriter, reading

OPENING = RecordOpening(
    format=1, game="g1", title="toy", component_set="toy-1", component_hash="0" * 64, components='id = "é"\n'
)


def event(version: int, data: bytes = b'{"type":"seat_left","seat":0}') -> RecordEvent:
    return RecordEvent(
        version=version,
        event="seat_left",
        actor="a1",
        recorded_at="2026-01-01T12:00:00.000000+00:00",
        rules_version="toy/1",
        hash=f"{version:064x}",
        data=msgspec.Raw(data),
    )


def written(*events: RecordEvent) -> bytes:
    writer = RecordWriter()
    lines = [writer.opening(OPENING), *(writer.event(each) for each in events or (event(1), event(2), event(3)))]
    return b"".join((*lines, writer.end(complete=True)))


def read(data: bytes, most: int | None = None) -> Record:
    steps = reading(data, most)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def refused(data: bytes, most: int | None = None) -> Malformed:
    with pytest.raises(Malformed) as caught:
        read(data, most)
    return caught.value


RIGHT = written()
LINES = RIGHT.splitlines(keepends=True)


def test_what_was_written_is_read() -> None:
    record = read(RIGHT)
    assert record.opening == OPENING
    assert [each.version for each in record.events] == [1, 2, 3]
    assert bytes(record.events[0].data) == b'{"type":"seat_left","seat":0}'
    assert (record.end.events, record.end.hash, record.end.complete) == (3, f"{3:064x}", True)
    assert record.end.digest == record.digest == hashlib.sha256(b"".join(LINES[:-1])).hexdigest()
    assert record.last_line == len(LINES) == 5


def test_each_line_is_an_object_that_any_reader_of_json_takes() -> None:
    kinds = [json.loads(line)["type"] for line in LINES]
    assert kinds == ["record", "event", "event", "event", "end"]
    assert list(json.loads(LINES[1])) == [
        *("type", "version", "event", "actor", "recorded_at", "rules_version", "hash", "data")
    ]


def test_data_is_kept_byte_for_byte() -> None:
    data = b'{"b":1, "a":[1.50,{"a":"\\u00e9"}]}'
    assert bytes(read(written(event(1, data))).events[0].data) == data


@pytest.mark.parametrize("cut", range(1, len(LINES) + 1))
def test_a_record_that_was_cut_between_two_lines_is_refused_where_it_ends(cut: int) -> None:
    wrong = refused(b"".join(LINES[:-cut]))
    assert "cut" in wrong.wrong
    assert wrong.line == len(LINES) - cut + 1


def test_a_record_that_was_cut_within_a_line_is_refused_there() -> None:
    end = len(RIGHT)
    for line in range(len(LINES), 0, -1):
        start = end - len(LINES[line - 1])
        for place in (start + 1, (start + end) // 2, end - 1):
            assert refused(RIGHT[:place]).line == line
        end = start


@pytest.mark.parametrize(
    "order,line",
    [
        ((0, 0, 1, 2, 3, 4), 2),
        ((1, 2, 3, 4), 1),
        ((1, 0, 2, 3, 4), 1),
        ((0, 4, 1, 2, 3), 3),
        ((0, 1, 2, 3, 4, 4), 6),
        ((0, 1, 2, 3, 4, 1), 6),
        ((0, 4), 2),
        ((4,), 1),
        ((), 1),
    ],
)
def test_lines_out_of_place_are_refused(order: tuple[int, ...], line: int) -> None:
    assert refused(b"".join(LINES[each] for each in order)).line == line


@pytest.mark.parametrize(
    "old,new",
    [
        (b'"version":2', b'"version": 2'),
        (b'"version":2', b'"version":2.0'),
        (b'"version":2', b'"version":2e0'),
        (b'"version":2', b'"version":"2"'),
        (b'"version":2', b'"version":0'),
        (b'"version":2', b'"version":9007199254740992'),
        (b'"version":2', b'"version":1' + b"0" * 5_000),
        (b'"version":2', b'"version":2,"version":2'),
        (b'"version":2', b'"version":2,"more":1'),
        (b'"version":2,', b""),
        (b'"actor":"a1"', b'"actor":"\\u0061\\u0031"'),
        (b'"actor":"a1"', b'"actor":"\\ud800"'),
        (b'"actor":"a1"', b'"actor":"\xff"'),
        (b'"seat":0', b'"seat":"\xff"'),
        (b'"seat":0', b'"seat":' + b"[" * 100_000),
        (b'"hash":"00', b'"hash":"A0'),
        (b'"hash":"0', b'"hash":"'),
        (b"+00:00", b"+01:00"),
        (b"2026-01-01", b"2026-01-32"),
        (b".000000", b""),
        (b'"type":"event"', b'"type":"other"'),
        (b'{"type":"event"', b'{"type":"event'),
        (b"}}\n", b"}}\r\n"),
        (b"}}\n", b"}} \n"),
        (b"}}\n", b"}}\n\n"),
        (b"{", b" {"),
        (b"{", b"\xef\xbb\xbf{"),
    ],
)
def test_a_line_that_is_written_in_any_other_way_is_refused_with_its_version(old: bytes, new: bytes) -> None:
    changed = [*LINES]
    assert old in changed[2]
    changed[2] = changed[2].replace(old, new, 1)
    wrong = refused(b"".join(changed))
    assert (wrong.line, wrong.version) in {(3, 2), (4, 3)}
    assert len(wrong.wrong) <= 300


def test_more_events_than_are_taken_are_refused_at_the_first_one_too_many() -> None:
    many = written(*(event(version) for version in range(1, 101)))
    assert len(read(many, 100).events) == 100
    assert refused(many, 99).version == 100


def test_another_format_is_refused() -> None:
    assert refused(RIGHT.replace(b'"format":1', b'"format":2', 1)).line == 1


def test_words_of_a_refusal_tell_the_line() -> None:
    error: Any = refused(RIGHT[:-1])
    assert str(error).startswith("line 5: ")
