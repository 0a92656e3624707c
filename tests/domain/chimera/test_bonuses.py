"""The fifteen kinds of build bonus, one by one, and what a build scores."""

from __future__ import annotations

import pytest

from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseModule,
    Decline,
    RecallWorker,
    TakeComponent,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import Has, Map, Table, placed

NEAR: dict[str, dict[str, str]] = {
    "0,-2": {"0,-1": "monolith"},
    "1,-2": {"1,-1": "monolith"},
    "2,-2": {"2,-1": "monolith"},
    "3,-2": {"2,-1": "monolith"},
    "-1,-1": {"0,-1": "monolith"},
    "3,-1": {"2,-1": "monolith"},
    "-2,0": {"-1,0": "monolith"},
    "3,0": {"2,0": "monolith"},
    "-2,1": {"-1,1": "monolith"},
    "2,1": {"1,1": "monolith"},
    "-2,2": {"-1,1": "monolith"},
    "-1,2": {"-1,1": "monolith"},
    "0,2": {"0,1": "monolith"},
    "1,2": {"0,2": "giant_statue", "0,1": "monolith"},
}
"""For each space that is not beside a hub, modules that make it open; they can be used by nobody."""


def built_on(space: str, *, worker: str = "", number: int = 2, mine: Has | None = None) -> Table:
    """The first seat has built Petty Cash there, for 2 coins and 2 points, and declined to move."""
    standing = dict(reversed(NEAR.get(space, {}).items()))
    station = Map(built=standing, reactor=("petty_cash", "vineyard", "gardens", "aquarium", "think_tank", "newsroom"))
    play = placed("constructor", mine or Has([worker], coins=2), Has(), station=station, number=number)
    play.make(BuildModule("petty_cash", space, "coins"))
    return play


def stay(play: Table) -> Table:
    """Decline the move of the Constructor."""
    assert play.asks == "onward"
    return play.make(Decline())


@covers("bonus coins")
@pytest.mark.parametrize("space,coins", [("0,-1", 2), ("-2,1", 4)])
def test_a_coin_bonus_gives_its_coins(space: str, coins: int) -> None:
    assert stay(built_on(space)).wealth() == (2, coins, 0)


@covers("bonus points")
@pytest.mark.parametrize("space,points", [("1,-1", 2), ("-2,2", 4)])
def test_a_point_bonus_gives_its_points_not_multiplied(space: str, points: int) -> None:
    assert stay(built_on(space, number=5)).wealth() == (6 + points, 0, 0)


@covers("bonus food")
def test_a_food_bonus_gives_its_food() -> None:
    assert stay(built_on("2,-1")).wealth() == (2, 0, 2)


@covers("bonus coins_per_round", "bonus food_per_round", "bonus points_per_round")
@pytest.mark.parametrize(
    "space,wealth", [("0,-2", (6, 5, 0)), ("2,-2", (6, 0, 5)), ("3,-2", (6 + 5, 0, 0))], ids=["coins", "food", "points"]
)
def test_a_bonus_per_round_gives_the_number_of_the_round(space: str, wealth: tuple[int, int, int]) -> None:
    assert stay(built_on(space, number=5)).wealth() == wealth


@covers("bonus brain", "bonus claw", "bonus leaf", "bonus tentacle")
@pytest.mark.parametrize("space,kind", [("-1,0", "brain"), ("2,0", "claw"), ("-1,1", "leaf"), ("1,1", "tentacle")])
def test_a_bonus_of_a_named_component_gives_one(space: str, kind: str) -> None:
    assert stay(built_on(space)).player().storage == (kind,)


@covers("bonus any_components")
@pytest.mark.parametrize("space", ["3,-1", "-1,2"])
def test_a_bonus_of_any_component_lets_the_player_pick_its_kind(space: str) -> None:
    play = built_on(space)
    assert play.asks == "component_choice"
    assert stay(play.make(TakeComponent("leaf"))).player().storage == ("leaf",)


