"""The twelve passive perks, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseSpace,
    DetachComponents,
    DiscardPerk,
    Move,
    RemoveComponents,
    SpliceWorker,
    TakeCoinsAndFood,
    TakeTribute,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, placed, table


@covers("architect", "E3")
def test_the_architect_scores_a_point_for_each_module_built_not_multiplied() -> None:
    station = Map(reactor=("cargo_bay",))
    play = placed("constructor", Has(coins=4, perks=("architect",)), Has(), station=station, number=3)
    play.make(BuildModule("cargo_bay", HUB_SIDE, "coins"))
    assert play.wealth() == (3 * 2 + 1, 2, 0)


@covers("architect")
def test_the_architect_scores_what_the_quantum_constructor_builds_and_nothing_for_others() -> None:
    station = Map(built={HUB_SIDE: "quantum_constructor"}, deck=("gardens",))
    play = placed("quantum_constructor", Has(coins=2, perks=("architect",)), Has(), station=station)
    assert play.make(ChooseSpace("2,-1")).wealth() == (2 + 1, 0, 2)
    other = placed("quantum_constructor", Has(coins=2), Has(perks=("architect",)), station=station)
    assert other.make(ChooseSpace("2,-1")).wealth(1) == (0, 0, 0)


@covers("engineer", "E4")
def test_the_engineer_gets_each_reactor_reward_of_the_boiler_room_twice() -> None:
    station = Map(reactor=("monolith", "vineyard", "gardens", "aquarium"))
    play = placed("boiler_room", Has(["claw leaf"], perks=("engineer",)), Has(), station=station)
    assert play.wealth() == (2, 2, 4)


@covers("engineer", "R12")
def test_the_engineer_doubles_the_reactor_rewards_of_no_other_effect() -> None:
    station = Map(reactor=("petty_cash", "gardens", "aquarium", "monolith", "vineyard"))
    play = placed("constructor", Has(coins=2, perks=("engineer",)), Has(), station=station)
    # One space was empty, a second one is the gap of the module taken, whose reward is food.
    play.make(BuildModule("petty_cash", "0,1", "coins"))
    assert play.wealth() == (2 + 1, 0, 1)


@covers("geneticist", "R20")
def test_the_geneticist_lets_one_worker_at_a_time_carry_three_components_not_all_of_one_kind() -> None:
    mine = Has(["claw claw"], storage="claw leaf", perks=("geneticist",))
    play = placed("splicing_lab", mine, Has())
    sets = play.values("components")
    assert ("claw", "claw", "leaf") in sets
    assert ("claw", "claw", "claw") not in sets
    assert max(map(len, sets)) == 3
    second = Has(["claw", "brain claw leaf@worker_lounge"], storage="claw leaf", perks=("geneticist",))
    assert max(map(len, placed("splicing_lab", second, Has()).values("components"))) == 2


@covers("geneticist", "R20")
def test_when_the_geneticist_is_lost_the_third_component_is_detached_at_once_its_owner_choosing_which() -> None:
    mine = Has(["", "brain claw leaf@worker_lounge"], perks=("geneticist", "vendor"), research=3)
    play = placed("union_hall", mine, Has(), station=Map(built={HUB_SIDE: "union_hall"}))
    play.make(DiscardPerk("geneticist"))
    assert play.wealth() == (6, 0, 0)
    assert (play.asks, play.asking.worker) == ("overload", "0-1")
    play.make(DetachComponents(("claw",)))
    assert play.worker("0-1").components == ("brain", "leaf")
    assert play.player().storage == ("claw",)
    assert play.asks == "perk_choice"


@covers("grappler", "R42")
def test_the_grappler_lets_claw_workers_eject_own_workers_by_the_same_limits() -> None:
    mine = ["claw", "claw claw", "leaf@refinery", "leaf leaf@academy"]
    play = table(Has(mine, perks=("grappler",)), Has())
    assert play.targets("0-0") & {"refinery", "academy"} == {"refinery"}
    assert play.targets("0-1") & {"refinery", "academy"} == {"refinery", "academy"}
    assert not table(Has(mine), Has()).targets() & {"refinery", "academy"}


@covers("grappler", "R42")
def test_the_owner_of_the_grappler_may_eject_an_own_worker_from_an_own_perk_module() -> None:
    play = table(Has(["claw", "@vendor"], perks=("vendor", "grappler")), Has())
    assert "vendor" in play.targets("0-0")
    play.place("vendor", "0-0").make(TakeCoinsAndFood(1, 0))
    assert play.wealth() == (0, 3, 1)
    assert play.worker("0-1").place == "worker_lounge"


@covers("grocer", "R21")
def test_the_grocer_may_take_as_many_coins_and_one_more_instead_of_food_gained_by_a_leaf_worker() -> None:
    play = placed("hydroponics", Has(["leaf"], perks=("grocer",)), Has())
    assert play.asks == "food_exchange"
    assert set(play.moves) == {TakeCoinsAndFood(0, 2), TakeCoinsAndFood(3, 0)}
    assert play.make(TakeCoinsAndFood(3, 0)).wealth() == (0, 3, 0)
    assert placed("hydroponics", Has(["claw"], perks=("grocer",)), Has()).wealth() == (0, 0, 2)


@covers("grocer", "R21", "tentacle")
def test_coins_taken_instead_of_food_are_a_coin_gain_for_the_tentacle() -> None:
    play = placed("hydroponics", Has(["leaf tentacle"], perks=("grocer",)), Has())
    assert play.make(TakeCoinsAndFood(3, 0)).wealth() == (0, 4, 0)


@covers("grocer", "R21")
def test_the_extra_food_of_a_tentacle_may_become_two_coins_without_a_further_extra() -> None:
    play = placed("hydroponics", Has(["leaf tentacle"], perks=("grocer",)), Has())
    play.make(TakeCoinsAndFood(0, 2))
    assert play.asks == "food_exchange"
    assert play.make(TakeCoinsAndFood(2, 0)).wealth() == (0, 2, 2)


@covers("grocer", "R21")
def test_an_opponents_ejected_leaf_worker_may_take_two_coins_when_it_arrives_in_the_lounge() -> None:
    play = placed("refinery", Has(["claw"]), Has(["leaf@refinery"], perks=("grocer",)))
    assert (play.asks, play.seat) == ("mix", 1)
    play.make(TakeCoinsAndFood(0, 1))
    assert play.asks == "food_exchange"
    play.make(TakeCoinsAndFood(2, 0))
    assert play.wealth(1) == (0, 2, 0)
    assert play.wealth(0) == (0, 3, 0)


@covers("grocer", "R21")
def test_what_an_ejection_brings_to_the_acting_player_is_nothing_for_the_grocer() -> None:
    mine = Has(["claw leaf", "leaf@refinery"], perks=("grocer", "grappler"))
    play = placed("refinery", mine, Has()).make(TakeCoinsAndFood(0, 1))
    assert play.wealth() == (0, 3, 1)


@covers("investor", "R37")
def test_the_investor_pays_a_coin_or_a_food_for_each_own_worker_with_a_component_at_the_start_of_every_round() -> None:
    mine = Has(["claw", "leaf leaf", ""], food=20, perks=("investor",))
    play = table(mine, Has(), phase="placement").place("refinery", "0-2")
    while play.state.round == 1:
        play.make(_lounge_or_first(play.moves))
    assert (play.asks, play.seat, play.asking.piece) == ("mix", 0, "investor")
    assert play.state.phase == "start"
    before = play.wealth()
    play.make(TakeCoinsAndFood(1, 1))
    assert play.wealth() == (before[0], before[1] + 1, before[2] + 1)
    assert play.state.phase == "placement"


def _lounge_or_first(moves: list[Move]) -> Move:
    lounge = [move for move in moves if getattr(move, "to", None) == "worker_lounge"]
    return (lounge or moves)[0]


@covers("lounge_lizard", "R43")
def test_the_lounge_lizard_scores_two_whenever_an_own_worker_comes_to_the_lounge_by_any_way() -> None:
    lizard = ("lounge_lizard",)
    assert placed("worker_lounge", Has(perks=lizard), Has()).wealth() == (2, 0, 0)
    assert placed("refinery", Has(["claw"]), Has(["@refinery"], perks=lizard)).wealth(1) == (2, 0, 0)
    own = Has(["", "@refinery"], perks=("lounge_lizard", "nonhuman_resources"))
    play = placed("nonhuman_resources", own, Has(["@worker_lounge"]))
    assert play.wealth() == (2, 0, 0)


@covers("lounge_lizard", "R43")
def test_the_lounge_lizard_scores_nothing_for_opponents_workers() -> None:
    assert placed("refinery", Has(["claw"], perks=("lounge_lizard",)), Has(["@refinery"])).wealth() == (0, 0, 0)


@covers("overseer")
def test_the_overseer_keeps_opponents_claws_away_from_all_own_workers() -> None:
    assert "refinery" not in table(Has(["claw claw"]), Has(["@refinery"], perks=("overseer",))).targets()
    assert "refinery" in table(Has(["claw claw"], perks=("overseer",)), Has(["@refinery"])).targets()


@covers("prime_specimen", "R22")
def test_prime_specimen_scores_one_more_at_the_end_of_a_turn_in_which_a_tentacle_workers_action_scored() -> None:
    perks = ("prime_specimen",)
    assert placed("hydroponics", Has(["brain tentacle"], perks=perks), Has()).wealth() == (1 + 1, 0, 3)
    assert placed("hydroponics", Has(["brain"], perks=perks), Has()).wealth() == (1, 0, 2)
    assert placed("hydroponics", Has(["tentacle"], perks=perks), Has()).wealth() == (0, 0, 3)


@covers("prime_specimen", "R22")
def test_prime_specimen_scores_once_per_turn_however_many_actions_scored() -> None:
    mine = Has(["tentacle", "brain tentacle", "brain tentacle"], perks=("dispatch", "prime_specimen"))
    play = placed("dispatch", mine, Has())
    play.place("hydroponics", "0-1").place("refinery", "0-2")
    assert play.wealth()[0] == 1 + 1 + 1


@covers("prime_specimen", "R22")
def test_points_that_an_ejection_brings_do_not_count_for_prime_specimen() -> None:
    perks = ("prime_specimen", "lounge_lizard", "grappler")
    play = placed("refinery", Has(["claw tentacle", "@refinery"], perks=perks), Has())
    assert play.make(TakeCoinsAndFood(1, 0)).wealth()[0] == 2
    lounging = placed("worker_lounge", Has(["tentacle"], perks=perks), Has()).make(TakeCoinsAndFood(1, 0))
    assert lounging.wealth()[0] == 3


@covers("prime_specimen", "R22")
def test_prime_specimen_looks_at_the_worker_at_the_end_of_its_action() -> None:
    station = Map(built={HUB_SIDE: "biofuel_refinery"})
    play = placed("biofuel_refinery", Has(["tentacle"], perks=("prime_specimen",)), Has(), station=station)
    assert play.make(RemoveComponents("0-0", ("tentacle",))).wealth()[0] == 7


@covers("savant")
def test_the_savant_scores_a_point_for_each_own_placed_brain_worker_when_an_opponent_commands() -> None:
    savant = Has(["brain@refinery", "brain brain@worker_lounge", "brain", "leaf@academy"], perks=("savant",))
    play = placed("command_hub_a", Has(), savant)
    assert play.wealth(1) == (2, 0, 0)
    assert placed("command_hub_a", Has(["brain"], perks=("savant",)), Has(["@refinery"])).wealth() == (1, 0, 0)


@covers("thug", "R44")
def test_the_owner_of_the_thug_takes_the_coin_or_food_in_the_place_of_the_ejected_workers_owner() -> None:
    play = placed("refinery", Has(["claw tentacle"], perks=("thug",)), Has(["@refinery"]))
    assert (play.asks, play.seat) == ("mix", 0)
    # The food of an ejection counts neither for the tentacle nor for anything else of the action.
    play.make(TakeCoinsAndFood(0, 1))
    assert play.wealth() == (0, 3 + 1, 1)
    assert play.wealth(1) == (0, 0, 0)


@covers("warlord", "R39")
def test_the_warlord_takes_two_coins_from_one_opponent_or_one_from_each_on_taking_the_marker() -> None:
    mine = Has(perks=("warlord",))
    play = placed("command_hub_a", mine, Has(coins=1), Has(coins=3), start=1)
    assert play.asks == "tribute"
    assert set(play.moves) == {TakeTribute((1,), 1), TakeTribute((2,), 2), TakeTribute((1, 2), 1)}
    play.make(TakeTribute((1, 2), 1))
    assert [play.player(seat).coins for seat in range(3)] == [2, 0, 2]


@covers("warlord", "R39")
def test_the_warlord_is_offered_only_opponents_with_a_coin_and_asks_nothing_where_none_has_one() -> None:
    mine = Has(["tentacle"], perks=("warlord",))
    play = placed("command_hub_a", mine, Has(), Has(coins=1), start=1)
    # One from one, or one from each who has one: the same, so nothing is asked; the tentacle brings one more.
    assert play.wealth() == (0, 1 + 1, 0)
    assert placed("command_hub_a", mine, Has(), Has(), start=1).wealth() == (0, 0, 0)


@covers("warlord", "R39")
def test_the_warlord_takes_nothing_when_the_marker_does_not_change_hands() -> None:
    mine = Has(perks=("warlord",))
    assert placed("command_hub_a", mine, Has(coins=3)).wealth() == (0, 0, 0)
    assert placed("command_hub_a", mine, Has(coins=3), start=1, moved=True).wealth() == (0, 0, 0)


@covers("geneticist", "splicing_lab")
def test_a_worker_carries_two_components_at_most_without_the_geneticist() -> None:
    play = placed("splicing_lab", Has(["claw"], storage="leaf leaf"), Has())
    assert set(play.values("components")) == {
        (),
        ("claw",),
        ("leaf",),
        ("claw", "leaf"),
        ("leaf", "leaf"),
    }
    play.make(SpliceWorker(("leaf", "leaf")))
    assert play.worker("0-0").components == ("leaf", "leaf")
    assert play.player().storage == ("claw",)


ENDS = [
    ("beggars_alley", Has(food=2), 9),
    ("conference", Has(), 5),
    ("dispatch", Has(), 8),
    ("foundry", Has(), 8),
    ("mint", Has(coins=2), 9),
    ("morale_center", Has(["claw leaf", "leaf", "leaf leaf"]), 6),
    ("nonhuman_resources", Has(), 8),
    ("vendor", Has(), 9),
    ("workshop", Has(), 1),
    ("zoning_board", Has(), 8),
    ("architect", Has(), 8),
    ("engineer", Has(), 4),
    ("geneticist", Has(research=3), 6),
    ("grappler", Has(), 5),
    ("grocer", Has(["leaf claw"], storage="leaf leaf"), 6),
    ("investor", Has(), 8),
    ("lounge_lizard", Has(), 5),
    ("overseer", Has(), 8),
    ("prime_specimen", Has(["tentacle claw"], storage="tentacle"), 4),
    ("savant", Has(["brain brain"], storage="brain"), 6),
    ("thug", Has(["claw"], storage="claw leaf"), 4),
    ("warlord", Has(), 9),
]


@covers(*(perk for perk, _, _ in ENDS))
@pytest.mark.parametrize("perk,mine,points", ENDS, ids=[perk for perk, _, _ in ENDS])
def test_a_perk_scores_at_game_end_and_at_union_hall_alike(perk: str, mine: Has, points: int) -> None:
    mine = Has([*mine.workers], mine.coins, mine.food, 10, mine.storage, (perk,), mine.research)
    station = Map(built={HUB_SIDE: "union_hall"}, reactor=("gardens", "aquarium", "vineyard", "newsroom"), discards=())
    over = table(mine, Has(), station=station, number=5, phase="over", agenda=())
    result = over.rules.result(over.state)
    assert result is not None
    assert [line.points for line in result.scores[0].lines if line.source == "perk_end"] == [points]
    scoring = Has(["", *mine.workers], mine.coins, mine.food, 10, mine.storage, (perk,), mine.research)
    assert placed("union_hall", scoring, Has(), station=station).wealth()[0] == points


@covers("beggars_alley", "mint", "R33")
@pytest.mark.parametrize("perk,rich", [("beggars_alley", Has(food=1)), ("mint", Has(coins=1))])
def test_having_most_scores_nine_also_on_a_tie_or_with_none_and_nothing_if_another_has_more(
    perk: str, rich: Has
) -> None:
    def points(mine: Has, other: Has) -> int:
        has = Has(coins=mine.coins, food=mine.food, perks=(perk,))
        over = table(has, other, number=5, phase="over", agenda=())
        result = over.rules.result(over.state)
        assert result is not None
        return sum(line.points for line in result.scores[0].lines if line.source == "perk_end")

    assert points(Has(), Has()) == 9
    assert points(rich, rich) == 9
    assert points(Has(), rich) == 0


@covers("geneticist")
def test_the_geneticist_scores_fourteen_at_most() -> None:
    over = table(Has(perks=("geneticist",), research=8), Has(), number=5, phase="over", agenda=())
    result = over.rules.result(over.state)
    assert result is not None
    assert result.scores[0].points == 10 + 14


@covers("warlord")
def test_the_warlord_scores_nothing_for_another_start_player() -> None:
    over = table(Has(perks=("warlord",)), Has(), start=1, number=5, phase="over", agenda=())
    result = over.rules.result(over.state)
    assert result is not None
    assert result.scores[0].points == 10


@covers("grocer", "R19")
def test_the_leaf_of_a_swapped_worker_counts_for_the_grocer_in_its_effect() -> None:
    mine = Has(["", "leaf@refinery"], perks=("nonhuman_resources", "grocer"))
    play = placed("nonhuman_resources", mine, Has(["@hydroponics"]))
    play.make(ApplyEffect())
    assert play.asks == "food_exchange"
