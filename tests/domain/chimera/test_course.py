"""Turns, flush and the splicing lab phase."""

from __future__ import annotations

from domain.chimera.agenda import Turn
from domain.chimera.facts import (
    PhaseBegun,
)
from domain.chimera.moves import (
    EndTurn,
    Flush,
    RecallWorker,
    SpliceWorker,
    TakeCoinsAndFood,
)
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, Has, Map, at_slot, placed, table


def test_turns_go_clockwise_and_an_empty_pool_skips_its_turn_and_is_asked_for_no_flush() -> None:
    empty = Has(["@worker_lounge"] * 3, card="purse")
    play = table(Has(["", "leaf"]), empty, Has(), start=0)
    play.place("refinery")
    assert play.seat == 2
    play.place("hydroponics")
    assert play.seat == 0


@covers("R1")
def test_a_marker_that_changes_hands_counts_from_the_next_phase() -> None:
    lone = ["@worker_lounge", "@academy"]
    seats = (Has(["", "", *lone], food=9), Has(["", "", "@worker_lounge", "@hydroponics"], food=9))
    play = table(*seats, turn=0, start=1)
    play.place("command_hub_a")
    assert play.state.start == 0
    # The order of this phase goes on: seat 1 is next, then seat 0.
    assert play.seat == 1
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert play.seat == 0
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert (play.state.round, play.seat) == (2, 0)


@covers("R1", "R3")
def test_each_pass_reads_the_marker_when_it_begins() -> None:
    seats = (
        Has(["", "", "@worker_lounge"], food=9),
        Has(["@splicing_lab.A", "", "@worker_lounge"], food=9),
        Has(["@worker_lounge", "@worker_lounge", "@worker_lounge"], food=9),
    )
    play = table(*seats, phase="splicing_lab", start=0, agenda=at_slot(1, "1-0"))
    play.place("command_hub_a")  # seat 1 takes the marker; the pass begins only now
    assert play.state.start == 1
    assert (play.asks, play.seat) == ("turn", 1)
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert play.seat == 0
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert play.seat == 0  # a second pass, for the last worker in a pool


@covers("R3")
def test_before_the_next_slot_every_worker_in_a_pool_is_placed_each_player_with_one_in_turn() -> None:
    station = Map(built={HUB_SIDE: "dispatch_station"})
    mine = Has(["@splicing_lab.A", "@refinery", "@worker_lounge", "@worker_lounge"], food=9)
    other = Has(["@splicing_lab.B", "@worker_lounge", "@worker_lounge", "@worker_lounge"], food=9)
    play = table(mine, other, station=station, phase="splicing_lab", agenda=at_slot(0, "0-0"))
    play.place("dispatch_station").make(RecallWorker("0-1"))
    assert (play.seat, play.asking.effect) == (0, Turn())
    play.place("refinery")
    assert (play.seat, play.asking.effect) == (1, Turn("1-0"))


@covers("R3")
def test_a_worker_in_a_slot_may_go_anywhere_but_the_splicing_lab_with_everything_that_placing_brings() -> None:
    mine = Has(["brain claw@splicing_lab.A", *["@worker_lounge"] * 3], food=9)
    other = Has(["@hydroponics", *["@worker_lounge"] * 3], food=9)
    play = table(mine, other, phase="splicing_lab", agenda=at_slot(0, "0-0"))
    assert "splicing_lab" not in play.targets()
    assert play.targets() >= {"hydroponics", "worker_lounge", "laboratory"}
    play.place("hydroponics")
    assert (play.asks, play.seat) == ("mix", 1)
    play.make(TakeCoinsAndFood(1, 0))
    assert play.player().score - 10 == 1
    # The ejected worker stays in the lounge; the phase goes on to feeding.
    assert play.state.round == 2


