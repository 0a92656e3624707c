"""Modules that change workers, storages and the station, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.facts import ModuleDrawn
from domain.chimera.moves import (
    AttachComponents,
    BuildModule,
    ChooseModule,
    ChooseOption,
    ChooseSpace,
    DetachComponents,
    DiscardPerk,
    RecallWorker,
    RemoveComponents,
    ReturnComponents,
    TakeComponent,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, placed, table
from tests.domain.chimera.test_modules_giving import on


@covers("autosurgeon")
def test_the_autosurgeon_attaches_any_component_from_the_supply_for_two_coins() -> None:
    play = on("autosurgeon", Has(["claw"], coins=2)).make(TakeComponent("leaf"))
    assert play.worker("0-0").components == ("claw", "leaf")
    assert play.player().coins == 0
    assert play.player().storage == ()
    assert play.state.supply.leaf == 6


@covers("autosurgeon", "R2")
def test_the_autosurgeon_needs_two_coins_and_room_on_the_worker() -> None:
    station = Map(built={HUB_SIDE: "autosurgeon"})
    assert "autosurgeon" not in table(Has(["claw"], coins=1), Has(), station=station).targets()
    play = table(Has(["claw leaf", "claw"], coins=2), Has(), station=station)
    assert "autosurgeon" not in play.targets("0-0")
    assert "autosurgeon" in play.targets("0-1")


@covers("autosurgeon", "R27")
def test_a_second_tentacle_from_the_autosurgeon_brings_another_one_to_storage() -> None:
    play = on("autosurgeon", Has(["tentacle"], coins=2)).make(TakeComponent("tentacle"))
    assert play.worker("0-0").components == ("tentacle", "tentacle")
    assert play.player().storage == ("tentacle",)


@covers("autosurgeon")
def test_the_autosurgeon_gives_two_points_when_the_supply_is_wholly_empty() -> None:
    everything = " ".join(f"{kind} " * 7 for kind in ("brain", "claw", "leaf", "tentacle"))
    play = on("autosurgeon", Has(coins=2, storage=everything))
    assert play.wealth() == (2, 0, 0)


@covers("biofuel_refinery")
def test_the_biofuel_refinery_gives_seven_points_for_each_component_removed() -> None:
    play = on("biofuel_refinery", Has(["claw leaf"]))
    play.make(RemoveComponents("0-0", ("claw", "leaf")))
    assert play.wealth() == (14, 0, 0)
    assert play.worker("0-0").components == ()
    assert (play.state.supply.claw, play.player().storage) == (7, ())


@covers("science_fair")
def test_the_science_fair_gives_three_points_for_each_component_attached() -> None:
    play = on("science_fair", Has(["claw"], storage="leaf leaf brain"))
    assert set(play.values("components")) == {(), ("brain",), ("leaf",)}
    play.make(AttachComponents(("leaf",)))
    assert play.worker("0-0").components == ("claw", "leaf")
    assert play.player().storage == ("brain", "leaf")
    assert play.wealth() == (3, 0, 0)


@covers("underground_lab")
def test_the_underground_lab_advances_research_for_each_component_detached() -> None:
    play = on("underground_lab", Has(["claw leaf"], research=2))
    play.make(DetachComponents(("claw", "leaf")))
    assert play.player().storage == ("claw", "leaf")
    assert play.asks == "perk_choice"
    play.make(TakePerk("beggars_alley"))
    assert play.player().research == 4


@covers("biofuel_refinery", "science_fair", "underground_lab", "R28")
@pytest.mark.parametrize(
    "module,none",
    [
        ("biofuel_refinery", RemoveComponents("0-0", ())),
        ("science_fair", AttachComponents(())),
        ("underground_lab", DetachComponents(())),
    ],
)
def test_any_number_of_components_includes_none(
    module: str, none: RemoveComponents | AttachComponents | DetachComponents
) -> None:
    play = on(module, Has(["claw"], storage="leaf")).make(none)
    assert play.wealth() == (0, 0, 0)
    assert play.worker("0-0").components == ("claw",)
    assert play.asks == "turn"


@covers("cryogenics", "R2")
def test_cryogenics_changes_a_component_in_storage_into_six_coins_and_needs_one() -> None:
    play = on("cryogenics", Has(storage="claw leaf")).make(ReturnComponents(("leaf",)))
    assert play.wealth() == (0, 6, 0)
    assert (play.player().storage, play.state.supply.leaf) == (("claw",), 7)
    assert "cryogenics" not in table(Has(["leaf"]), Has(), station=Map(built={HUB_SIDE: "cryogenics"})).targets()


@covers("shady_restaurants", "R2")
def test_shady_restaurants_change_a_component_in_storage_into_six_food_and_need_one() -> None:
    assert on("shady_restaurants", Has(storage="leaf")).wealth() == (0, 0, 6)
    station = Map(built={HUB_SIDE: "shady_restaurants"})
    assert "shady_restaurants" not in table(Has(), Has(), station=station).targets()


@covers("medical_bay", "R2")
def test_the_medical_bay_changes_two_components_in_storage_into_any_two_and_needs_two() -> None:
    play = on("medical_bay", Has(storage="claw leaf leaf"))
    assert set(play.values("components")) == {("claw", "leaf"), ("leaf", "leaf")}
    play.make(ReturnComponents(("leaf", "leaf"))).make(TakeComponent("brain")).make(TakeComponent("brain"))
    assert play.player().storage == ("brain", "brain", "claw")
    station = Map(built={HUB_SIDE: "medical_bay"})
    assert "medical_bay" not in table(Has(storage="claw"), Has(), station=station).targets()


@covers("tanning_salon", "R12")
def test_the_tanning_salon_gives_the_reactor_rewards_once_per_component_and_does_not_refill() -> None:
    tiles = ("monolith", "vineyard", "gardens", "aquarium")
    station = Map(built={HUB_SIDE: "tanning_salon"}, reactor=tiles)
    play = placed("tanning_salon", Has(["claw leaf"], perks=("engineer",)), Has(), station=station)
    assert play.wealth() == (2, 0, 2)
    assert play.state.reactor == (None, None, *tiles)
    assert placed("tanning_salon", Has(), Has(), station=station).wealth() == (0, 0, 0)


@covers("dispatch_station")
def test_dispatch_station_recalls_an_own_worker() -> None:
    play = on("dispatch_station", Has(["", "claw@refinery", "@worker_lounge"]), Has(["@hydroponics"]))
    assert play.values("worker") == ["0-1", "0-2"]
    play.make(RecallWorker("0-1"))
    assert play.worker("0-1").place == "pool"
    assert play.worker("0-1").recalled


@covers("dispatch_station")
def test_a_worker_on_dispatch_station_is_neither_recalled_nor_ejected() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station"})
    mine = Has(["@dispatch_station", "@refinery", ""], perks=("conference",))
    play = placed("conference", Has(["", *mine.workers], perks=mine.perks), Has(), station=station)
    assert play.worker("0-1").place == "dispatch_station"
    assert play.worker("0-2").place == "pool"  # the only candidate, so nothing was asked
    clawed = table(Has(["claw claw"]), Has(["@dispatch_station", "@refinery"]), station=station)
    assert clawed.targets() & {"dispatch_station", "refinery"} == {"refinery"}


@covers("dispatch_station", "R2")
def test_dispatch_station_needs_a_worker_that_can_be_recalled() -> None:
    assert "dispatch_station" not in table(Has(), Has(), station=Map(built={HUB_SIDE: "dispatch_station"})).targets()


@covers("integrated_constructor", "R2")
def test_the_integrated_constructor_gives_two_coins_and_builds_with_them_and_nobody_moves() -> None:
    station = Map(built={HUB_SIDE: "integrated_constructor"}, reactor=("petty_cash", "aquarium"))
    play = placed("integrated_constructor", Has(), Has(), station=station)
    assert play.values("module") == ["petty_cash"]
    play.make(BuildModule("petty_cash", "1,-1", "coins"))
    assert play.wealth() == (2 + 2, 0, 0)
    assert play.worker("0-0").place == "integrated_constructor"
    assert play.asks == "turn"
    poor = Map(built={HUB_SIDE: "integrated_constructor"}, reactor=("aquarium",))
    assert "integrated_constructor" not in table(Has(), Has(), station=poor).targets()


@covers("quantum_constructor")
def test_the_quantum_constructor_builds_the_top_module_for_two_coins_on_a_space_chosen_after_seeing_it() -> None:
    station = Map(built={HUB_SIDE: "quantum_constructor"}, deck=("monolith",), reactor=("gardens",))
    play = placed("quantum_constructor", Has(coins=2), Has(), station=station)
    assert play.happened(ModuleDrawn) == [ModuleDrawn("monolith")]
    assert play.state.drawn == "monolith"
    play.make(ChooseSpace("1,-1"))
    assert play.wealth() == (8 + 2, 0, 0)
    assert play.state.built[-1].module == "monolith"
    assert play.state.reactor[-1] == "gardens"
    assert play.asks == "turn"


@covers("quantum_constructor", "eco_friendlies", "R2")
def test_the_quantum_constructor_is_paid_in_coins_and_never_in_food() -> None:
    station = Map(built={HUB_SIDE: "quantum_constructor"})
    mine, other = Has(coins=1, food=9, board="eco_friendlies"), Has(board="toughies")
    assert "quantum_constructor" not in table(mine, other, station=station).targets()


@covers("catering_service")
def test_the_catering_service_pays_a_modules_value_in_food_and_applies_its_effect_with_its_own_worker() -> None:
    mine = Has(["claw claw"], food=3)
    play = on("catering_service", mine, Has(["@hunting_park", "@laboratory"]), built={"1,-1": "hunting_park"})
    assert play.values("module") == ["laboratory", "hunting_park"]
    play.make(ChooseModule("hunting_park"))
    assert play.wealth() == (0, 0, 3 - 2 + 5)


@covers("catering_service", "R2")
def test_the_catering_service_cannot_copy_what_has_no_value_costs_too_much_or_cannot_be_resolved() -> None:
    station = Map(built={HUB_SIDE: "catering_service", "1,-1": "newsroom", "0,-2": "farmers_market"})
    other = Has(["@command_hub_a", "@newsroom", "@laboratory", "@farmers_market"])
    # Newsroom costs 4; the Laboratory needs a component; the market would have no food left after 2 are paid.
    assert "catering_service" not in table(Has(food=2), other, station=station).targets()
    assert "catering_service" in table(Has(food=3), other, station=station).targets()
    assert placed("catering_service", Has(food=3), other, station=station).wealth() == (0, 5, 0)


@covers("freelancer_dormitories")
def test_the_freelancer_dormitories_apply_the_effect_of_an_adjacent_module_occupied_or_free() -> None:
    play = on("freelancer_dormitories", Has(["claw"]), Has(["@gardens"]), built={"1,-1": "gardens", FAR: "newsroom"})
    assert play.values("module") == ["gardens", "newsroom", "command_hub_a"]
    play.make(ChooseModule("gardens"))
    assert play.player().storage == ("leaf",)


FAR = "0,-2"


@covers("freelancer_dormitories", "brain")
def test_copying_is_not_being_placed_there_so_a_brain_scores_the_copier_only() -> None:
    play = on("freelancer_dormitories", Has(["brain"]), built={"1,-1": "gardens"}).make(ChooseModule("gardens"))
    assert play.wealth() == (2, 0, 0)


@covers("union_hall")
def test_union_hall_scores_an_own_perk_as_at_game_end_discards_it_and_takes_another() -> None:
    play = on("union_hall", Has(perks=("vendor", "overseer")))
    play.make(DiscardPerk("vendor"))
    assert play.wealth() == (9, 0, 0)
    assert play.state.perk_discards == ("vendor",)
    play.make(TakePerk("beggars_alley"))
    assert play.player().perks == ("overseer", "beggars_alley")
    assert len(play.state.display) == 3


@covers("union_hall", "R13", "R2")
def test_union_hall_does_not_score_a_perk_module_with_a_worker_on_it_and_needs_one_to_score() -> None:
    station = Map(built={HUB_SIDE: "union_hall"})
    assert "union_hall" not in table(Has(["", "@vendor"], perks=("vendor",)), Has(), station=station).targets()
    assert "union_hall" not in table(Has(), Has(), station=station).targets()
    assert "union_hall" in table(Has(perks=("vendor",)), Has(), station=station).targets()


@covers("genetics_vat")
def test_the_extra_of_two_tentacles_counts_what_a_shop_sold() -> None:
    play = placed("claw_shop", Has(["tentacle tentacle"], coins=2), Has()).make(ChooseOption("buy_one"))
    assert play.player().storage == ("claw", "claw")
