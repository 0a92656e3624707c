"""Events in words."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import game as kernel
from domain.kernel import seating
from domain.kernel.describe import LANGUAGES, describe, describe_opening
from domain.kernel.events import Blank, Fork, GameCreated, GameStarted, MoveUndone, SeatLeft, SeatTaken, Seen
from domain.kernel.ids import AccountId, GameId
from domain.kernel.seats import Seated
from tests.domain.kernel.test_game import RULES, SEED, created, running, waiting
from tests.harness.play import random_move
from tests.harness.recording import BEGUN

NAMES = ("Ada", "Bo")
GAME = running()
MOVE = random_move(kernel.legal_moves(GAME, RULES, 0), random.Random(1))
EVENTS: dict[str, Seen] = {
    "created": created(2),
    "taken": SeatTaken(seat=0, account=AccountId("ada"), name="Ada"),
    "left": SeatLeft(seat=0, account=AccountId("ada")),
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


OPENINGS = (
    (created(2), False, False, "", ""),
    (replace(created(2), sandbox=True), False, False, " It is a sandbox.", "サンドボックス。"),
    (
        replace(created(2), sandbox=True),
        True,
        False,
        " It is a sandbox that starts from a given position.",
        "指定された局面から始まるサンドボックス。",
    ),
    (
        replace(created(2), sandbox=True, forked_from=Fork(GameId("g0123"), 7)),
        True,
        False,
        " It is a sandbox, forked from game g0123 at version 7.",
        "ゲームg0123のバージョン7から分岐したサンドボックス。",
    ),
    (
        replace(created(2), sandbox=True),
        True,
        True,
        " It is a sandbox that starts from a given position. It was played elsewhere and imported as a record.",
        "指定された局面から始まるサンドボックス。別の場所で行われ、記録として取り込まれたゲーム。",
    ),
)


@pytest.mark.parametrize("event,position,archived,en,ja", OPENINGS, ids=[each[3] for each in OPENINGS])
def test_an_opening_says_what_kind_of_game_it_is(
    event: GameCreated[Any, Any],
    position: bool,  # noqa: FBT001 - a parameter of the test
    archived: bool,  # noqa: FBT001 - a parameter of the test
    en: str,
    ja: str,
) -> None:
    told = [describe_opening(event, language, position=position, archived=archived) for language in LANGUAGES]
    assert told == [f"A table for 2 players is opened.{en}", f"2人用のテーブルが開かれる。{ja}"]


def test_an_event_that_holds_its_position_and_its_fork_says_so_by_itself() -> None:
    sandbox = replace(created(2), sandbox=True, position=GAME.state)
    assert describe(sandbox, RULES, NAMES, "en").endswith("starts from a given position.")
    forked = replace(sandbox, forked_from=Fork(GameId("g0123"), 7))
    assert "forked from game g0123 at version 7" in describe(forked, RULES, NAMES, "en")


def test_the_start_tells_what_the_title_says_of_it() -> None:
    start = seating.take_seat(
        waiting(Seated(AccountId("a"), "Ada"), seats=2), RULES, Seated(AccountId("b"), "Bo"), 1, SEED, BEGUN
    )
    seen = kernel.redact(start, RULES, None)
    assert describe(seen, RULES, NAMES, "en").startswith("Bo takes seat 1. The game begins. 2 players play 1 round.")
    assert describe(seen, RULES, NAMES, "ja").startswith("Boが席1に着く。ゲームが始まる。2人で1ラウンド行う。")


def test_a_start_from_a_position_has_nothing_more_to_tell() -> None:
    start = SeatTaken[Any](seat=1, account=AccountId("b"), name="Bo", facts=(GameStarted(),))
    assert describe(start, RULES, NAMES, "en") == "Bo takes seat 1. The game begins."


def test_languages_differ() -> None:
    for event in EVENTS.values():
        assert len({describe(event, RULES, NAMES, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_who_acts_is_named() -> None:
    for event in ("taken", "moved", "undone"):
        assert "Ada" in describe(EVENTS[event], RULES, NAMES, "en")
