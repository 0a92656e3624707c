"""The eleven base modules, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.facts import Commanded, MarkerTaken, ReactorFilled
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseOption,
    Decline,
    DetachComponents,
    TakeComponent,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, placed, table

OTHER = Has(["@refinery", "@laboratory"])
"""An opponent on modules of value 1 and 2."""


@covers("command_hub_a")
def test_command_hub_a_commands_and_takes_the_marker() -> None:
    play = placed("command_hub_a", Has(), OTHER, start=1)
    assert play.wealth() == (3, 0, 0)
    assert play.state.start == 0
    assert play.state.marker_moved
    assert play.happened(MarkerTaken) == [MarkerTaken(seat=0, previous=1)]


@covers("command_hub_a")
def test_command_hub_a_only_commands_once_the_marker_has_changed_hands() -> None:
    play = placed("command_hub_a", Has(), OTHER, start=1, moved=True)
    assert play.wealth() == (3, 0, 0)
    assert play.state.start == 1


@covers("command_hub_a")
def test_the_holder_of_the_marker_using_command_hub_a_is_no_change() -> None:
    play = placed("command_hub_a", Has(), OTHER)
    assert not play.state.marker_moved


@covers("command_hub_b")
def test_command_hub_b_commands_from_round_3_on_and_cannot_be_used_before() -> None:
    assert placed("command_hub_b", Has(), OTHER, number=3, start=1).wealth() == (3, 0, 0)
    assert "command_hub_b" not in table(Has(), OTHER, number=2).targets()
    assert placed("command_hub_b", Has(), OTHER, number=3, start=1).state.start == 1


@covers("boiler_room", "E4")
def test_the_boiler_room_gives_its_table_then_the_reactor_rewards_then_refills() -> None:
    tiles = ("monolith", "vineyard", "gardens", "aquarium")
    play = placed("boiler_room", Has(["claw leaf"]), Has(), station=Map(reactor=tiles, deck=("symposium", "newsroom")))
    assert play.wealth() == (1, 2, 3)
    assert play.state.reactor == ("newsroom", "symposium", *tiles)
    assert play.happened(ReactorFilled)[0].drawn == ("symposium", "newsroom")


@covers("boiler_room", "brain", "tentacle")
def test_the_boiler_room_gives_points_for_brains_and_coins_for_tentacles() -> None:
    # The coin of a tentacle is gained, so the tentacle brings one more; the brain also scores the module's value.
    assert placed("boiler_room", Has(["brain tentacle"]), Has()).wealth() == (2 + 2, 2, 0)


@covers("hydroponics")
def test_hydroponics_gives_two_food() -> None:
    assert placed("hydroponics", Has(), Has()).wealth() == (0, 0, 2)


@covers("refinery")
def test_the_refinery_gives_three_coins() -> None:
    assert placed("refinery", Has(), Has()).wealth() == (0, 3, 0)


SHOPS = [
    pytest.param("claw_shop", "claw", (0, 4), marks=[], id="claw_shop"),
    pytest.param("genetics_vat", "tentacle", (0, 4 + 1), id="genetics_vat"),
    pytest.param("academy", "brain", (4, 0), id="academy"),
    pytest.param("seed_repository", "leaf", (4, 0), id="seed_repository"),
]


@covers("claw_shop", "genetics_vat", "academy", "seed_repository")
@pytest.mark.parametrize("shop,kind,yields", SHOPS)
def test_a_shop_sells_one_for_two_coins_and_two_for_five(shop: str, kind: str, yields: tuple[int, int]) -> None:
    del yields
    one = placed(shop, Has(coins=5), Has()).make(ChooseOption("buy_one"))
    assert one.player().storage == (kind,)
    assert one.player().coins == 3
    two = placed(shop, Has(coins=5), Has()).make(ChooseOption("buy_two"))
    assert two.player().storage == (kind, kind)
    assert two.player().coins == 0


@covers("claw_shop", "genetics_vat", "academy", "seed_repository", "R11")
@pytest.mark.parametrize("shop,kind,yields", SHOPS)
def test_a_shop_gives_two_for_each_of_its_components_on_the_worker(
    shop: str, kind: str, yields: tuple[int, int]
) -> None:
    play = placed(shop, Has([f"{kind} {kind}"], coins=2), Has()).make(ChooseOption("per_component"))
    points = 1 if kind == "brain" else 0
    assert play.wealth() == (points, 2 + yields[0], yields[1])


@covers("laboratory")
def test_the_laboratory_detaches_a_component_and_advances_research() -> None:
    play = placed("laboratory", Has(["claw leaf"]), Has())
    assert play.asks == "detachment"
    play.make(DetachComponents(("leaf",)))
    assert play.worker("0-0").components == ("claw",)
    assert play.player().storage == ("leaf",)
    assert play.player().research == 2
    assert play.asks == "perk_choice"
    play.make(TakePerk("beggars_alley"))
    assert play.player().perks == ("beggars_alley",)
    assert len(play.state.display) == 3


@covers("laboratory", "R2")
def test_the_laboratory_cannot_be_used_by_a_bare_worker() -> None:
    play = table(Has(["", "leaf"]), Has())
    assert "laboratory" not in play.targets("0-0")
    assert "laboratory" in play.targets("0-1")


@covers("constructor")
def test_the_constructor_builds_and_the_worker_may_move_onto_the_module_and_use_it() -> None:
    station = Map(reactor=("petty_cash", "monolith"))
    play = placed("constructor", Has(coins=3), Has(), station=station)
    assert play.values("module") == ["petty_cash"]
    play.make(BuildModule("petty_cash", HUB_SIDE, "coins"))
    assert play.asks == "onward"
    play.make(ApplyEffect())
    assert play.worker("0-0").place == "petty_cash"
    assert play.wealth() == (2, 3 - 2 + 2 + 2, 0)


@covers("constructor")
def test_the_worker_of_the_constructor_may_stay() -> None:
    play = placed("constructor", Has(coins=3), Has(), station=Map(reactor=("petty_cash",)))
    play.make(BuildModule("petty_cash", HUB_SIDE, "coins")).make(Decline())
    assert play.worker("0-0").place == "constructor"
    assert play.wealth() == (2, 3, 0)


@covers("constructor")
def test_the_move_of_the_constructor_is_not_offered_where_the_effect_cannot_be_resolved() -> None:
    station = Map(reactor=("cryogenics", "monolith"))
    play = placed("constructor", Has(coins=11), Has(), station=station)
    play.make(BuildModule("cryogenics", "0,1", "coins"))
    # The space's bonus is the current reactor rewards: the gaps give a point, a food, a coin, a component.
    assert play.asks == "component_choice"
    play.make(TakeComponent("leaf"))
    assert play.asks == "perk_choice"
    play.make(TakePerk(play.values("perk")[0]))
    assert play.asks == "onward"  # with the component just gained it can be resolved
    bare = placed("constructor", Has(coins=11), Has(), station=station)
    bare.make(BuildModule("cryogenics", HUB_SIDE, "coins"))
    assert bare.asks == "turn"
    assert bare.seat == 1


@covers("constructor", "R2")
def test_the_constructor_needs_an_affordable_module_in_the_reactor() -> None:
    assert "constructor" not in table(Has(coins=7), Has(), station=Map(reactor=("monolith",))).targets()
    assert "constructor" not in table(Has(coins=9), Has(), station=Map(reactor=())).targets()
    assert "constructor" in table(Has(coins=8), Has(), station=Map(reactor=("monolith",))).targets()


@covers("command_hub_b", "R48")
def test_nobody_commands_a_perk_module() -> None:
    other = Has(["@vendor", "@refinery"], perks=("vendor",))
    play = placed("command_hub_a", Has(), other)
    assert play.wealth() == (1, 0, 0)
    assert play.happened(Commanded) == [Commanded(0, ("refinery",))]
