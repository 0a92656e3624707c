"""The course of the game: draft, turns, flush, the splicing lab phase, feeding, the end."""

from __future__ import annotations

import pytest

from domain.chimera.agenda import Draft, Turn
from domain.chimera.facts import (
    CardTaken,
    DeckShuffled,
    PerkDeckShuffled,
    PerksShown,
    PhaseBegun,
    ReactorFilled,
    RoundBegun,
    WorkersReturned,
)
from domain.chimera.moves import (
    ChooseOption,
    DiscardPerk,
    EndTurn,
    Flush,
    Move,
    Options,
    PlaceWorker,
    RecallWorker,
    RemoveComponents,
    SpliceWorker,
    TakeCard,
    TakeCoinsAndFood,
    TakeComponent,
    TakePerk,
)
from domain.chimera.state import State
from domain.kernel.chance import Chance
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HUB_SIDE, KEY, RULES, Has, Map, Table, at_slot, placed, table


def begun(seats: int, version: int = 1) -> Table:
    """A game that has been set up."""
    state: State | None = None
    for fact in RULES.begin(Options(), seats, Chance(KEY, version)):
        state = RULES.evolve(state, fact)
    assert state is not None
    return Table(state)


def lounging(moves: list[Move]) -> Move:
    """A move that brings the round to its end quickly."""
    lounge = [move for move in moves if isinstance(move, PlaceWorker) and move.to == "worker_lounge"]
    ends = [move for move in moves if isinstance(move, EndTurn)]
    return (lounge or ends or moves)[0]


def ended(play: Table) -> Table:
    """Play on until the round is over and the next one has begun."""
    number = play.state.round
    while play.state.round == number and play.state.phase != "over":
        play.make(lounging(play.moves))
    return play


@pytest.mark.parametrize("seats,workers,cards", [(2, 4, 3), (3, 3, 5), (4, 2, 6)])
@covers("pantry", "grant", "sample", "purse", "larder", "specimens")
def test_workers_and_starting_cards_are_by_the_number_of_players(seats: int, workers: int, cards: int) -> None:
    play = begun(seats)
    for player in play.state.players:
        assert [worker.place for worker in player.workers] == ["pool"] * workers + ["reserve"] * 2
        assert (player.score, player.research, player.coins, player.food) == (10, 1, 0, 0)
    assert play.asking.effect == Draft(tuple(RULES.material.cards)[:cards])
    assert len(play.state.display) == 3
    assert None not in play.state.reactor


@covers("R36")
@pytest.mark.parametrize("version", range(1, 7))
def test_the_draft_goes_anticlockwise_from_the_right_of_the_start_player_and_ends_with_the_start_player(
    version: int,
) -> None:
    play = begun(4, version)
    order: list[int] = []
    while play.state.phase == "draft":
        if play.asks == "draft":
            order.append(play.seat)
        play.make(play.moves[0])
    start = play.state.start
    assert order == [(start - step) % 4 for step in (1, 2, 3, 4)]
    assert play.seat == start
    assert play.state.phase == "placement"


@pytest.mark.parametrize("card,coins,food", [("pantry", 3, 2), ("purse", 5, 1), ("larder", 2, 4), ("grant", 1, 2)])
@covers("pantry", "purse", "larder", "grant")
def test_a_starting_card_gives_what_it_shows_at_once_and_stays_with_its_owner(card: str, coins: int, food: int) -> None:
    play = begun(3)
    seat = play.seat
    play.make(TakeCard(card))
    assert play.happened(CardTaken) == [CardTaken(seat, card)]
    assert (play.player(seat).coins, play.player(seat).food) == (coins, food)
    assert play.player(seat).card == card
    if card == "grant":
        # The research step gives its reward, before the next one takes a card.
        assert (play.asks, play.seat) == ("perk_choice", seat)
        play.make(TakePerk(play.state.display[0]))
        assert play.player(seat).research == 2
    assert (play.asks, play.seat) == ("draft", (seat - 1) % 3)
    assert card not in play.values("card")


@pytest.mark.parametrize("card,number,coins", [("sample", 1, 2), ("specimens", 2, 1)])
@covers("sample", "specimens")
def test_a_starting_card_lets_its_owner_pick_the_components_it_shows(card: str, number: int, coins: int) -> None:
    play = begun(4)
    seat = play.seat
    play.make(TakeCard(card))
    for _ in range(number):
        play.make(TakeComponent("leaf"))
    assert play.player(seat).storage == ("leaf",) * number
    assert (play.player(seat).coins, play.player(seat).food) == (coins, 1)


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


