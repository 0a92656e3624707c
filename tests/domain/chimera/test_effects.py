"""Rulings on effects inside effects: actions, copies, protection, recalls, effects without a worker."""

from __future__ import annotations

import pytest

from domain.chimera.agenda import Owed, Splice, Turn
from domain.chimera.effects import Recall
from domain.chimera.facts import MarkerTaken, WorkerProtected
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseModule,
    Decline,
    DetachComponents,
    DiscardPerk,
    PlaceWorker,
    RecallWorker,
    RemoveComponents,
    SwapWorkers,
    TakeCoinsAndFood,
    TakeComponent,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, placed, table


@covers("R7", "R27")
def test_an_action_runs_to_the_end_of_everything_that_follows_and_each_extra_comes_once() -> None:
    station = Map(reactor=("hunting_park", "gardens"))
    play = placed("constructor", Has(["tentacle tentacle"], coins=2), Has(), station=station)
    play.make(BuildModule("hunting_park", "-1,0", "coins")).make(ApplyEffect())
    # A brain of the space, 3 food of the module; then one extra food and one extra component, a brain.
    assert play.wealth() == (2, 0, 3 + 1)
    assert play.player().storage == ("brain", "brain")


@covers("R7", "tentacle")
def test_the_player_picks_among_the_kinds_gained_for_the_extra_of_two_tentacles() -> None:
    station = Map(built={HUB_SIDE: "covert_cloning"})
    mine = Has(["tentacle tentacle", "@worker_lounge", "@worker_lounge"])
    play = placed("covert_cloning", mine, Has(), station=station)
    play.make(TakeComponent("claw")).make(TakeComponent("leaf"))
    assert (play.asks, play.values("component")) == ("extra_component", ["claw", "leaf"])
    assert play.make(TakeComponent("leaf")).player().storage == ("claw", "leaf", "leaf")


@covers("tentacle")
def test_an_extra_component_of_which_none_is_left_is_two_points() -> None:
    station = Map(built={HUB_SIDE: "gardens"})
    play = placed("gardens", Has(["tentacle tentacle"]), Has(storage="leaf " * 6), station=station)
    assert play.player().storage == ("leaf",)
    assert play.wealth() == (2, 0, 0)


@covers("R7")
def test_what_was_paid_is_not_set_off_and_what_was_only_detached_is_not_gained() -> None:
    station = Map(built={HUB_SIDE: "farmers_market"})
    assert placed("farmers_market", Has(["tentacle"], food=1), Has(), station=station).wealth() == (0, 6, 0)
    play = placed("laboratory", Has(["tentacle tentacle"], research=2), Has())
    assert play.player().storage == ("tentacle",)


@covers("R27")
def test_a_tentacle_detached_in_the_action_brings_no_extra() -> None:
    station = Map(built={HUB_SIDE: "underground_lab"})
    mine = Has(["tentacle"], research=3, board="weirdos")
    play = placed("underground_lab", mine, Has(board="toughies"), station=station)
    play.make(DetachComponents(("tentacle",)))
    # Tier 4 gives a worker and a food.
    assert play.wealth() == (0, 0, 1)


@covers("R8")
def test_a_nested_placing_keeps_its_gains_and_its_extras_come_before_the_outer_effect_goes_on() -> None:
    mine = Has(["tentacle", "tentacle", "tentacle"], perks=("dispatch",))
    play = placed("dispatch", mine, Has()).make(PlaceWorker("0-1", "refinery"))
    assert (play.wealth(), play.asks, len(play.state.actions)) == ((0, 4, 0), "placement", 1)


@covers("R40")
def test_an_outer_acting_worker_may_be_recalled_and_placed_again_by_the_same_effect() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station"})
    mine = Has(["", "", *["@worker_lounge"] * 2], perks=("dispatch",))
    play = placed("dispatch", mine, Has(), station=station)
    play.make(PlaceWorker("0-1", "dispatch_station"))
    assert "0-0" in play.values("worker")
    play.make(RecallWorker("0-0"))
    # The first placement of Dispatch is done; its second one places the worker that stood on it.
    assert (play.asks, play.values("worker")) == ("placement", ["0-0"])
    play.make(PlaceWorker("0-0", "refinery"))
    assert play.wealth() == (0, 3, 0)
    assert not play.state.actions


