"""The ten module perks, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.facts import ModulesDiscarded, WorkerEjected
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseSpace,
    Decline,
    EjectWorker,
    Give,
    PlaceWorker,
    RecallWorker,
    SwapWorkers,
    TakeCoinsAndFood,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, Table, placed, table


def using(perk: str, mine: Has, *others: Has, **how: object) -> Table:
    """The first seat has that perk and has placed its first worker on it."""
    has = Has(
        mine.workers, mine.coins, mine.food, 10, mine.storage, (perk, *mine.perks), mine.research, None, mine.board
    )
    return placed(perk, has, *(others or (Has(),)), **how)


@covers("vendor")
def test_the_vendor_gives_two_coins_and_a_food() -> None:
    assert using("vendor", Has()).wealth() == (0, 2, 1)


@covers("vendor", "overseer")
def test_only_its_owner_places_on_a_perk_module_and_no_opponent_ejects_from_it() -> None:
    play = table(Has(["claw claw"]), Has(["@vendor"], perks=("vendor",)))
    assert "vendor" not in play.targets()
    assert "vendor" not in table(Has(), Has(perks=("vendor",))).targets()


@covers("beggars_alley", "R26")
def test_beggars_alley_lets_each_opponent_clockwise_give_a_coin_or_a_food_for_a_point() -> None:
    play = using("beggars_alley", Has(), Has(coins=1, food=1), Has(food=2), Has(), turn=0)
    assert play.wealth() == (0, 2, 1)
    assert (play.asks, play.seat) == ("gift", 1)
    assert set(play.moves) == {Give("coin"), Give("food"), Decline()}
    play.make(Give("coin"))
    assert play.wealth(1) == (1, 0, 1)
    assert (play.asks, play.seat) == ("gift", 2)
    assert set(play.moves) == {Give("food"), Decline()}
    play.make(Decline())
    assert play.wealth(2) == (0, 0, 2)
    # The last opponent has nothing to give and is not asked.
    assert (play.asks, play.seat) == ("turn", 1)
    assert play.wealth() == (0, 3, 1)


@covers("beggars_alley", "R21", "tentacle")
def test_a_gift_at_beggars_alley_counts_for_the_tentacle_and_what_the_giver_scores_does_not_for_the_taker() -> None:
    play = using("beggars_alley", Has(["tentacle"]), Has(food=1)).make(Give("food"))
    assert play.wealth() == (0, 2 + 1, 1 + 1 + 1)
    assert play.wealth(1) == (1, 0, 0)


@covers("conference")
def test_the_conference_recalls_an_own_placed_worker() -> None:
    play = using("conference", Has(["", "@refinery", "@splicing_lab.A"]), Has(["@hydroponics"]))
    assert play.values("worker") == ["0-1", "0-2"]
    play.make(RecallWorker("0-2"))
    assert play.worker("0-2").place == "pool"


@covers("conference", "R18")
def test_a_worker_on_the_conference_is_not_recalled_and_not_ejected_by_the_owner_either() -> None:
    perks = ("conference", "grappler", "morale_center")
    mine = Has(["claw claw", "@conference", "", "@refinery"], perks=perks)
    play = table(mine, Has(["@hydroponics"]))
    assert "conference" not in play.targets()
    play.place("morale_center", "0-2")
    assert set(play.values("worker")) == {"0-3", "1-0"}


@covers("dispatch", "R8")
def test_dispatch_places_two_more_workers_at_once_each_in_an_action_of_its_own() -> None:
    play = using("dispatch", Has(["tentacle", "tentacle", ""]))
    assert play.asks == "placement"
    play.make(PlaceWorker("0-1", "refinery"))
    assert play.wealth() == (0, 4, 0)  # its own tentacle brings one more before the next is placed
    assert play.asks == "placement"
    play.make(PlaceWorker("0-2", "hydroponics"))
    # What the workers placed gained is theirs: the tentacle on Dispatch brings nothing.
    assert play.wealth() == (0, 4, 2)
    assert (play.asks, play.seat) == ("turn", 1)


@covers("dispatch", "R17")
def test_dispatch_needs_one_worker_in_the_pool_and_then_places_as_many_as_there_are() -> None:
    alone = Has(["", "@refinery", "@academy", "@worker_lounge"], perks=("dispatch",))
    assert "dispatch" not in table(alone, Has()).targets()
    one = using("dispatch", Has(["", "", "@refinery", "@academy"]))
    one.make(PlaceWorker("0-1", "hydroponics"))
    assert (one.asks, one.seat) == ("turn", 1)


@covers("dispatch")
def test_the_placements_of_dispatch_may_go_to_the_splicing_lab_in_the_placement_phase() -> None:
    play = using("dispatch", Has(["", ""], storage="claw"))
    play.make(PlaceWorker("0-1", "splicing_lab"))
    assert play.asks == "splice"


@covers("foundry", "R34")
def test_the_foundry_discards_the_reactor_refills_builds_at_cost_and_applies_the_effect() -> None:
    new = ("petty_cash", "gardens", "vineyard", "aquarium", "symposium", "newsroom")
    station = Map(reactor=("monolith", "think_tank"), deck=new)
    play = using("foundry", Has(coins=2), station=station)
    assert play.happened(ModulesDiscarded)[0].modules == ("monolith", "think_tank")
    assert play.wealth() == (0, 2, 0)
    assert set(play.values("module")) == {"petty_cash", "vineyard", "symposium"}
    play.make(BuildModule("petty_cash", HUB_SIDE, "coins"))
    # Value 2; cost 2, bonus 2 coins, then 1 + the round.
    assert play.wealth() == (2, 4, 0)
    assert play.worker("0-0").place == "foundry"
    assert (play.asks, play.seat) == ("turn", 1)


@covers("foundry", "R41")
def test_the_foundry_may_be_used_before_it_is_known_whether_anything_can_be_afforded() -> None:
    play = using("foundry", Has(), station=Map(reactor=(), discards=("gardens",)))
    assert play.wealth() == (0, 0, 0)
    assert (play.asks, play.seat) == ("turn", 1)
    assert None not in play.state.reactor


@covers("mint")
def test_the_mint_gives_a_coin_for_each_gold_module_in_the_station_base_modules_included() -> None:
    assert using("mint", Has()).wealth() == (0, 3, 0)
    station = Map(built={HUB_SIDE: "cargo_bay", "1,-1": "gardens"})
    assert using("mint", Has(), station=station).wealth() == (0, 4, 0)


@covers("morale_center", "R18")
def test_the_morale_center_ejects_two_workers_one_after_the_other_and_then_another_own_one_is_placed() -> None:
    mine = Has(["", "claw", "@academy"])
    play = using("morale_center", mine, Has(["leaf leaf@refinery", "@worker_lounge"]), Has(["@hydroponics"]))
    assert set(play.values("worker")) == {"0-2", "1-0", "2-0"}
    play.make(EjectWorker("1-0"))
    assert play.worker("1-0").place == "worker_lounge"
    assert (play.asks, play.seat) == ("mix", 1)
    play.make(TakeCoinsAndFood(1, 0))
    assert (play.asks, play.seat) == ("ejection", 0)
    assert set(play.values("worker")) == {"0-2", "2-0"}
    play.make(EjectWorker("2-0")).make(TakeCoinsAndFood(0, 1))
    assert (play.asks, play.seat) == ("placement", 0)
    play.make(PlaceWorker("0-1", "refinery"))
    assert play.wealth() == (0, 3, 0)
    assert [play.wealth(seat) for seat in (1, 2)] == [(0, 1, 0), (0, 0, 1)]


@covers("morale_center", "R18")
def test_the_morale_center_needs_two_workers_that_can_be_ejected() -> None:
    one = Has(["@refinery", "@worker_lounge", "@splicing_lab.A"])
    other = Has(["@vendor"], perks=("vendor",))
    assert "morale_center" not in table(Has(perks=("morale_center",)), one, other).targets()
    assert "morale_center" in table(Has(["", "@academy"], perks=("morale_center",)), one, other).targets()


@covers("morale_center", "R18", "overseer", "thug")
def test_no_claw_is_used_at_the_morale_center_so_overseer_and_thug_do_not_matter() -> None:
    mine = Has(["claw"], perks=("thug",))
    play = using("morale_center", mine, Has(["@refinery", "@academy"], perks=("overseer",)))
    play.make(EjectWorker("1-0"))
    assert (play.asks, play.seat) == ("mix", 1)


@covers("nonhuman_resources", "R19")
def test_nonhuman_resources_swaps_two_workers_and_both_may_apply_what_theirs_stands_on_the_owner_first() -> None:
    play = using("nonhuman_resources", Has(["", "@hydroponics"]), Has(["@refinery"]))
    assert play.worker("0-1").place == "refinery"
    assert play.worker("1-0").place == "hydroponics"
    assert (play.asks, play.seat) == ("swapped_use", 0)
    assert set(play.moves) == {ApplyEffect(), Decline()}
    play.make(ApplyEffect())
    assert play.wealth() == (0, 3, 0)
    assert (play.asks, play.seat) == ("swapped_use", 1)
    play.make(ApplyEffect())
    assert play.wealth(1) == (0, 0, 2)
    assert (play.asks, play.seat) == ("turn", 1)


@covers("nonhuman_resources", "R19")
def test_nonhuman_resources_swaps_lounge_and_slots_but_neither_with_itself_and_no_perk_modules() -> None:
    mine = Has(["", "@worker_lounge", "@splicing_lab.A", "@vendor"], perks=("vendor",))
    play = using("nonhuman_resources", mine, Has(["@worker_lounge", "@splicing_lab.B", "@refinery"]))
    assert set(play.moves) == {
        SwapWorkers("0-1", "1-1"),
        SwapWorkers("0-1", "1-2"),
        SwapWorkers("0-2", "1-0"),
        SwapWorkers("0-2", "1-2"),
    }
    play.make(SwapWorkers("0-2", "1-0"))
    assert play.worker("1-0").place == "splicing_lab.A"
    # Neither stands on a module, and the one in the lounge takes nothing.
    assert (play.asks, play.seat) == ("turn", 1)
    assert play.wealth() == (0, 0, 0)


@covers("nonhuman_resources", "R2")
def test_nonhuman_resources_needs_a_pair_that_can_be_swapped() -> None:
    mine = Has(["", "@worker_lounge"], perks=("nonhuman_resources",))
    assert "nonhuman_resources" not in table(mine, Has(["@worker_lounge"])).targets()
    assert "nonhuman_resources" in table(mine, Has(["@splicing_lab.A"])).targets()


@covers("workshop", "R34")
def test_the_workshop_gives_a_coin_builds_any_discarded_module_and_applies_its_effect() -> None:
    station = Map(discards=("petty_cash", "monolith"))
    play = using("workshop", Has(["tentacle"], coins=1), station=station)
    assert play.values("module") == ["petty_cash"]
    play.make(BuildModule("petty_cash", "-1,0", "coins"))
    assert play.wealth() == (2, 1 + 1 - 2 + 2 + 1, 0)
    assert play.player().storage == ("brain",)
    assert play.state.discards == ("monolith",)
    assert play.worker("0-0").place == "workshop"


@covers("workshop", "R2")
def test_the_workshop_needs_a_discarded_module_that_can_be_paid_with_its_coin() -> None:
    station = Map(discards=("petty_cash",))
    assert "workshop" not in table(Has(perks=("workshop",)), Has(), station=station).targets()
    assert "workshop" in table(Has(coins=1, perks=("workshop",)), Has(), station=station).targets()
    assert "workshop" not in table(Has(coins=9, perks=("workshop",)), Has()).targets()


@covers("workshop", "R34")
def test_the_effect_of_a_module_built_by_the_workshop_is_lost_if_it_cannot_be_resolved() -> None:
    play = using("workshop", Has(coins=3), station=Map(discards=("cryogenics",)))
    play.make(BuildModule("cryogenics", HUB_SIDE, "coins"))
    assert play.wealth() == (3, 3 + 1 - 3 + 2, 0)
    assert (play.asks, play.seat) == ("turn", 1)


@covers("zoning_board")
def test_the_zoning_board_gives_the_bonus_of_any_free_space_beside_a_hub_or_not() -> None:
    play = using("zoning_board", Has(), station=Map(built={HUB_SIDE: "gardens"}))
    assert HUB_SIDE not in play.values("space")
    play.make(ChooseSpace("-2,2"))
    assert play.wealth() == (4, 0, 0)


@covers("zoning_board", "R50")
def test_a_space_is_named_by_its_hex_and_a_bonus_with_a_zero_yield_can_be_chosen() -> None:
    play = using("zoning_board", Has())
    assert "0,1" in play.values("space")  # the current reactor rewards, with no space empty
    assert play.make(ChooseSpace("0,1")).wealth() == (0, 0, 0)


@covers("zoning_board", "R32")
def test_the_recall_of_a_space_chosen_by_the_zoning_board_takes_neither_the_acting_worker_nor_one_recalled() -> None:
    assert "-2,0" not in using("zoning_board", Has()).values("space")
    play = using("zoning_board", Has(["", "@refinery"])).make(ChooseSpace("-2,0"))
    assert play.worker("0-1").recalled
    assert play.worker("0-0").place == "zoning_board"


@covers("zoning_board", "R30")
def test_the_zoning_board_activates_a_module_adjacent_to_the_space_chosen() -> None:
    station = Map(built={"2,0": "gardens"})
    play = using("zoning_board", Has(), station=station)
    play.make(ChooseSpace("3,0"))
    assert play.player().storage == ("leaf",)
    assert "-1,-1" not in using("zoning_board", Has(), station=station).values("space")


@covers("conference", "engineer", "grappler", "lounge_lizard", "overseer", "R36")
@pytest.mark.parametrize("perk", ["conference", "engineer", "grappler", "lounge_lizard", "overseer"])
@pytest.mark.parametrize("number", [1, 4])
def test_some_perks_score_the_number_of_the_round_when_they_are_taken(perk: str, number: int) -> None:
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=(perk, "vendor", "mint"))
    play = placed("advanced_laboratory", Has(), Has(), station=station, number=number).make(TakePerk(perk))
    assert play.wealth() == (number, 0, 0)


@covers("vendor", "R36")
def test_other_perks_score_nothing_when_they_are_taken() -> None:
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=("vendor", "mint", "dispatch"))
    play = placed("advanced_laboratory", Has(), Has(), station=station, number=4).make(TakePerk("vendor"))
    assert play.wealth() == (0, 0, 0)


@covers("morale_center")
def test_ejections_of_the_morale_center_are_recorded_as_by_nobody() -> None:
    play = using("morale_center", Has(["", "@academy"]), Has(["@refinery"]))
    play.make(EjectWorker("1-0"))
    assert play.happened(WorkerEjected) == [WorkerEjected("1-0", None)]
