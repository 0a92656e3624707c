"""Modules that give something outright, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.moves import ChooseOption, TakeCoinsAndFood, TakeComponent, TakePerk
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, Table, placed, table


def on(module: str, *seats: Has, number: int = 2, built: dict[str, str] | None = None) -> Table:
    """The first seat has placed its first worker on a built module beside hub A."""
    mine, *others = seats or (Has(),)
    station = Map(built={HUB_SIDE: module, **(built or {})})
    return placed(module, mine, *(others or [Has()]), number=number, station=station)


@covers("advanced_laboratory")
def test_the_advanced_laboratory_advances_research_without_a_component() -> None:
    play = on("advanced_laboratory", Has(research=2))
    assert play.player().research == 3
    assert sum(worker.place == "pool" for worker in play.player().workers) == 3 + 1


@pytest.mark.parametrize(
    "module,kind", [("aquarium", "tentacle"), ("gardens", "leaf"), ("predatorium", "claw"), ("think_tank", "brain")]
)
@covers("aquarium", "gardens", "predatorium", "think_tank")
def test_aquarium_gardens_predatorium_and_think_tank_give_their_component(module: str, kind: str) -> None:
    assert on(module).player().storage == (kind,)


@covers("break_room")
def test_the_break_room_gives_one_food_and_the_number_of_the_round() -> None:
    assert on("break_room", number=4).wealth() == (0, 0, 5)


@covers("petty_cash")
def test_petty_cash_gives_one_coin_and_the_number_of_the_round() -> None:
    assert on("petty_cash", number=4).wealth() == (0, 5, 0)


@covers("cargo_bay")
def test_the_cargo_bay_gives_two_coins_and_two_food() -> None:
    assert on("cargo_bay").wealth() == (0, 2, 2)


@covers("cargo_bay", "tentacle")
def test_a_tentacle_brings_one_more_of_each_in_the_cargo_bay() -> None:
    assert on("cargo_bay", Has(["tentacle"])).wealth() == (0, 3, 3)


@covers("commissary")
def test_the_commissary_gives_a_point_a_coin_and_a_food() -> None:
    assert on("commissary").wealth() == (1, 1, 1)


@covers("covert_cloning")
def test_covert_cloning_gives_a_component_for_each_worker_in_the_lounge_whoever_owns_it() -> None:
    mine, other = Has(["", "@worker_lounge"]), Has(["@worker_lounge"])
    play = on("covert_cloning", mine, other)
    play.make(TakeComponent("leaf")).make(TakeComponent("claw"))
    assert play.player().storage == ("claw", "leaf")
    assert play.asks == "turn"


@covers("covert_cloning", "R2")
def test_covert_cloning_with_an_empty_lounge_gives_nothing_and_is_legal() -> None:
    assert on("covert_cloning").player().storage == ()


@covers("dispensary")
def test_the_dispensary_gives_a_coin_or_a_food_for_each_own_placed_worker_this_one_included() -> None:
    play = on("dispensary", Has(["", "@worker_lounge", "@splicing_lab.A"]), Has(["@refinery"]))
    assert set(play.moves) == {TakeCoinsAndFood(coins, 3 - coins) for coins in range(4)}
    assert play.make(TakeCoinsAndFood(1, 2)).wealth() == (0, 1, 2)


@covers("farmers_market")
def test_the_farmers_market_changes_a_coin_into_five_food_or_a_food_into_five_coins() -> None:
    assert on("farmers_market", Has(coins=1, food=1)).make(ChooseOption("food_for_coin")).wealth() == (0, 0, 6)
    assert on("farmers_market", Has(coins=1, food=1)).make(ChooseOption("coins_for_food")).wealth() == (0, 6, 0)


@covers("farmers_market", "R25")
def test_the_farmers_market_does_not_ask_where_only_one_change_can_be_paid() -> None:
    assert on("farmers_market", Has(food=1)).wealth() == (0, 5, 0)


@covers("farmers_market", "R2")
def test_the_farmers_market_needs_a_coin_or_a_food() -> None:
    assert "farmers_market" not in table(Has(), Has(), station=Map(built={HUB_SIDE: "farmers_market"})).targets()


@covers("generic_genetics")
def test_generic_genetics_sells_any_component_for_a_coin() -> None:
    play = on("generic_genetics", Has(coins=1)).make(TakeComponent("tentacle"))
    assert play.player().storage == ("tentacle",)
    assert play.player().coins == 0


@covers("generic_genetics", "R2")
def test_generic_genetics_needs_a_coin() -> None:
    assert "generic_genetics" not in table(Has(), Has(), station=Map(built={HUB_SIDE: "generic_genetics"})).targets()


@pytest.mark.parametrize("module", ["giant_statue", "monolith"])
@covers("giant_statue", "monolith")
def test_no_worker_may_be_placed_on_giant_statue_or_monolith(module: str) -> None:
    assert module not in table(Has(), Has(), station=Map(built={HUB_SIDE: module})).targets()


@covers("grant_office")
@pytest.mark.parametrize("tier,coins", [(1, 2), (2, 3), (3, 3), (8, 6)])
def test_the_grant_office_gives_two_coins_and_one_for_every_two_tiers(tier: int, coins: int) -> None:
    assert on("grant_office", Has(research=tier)).wealth() == (0, coins, 0)


@covers("symposium")
@pytest.mark.parametrize("tier,food", [(1, 1), (2, 2), (5, 3), (8, 5)])
def test_the_symposium_gives_a_food_and_one_for_every_two_tiers(tier: int, food: int) -> None:
    assert on("symposium", Has(research=tier)).wealth() == (0, 0, food)


@covers("hunting_park")
@pytest.mark.parametrize("worker,food", [("", 3), ("claw", 4), ("claw claw", 5)])
def test_the_hunting_park_gives_three_food_and_one_for_each_claw(worker: str, food: int) -> None:
    assert on("hunting_park", Has([worker])).wealth() == (0, 0, food)


@covers("mercenary_outpost")
@pytest.mark.parametrize("worker,coins", [("", 4), ("claw leaf", 5), ("claw claw", 6)])
def test_the_mercenary_outpost_gives_four_coins_and_one_for_each_claw(worker: str, coins: int) -> None:
    assert on("mercenary_outpost", Has([worker])).wealth() == (0, coins, 0)


@covers("inspection_station", "R31")
def test_the_inspection_station_gives_a_point_for_each_module_built_beside_a_hub_once_and_none_for_hubs() -> None:
    # 1,-1 is next to both hubs, 0,-2 next to none.
    play = on("inspection_station", built={"1,-1": "gardens", "0,-2": "newsroom"})
    assert play.wealth() == (2, 0, 0)


@covers("life_support")
def test_life_support_gives_two_points_for_each_component_on_workers_on_adjacent_modules() -> None:
    mine = Has(["brain", "claw leaf@command_hub_a"])
    other = Has(["leaf@gardens", "leaf leaf@newsroom"])
    play = on("life_support", mine, other, built={"1,-1": "gardens", "2,-1": "newsroom"})
    # The brain scores the value of Life Support, 4; its own components do not count, nor those on the Newsroom.
    assert play.wealth() == (4 + 2 * 3, 0, 0)


@covers("shopping_center")
def test_the_shopping_center_gives_two_coins_for_each_worker_on_adjacent_modules() -> None:
    mine, other = Has(["", "@command_hub_a"]), Has(["@gardens", "@newsroom"])
    play = on("shopping_center", mine, other, built={"1,-1": "gardens", "2,-1": "newsroom"})
    assert play.wealth() == (0, 4, 0)


@covers("newsroom")
def test_the_newsroom_gives_two_points_for_each_own_placed_worker_this_one_included() -> None:
    play = on("newsroom", Has(["", "@worker_lounge", "@splicing_lab.A", "@vendor"], perks=("vendor",)))
    assert play.wealth() == (8, 0, 0)


@covers("scientific_display")
def test_the_scientific_display_gives_a_point_for_each_tier() -> None:
    assert on("scientific_display", Has(research=7)).wealth() == (7, 0, 0)


@covers("vineyard", "R31")
def test_the_vineyard_gives_a_food_for_each_adjacent_module_hubs_included() -> None:
    assert on("vineyard", built={"1,-1": "gardens", "1,-2": "newsroom", "2,-1": "aquarium"}).wealth() == (0, 0, 3)


@covers("periphery_command")
def test_periphery_command_commands() -> None:
    assert on("periphery_command", Has(["", "@laboratory"]), Has(["@refinery"])).wealth() == (1, 0, 0)


@covers("advanced_laboratory", "R49")
def test_a_perk_gained_by_research_is_chosen_before_the_turn_ends() -> None:
    play = on("advanced_laboratory")
    assert play.asks == "perk_choice"
    assert play.make(TakePerk("beggars_alley")).player().perks == ("beggars_alley",)