@covers("R40", "R42")
def test_an_outer_acting_worker_may_be_ejected_by_the_worker_that_its_effect_places() -> None:
    mine = Has(["", "claw", ""], perks=("dispatch", "grappler"))
    play = placed("dispatch", mine, Has()).make(PlaceWorker("0-1", "dispatch"))
    play.make(TakeCoinsAndFood(1, 0))
    assert play.worker("0-0").place == "worker_lounge"
    assert (play.asks, len(play.state.actions)) == ("placement", 2)


@covers("R14")
def test_adjacent_means_the_copiers_place_in_a_copied_effect() -> None:
    # The Vineyard touches four modules, the Freelancer Dormitories two.
    station = Map(built={"2,-1": "vineyard", "3,-1": "freelancer_dormitories", "2,0": "monolith", "1,-1": "newsroom"})
    # The Monolith has no effect, so nothing is asked.
    assert placed("freelancer_dormitories", Has(), Has(), station=station).wealth() == (0, 0, 2)
    assert placed("vineyard", Has(), Has(), station=station).wealth() == (0, 0, 4)


@covers("R15")
def test_a_worker_that_copied_dispatch_station_is_protected_until_it_leaves() -> None:
    station = Map(built={HUB_SIDE: "freelancer_dormitories", "1,-1": "dispatch_station"})
    mine = Has(["", "@refinery", "@academy"], perks=("nonhuman_resources",))
    other = Has(["claw claw", "@hydroponics"])
    play = placed("freelancer_dormitories", mine, other, station=station)
    play.make(ChooseModule("dispatch_station"))
    assert play.happened(WorkerProtected) == [WorkerProtected("0-0")]
    play.make(RecallWorker("0-1"))
    assert "freelancer_dormitories" not in play.targets("1-0")
    play.place("refinery", "1-0")
    # A swap takes it away; protection does not prevent that (R19), and the newcomer has none.
    play.place("nonhuman_resources", "0-1").make(SwapWorkers("0-0", "1-1"))
    assert not play.worker("0-0").protected
    assert not play.worker("1-1").protected


@covers("R15")
def test_a_protected_worker_is_not_recalled() -> None:
    mine = Has(["", "@refinery", "", "@academy"], perks=("conference",))
    station = Map(built={HUB_SIDE: "freelancer_dormitories", "1,-1": "dispatch_station"})
    play = placed("freelancer_dormitories", mine, Has(), station=station)
    play.make(ChooseModule("dispatch_station")).make(RecallWorker("0-1"))
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    play.place("conference", "0-2")
    # The worker on the Academy was the only candidate, so nothing was asked.
    assert play.worker("0-0").place == "freelancer_dormitories"
    assert play.worker("0-3").place == "pool"


@covers("R15", "R34", "workshop")
def test_a_built_dispatch_station_protects_nobody_on_the_perk() -> None:
    mine = Has(["", "@refinery"], coins=3, perks=("workshop",))
    play = placed("workshop", mine, Has(), station=Map(discards=("dispatch_station",)))
    play.make(BuildModule("dispatch_station", HUB_SIDE, "coins"))
    assert play.worker("0-1").recalled  # the only candidate: the acting worker is none
    assert not play.worker("0-0").protected


@covers("R16")
def test_copies_of_copies_end_because_no_module_is_twice_in_a_chain() -> None:
    station = Map(built={HUB_SIDE: "freelancer_dormitories", "1,-1": "catering_service"})
    other = Has(["@catering_service", "@hydroponics"])
    play = placed("freelancer_dormitories", Has(food=3), other, station=station)
    assert play.values("module") == ["catering_service", "command_hub_a"]
    play.make(ChooseModule("catering_service"))
    # Catering Service stands in the chain, and so do the Dormitories: only Hydroponics is left.
    assert play.wealth() == (0, 0, 3 - 1 + 2)


@covers("R16")
def test_a_copier_with_nothing_to_copy_but_the_one_that_copied_it_cannot_be_used() -> None:
    built = {"-1,0": "catering_service", "-2,0": "freelancer_dormitories"}
    play = table(Has(food=9), Has(["@catering_service"]), station=Map(built=built))
    assert "freelancer_dormitories" not in play.targets()


@covers("R16")
def test_a_build_inside_a_copy_begins_a_new_chain() -> None:
    built = {HUB_SIDE: "freelancer_dormitories", "0,-2": "integrated_constructor", "1,-1": "gardens"}
    station = Map(built=built, reactor=("petty_cash",))
    play = placed("freelancer_dormitories", Has(), Has(), station=station)
    play.make(ChooseModule("integrated_constructor")).make(BuildModule("petty_cash", "-1,-1", "coins"))
    # The Dormitories are beside the new module: its bonus uses them, though they began the first chain.
    assert (play.asks, play.asking.worker) == ("copy", None)
    assert play.asking.chain == ("freelancer_dormitories",)