@covers("bonus research")
@pytest.mark.parametrize("space", ["1,-2", "1,2"])
def test_a_research_bonus_advances_research(space: str) -> None:
    play = built_on(space)
    assert play.asks == "perk_choice"
    assert stay(play.make(TakePerk(play.values("perk")[0]))).player().research == 2


@covers("bonus recall", "R32")
@pytest.mark.parametrize("space", ["-2,0", "2,1"])
def test_a_recall_bonus_may_take_the_acting_worker_which_then_does_not_move(space: str) -> None:
    play = built_on(space, mine=Has(["", "@refinery"], coins=2))
    assert play.asks == "recall"
    assert set(play.values("worker")) == {"0-0", "0-1"}
    play.make(RecallWorker("0-0"))
    assert play.worker("0-0").place == "pool"
    assert (play.asks, play.seat) == ("turn", 1)


@covers("bonus recall")
def test_a_recall_bonus_of_another_worker_leaves_the_move_open() -> None:
    play = built_on("-2,0", mine=Has(["", "@refinery"], coins=2)).make(RecallWorker("0-1"))
    assert play.worker("0-1").recalled
    stay(play)


@covers("bonus reactor", "R10")
def test_a_reactor_bonus_counts_the_gap_of_the_module_taken_where_it_is() -> None:
    # Petty Cash lay in the first space, whose reward is a point; its gap is at the left, so nothing slides.
    assert stay(built_on("0,1")).wealth() == (2 + 1, 0, 0)
    station = Map(reactor=("vineyard", "gardens", "petty_cash", "aquarium", "think_tank", "newsroom"))
    play = placed("constructor", Has(coins=2), Has(), station=station).make(BuildModule("petty_cash", "0,1", "coins"))
    # Now it lay in the third, whose reward is a coin; then the reactor slides to the right.
    assert stay(play).wealth() == (2, 1, 0)
    assert play.state.reactor == (None, "vineyard", "gardens", "aquarium", "think_tank", "newsroom")


@covers("bonus adjacent_module", "R30")
def test_an_adjacent_module_bonus_applies_an_adjacent_module_without_a_worker() -> None:
    station = Map(built={"2,0": "hunting_park", "2,-1": "gardens"}, reactor=("petty_cash",))
    play = placed("constructor", Has(["claw claw"], coins=2), Has(["@hunting_park"]), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    # The only adjacent module is used though occupied, and this worker's claws do not count.
    assert stay(play).wealth() == (2, 0, 3)


@covers("bonus adjacent_module", "R9")
def test_a_bonus_with_no_candidate_is_lost() -> None:
    assert stay(built_on("-1,-1")).wealth() == (2, 0, 0)
    assert stay(built_on("0,2")).wealth() == (2, 0, 0)


@covers("bonus adjacent_module")
def test_where_several_modules_are_adjacent_the_player_chooses() -> None:
    station = Map(built={"2,0": "gardens", "3,-1": "cargo_bay"}, reactor=("petty_cash",))
    play = placed("constructor", Has(coins=2), Has(), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    assert (play.asks, set(play.values("module"))) == ("activation", {"gardens", "cargo_bay"})
    assert stay(play.make(ChooseModule("cargo_bay"))).wealth() == (2, 2, 2)


@pytest.mark.parametrize("number,factor", [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
@covers("constructor")
def test_build_points_are_multiplied_by_the_round(number: int, factor: int) -> None:
    assert stay(built_on("0,-1", number=number)).wealth() == (2 * factor, 2, 0)


@covers("constructor")
def test_the_bonus_comes_before_the_move_and_both_belong_to_one_action() -> None:
    play = built_on("0,-1", worker="tentacle")
    play.make(ApplyEffect())
    # 2 coins of the bonus, 1 + 2 of Petty Cash, and one extra for both together.
    assert play.wealth() == (2, 2 + 3 + 1, 0)
