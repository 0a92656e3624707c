"""Events told in words, from what is served alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from service.demo.narration import WIDTH, Narrator
from tablelog_client import ComponentSet, Event, Piece, Result, ScoreLine, SeatScore

NAMES = {
    "red": "Red Rocket",
    "gold": "Golden Planet",
    "lab_1": "Red lab (2)",
    "lab_2": "Gold lab (0)",
    "top_left": "top_left",
}


@pytest.fixture
def teller() -> Narrator:
    pieces = tuple(Piece(id=id_, kind="any", names={"en": name}, text={}, figures={}) for id_, name in NAMES.items())
    return Narrator(ComponentSet(id="set-1", title="t", pieces=pieces), ["Ann", "Bo"])


def event(data: dict[str, Any], version: int = 7) -> Event:
    return Event(version=version, recorded_at=datetime.now(UTC), rules_version="t/1", hash="", data=data)


def made(move: dict[str, Any] | None, *facts: dict[str, Any], seat: int = 0) -> Event:
    return event({"type": "move_made", "seat": seat, "move": move, "facts": list(facts)})


def test_a_move_is_told_by_its_words_and_the_names_of_pieces(teller: Narrator) -> None:
    move = {"type": "t.place_lab", "card": "lab_1", "slot": "top_left", "pay": ["lab_2", "lab_1"]}
    assert teller.lines(made(move)) == [
        "  7  Ann  place lab Red lab (2), slot top left, pay Gold lab (0) + Red lab (2)"
    ]


def test_names_stand_under_each_other(teller: Narrator) -> None:
    assert teller.lines(made({"type": "t.pass"}, seat=1)) == ["  7  Bo   pass"]


def test_numbers_keep_the_word_of_their_field_and_empty_lists_are_left_out(teller: Narrator) -> None:
    assert teller.lines(made({"type": "t.take", "count": 2, "cards": []})) == ["  7  Ann  take, count 2"]


def test_of_the_facts_only_news_is_told(teller: Narrator) -> None:
    move = {"type": "t.choose", "agency": "red"}
    facts = (
        {"type": "t.chosen", "seat": 0, "agency": "red"},
        {"type": "t.taken", "seat": 0, "agency": "red", "cards": ["lab_1"], "rest": []},
        {"type": "t.drawn", "seat": 1, "count": 2},
        {"type": "t.end_triggered", "seat": 0},
    )
    told = "  7  Ann  choose Red Rocket → taken Red lab (2); Bo: drawn, count 2; end triggered"
    assert teller.lines(made(move, *facts)) == [told]


def test_bookkeeping_is_left_out_also_when_there_is_nothing_in_it(teller: Narrator) -> None:
    owed = {"type": "t.agenda_set", "active": 1, "agenda": [{"type": "t.choice"}]}
    assert teller.lines(made({"type": "t.pass"}, owed)) == ["  7  Ann  pass"]
    assert teller.lines(made({"type": "t.pass"}, {**owed, "agenda": []})) == ["  7  Ann  pass"]
    assert teller.lines(made({"type": "t.pass"}, {"type": "t.scored", "hands": [["lab_1"]]})) == ["  7  Ann  pass"]


def test_what_the_public_may_not_see_is_told_as_such(teller: Narrator) -> None:
    assert teller.lines(made(None, {"type": "t.kept", "seat": 0, "returned": 1})) == [
        "  7  Ann  makes a hidden move → kept, returned 1"
    ]
    assert teller.lines(event({"type": "blank"})) == ["  7       makes a hidden move"]


def test_opening_sitting_down_and_getting_up_are_told(teller: Narrator) -> None:
    opened = {"type": "game_created", "seats": 2, "component_set": "set-1"}
    assert teller.lines(event(opened, 1)) == ["  1       a table for 2, component set set-1"]
    assert teller.lines(event({"type": "seat_taken", "seat": 1, "facts": [{"type": "game.started"}]}, 2)) == [
        "  2  Bo   takes seat 1 → started"
    ]
    assert teller.lines(event({"type": "seat_left", "seat": 0}, 3)) == ["  3  Ann  leaves seat 0"]


def test_long_lines_are_broken_and_go_on_under_the_text(teller: Narrator) -> None:
    first, second, *_ = teller.lines(made({"type": "t.pay", "cards": ["lab_1"] * 20}))
    assert len(first) <= WIDTH
    assert second.startswith(("          Red", "          +"))


def test_scores_come_best_first_with_their_lines_by_source(teller: Narrator) -> None:
    lines = (ScoreLine("lab", 3, "lab_1"), ScoreLine("lab", 0, "lab_2"), ScoreLine("left_over", 1))
    scores = (SeatScore(0, 2, 2, (ScoreLine("lab", 2, "lab_2"),)), SeatScore(1, 4, 1, lines))
    assert teller.scores(Result(winners=(1,), scores=scores)) == [
        "Bo wins with 4 points",
        "     3  lab        3 Red lab (2), 0 Gold lab (0)",
        "     1  left over",
        "Ann 2 points",
        "     2  lab        2 Gold lab (0)",
    ]
