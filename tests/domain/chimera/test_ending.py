"""Feeding, the start of the next round, and the end of the game."""

from __future__ import annotations

import pytest

from domain.chimera.facts import (
    PerksShown,
    RoundBegun,
    WorkersReturned,
)
from domain.chimera.moves import (
    EndTurn,
    Move,
    PlaceWorker,
    RemoveComponents,
    TakeCoinsAndFood,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import RULES, Has, Table, placed, table


def lounging(moves: list[Move]) -> Move:
    """A move that brings the round to its end quickly."""
    lounge = [move for move in moves if isinstance(move, PlaceWorker) and move.to == "worker_lounge"]
    ends = [move for move in moves if isinstance(move, EndTurn)]
    return (lounge or ends or moves)[0]


def ended(play: Table) -> Table:
    """Play on until the round is over and the next one has begun."""
    number = play.state.round
    while play.state.round == number and play.state.phase != "over":
        play.make(lounging(play.moves))
    return play


@covers("R4")
def test_food_is_owed_for_the_workers_that_lack_a_leaf_when_the_meal_begins() -> None:
    mine = Has(["", "leaf@refinery", "@academy", "@hydroponics"], coins=0)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9), turn=0)
    play.place("worker_lounge").make(TakeCoinsAndFood(0, 1))
    # 3 owed, 1 paid, 2 missing: the leaf goes for one, which makes nobody hungrier, and 2 points for the other.
    assert play.wealth() == (-2, 0, 0)
    assert play.worker("0-1").components == ()


@covers("R4")
def test_for_each_food_missing_its_owner_chooses_a_component_to_remove() -> None:
    mine = Has(["", "claw@refinery", "brain leaf@academy", "@hydroponics"])
    play = table(mine, Has(["@worker_lounge"] * 4, food=9), turn=0)
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert (play.asks, play.seat) == ("hunger", 0)
    assert set(play.moves) == {
        RemoveComponents("0-1", ("claw",)),
        RemoveComponents("0-2", ("brain",)),
        RemoveComponents("0-2", ("leaf",)),
    }
    play.make(RemoveComponents("0-1", ("claw",)))
    assert play.asks == "hunger"
    play.make(RemoveComponents("0-2", ("brain",)))
    assert (play.state.supply.claw, play.state.supply.brain) == (7, 7)


@covers("R5")
def test_the_score_never_goes_below_zero() -> None:
    mine = Has(["", "@refinery", "@academy", "@hydroponics"], score=3)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9))
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert play.player().score == 0


@covers("E5")
def test_workers_return_and_the_reserve_eats_nothing() -> None:
    mine = Has(["leaf@worker_lounge", "leaf@refinery", "", "leaf@academy"], food=1)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9)).place("hydroponics")
    assert play.happened(WorkersReturned)
    assert play.wealth() == (0, 0, 2)
    assert {worker.place for worker in play.player().workers} == {"pool", "reserve"}


@pytest.mark.parametrize("number", [2, 4])
@covers("R36", "command_hub_b")
def test_at_the_start_of_rounds_3_and_5_perks_come_in_and_everyone_advances_research_in_turn_order(number: int) -> None:
    everyone = ["@worker_lounge"] * 4
    play = table(Has(["", *everyone[1:]], food=9), Has(everyone, food=9, research=3), number=number, start=1, turn=0)
    play.place("refinery")
    assert play.happened(RoundBegun) == [RoundBegun(number + 1)]
    assert len(play.happened(PerksShown)[0].perks) == 3
    assert len(play.state.display) == 6
    assert play.state.phase == "start"
    # Clockwise from the start player: seat 1 takes a perk (tier 4) before seat 0 does (tier 2).
    assert (play.asks, play.seat) == ("perk_choice", 1)
    play.make(TakePerk(play.values("perk")[0]))
    assert (play.asks, play.seat) == ("perk_choice", 0)
    play.make(TakePerk(play.values("perk")[0]))
    # With four left none is drawn.
    assert len(play.state.display) == 4
    assert (play.asks, play.seat, play.state.phase) == ("turn", 1, "placement")
    assert "command_hub_b" in play.targets()


def test_no_perks_come_in_at_the_start_of_other_rounds() -> None:
    play = table(Has(["", *["@worker_lounge"] * 3], food=9), Has(["@worker_lounge"] * 4, food=9), number=3)
    play.place("refinery")
    assert len(play.state.display) == 3
    assert [player.research for player in play.state.players] == [1, 1]


@covers("R23")
def test_the_game_ends_after_feeding_in_round_5_and_more_components_break_a_tie() -> None:
    lounge = ["@worker_lounge"] * 3
    mine, other = Has(["", *lounge], food=4), Has(["@worker_lounge", *lounge], food=4, storage="claw", score=8)
    play = table(mine, other, number=5).place("refinery")
    assert play.state.phase == "over"
    result = RULES.result(play.state)
    assert result is not None
    # 10 + 1 for three coins against 8 + 2 for a component: not equal.
    assert [score.points for score in result.scores] == [11, 10]
    tied = table(Has(food=4), Has(food=0, storage="claw"), number=5, phase="over", agenda=())
    result = RULES.result(tied.state)
    assert result is not None
    assert [score.points for score in result.scores] == [12, 12]
    assert [score.rank for score in result.scores] == [2, 1]
    assert result.winners == (1,)


@covers("R23")
def test_victory_is_shared_when_points_and_components_are_equal() -> None:
    tied = table(Has(food=4), Has(coins=6), Has(food=1), number=5, phase="over", agenda=())
    result = RULES.result(tied.state)
    assert result is not None
    assert [score.rank for score in result.scores] == [1, 1, 3]
    assert result.winners == (0, 1)


def test_the_lines_of_the_final_score_say_where_each_point_came_from() -> None:
    play = placed("hydroponics", Has(["brain", *["@worker_lounge"] * 3], perks=("vendor",), food=3), Has(), number=5)
    ended(play)
    result = RULES.result(play.state)
    assert result is not None
    lines = result.scores[0].lines
    assert sum(line.points for line in lines) == result.scores[0].points
    told = {(line.source, line.piece): line.points for line in lines}
    assert told["start", None] == 10
    assert told["brain", "hydroponics"] == 1
    assert told["perk_end", "vendor"] == 9
    assert told["components", None] == 2