@covers("R3")
def test_the_splicing_lab_phase_comes_to_the_slots_in_turn_and_skips_empty_ones() -> None:
    mine = Has(["@splicing_lab.A", "@splicing_lab.C", *["@worker_lounge"] * 2], food=9)
    play = table(mine, Has(["", *["@worker_lounge"] * 3], food=9), turn=1)
    play.place("refinery")
    assert play.happened(PhaseBegun) == [PhaseBegun("splicing_lab")]
    assert play.asking.effect == Turn("0-0")
    assert play.place("hydroponics").asking.effect == Turn("0-1")
    play.place("worker_lounge").make(TakeCoinsAndFood(0, 1))
    assert play.state.round == 2


def test_the_splicing_lab_takes_the_first_free_slot_and_is_full_after_the_third() -> None:
    mine = Has(["", "@splicing_lab.A", "@splicing_lab.C"], storage="claw")
    play = placed("splicing_lab", mine, Has(["leaf"]))
    assert play.worker("0-0").place == "splicing_lab.B"
    play.make(SpliceWorker(("claw",)))
    assert "splicing_lab" not in play.targets()


def test_splicing_with_nothing_at_hand_changes_nothing_and_is_not_asked() -> None:
    play = placed("splicing_lab", Has(), Has())
    assert (play.asks, play.seat) == ("turn", 1)


@covers("R24")
def test_the_worker_on_dispatch_is_re_placed_once_after_the_slots_anywhere_but_the_lab_or_dispatch() -> None:
    mine = Has(["claw@dispatch", "", *["@worker_lounge"] * 2], food=9, perks=("dispatch", "conference", "grappler"))
    other = Has(["", *["@worker_lounge"] * 3], food=9)
    play = table(mine, other, turn=1)
    play.place("refinery")
    play.place("worker_lounge", "0-1").make(TakeCoinsAndFood(1, 0))
    assert play.asking.effect == Turn("0-0")
    assert not play.targets() & {"dispatch", "splicing_lab"}
    play.place("conference")
    play.make(RecallWorker("0-2"))
    # A worker that this puts into a pool is placed before feeding, on Dispatch if its owner likes.
    assert (play.asking.effect, play.state.phase) == (Turn(), "splicing_lab")
    assert "worker_lounge" in play.targets()


@covers("R24", "R6")
def test_a_re_placing_is_a_turn_in_which_the_reactor_may_be_flushed() -> None:
    mine = Has(["@splicing_lab.A", *["@worker_lounge"] * 3], food=9, card="pantry")
    play = table(mine, Has(["@worker_lounge"] * 4, food=9), phase="splicing_lab", agenda=at_slot(0, "0-0"))
    assert any(isinstance(move, Flush) for move in play.moves)
    play.place("refinery")
    assert play.asks == "turn_end"
    play.make(EndTurn())
    assert play.state.round == 2


@covers("R6")
def test_a_flush_before_placing_spends_the_card_discards_and_refills_without_rewards_and_the_turn_goes_on() -> None:
    tiles = ("monolith", "vineyard", "gardens")
    station = Map(reactor=tiles, deck=("newsroom", "symposium", "petty_cash", "aquarium", "cargo_bay"))
    play = table(Has(card="pantry"), Has(), station=station)
    play.make(Flush(("monolith", "gardens")))
    assert play.player().card is None
    assert play.wealth() == (0, 0, 0)
    assert play.state.reactor == ("cargo_bay", "aquarium", "petty_cash", "symposium", "newsroom", "vineyard")
    assert play.state.discards == ("monolith", "gardens")
    assert (play.asks, play.seat) == ("turn", 0)
    assert not any(isinstance(move, Flush) for move in play.moves)
    # Without the card the turn ends with no question.
    assert play.place("refinery").seat == 1


@covers("R6")
def test_a_turn_of_whoever_holds_a_card_ends_with_the_question_to_flush_or_end_it() -> None:
    play = placed("refinery", Has(card="pantry"), Has())
    assert (play.asks, play.seat) == ("turn_end", 0)
    assert EndTurn() in play.moves
    play.make(Flush(()))
    assert play.player().card is None
    assert play.seat == 1


@covers("R6", "dispatch")
def test_there_is_no_flush_in_the_middle_of_an_action() -> None:
    play = placed("dispatch", Has(["", ""], card="pantry", perks=("dispatch",)), Has())
    assert play.asks == "placement"
    assert not any(isinstance(move, Flush) for move in play.moves)
