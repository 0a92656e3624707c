"""Logged events are read in today's form, whatever form they were written in."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from domain.kernel.events import Event, MoveMade, MoveUndone, SeatLeft, encode
from domain.kernel.ids import AccountId
from domain.kernel.logged import EventReader
from domain.kernel.rules import Upcast
from tests import toy
from tests.toy.moves import ToyDecline

LEFT, UNDONE = SeatLeft(seat=0, account=AccountId("a")), MoveUndone(seat=1, undone=3)
OLD_LEFT = b'{"type":"seat_left","place":"0","account":"a"}'
TODAY = EventReader(toy.TITLE)


def array(*events: bytes) -> bytes:
    return b"[" + b",".join(events) + b"]"


def from_words(event: dict[str, Any]) -> dict[str, Any]:
    """The form of toy/0, where a seat was a text by another name."""
    place = event.pop("place", None)
    return event if place is None else {**event, "seat": int(place)}


def reader(toy_0: Upcast | None) -> EventReader:
    """The reader of the toy if there had been a toy/0."""
    return EventReader(dataclasses.replace(toy.TITLE, earlier={"toy/0": toy_0}))


def test_events_of_todays_form_are_read_as_they_are() -> None:
    due: list[Event] = [LEFT, UNDONE]
    written = array(*map(encode, due))
    assert TODAY.read(written, ("toy/1",)) == due
    assert TODAY.read(written, ("toy/1", "toy/1")) == due
    assert TODAY.read(b"[]", ("toy/1",)) == []


def test_events_of_an_earlier_form_are_converted_each_by_its_own_version() -> None:
    written = array(OLD_LEFT, encode(UNDONE), encode(LEFT))
    assert reader(from_words).read(written, ("toy/0", "toy/0", "toy/1")) == [LEFT, UNDONE, LEFT]


def test_one_version_stands_for_all_events() -> None:
    assert reader(from_words).read(array(OLD_LEFT, OLD_LEFT), ("toy/0",)) == [LEFT, LEFT]


def test_an_earlier_version_of_the_same_form_needs_no_conversion() -> None:
    assert reader(None).read(array(encode(LEFT)), ("toy/0",)) == [LEFT]


def test_an_earlier_form_under_todays_version_is_no_event() -> None:
    with pytest.raises(Exception, match="seat"):
        reader(from_words).read(array(OLD_LEFT), ("toy/1",))


def test_as_many_versions_as_events_are_wanted() -> None:
    with pytest.raises(ValueError, match="zip"):
        reader(from_words).read(array(OLD_LEFT, OLD_LEFT, OLD_LEFT), ("toy/0", "toy/1"))


def test_moves_of_events_that_are_read_to_be_folded_are_left_as_they_are() -> None:
    made = MoveMade[Any, Any](seat=1, move=ToyDecline(), facts=(), final="hidden")
    (event,) = TODAY.read(array(encode(made)), ("toy/1",), to_fold=True)
    assert isinstance(event, MoveMade)
    assert bytes(event.move) == msgspec.json.encode(made.move)
    assert (event.seat, event.facts, event.final) == (1, (), "hidden")
    assert reader(from_words).read(array(OLD_LEFT), ("toy/0",), to_fold=True) == [LEFT]