@covers("R30")
def test_effects_that_need_a_worker_are_no_candidates_without_one() -> None:
    needing = ["autosurgeon", "biofuel_refinery", "science_fair", "tanning_salon", "underground_lab"]
    for module in needing:
        station = Map(built={"2,0": module}, reactor=("petty_cash",))
        play = placed("constructor", Has(["leaf"], coins=4, storage="claw"), Has(), station=station)
        play.make(BuildModule("petty_cash", "3,0", "coins"))
        assert play.asks == "onward"
    station = Map(built={"2,0": "catering_service"}, reactor=("petty_cash",))
    play = placed("constructor", Has(["leaf"], coins=4, food=2), Has(["@laboratory"]), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    # The Constructor, where the acting worker stands, could be copied if anything could be built.
    assert play.asks == "onward"


@covers("R30")
def test_modules_without_effect_and_hub_b_before_round_3_are_no_candidates() -> None:
    station = Map(built={"2,0": "giant_statue"}, reactor=("petty_cash",))
    play = placed("constructor", Has(coins=2), Has(), station=station)
    assert play.make(BuildModule("petty_cash", "3,0", "coins")).asks == "onward"
    dormitories = Map(built={"2,0": "freelancer_dormitories"})
    assert "freelancer_dormitories" not in table(Has(), Has(), station=dormitories, number=2).targets()
    assert "freelancer_dormitories" in table(Has(), Has(), station=dormitories, number=3).targets()


@covers("R30")
def test_a_copied_constructor_without_a_worker_moves_nobody_and_two_brains_and_tentacles_do_not_count() -> None:
    station = Map(built={"2,0": "periphery_command"}, reactor=("petty_cash",))
    mine = Has(["brain brain", "@refinery"], coins=2)
    play = placed("constructor", mine, Has(), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    # 2 for the brain on the Constructor and 2 for the build; the command counts no own worker.
    assert play.wealth() == (4, 0, 0)
    station = Map(built={"2,0": "catering_service"}, reactor=("petty_cash", "commissary"))
    play = placed("constructor", Has(coins=3, food=2), Has(), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    assert (play.asks, play.values("module")) == ("build", ["commissary"])
    play.make(BuildModule("commissary", "0,-1", "coins"))
    assert (play.asks, play.asking.piece) == ("onward", "constructor")


@covers("R30", "R34")
def test_a_worker_recalled_by_the_bonus_is_not_in_the_effect_of_what_the_workshop_built() -> None:
    station = Map(built={"-1,0": "gardens"}, discards=("hunting_park",))
    play = placed("workshop", Has(["claw"], coins=1, perks=("workshop",)), Has(), station=station)
    play.make(BuildModule("hunting_park", "-2,0", "coins"))
    assert play.worker("0-0").place == "pool"
    assert play.wealth() == (2, 0, 3)


@covers("R32")
def test_a_recall_takes_neither_the_acting_worker_nor_one_recalled_in_this_round() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station"})
    play = table(Has(["", "@refinery", ""], perks=("conference",)), Has(), station=station)
    play.place("conference", "0-0")
    assert play.worker("0-1").recalled
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    play.place("refinery", "0-1")
    play.place("worker_lounge", "1-1").make(TakeCoinsAndFood(1, 0))
    # On Conference a worker is protected, on the Refinery it was recalled already: there is no candidate left.
    assert "dispatch_station" not in play.targets()


@covers("R32")
def test_the_bonus_of_a_build_takes_a_worker_that_was_recalled_already() -> None:
    station = Map(built={"-1,0": "monolith", HUB_SIDE: "dispatch_station"}, reactor=("petty_cash",))
    play = table(Has(["", "@refinery", ""], coins=2), Has(), station=station)
    play.place("dispatch_station", "0-0")
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    play.place("refinery", "0-1")
    play.place("worker_lounge", "1-1").make(TakeCoinsAndFood(1, 0))
    play.place("constructor", "0-2").make(BuildModule("petty_cash", "-2,0", "coins"))
    assert play.asking.effect == Recall(bonus=True)
    assert set(play.values("worker")) == {"0-1", "0-2"}


@covers("R38")
def test_brain_points_come_before_the_effect() -> None:
    play = placed("laboratory", Has(["brain"]), Has())
    # The only component is detached without a question; the brain has scored before.
    assert play.wealth() == (2, 0, 0)
    assert play.worker("0-0").components == ()


@covers("R38", "brain")
def test_a_brain_scores_a_modules_value_but_nothing_on_hubs_perk_modules_lounge_or_by_moving() -> None:
    for place in ("command_hub_a", "vendor", "worker_lounge"):
        play = placed(place, Has(["brain"], perks=("vendor",)), Has())
        assert play.player().score == 10
    play = placed("constructor", Has(["brain"], coins=2), Has(), station=Map(reactor=("petty_cash",)))
    play.make(BuildModule("petty_cash", HUB_SIDE, "coins")).make(ApplyEffect())
    assert play.wealth()[0] == 2 + 2


@covers("R47", "union_hall", "dispatch")
def test_an_effect_under_way_goes_on_without_its_card_and_then_nobody_is_re_placed() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station", "1,-1": "union_hall"})
    mine = Has(["", "", "", "@worker_lounge"], perks=("dispatch",))
    play = placed("dispatch", mine, Has(), station=station)
    play.make(PlaceWorker("0-1", "dispatch_station")).make(RecallWorker("0-0"))
    play.make(PlaceWorker("0-2", "union_hall"))
    assert play.wealth() == (8, 0, 0)
    play.make(TakePerk(play.values("perk")[0]))
    assert "dispatch" not in play.player().perks
    assert (play.asks, play.seat) == ("turn", 1)


@covers("R47")
def test_passives_act_until_they_are_discarded() -> None:
    station = Map(built={HUB_SIDE: "union_hall", "1,-1": "integrated_constructor"}, reactor=("petty_cash",))
    play = table(Has(["", ""], perks=("architect", "vendor")), Has(), station=station)
    play.place("union_hall", "0-0").make(DiscardPerk("architect")).make(TakePerk(play.values("perk")[0]))
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    play.place("integrated_constructor", "0-1").make(BuildModule("petty_cash", "2,-1", "coins"))
    assert play.wealth()[0] == 8 + 2


@covers("R48")
def test_hub_b_stands_on_the_map_before_it_opens() -> None:
    station = Map(built={"2,-1": "vineyard"})
    assert placed("vineyard", Has(), Has(), station=station).wealth() == (0, 0, 1)
    assert placed("inspection_station", Has(), Has(), station=Map(built={"2,0": "inspection_station"})).wealth()[0] == 1
    assert "2,0" in placed("constructor", Has(coins=2), Has(), station=Map(reactor=("petty_cash",))).values("space")


@covers("R25")
def test_a_decision_with_one_answer_is_taken_but_placing_a_worker_is_always_asked() -> None:
    play = placed("laboratory", Has(["leaf"]), Has())
    assert play.asks == "perk_choice"  # the only component came off without a question
    last = Has(["", *["@worker_lounge"] * 3], perks=("dispatch",))
    assert "dispatch" not in table(last, Has()).targets()
    play = placed("dispatch", Has(["", ""], perks=("dispatch",)), Has())
    assert play.asks == "placement"


@covers("R25")
def test_what_may_be_declined_is_asked_even_where_there_is_one_thing_to_do() -> None:
    play = placed("beggars_alley", Has(perks=("beggars_alley",)), Has(coins=1))
    assert (play.asks, len(play.moves)) == ("gift", 2)


@covers("R26")
def test_several_things_due_at_once_come_clockwise_from_the_active_player() -> None:
    mine = Has(["claw claw"], board="toughies")
    play = placed("refinery", mine, Has(board="weirdos"), Has(["@refinery"], board="brainiacs"))
    assert play.seat == 0
    assert play.make(TakeCoinsAndFood(1, 0)).seat == 2


@covers("R10")
def test_a_nested_build_from_the_reactor_slides_at_once() -> None:
    built = {"2,0": "integrated_constructor"}
    tiles = ("vineyard", "gardens", "petty_cash", "aquarium", "commissary", "newsroom")
    play = placed("constructor", Has(coins=2), Has(), station=Map(built=built, reactor=tiles))
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    assert play.asks == "build"
    assert play.state.reactor == ("vineyard", "gardens", None, "aquarium", "commissary", "newsroom")
    play.make(BuildModule("commissary", "0,-1", "coins"))
    assert play.state.reactor == (None, None, "vineyard", "gardens", "aquarium", "newsroom")


@covers("R19")
def test_a_worker_swapped_into_a_slot_is_not_spliced_and_is_re_placed_by_its_new_owner() -> None:
    mine = Has(["", "leaf@refinery", *["@worker_lounge"] * 2], food=9, storage="claw", perks=("nonhuman_resources",))
    other = Has(["@splicing_lab.A", "", *["@worker_lounge"] * 2], food=9)
    play = placed("nonhuman_resources", mine, other)
    play.make(SwapWorkers("0-1", "1-0"))
    assert (play.asks, play.seat) == ("swapped_use", 1)
    play.make(Decline())
    play.place("hydroponics", "1-1")
    assert (play.state.phase, play.seat, play.asking.effect) == ("splicing_lab", 0, Turn("0-1"))


@covers("R19", "R32")
def test_in_the_effect_of_a_swapped_worker_the_acting_worker_is_the_swapped_one() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station"})
    mine = Has(["", "@refinery"], perks=("nonhuman_resources",))
    play = placed("nonhuman_resources", mine, Has(["@dispatch_station"]), station=station)
    play.make(ApplyEffect())
    # The swapped worker cannot recall itself, but it can recall the one on the perk, whose action it is.
    assert play.worker("0-0").place == "pool"
    assert play.worker("0-1").place == "dispatch_station"


@covers("R19", "tentacle")
def test_the_effect_of_a_swapped_worker_counts_in_the_action_of_its_own_player_only() -> None:
    mine = Has(["tentacle", "@hydroponics"], perks=("nonhuman_resources",))
    play = placed("nonhuman_resources", mine, Has(["tentacle@refinery"]))
    play.make(ApplyEffect())
    play.make(ApplyEffect())
    assert play.wealth(0) == (0, 3 + 1, 0)
    assert play.wealth(1) == (0, 0, 2)


@covers("R20")
def test_a_third_component_may_come_by_science_fair_and_autosurgeon_too() -> None:
    station = Map(built={HUB_SIDE: "science_fair", "1,-1": "autosurgeon"})
    mine = Has(["leaf leaf", "claw claw"], coins=2, storage="leaf brain", perks=("geneticist",))
    play = placed("science_fair", mine, Has(), station=station)
    assert set(play.values("components")) == {(), ("brain",)}
    play = placed("autosurgeon", mine, Has(), station=station)
    assert play.values("component") == ["brain", "claw", "tentacle"]


@covers("R2")
def test_payments_are_judged_without_what_an_ejection_brings() -> None:
    station = Map(built={HUB_SIDE: "generic_genetics"})
    play = table(Has(["claw"], perks=("thug",)), Has(["@generic_genetics"]), station=station)
    assert "generic_genetics" not in play.targets()


@covers("R2")
def test_candidates_are_judged_as_if_the_ejected_worker_lay_in_the_lounge() -> None:
    station = Map(built={HUB_SIDE: "catering_service"})
    play = table(Has(["claw"], food=9), Has(["@catering_service"]), station=station)
    # Nobody else stands on a board module: once it is ejected there is nothing to copy.
    assert "catering_service" not in play.targets()
    station = Map(built={HUB_SIDE: "dispatch_station", "1,-1": "freelancer_dormitories"})
    own = Has(["claw", "@freelancer_dormitories"], perks=("grappler",))
    play = placed("freelancer_dormitories", own, Has(), station=station).make(TakeCoinsAndFood(1, 0))
    assert "dispatch_station" in play.values("module")  # the ejected worker can be recalled from the lounge
    play.make(ChooseModule("dispatch_station"))
    assert play.worker("0-1").place == "pool"


@covers("claw")
@pytest.mark.parametrize(
    "claws,victim,may",
    [
        ("claw", "", True),
        ("claw", "leaf", True),
        ("claw", "leaf leaf", False),
        ("claw claw", "leaf leaf", True),
        ("", "", False),
    ],
)
def test_a_claw_ejects_workers_with_one_component_at_most_and_two_claws_any(claws: str, victim: str, may: bool) -> None:  # noqa: FBT001
    play = table(Has([claws]), Has([f"{victim}@refinery"]))
    assert ("refinery" in play.targets("0-0")) is may


@covers("leaf", "claw")
def test_own_workers_are_not_ejected_without_a_power_that_says_so() -> None:
    assert "refinery" not in table(Has(["claw claw", "@refinery"]), Has()).targets()


@covers("foundry", "R34")
def test_the_worker_of_the_foundry_does_not_move_by_a_copied_constructor() -> None:
    tiles = ("catering_service", "commissary", "gardens", "vineyard", "aquarium", "newsroom")
    mine = Has(coins=4, food=2, perks=("foundry",))
    play = placed("foundry", mine, Has(["@constructor"]), station=Map(reactor=(), deck=tiles))
    play.make(BuildModule("catering_service", HUB_SIDE, "coins"))
    assert (play.asks, play.values("module")) == ("build", play.values("module"))
    play.make(BuildModule("commissary", "1,-1", "coins"))
    assert (play.asks, play.seat) == ("turn", 1)
    assert play.worker("0-0").place == "foundry"


@covers("constructor", "R14")
def test_a_copied_constructor_moves_the_worker_from_the_copier() -> None:
    station = Map(built={HUB_SIDE: "catering_service"}, reactor=("petty_cash",))
    play = placed("catering_service", Has(coins=2, food=2), Has(["@constructor"]), station=station)
    play.make(BuildModule("petty_cash", "1,-1", "coins")).make(ApplyEffect())
    assert play.worker("0-0").place == "petty_cash"


@covers("command_hub_a")
def test_a_copied_or_activated_command_hub_a_takes_the_marker_too() -> None:
    station = Map(built={HUB_SIDE: "freelancer_dormitories"})
    play = placed("freelancer_dormitories", Has(), Has(), station=station, start=1)
    assert play.happened(MarkerTaken) == [MarkerTaken(0, 1)]


@covers("zoning_board", "biofuel_refinery")
def test_an_effect_that_removes_the_last_component_is_resolved_with_what_the_worker_had() -> None:
    station = Map(built={HUB_SIDE: "freelancer_dormitories", "1,-1": "biofuel_refinery"})
    play = placed("freelancer_dormitories", Has(["leaf"]), Has(), station=station)
    play.make(ChooseModule("biofuel_refinery")).make(RemoveComponents("0-0", ("leaf",)))
    assert play.wealth() == (7, 0, 0)


@covers("R30", "boiler_room")
def test_the_boiler_room_without_a_worker_gives_the_reactor_rewards_alone_and_refills() -> None:
    tiles = RULES.material.tiles
    station = Map(built={"2,0": "catering_service"}, reactor=("petty_cash", *tiles[:5]))
    mine = Has(["claw leaf"], coins=2, food=2)
    play = placed("constructor", mine, Has(["@boiler_room"]), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    # The first space's reward is a point; the table would have given 2 coins and 2 food.
    assert play.wealth() == (2 + 1, 0, 0)
    assert None not in play.state.reactor


@covers("R30", "dispatch_station")
def test_dispatch_station_without_a_worker_recalls_and_protects_nobody() -> None:
    station = Map(built={"2,0": "dispatch_station"}, reactor=("petty_cash",))
    play = placed("constructor", Has(["", "@refinery"], coins=2), Has(), station=station)
    play.make(BuildModule("petty_cash", "3,0", "coins"))
    assert play.worker("0-1").recalled
    assert not any(worker.protected for worker in play.player().workers)


@covers("generic_genetics")
def test_any_component_of_an_empty_supply_is_two_points() -> None:
    station = Map(built={HUB_SIDE: "generic_genetics"})
    everything = " ".join(f"{kind} " * 7 for kind in ("brain", "claw", "leaf", "tentacle"))
    play = placed("generic_genetics", Has(coins=1), Has(storage=everything), station=station)
    assert play.wealth() == (2, 0, 0)


@covers("medical_bay")
def test_each_component_of_a_gain_is_settled_by_itself() -> None:
    station = Map(built={HUB_SIDE: "covert_cloning"})
    most = " ".join(["brain " * 7, "claw " * 7, "leaf " * 7, "tentacle " * 6])
    mine = Has(["", "@worker_lounge", "@worker_lounge"])
    play = placed("covert_cloning", mine, Has(storage=most), station=station)
    # The last component there is, and two points for the second one.
    assert play.player().storage == ("tentacle",)
    assert play.wealth() == (2, 0, 0)


def test_an_effect_of_a_worker_that_has_none_is_a_fault_of_the_program() -> None:
    with pytest.raises(TypeError, match="has no worker"):
        assert Owed(0, Splice()).own
