"""Rulings on copies and on effects without a worker."""

from __future__ import annotations

from domain.chimera.facts import MarkerTaken, WorkerProtected
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseModule,
    RecallWorker,
    RemoveComponents,
    SwapWorkers,
    TakeCoinsAndFood,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, placed, table


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