@covers("R4")
def test_food_is_owed_for_the_workers_that_lack_a_leaf_when_the_meal_begins() -> None:
    mine = Has(["", "leaf@refinery", "@academy", "@hydroponics"], coins=0)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9), turn=0)
    play.place("worker_lounge").make(TakeCoinsAndFood(0, 1))
    # 3 owed, 1 paid, 2 missing: the leaf goes for one, which makes nobody hungrier, and 2 points for the other.
    assert play.wealth() == (-2, 0, 0)
    assert play.worker("0-1").components == ()


@covers("R4")
def test_for_each_food_missing_its_owner_chooses_a_component_to_remove() -> None:
    mine = Has(["", "claw@refinery", "brain leaf@academy", "@hydroponics"])
    play = table(mine, Has(["@worker_lounge"] * 4, food=9), turn=0)
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert (play.asks, play.seat) == ("hunger", 0)
    assert set(play.moves) == {
        RemoveComponents("0-1", ("claw",)),
        RemoveComponents("0-2", ("brain",)),
        RemoveComponents("0-2", ("leaf",)),
    }
    play.make(RemoveComponents("0-1", ("claw",)))
    assert play.asks == "hunger"
    play.make(RemoveComponents("0-2", ("brain",)))
    assert (play.state.supply.claw, play.state.supply.brain) == (7, 7)


@covers("R5")
def test_the_score_never_goes_below_zero() -> None:
    mine = Has(["", "@refinery", "@academy", "@hydroponics"], score=3)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9))
    play.place("worker_lounge").make(TakeCoinsAndFood(1, 0))
    assert play.player().score == 0


@covers("E5")
def test_workers_return_and_the_reserve_eats_nothing() -> None:
    mine = Has(["leaf@worker_lounge", "leaf@refinery", "", "leaf@academy"], food=1)
    play = table(mine, Has(["@worker_lounge"] * 4, food=9)).place("hydroponics")
    assert play.happened(WorkersReturned)
    assert play.wealth() == (0, 0, 2)
    assert {worker.place for worker in play.player().workers} == {"pool", "reserve"}


@pytest.mark.parametrize("number", [2, 4])
@covers("R36", "command_hub_b")
def test_at_the_start_of_rounds_3_and_5_perks_come_in_and_everyone_advances_research_in_turn_order(number: int) -> None:
    everyone = ["@worker_lounge"] * 4
    play = table(Has(["", *everyone[1:]], food=9), Has(everyone, food=9, research=3), number=number, start=1, turn=0)
    play.place("refinery")
    assert play.happened(RoundBegun) == [RoundBegun(number + 1)]
    assert len(play.happened(PerksShown)[0].perks) == 3
    assert len(play.state.display) == 6
    assert play.state.phase == "start"
    # Clockwise from the start player: seat 1 takes a perk (tier 4) before seat 0 does (tier 2).
    assert (play.asks, play.seat) == ("perk_choice", 1)
    play.make(TakePerk(play.values("perk")[0]))
    assert (play.asks, play.seat) == ("perk_choice", 0)
    play.make(TakePerk(play.values("perk")[0]))
    # With four left none is drawn.
    assert len(play.state.display) == 4
    assert (play.asks, play.seat, play.state.phase) == ("turn", 1, "placement")
    assert "command_hub_b" in play.targets()


def test_no_perks_come_in_at_the_start_of_other_rounds() -> None:
    play = table(Has(["", *["@worker_lounge"] * 3], food=9), Has(["@worker_lounge"] * 4, food=9), number=3)
    play.place("refinery")
    assert len(play.state.display) == 3
    assert [player.research for player in play.state.players] == [1, 1]


@covers("R23")
def test_the_game_ends_after_feeding_in_round_5_and_more_components_break_a_tie() -> None:
    lounge = ["@worker_lounge"] * 3
    mine, other = Has(["", *lounge], food=4), Has(["@worker_lounge", *lounge], food=4, storage="claw", score=8)
    play = table(mine, other, number=5).place("refinery")
    assert play.state.phase == "over"
    result = RULES.result(play.state)
    assert result is not None
    # 10 + 1 for three coins against 8 + 2 for a component: not equal.
    assert [score.points for score in result.scores] == [11, 10]
    tied = table(Has(food=4), Has(food=0, storage="claw"), number=5, phase="over", agenda=())
    result = RULES.result(tied.state)
    assert result is not None
    assert [score.points for score in result.scores] == [12, 12]
    assert [score.rank for score in result.scores] == [2, 1]
    assert result.winners == (1,)


