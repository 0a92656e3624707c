"""Whole games by random moves, in the house set and in sets of other shapes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import cast

import msgspec
import pytest

from domain.kernel.chance import Chance
from domain.spacelab.moves import Move, Options
from domain.spacelab.rules import SpaceLab
from domain.spacelab.state import State
from tests.domain.spacelab.stations import one_capsule, single_boosts, unaffordable_labs
from tests.domain.spacelab.table import RULES, loaded, written
from tests.harness.play import random_move

ROUND_TRIP = msgspec.json.Decoder(State)


def other_names_and_numbers() -> SpaceLab:
    """A set with two agencies, five specialties, two capsules, five slots, tiles that want two labs, and few cards."""
    data = written()
    two = [agency["id"] for agency in data["agencies"][2:]]
    data["agencies"] = data["agencies"][2:]
    data["specialties"].append({"id": "cook", "name": {"en": "Cook", "ja": "料理人"}})
    data["boosts"] = [boost for boost in data["boosts"] if boost["pile"] != "center"]
    data["slots"] = [
        {"id": "up", "row": "top", "capsules": ["right", "left"]},
        {"id": "down", "row": "bottom", "capsules": ["right", "left"]},
        {"id": "port", "row": "side", "capsules": ["left"]},
        {"id": "starboard", "row": "side", "capsules": ["right"]},
        {"id": "roof", "row": "top", "capsules": ["right"]},
    ]
    data["labs"] = [lab for lab in data["labs"] if lab["agency"] in two and not foreign(lab)]
    data["labs"][0]["specialty"] = "cook"
    data["projects"] = [project for project in data["projects"] if not foreign(project)]
    for tile in data["objectives"]:
        tile["agencies"] = [two[0], two[1]]
    return loaded(data)


def foreign(card: dict[str, dict[str, object]]) -> bool:
    """Whether a card names one of the agencies that are not in the small set."""
    return any(agency in str(card.get("score", "")) for agency in ("golden_planet", "red_rocket"))


SETS: dict[str, Callable[[], SpaceLab]] = {
    "house": lambda: RULES,
    "single boosts": single_boosts,
    "one capsule": one_capsule,
    "four labs that cost too much": lambda: unaffordable_labs(4),
    "twelve labs": lambda: unaffordable_labs(12),
    "other names and numbers": other_names_and_numbers,
}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", SETS)
def test_every_game_ends_and_every_position_on_the_way_is_possible(name: str, seats: int) -> None:
    rules = SETS[name]()
    for seed in range(8):
        picks, key, version = random.Random(seed), bytes([seed]) * 32, 1
        state: State | None = None
        for fact in rules.begin(Options(), seats, Chance(key, version)):
            state = rules.evolve(state, fact)
        assert state is not None
        while rules.to_move(state):
            rules.check(state)
            assert ROUND_TRIP.decode(msgspec.json.encode(state)) == state
            (seat,) = rules.to_move(state)
            move = cast("Move", random_move(rules.legal_moves(state, seat), picks))
            version += 1
            assert version < 600, "the game does not end"
            for fact in rules.decide(state, seat, move, Chance(key, version)):
                state = rules.evolve(state, fact)
        rules.check(state)
        result = rules.result(state)
        assert result is not None
        assert sorted(score.seat for score in result.scores) == list(range(seats))
        assert all(score.points == sum(each.points for each in score.lines) for score in result.scores)
