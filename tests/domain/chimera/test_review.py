"""A second reading of the rules: interactions of several rulings, each worked out from their text alone."""

from __future__ import annotations

from domain.chimera.agenda import FoodExchange
from domain.chimera.facts import WorkerRecalled
from domain.chimera.moves import (
    ApplyEffect,
    BuildModule,
    ChooseModule,
    Decline,
    DetachComponents,
    DiscardPerk,
    EjectWorker,
    PlaceWorker,
    RecallWorker,
    TakeCoinsAndFood,
    TakeComponent,
    TakeTribute,
)
from domain.kernel.events import GameEnded
from domain.kernel.results import Result, SeatScore
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, placed

NAMES = ("Ann", "Bob", "Cy")
WEIRD = ["tentacle tentacle"]


@covers("R45", "weirdos", "warlord")
def test_the_component_of_a_command_comes_before_the_marker_and_the_tribute_counts_for_the_tentacle() -> None:
    mine = Has(WEIRD, board="weirdos", perks=("warlord",))
    play = placed("command_hub_a", mine, Has(["@refinery"], coins=3, board="toughies"), start=1)
    assert (play.asks, play.state.start) == ("component_choice", 1)
    play.make(TakeComponent("brain"))
    assert (play.asks, play.state.start) == ("tribute", 0)
    play.make(TakeTribute((1,), 2))
    # One point for the Refinery; two coins and the extra one; the brain brought no extra.
    assert play.wealth() == (1, 2 + 1, 0)
    assert play.player().storage == ("brain",)


@covers("R45", "R30", "workshop")
def test_a_worker_recalled_from_the_workshop_commands_no_more_but_has_used_a_perk_module() -> None:
    mine = Has(WEIRD, coins=9, board="weirdos", perks=("workshop",))
    station = Map(built={"-1,0": "gardens"}, discards=("periphery_command",))
    play = placed("workshop", mine, Has(["@academy"], board="toughies"), station=station)
    play.make(BuildModule("periphery_command", "-2,0", "coins"))
    assert play.happened(WorkerRecalled) == [WorkerRecalled("0-0")]
    assert play.asks == "component_choice"
    play.make(TakeComponent("claw"))
    assert (play.asks, play.seat) == ("turn", 1)
    assert play.player().storage == ("claw",)


@covers("R45", "dispatch", "R8")
def test_the_component_for_a_perk_module_comes_after_the_workers_that_dispatch_places() -> None:
    mine = Has([*WEIRD, "leaf", ""], perks=("dispatch",), board="weirdos")
    play = placed("dispatch", mine, Has(board="toughies"))
    play.place("refinery", "0-1")
    assert play.asks == "placement"
    play.place("hydroponics", "0-2")
    assert play.asks == "component_choice"
    assert play.wealth() == (0, 3, 2)


@covers("R21", "R30", "grocer")
def test_food_of_an_activated_module_is_in_the_action_of_a_leaf_worker_though_no_worker_applies_it() -> None:
    mine = Has(["leaf tentacle"], coins=9, perks=("grocer",))
    station = Map(built={HUB_SIDE: "hunting_park"}, reactor=("break_room", "monolith"))
    play = placed("constructor", mine, Has(), station=station)
    play.make(BuildModule("break_room", "-1,-1", "coins"))
    assert play.asking.effect == FoodExchange(3)
    play.make(TakeCoinsAndFood(4, 0)).make(ApplyEffect())
    assert play.asking.effect == FoodExchange(2)
    play.make(TakeCoinsAndFood(0, 2))
    # Food was gained and coins were gained: one more of each, and the food may be two coins.
    assert play.asking.effect == FoodExchange(1, barren=True)
    play.make(TakeCoinsAndFood(2, 0))
    assert play.wealth() == (2, 9 - 2 + 4 + 2 + 1, 2)


@covers("R22", "R19", "savant", "prime_specimen")
def test_points_of_savant_in_ones_own_action_count_for_prime_specimen() -> None:
    mine = Has(["tentacle", "brain@command_hub_a"], perks=("nonhuman_resources", "savant", "prime_specimen"))
    play = placed("nonhuman_resources", mine, Has(["@refinery"]), start=1)
    play.make(Decline())
    assert (play.asks, play.seat) == ("swapped_use", 1)
    play.make(ApplyEffect())
    # The opponent commands the Refinery, where the brain now stands: a point for it, one for Savant, one more for that.
    assert play.wealth(1)[0] == 1
    assert play.wealth(0)[0] == 1 + 1


