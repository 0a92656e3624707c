"""Rulings on actions: what belongs to one, its extras, nested ones, swapped workers."""

from __future__ import annotations

import pytest

from domain.chimera.agenda import Owed, Splice, Turn
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    Decline,
    DetachComponents,
    PlaceWorker,
    RecallWorker,
    SwapWorkers,
    TakeCoinsAndFood,
    TakeComponent,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, placed, table


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
