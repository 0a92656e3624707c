"""Rulings on what can be resolved, in which order, and for how long."""

from __future__ import annotations

from domain.chimera.effects import Recall
from domain.chimera.moves import (
    BuildModule,
    ChooseModule,
    DiscardPerk,
    PlaceWorker,
    RecallWorker,
    TakeCoinsAndFood,
    TakePerk,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, placed, table


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
