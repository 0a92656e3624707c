"""Random games: they end, nothing is lost, and scores are the sum of their lines, whatever the players are fond of."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from domain.chimera.agenda import Turn
from domain.chimera.effects import Placement
from domain.chimera.material import KINDS
from domain.chimera.moves import ChooseModule, Move, Options, PlaceWorker, RecallWorker
from domain.chimera.state import State
from domain.kernel.chance import Chance
from domain.kernel.legal import LegalMoves
from tests.domain.chimera.table import KEY, RULES
from tests.harness.play import random_move

MOST = 1_000
"""No game has more decisions."""
RECALLING = ("dispatch_station", "conference", "zoning_board", "freelancer_dormitories", "catering_service", "dispatch")
BUILDING = ("constructor", "integrated_constructor", "quantum_constructor", "workshop", "foundry", "refinery")
STRANGE = ("nonhuman_resources", "morale_center", "dispatch", "union_hall", "laboratory", "boiler_room")

FONDNESS = [(), RECALLING + BUILDING, STRANGE + BUILDING]


def _pick(legal: LegalMoves, fond: tuple[str, ...], picks: random.Random) -> Move:
    """A legal move: one that the player is fond of where there is one, most of the time."""
    if fond and picks.random() < 0.9:
        loved = [
            move
            for move in legal
            if isinstance(move, RecallWorker | ChooseModule) or (isinstance(move, PlaceWorker) and move.to in fond)
        ]
        if loved:
            return picks.choice(loved)  # pyright: ignore[reportReturnType]
    return random_move(legal, picks)  # pyright: ignore[reportReturnType]


def _conserved(state: State, workers: int) -> None:
    held = Counter(kind for player in state.players for kind in player.storage)
    held.update(kind for player in state.players for worker in player.workers for kind in worker.components)
    for kind in KINDS:
        assert held[kind] + getattr(state.supply, kind) == 7
    assert {len(player.workers) for player in state.players} == {workers}
    modules = [*state.deck, *state.discards, *filter(None, state.reactor), *(each.module for each in state.built)]
    modules += [] if state.drawn is None else [state.drawn]
    assert sorted(modules) == sorted(RULES.material.tiles)
    perks = [*state.perk_deck, *state.perk_discards, *state.display]
    perks += [perk for player in state.players for perk in player.perks]
    assert sorted(perks) == sorted(RULES.material.perks)


@pytest.mark.parametrize("fond", FONDNESS, ids=["anything", "recalls and copies", "swaps and ejections"])
@pytest.mark.parametrize("sides", ["standard", "factions"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_with_nothing_lost_and_scores_that_are_the_sum_of_their_lines(
    seats: int, sides: str, fond: tuple[str, ...]
) -> None:
    for game in range(3):
        picks = random.Random(f"{seats} {sides} {fond} {game}")
        options = Options("standard") if sides == "standard" else Options("factions")
        key = KEY + game.to_bytes(1, "big")
        state: State | None = None
        for fact in RULES.begin(options, seats, Chance(key, 0)):
            state = RULES.evolve(state, fact)
        assert state is not None
        workers = RULES.material.workers[seats] + RULES.material.reserve
        decisions = 0
        while RULES.result(state) is None:
            decisions += 1
            assert decisions <= MOST
            state = _decided(state, fond, picks, Chance(key, decisions))
            _conserved(state, workers)
            RULES.check(state)
        result = RULES.result(state)
        assert result is not None
        for score in result.scores:
            assert score.points == sum(line.points for line in score.lines)


def _decided(state: State, fond: tuple[str, ...], picks: random.Random, chance: Chance) -> State:
    """The state after a move, which equals the fold of its facts over the state as it was stored."""
    (seat,) = RULES.to_move(state)
    legal = RULES.legal_moves(state, seat)
    assert legal.count() > 1 or isinstance(state.agenda[0].effect, Turn | Placement)
    facts = RULES.decide(state, seat, _pick(legal, fond, picks), chance)
    stored: State = msgspec.json.decode(msgspec.json.encode(state), type=State)
    for fact in facts:
        state, stored = RULES.evolve(state, fact), RULES.evolve(stored, fact)
    assert state == stored
    return state