@covers("R23")
def test_victory_is_shared_when_points_and_components_are_equal() -> None:
    tied = table(Has(food=4), Has(coins=6), Has(food=1), number=5, phase="over", agenda=())
    result = RULES.result(tied.state)
    assert result is not None
    assert [score.rank for score in result.scores] == [1, 1, 3]
    assert result.winners == (0, 1)


def test_the_lines_of_the_final_score_say_where_each_point_came_from() -> None:
    play = placed("hydroponics", Has(["brain", *["@worker_lounge"] * 3], perks=("vendor",), food=3), Has(), number=5)
    ended(play)
    result = RULES.result(play.state)
    assert result is not None
    lines = result.scores[0].lines
    assert sum(line.points for line in lines) == result.scores[0].points
    told = {(line.source, line.piece): line.points for line in lines}
    assert told["start", None] == 10
    assert told["brain", "hydroponics"] == 1
    assert told["perk_end", "vendor"] == 9
    assert told["components", None] == 2


@covers("R46")
def test_the_module_deck_is_shuffled_anew_only_when_a_module_must_be_drawn_and_it_is_empty() -> None:
    names = list(RULES.material.tiles)
    reactor, deck, discards = names[:5], names[5:6], names[6:]
    station = Map(reactor=reactor, deck=deck, discards=discards)
    play = table(Has(card="pantry"), Has(), station=station)
    play.make(Flush(()))
    assert not play.happened(DeckShuffled)
    assert play.state.deck == ()
    again = table(Has(card="pantry"), Has(), station=station).make(Flush((reactor[0],)))
    (shuffled,) = again.happened(DeckShuffled)
    # What was flushed is shuffled in as well.
    assert sorted(shuffled.deck) == sorted((*discards, reactor[0]))
    assert [len(fact.drawn) for fact in again.happened(ReactorFilled)] == [1, 1]


@covers("R46")
def test_the_perk_deck_is_shuffled_anew_when_a_perk_must_be_drawn_and_its_tallies_keep_no_names() -> None:
    perks = list(RULES.material.perks)
    mine, theirs = ("vendor", "overseer"), tuple(perk for perk in perks if perk not in {"vendor", "overseer"})
    display, discards = theirs[:2], ("zoning_board",)
    owned = tuple(perk for perk in theirs[2:] if perk != "zoning_board")
    station = Map(built={HUB_SIDE: "union_hall"}, display=display, perk_discards=discards, perk_deck=())
    play = placed("union_hall", Has(perks=mine), Has(perks=owned), station=station)
    play.make(DiscardPerk("vendor"))
    play.make(TakePerk(display[0]))
    (shuffled,) = play.happened(PerkDeckShuffled)
    assert sorted(shuffled.deck) == ["vendor", "zoning_board"]
    assert len(play.state.display) == 3
    told = {(tally.source, tally.piece): tally.points for tally in play.player().tallies}
    assert told["union_hall", None] == 9


def test_taking_a_perk_with_an_empty_display_gives_nothing() -> None:
    perks = tuple(RULES.material.perks)
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=(), perk_deck=())
    play = placed("advanced_laboratory", Has(perks=perks[:11]), Has(perks=perks[11:]), station=station)
    assert play.player().perks == perks[:11]
    assert (play.asks, play.seat) == ("turn", 1)


@covers("specimens", "leaf")
def test_a_named_component_of_which_none_is_left_is_two_points_also_where_it_was_paid_for() -> None:
    play = placed("seed_repository", Has(coins=5), Has(storage="leaf " * 6)).make(ChooseOption("buy_two"))
    assert play.player().storage == ("leaf",)
    assert play.wealth() == (2, 0, 0)


def test_a_worker_gained_comes_from_the_reserve_to_the_pool_and_may_be_placed_in_the_same_phase() -> None:
    station = Map(built={HUB_SIDE: "advanced_laboratory"})
    play = placed("advanced_laboratory", Has(["", *["@worker_lounge"] * 3], research=2), Has(), station=station)
    play.place("worker_lounge", "1-0").make(TakeCoinsAndFood(1, 0))
    assert (play.asks, play.seat) == ("turn", 0)
    assert play.targets("0-4")


def test_a_worker_gained_with_an_empty_reserve_is_nothing() -> None:
    everyone = ["", *["@worker_lounge"] * 5]
    station = Map(built={HUB_SIDE: "advanced_laboratory"})
    play = placed("advanced_laboratory", Has(everyone, research=2), Has(), station=station)
    assert play.player().research == 3
    assert play.seat == 1
