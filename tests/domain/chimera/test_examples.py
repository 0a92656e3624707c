"""The worked examples of the rules page, with the component set house-1."""

from __future__ import annotations

from domain.chimera.facts import ReactorFilled, WorkerEjected, WorkerPlaced
from domain.chimera.moves import BuildModule, Decline, RemoveComponents, TakeCoinsAndFood
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, Table, placed, table


@covers("E1", "claw")
def test_a_one_claw_worker_ejects_from_the_refinery_and_the_owner_chooses_before_the_placing_goes_on() -> None:
    play = placed("refinery", Has(["claw"]), Has(["leaf@refinery"]), Has())
    assert [type(fact) for fact in play.facts[:2]] == [WorkerEjected, WorkerPlaced]
    assert (play.asks, play.seat) == ("mix", 1)
    assert play.wealth() == (0, 0, 0)
    play.make(TakeCoinsAndFood(0, 1))
    assert (play.wealth(0), play.wealth(1)) == ((0, 3, 0), (0, 0, 1))
    assert play.worker("1-0").place == "worker_lounge"


@covers("E1", "tentacle")
def test_with_a_tentacle_beside_the_claw_it_is_four_coins() -> None:
    play = placed("refinery", Has(["claw tentacle"]), Has(["leaf@refinery"]), Has()).make(TakeCoinsAndFood(1, 0))
    assert play.wealth() == (0, 4, 0)


@covers("E2", "brain")
def test_a_brain_worker_on_hydroponics_scores_one_and_gets_two_food() -> None:
    assert placed("hydroponics", Has(["brain"]), Has()).wealth() == (1, 0, 2)
    assert placed("hydroponics", Has(["brain tentacle"]), Has()).wealth() == (1, 0, 3)


@covers("E3")
def test_a_build_of_cost_four_and_value_three_in_round_three_on_a_space_of_four_coins() -> None:
    station = Map(built={"-1,1": "monolith"}, reactor=("cargo_bay",))

    def built(*perks: str) -> Table:
        play = placed("constructor", Has(["tentacle"], coins=4, perks=perks), Has(), station=station, number=3)
        return play.make(BuildModule("cargo_bay", "-2,1", "coins")).make(Decline())

    assert built().wealth() == (6, 5, 0)
    assert built("architect").wealth() == (7, 5, 0)


@covers("E4")
def test_the_boiler_room_with_claw_and_leaf_and_two_empty_spaces() -> None:
    station = Map(reactor=("monolith", "vineyard", "gardens", "aquarium"))
    play = placed("boiler_room", Has(["claw leaf"]), Has(), station=station)
    assert play.wealth() == (1, 2, 3)
    assert len(play.happened(ReactorFilled)[0].drawn) == 2
    engineer = placed("boiler_room", Has(["claw leaf"], perks=("engineer",)), Has(), station=station)
    assert engineer.wealth() == (2, 2, 4)


@covers("E5", "leaf")
def test_feeding_four_workers_of_which_one_has_a_leaf_and_one_two() -> None:
    lounge = "@worker_lounge"
    mine = Has([f"brain leaf{lounge}", f"leaf leaf{lounge}", lounge, lounge])
    play = table(mine, Has(["", lounge, lounge, lounge], food=9), turn=1).place("refinery", "1-0")
    assert play.wealth() == (0, 0, 0)
    assert play.state.round == 2
    fifth = Has([*mine.workers, lounge])
    play = table(fifth, Has(["", lounge, lounge, lounge], food=9), turn=1).place("refinery", "1-0")
    assert (play.asks, play.seat) == ("hunger", 0)
    play.make(RemoveComponents("0-0", ("brain",)))
    assert play.wealth() == (0, 0, 0)
    assert play.state.round == 2


@covers("E6", "brain")
def test_a_double_brain_worker_on_periphery_command_counts_its_own_module_and_every_other_occupied_one() -> None:
    station = Map(built={HUB_SIDE: "periphery_command", "1,-1": "newsroom"})
    mine, other = Has(["brain brain", "@refinery"]), Has(["@laboratory", "@newsroom"])
    play = placed("periphery_command", mine, other, station=station)
    assert play.wealth() == (4 + 4 + 1 + 2 + 4, 0, 0)
    one = placed("periphery_command", Has(["brain", "@refinery"]), other, station=station)
    assert one.wealth() == (4 + 2 + 4, 0, 0)
