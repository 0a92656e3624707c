"""Random games per second in the rules alone: legal moves, decision and fold, no service and no views."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

import domain
from domain.catalogue import TITLES
from domain.kernel.chance import Chance
from domain.kernel.game import AnyRules
from tests.harness.play import random_move

SECONDS = 3.0


def bound(title: str) -> AnyRules:
    """The rules of a title with its own component set."""
    folder = Path(domain.__file__).parent / title / "components"
    return TITLES[title].load((folder / "house-1.toml").read_text(encoding="utf-8"))


def played(rules: AnyRules, options: object, seats: int, seed: int) -> int:
    """Play a random game; gives the number of decisions."""
    picks, key = random.Random(seed), seed.to_bytes(32, "big")
    state = None
    for fact in rules.begin(options, seats, Chance(key, 1)):
        state = rules.evolve(state, fact)
    decisions = 0
    while waiting := rules.to_move(state):
        seat = waiting[0]
        legal = rules.legal_moves(state, seat)
        move = random_move(legal, picks)
        legal.demand(move)
        decisions += 1
        for fact in rules.decide(state, seat, move, Chance(key, decisions + 1)):
            state = rules.evolve(state, fact)
    assert rules.result(state) is not None
    return decisions


@pytest.mark.bench
@pytest.mark.parametrize("title", sorted(TITLES))
def test_random_games_are_played_in_the_rules_alone(title: str) -> None:
    rules, (least, most) = bound(title), TITLES[title].seats
    print(f"\nrandom games of {title} in the rules alone, on one core")
    for seats in range(least, most + 1):
        games = decisions = 0
        begun = time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            decisions += played(rules, TITLES[title].options(), seats, games)
            games += 1
        seconds = time.perf_counter() - begun
        print(
            f"  {seats} seats {games / seconds:8,.0f} games/s {decisions / seconds:10,.0f} decisions/s"
            f"   {decisions / games:6.1f} decisions a game"
        )
        assert decisions > games
