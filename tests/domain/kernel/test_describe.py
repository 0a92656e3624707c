"""Events in words."""

from __future__ import annotations

import random

import pytest

from domain.kernel import game as kernel
from domain.kernel.describe import LANGUAGES, describe
from domain.kernel.events import Blank, MoveUndone, SeatLeft, SeatTaken, Seen
from tests.domain.kernel.test_game import RULES, SEED, created, running
from tests.harness.play import random_move

NAMES = ("Ada", "Bo")
GAME = running()
MOVE = random_move(kernel.legal_moves(GAME, RULES, 0), random.Random(1))
EVENTS: dict[str, Seen] = {
    "created": created(2),
    "taken": SeatTaken(seat=0, account="ada", name="Ada"),
    "left": SeatLeft(seat=0, account="ada"),
    "moved": kernel.make_move(GAME, RULES, 0, MOVE, SEED),
    "undone": MoveUndone(seat=0, undone=4),
    "blank": Blank(),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS.keys())
def test_every_event_is_one_line_in_every_language(event: Seen, language: str) -> None:
    line = describe(event, RULES, NAMES, language)
    assert line
    assert "\n" not in line


def test_languages_differ() -> None:
    for event in EVENTS.values():
        assert len({describe(event, RULES, NAMES, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_who_acts_is_named() -> None:
    for event in ("taken", "moved", "undone"):
        assert "Ada" in describe(EVENTS[event], RULES, NAMES, "en")