@covers("R18", "R22", "R21", "lounge_lizard", "prime_specimen", "grocer")
def test_own_workers_ejected_by_the_morale_center_score_outside_of_the_action_and_take_no_more_coins() -> None:
    perks = ("morale_center", "lounge_lizard", "prime_specimen", "grocer")
    play = placed("morale_center", Has(["tentacle", "@refinery", "leaf@academy", ""], perks=perks), Has())
    play.make(EjectWorker("0-1")).make(TakeCoinsAndFood(0, 1))
    # The leaf worker is the only one left; what it brings to the acting player is nothing for Grocer.
    assert (play.asks, play.wealth()) == ("mix", (4, 0, 1))
    play.make(TakeCoinsAndFood(0, 1))
    assert (play.asks, play.wealth()) == ("placement", (4, 0, 2))
    play.place("worker_lounge", "0-3").make(TakeCoinsAndFood(1, 0))
    # The third two points belong to the nested action of a bare worker: no tentacle of the outer one sees them.
    assert play.wealth() == (6, 1, 2)


@covers("R20", "union_hall")
def test_the_third_component_comes_off_before_union_hall_takes_a_perk() -> None:
    station = Map(built={HUB_SIDE: "union_hall"})
    play = placed("union_hall", Has(["brain claw leaf"], perks=("geneticist", "vendor")), Has(), station=station)
    play.make(DiscardPerk("geneticist"))
    # The brain's three points, and two per tier.
    assert (play.asks, play.wealth()[0]) == ("overload", 3 + 2)
    play.make(DetachComponents(("leaf",)))
    assert (play.asks, play.player().storage) == ("perk_choice", ("leaf",))


@covers("R40", "R17", "R8")
def test_a_worker_recalled_from_dispatch_may_begin_a_dispatch_inside_of_its_own() -> None:
    play = placed("dispatch", Has(["brain", "", ""], perks=("dispatch", "conference")), Has())
    play.make(PlaceWorker("0-1", "conference"))
    assert play.worker("0-0").recalled
    play.make(PlaceWorker("0-0", "dispatch"))
    assert (play.asks, len(play.state.actions)) == ("placement", 2)
    play.make(PlaceWorker("0-2", "worker_lounge")).make(TakeCoinsAndFood(1, 0))
    play.make(PlaceWorker("0-3", "worker_lounge")).make(TakeCoinsAndFood(1, 0))
    # Both were the inner effect's; nobody is left for the second placement of the outer one.
    assert (play.asks, play.seat, play.state.actions) == ("turn", 1, ())
    assert play.worker("0-0").place == "dispatch"


@covers("R15", "R34", "R14")
def test_a_copy_of_dispatch_station_by_what_the_workshop_built_recalls_and_protects_nobody() -> None:
    mine = Has(["claw", "@refinery", "@academy"], coins=9, perks=("workshop",))
    station = Map(built={HUB_SIDE: "dispatch_station"}, discards=("freelancer_dormitories",))
    play = placed("workshop", mine, Has(), station=station)
    play.make(BuildModule("freelancer_dormitories", "1,-1", "coins")).make(ChooseModule("dispatch_station"))
    assert play.values("worker") == ["0-1", "0-2"]
    play.make(RecallWorker("0-1"))
    assert not play.worker("0-0").protected


def test_the_end_names_who_won_or_shares_the_victory() -> None:
    scores = tuple(SeatScore(seat, points, rank, ()) for seat, points, rank in ((0, 61, 1), (1, 61, 1), (2, 3, 3)))
    alone, shared = GameEnded(Result((0,), scores[:1]), ""), GameEnded(Result((0, 1), scores), "")
    assert RULES.describe(0, None, [alone], NAMES, "en") == "Final scores: Ann 61. Ann wins."
    assert RULES.describe(0, None, [alone], NAMES, "ja") == "最終得点はAnnが61点。Annの勝利。"
    assert (
        RULES.describe(0, None, [shared], NAMES, "en")
        == "Final scores: Ann 61, Bob 61, Cy 3. Ann and Bob share the victory."
    )
    assert (
        RULES.describe(0, None, [shared], NAMES, "ja")
        == "最終得点はAnnが61点、Bobが61点、Cyが3点。AnnとBobが勝利を分け合う。"
    )
