"""The title as others see it: tags, schemas, strictness."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from domain.catalogue import TITLES
from domain.kernel.rejected import ComponentError
from domain.spacelab import TITLE
from domain.spacelab.effects import Owed
from domain.spacelab.facts import Fact, LabsReshuffled, Passed
from domain.spacelab.moves import KeepProject, Move, Options
from tests.domain.spacelab.table import RULES, begun

WIRE: tuple[type[Struct], ...] = tuple({*get_args(Fact), *get_args(TITLE.seen), *get_args(Owed)})


def test_the_title_is_in_the_catalogue() -> None:
    assert TITLES["spacelab"] is TITLE
    assert (TITLE.id, TITLE.seats) == ("spacelab", (2, 4))


def test_every_tag_on_the_wire_is_unique_and_carries_the_title() -> None:
    tags = [str(each.__struct_config__.tag) for each in (*WIRE, TITLE.view)]
    assert len(set(tags)) == len(tags)
    assert all(tag.startswith("spacelab.") for tag in tags)


def test_unknown_fields_are_refused_in_everything_that_is_read() -> None:
    readers: list[tuple[Any, bytes]] = [
        (Move, b'{"type":"spacelab.recruit","agency":"red_rocket","speed":9}'),
        (Fact, b'{"type":"spacelab.passed","seat":0,"why":"tired"}'),
        (Options, b'{"rounds":3}'),
    ]
    for form, text in readers:
        with pytest.raises(msgspec.ValidationError, match="unknown field"):
            msgspec.json.decode(text, type=form)


def test_a_state_tells_how_many_play() -> None:
    assert [RULES.seats(begun(seats)[0]) for seats in (2, 3, 4)] == [2, 3, 4]


def test_the_empty_options_fit_any_number_of_seats() -> None:
    for seats in (2, 3, 4):
        RULES.check_options(Options(), seats)


def test_what_is_hidden_and_what_was_drawn_is_told_by_the_rules_too() -> None:
    assert RULES.redact_move(KeepProject("project_01"), 0, None) is None
    assert RULES.draws(Passed(0)) == ()
    assert [draw.purpose for draw in RULES.draws(LabsReshuffled(("gp_01",)))] == ["labs"]


def test_a_component_set_that_cannot_be_used_is_refused_on_loading() -> None:
    with pytest.raises(ComponentError):
        TITLE.load("id = 'x'")
