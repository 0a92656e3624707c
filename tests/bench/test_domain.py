"""Random games per second in the rules alone: legal moves, decision and fold, no service and no views."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import domain
from domain.catalogue import TITLES
from domain.kernel.chance import Chance
from domain.kernel.rules import AnyRules
from tests.harness.play import random_move

SECONDS = 3.0


def bound(title: str) -> AnyRules:
    """The rules of a title with its own component set."""
    folder = Path(domain.__file__).parent / title / "components"
    return TITLES[title].load((folder / "house-1.toml").read_text(encoding="utf-8"))


def played(rules: AnyRules, options: object, seats: int, seed: int) -> int:
    """Play a random game; gives the number of decisions."""
    picks, key = random.Random(seed), seed.to_bytes(32, "big")
    state = rules.fold(None, rules.begin(options, seats, Chance(key, 1)))
    decisions = 0
    while waiting := rules.to_move(state):
        seat = waiting[0]
        legal = rules.legal_moves(state, seat)
        move = random_move(legal, picks)
        legal.require(move)
        decisions += 1
        state = rules.fold(state, rules.decide(state, seat, move, Chance(key, decisions + 1)))
    assert rules.result(state) is not None
    return decisions


class Costs(NamedTuple):
    """Milliseconds of each part of a decision, by decision, and of the fold of each game."""

    legal: list[float]
    decide: list[float]
    views: list[float]
    folds: list[float]


def measured(rules: AnyRules, options: object, seats: int, seed: int, costs: Costs) -> None:
    """Play a random game by the clock: legal moves, decision, and what every viewer is shown of it."""
    picks, key = random.Random(seed), seed.to_bytes(32, "big")
    log = list(rules.begin(options, seats, Chance(key, 1)))
    state = rules.fold(None, log)
    viewers = (None, *range(seats))
    while waiting := rules.to_move(state):
        begun = time.perf_counter()
        legal = rules.legal_moves(state, waiting[0])
        listed = time.perf_counter()
        move = random_move(legal, picks)
        chance = Chance(key, len(log))
        deciding = time.perf_counter()
        facts = rules.decide(state, waiting[0], move, chance)
        decided = time.perf_counter()
        state = rules.fold(state, facts)
        showing = time.perf_counter()
        for viewer in viewers:
            rules.view(state, viewer)
            rules.redact_move(move, waiting[0], viewer)
            for fact in facts:
                rules.redact_fact(fact, viewer)
        shown = time.perf_counter()
        log += facts
        costs.legal.append(1e3 * (listed - begun))
        costs.decide.append(1e3 * (decided - deciding))
        costs.views.append(1e3 * (shown - showing))
    begun = time.perf_counter()
    rules.fold(None, log)
    costs.folds.append(1e3 * (time.perf_counter() - begun))


@pytest.mark.bench
@pytest.mark.parametrize("title", sorted(TITLES))
def test_what_a_decision_and_the_fold_of_a_game_cost(title: str) -> None:
    rules, (least, most) = bound(title), TITLES[title].seats
    costs = Costs([], [], [], [])
    for seed in range(12):
        measured(rules, TITLES[title].options(), least + seed % (most - least + 1), seed, costs)
    parts = [statistics.median(part) for part in costs[:3]]
    print(f"\n{title}: medians over {len(costs.legal)} decisions of {len(costs.folds)} random games, in milliseconds")
    print(f"  legal moves {parts[0]:.3f}   decide {parts[1]:.3f}   views and redaction for all {parts[2]:.3f}")
    print(f"  in sum {sum(parts):.3f}   fold of a whole game {statistics.median(costs.folds):.2f}")
    assert len(costs.folds) == 12


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
