"""Golden files: whole games in words, as the public reads them and as a player does.

`make golden` writes them again; the difference is for a human to read.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from domain.kernel.chance import Chance
from domain.kernel.events import GameEnded
from domain.kernel.terms import Viewer
from domain.spacelab.facts import Fact
from domain.spacelab.moves import Move, Options
from domain.spacelab.state import State
from tests.domain.spacelab.table import NAMES, RULES
from tests.harness.play import random_move

pytestmark = pytest.mark.golden

FOLDER = Path(__file__).parent / "golden"


class Step(Struct, frozen=True):
    """An event with the states before and after it; the set-up has no move."""

    seat: int
    move: Move | None
    facts: tuple[Fact, ...]
    before: State | None
    after: State


def play(seats: int) -> Iterator[Step]:
    """A whole game by a seeded player."""
    picks = random.Random(seats)
    key = hashlib.sha256(f"golden {seats}".encode()).digest()
    facts = RULES.begin(Options(), seats, Chance(key, 0))
    state = RULES.fold(None, facts)
    assert state is not None
    yield Step(0, None, facts, None, state)
    for version in range(1, 1000):
        if RULES.result(state) is not None:
            return
        (seat,) = RULES.to_move(state)
        move = msgspec.convert(random_move(RULES.legal_moves(state, seat), picks), Move)
        facts = RULES.decide(state, seat, move, Chance(key, version))
        after = RULES.fold(state, facts)
        assert after is not None
        yield Step(seat, move, facts, state, after)
        state = after


def line(step: Step, viewer: Viewer, language: str) -> str:
    """An event as a viewer reads it; empty if none of it is to be seen."""
    seen = [seen for fact in step.facts if (seen := RULES.redact_fact(fact, viewer)) is not None]
    result = RULES.result(step.after)
    if result is not None:
        seen.append(GameEnded(result, ""))
    move = None if step.move is None else RULES.redact_move(step.move, step.seat, viewer)
    before = None if step.before is None else RULES.view(step.before, viewer)
    after = RULES.view(step.after, viewer)
    return RULES.describe(step.seat, move, seen, NAMES, language, before=before, after=after)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("seats,viewer", [(2, None), (2, 0), (3, None), (4, None)])
def test_a_game_reads_as_it_did(seats: int, viewer: Viewer, language: str) -> None:
    text = "\n".join([*(line(step, viewer, language) for step in play(seats)), ""])
    path = FOLDER / f"told_{seats}_{'public' if viewer is None else 'player'}.{language}.txt"
    if os.environ.get("TABLELOG_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
