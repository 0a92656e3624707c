"""The standard board and the four B sides, one by one."""

from __future__ import annotations

import pytest

from domain.chimera.facts import GameSetUp, PerkTaken
from domain.chimera.moves import (
    FACTIONS,
    BuildModule,
    Decline,
    DetachComponents,
    Options,
    TakeCoinsAndFood,
    TakeComponent,
    TakePerk,
)
from domain.chimera.rules import bind
from domain.chimera.state import State
from domain.kernel.chance import Chance
from domain.kernel.component_text import parse
from domain.kernel.rejected import Rejected
from domain.kernel.results import Result
from tests.domain.chimera.covering import covers
from tests.domain.chimera.table import HOUSE, HUB_SIDE, KEY, RULES, Has, Map, Table, placed, table

OTHERS = {board: next(each for each in FACTIONS if each != board) for board in FACTIONS}


def against(board: str, mine: Has, **more: object) -> tuple[Has, Has]:
    """A seat with a board, and one with another."""
    del more
    has = Has(mine.workers, mine.coins, mine.food, 10, mine.storage, mine.perks, mine.research, mine.card, board)
    return has, Has(board=OTHERS[board])


def begun(options: Options, seats: int) -> State:
    """A game that has been set up."""
    state = None
    for fact in RULES.begin(options, seats, Chance(KEY, 1)):
        state = RULES.evolve(state, fact)
    assert state is not None
    RULES.check(state)
    return state


def final(*seats: Has) -> Result:
    """The result of a game that is over."""
    over = table(*seats, number=5, phase="over", agenda=())
    result = RULES.result(over.state)
    assert result is not None
    return result


def reaching(tier: int, board: str) -> Table:
    """A seat on the advanced laboratory has just reached a tier."""
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=("vendor", "mint", "foundry"))
    seats = (Has(research=tier - 1), Has()) if board == "standard" else against(board, Has(research=tier - 1))
    return placed("advanced_laboratory", *seats, station=station)


TRACKS = {
    "standard": ["perk", "worker", "perk", "worker", "perk", "any any", "8 points"],
    "brainiacs": ["", "perk", "worker", "worker", "perk", "any any", "6 points"],
    "eco_friendlies": ["perk", "worker", "perk", "worker", "perk", "any any", "8 points"],
    "toughies": ["perk", "worker", "worker", "perk", "perk", "any any", "8 points"],
    "weirdos": ["tentacle", "perk", "food worker", "any perk", "worker perk", "3 points coin food", "5 points any"],
}
STEPS = [(board, tier, gives) for board, track in TRACKS.items() for tier, gives in enumerate(track, 2)]
REACHED = [step for step in STEPS if step[:2] != ("brainiacs", 2)]
"""Brainiacs begin at tier 2 and never reach it."""


@covers("standard", "brainiacs", "eco_friendlies", "toughies", "weirdos", "R49")
@pytest.mark.parametrize("board,tier,gives", REACHED, ids=[f"{board}-{tier}" for board, tier, _ in REACHED])
def test_each_step_of_a_track_gives_its_reward(board: str, tier: int, gives: str) -> None:
    play = reaching(tier, board)
    before_workers = 4
    words = gives.split()
    for word in words:
        match word:
            case "any":
                play.make(TakeComponent("leaf"))
            case "perk":
                play.make(TakePerk("mint"))
            case _:
                pass
    player = play.player()
    number = next((int(word) for word in words if word.isdigit()), 0)
    assert play.wealth() == (number, words.count("coin"), words.count("food"))
    expected = ("leaf",) * words.count("any") + ("tentacle",) * words.count("tentacle")
    assert player.storage == expected
    assert player.perks == (("mint",) if "perk" in words else ())
    in_play = sum(worker.place != "reserve" for worker in player.workers)
    assert in_play == before_workers + words.count("worker")
    assert (player.research, play.asks) == (tier, "turn")


@covers("standard")
@pytest.mark.parametrize("board,points", [("standard", 8), ("brainiacs", 6)])
def test_past_the_last_tier_its_reward_comes_again(board: str, points: int) -> None:
    play = reaching(9, board)
    assert play.player().research == 8
    assert play.wealth() == (points, 0, 0)


@covers("brainiacs", "R36")
def test_brainiacs_begin_at_tier_2_with_a_brain_worker_and_the_top_perk_of_the_deck() -> None:
    facts = RULES.begin(Options("factions", ("toughies", "brainiacs")), 2, Chance(KEY, 1))
    state = begun(Options("factions", ("toughies", "brainiacs")), 2)
    player = state.players[1]
    assert player.research == 2
    assert player.workers[0].components == ("brain",)
    first = facts[0]
    assert isinstance(first, GameSetUp)
    deck = first.perk_deck
    assert player.perks == (deck[0],)
    assert [fact for fact in facts if isinstance(fact, PerkTaken)] == [PerkTaken(1, deck[0], drawn=True)]
    assert state.display == deck[1:4]


@covers("brainiacs", "R36")
def test_a_perk_that_brainiacs_draw_counts_as_taken_in_round_1() -> None:
    for number in range(200):
        facts = RULES.begin(Options("factions", ("brainiacs", "weirdos")), 2, Chance(KEY, number))
        state = None
        for fact in facts:
            state = RULES.evolve(state, fact)
        assert state is not None
        scoring = state.players[0].perks[0] in {"conference", "engineer", "grappler", "lounge_lizard", "overseer"}
        assert state.players[0].score == 10 + scoring


@covers("eco_friendlies", "toughies", "weirdos")
@pytest.mark.parametrize("board,kind", [("eco_friendlies", "leaf"), ("toughies", "claw"), ("weirdos", "tentacle")])
def test_other_b_sides_begin_at_tier_1_with_a_worker_that_carries_their_component(board: str, kind: str) -> None:
    other = OTHERS[board]
    assert other in FACTIONS
    state = begun(Options("factions", (board, other)), 2)  # pyright: ignore[reportArgumentType]
    player = state.players[0]
    assert (player.research, player.perks) == (1, ())
    assert [worker.components for worker in player.workers] == [(kind,)] + [()] * 5
    assert getattr(state.supply, kind) == 6


@covers("R35")
def test_everyone_plays_the_standard_board_or_each_seat_another_faction_listed_or_drawn() -> None:
    assert [player.board for player in begun(Options(), 3).players] == ["standard"] * 3
    listed = begun(Options("factions", ("weirdos", "toughies", "brainiacs")), 3)
    assert [player.board for player in listed.players] == ["weirdos", "toughies", "brainiacs"]
    drawn = begun(Options("factions"), 4)
    assert sorted(player.board for player in drawn.players) == sorted(FACTIONS)


@covers("R35")
def test_options_that_fit_the_seats_are_accepted() -> None:
    for options in (Options(), Options("factions"), Options("factions", ("weirdos", "toughies", "brainiacs"))):
        RULES.check_options(options, 3)


@covers("R35")
@pytest.mark.parametrize(
    "options",
    [
        Options("factions", ("weirdos", "toughies")),
        Options("factions", ("weirdos", "weirdos", "toughies")),
        Options("standard", ("weirdos", "brainiacs", "toughies")),
    ],
    ids=["too few", "one twice", "with standard sides"],
)
def test_factions_that_do_not_fit_the_seats_are_refused(options: Options) -> None:
    with pytest.raises(Rejected) as refused:
        RULES.check_options(options, 3)
    assert refused.value.code == "bad-options"
    assert str(refused.value.facts["field"]).startswith("options.")


@covers("brainiacs")
def test_a_two_brain_worker_of_brainiacs_need_not_detach_at_the_laboratory() -> None:
    play = placed("laboratory", *against("brainiacs", Has(["brain brain"], research=3)))
    assert Decline() in play.moves
    play.make(Decline())
    assert play.player().research == 4
    assert play.worker("0-0").components == ("brain", "brain")
    other = placed("laboratory", *against("brainiacs", Has(["brain brain"], research=3)))
    assert other.make(DetachComponents(("brain",))).player().storage == ("brain",)
    assert Decline() not in placed("laboratory", Has(["brain brain"]), Has()).moves


@covers("brainiacs")
def test_a_copy_of_the_laboratory_needs_no_detaching_either() -> None:
    station = Map(built={HUB_SIDE: "catering_service"})
    mine, other = against("brainiacs", Has(["brain brain"], food=2, research=3))
    other = Has(["leaf@laboratory"], board=other.board)
    play = placed("catering_service", mine, other, station=station)
    assert play.asks == "detachment"
    assert play.make(Decline()).player().research == 4


@covers("eco_friendlies")
def test_eco_friendlies_may_pay_a_build_wholly_in_food_but_not_mixed() -> None:
    seats = against("eco_friendlies", Has(coins=2, food=4))
    play = placed("constructor", *seats, station=Map(reactor=("petty_cash", "cargo_bay", "union_hall")))
    assert {(move.module, move.pay) for move in play.moves if isinstance(move, BuildModule)} == {
        ("petty_cash", "coins"),
        ("petty_cash", "food"),
        ("cargo_bay", "food"),
    }
    play.make(BuildModule("cargo_bay", HUB_SIDE, "food"))
    assert play.wealth() == (3, 2 + 2, 0)


@covers("eco_friendlies", "E5")
def test_two_leaf_workers_of_eco_friendlies_produce_three_food() -> None:
    assert fed(*against("eco_friendlies", Has(["leaf leaf", "leaf", "leaf", "leaf"]))).player().food == 3
    assert fed(Has(["leaf leaf", "leaf", "leaf", "leaf"]), Has()).player().food == 2


def fed(mine: Has, other: Has) -> Table:
    """The round has ended after the last worker was placed, and the next has begun."""
    workers = [f"{written}@worker_lounge" for written in mine.workers]
    has = Has(workers, mine.coins, mine.food, 10, mine.storage, mine.perks, mine.research, mine.card, mine.board)
    others = Has(["", *["@worker_lounge"] * 3], food=5, board=other.board)
    play = table(has, others, turn=1, number=1).place("worker_lounge", "1-0").make(TakeCoinsAndFood(0, 1))
    assert play.state.round == 2
    return play


@covers("eco_friendlies", "R29")
def test_eco_friendlies_score_two_points_for_three_food_instead_of_one_for_two() -> None:
    assert final(*against("eco_friendlies", Has(food=8))).scores[0].points == 10 + 4
    assert final(Has(food=8), Has()).scores[0].points == 10 + 4
    assert final(*against("eco_friendlies", Has(food=9))).scores[0].points == 10 + 6


@covers("toughies", "R29")
def test_toughies_score_a_point_for_two_coins_instead_of_three() -> None:
    assert final(*against("toughies", Has(coins=7))).scores[0].points == 10 + 3
    assert final(Has(coins=7), Has()).scores[0].points == 10 + 2


@covers("toughies")
def test_two_claw_workers_of_toughies_may_eject_own_workers_and_get_nothing_for_it() -> None:
    seats = against("toughies", Has(["claw claw", "claw", "leaf leaf@refinery"]))
    play = table(*seats)
    assert "refinery" in play.targets("0-0")
    assert "refinery" not in play.targets("0-1")
    play.place("refinery", "0-0")
    assert (play.asks, play.asking.piece) == ("mix", "worker_lounge")
    play.make(TakeCoinsAndFood(0, 1))
    assert play.wealth() == (0, 3, 1)


@covers("toughies", "R44", "R26")
def test_toughies_take_a_food_or_coin_from_the_supply_when_a_two_claw_worker_ejects_an_opponents() -> None:
    mine, other = against("toughies", Has(["claw claw"]))
    play = placed("refinery", mine, Has(["@refinery"], board=other.board))
    assert (play.asks, play.seat, play.asking.piece) == ("mix", 0, "toughies")
    play.make(TakeCoinsAndFood(0, 1))
    assert (play.asks, play.seat) == ("mix", 1)
    play.make(TakeCoinsAndFood(1, 0))
    assert play.wealth() == (0, 3, 1)
    one = placed("refinery", Has(["claw"], board="toughies"), Has(["@refinery"], board=other.board))
    assert (one.asks, one.seat) == ("mix", 1)


@covers("weirdos", "R45")
def test_a_two_tentacle_worker_of_weirdos_that_commands_brings_any_component_directly_after() -> None:
    mine, other = against("weirdos", Has(["tentacle tentacle"]))
    play = placed("command_hub_a", mine, Has(["@refinery"], board=other.board), start=1)
    assert play.wealth() == (1, 0, 0)
    assert play.state.start == 1  # the marker is taken after it
    play.make(TakeComponent("leaf"))
    # It brings no extra of the tentacles.
    assert play.player().storage == ("leaf",)
    assert play.state.start == 0


@covers("weirdos", "R45")
def test_a_two_tentacle_worker_of_weirdos_that_uses_a_perk_module_brings_any_component_after_its_effect() -> None:
    mine, other = against("weirdos", Has(["tentacle tentacle"], perks=("vendor",)))
    play = placed("vendor", mine, other)
    assert play.wealth() == (0, 2, 1)
    play.make(TakeComponent("brain"))
    assert play.player().storage == ("brain",)
    assert play.wealth() == (0, 3, 2)
    assert placed("vendor", Has(["tentacle"], perks=("vendor",), board="weirdos"), other).asks == "turn"


@covers("weirdos", "R45")
def test_both_components_come_when_a_worker_of_weirdos_commands_by_a_perk_module() -> None:
    mine, other = against("weirdos", Has(["tentacle tentacle"], coins=5, perks=("workshop",)))
    play = placed("workshop", mine, other, station=Map(discards=("periphery_command",)))
    play.make(BuildModule("periphery_command", HUB_SIDE, "coins"))
    play.make(TakeComponent("leaf")).make(TakeComponent("claw"))
    assert play.player().storage == ("claw", "leaf")
    assert play.asks == "turn"


@covers("weirdos", "R45")
def test_a_swapped_worker_of_weirdos_that_commands_counts_for_its_own_player() -> None:
    mine = Has(["", "@periphery_command"], perks=("nonhuman_resources",), board="toughies")
    other = Has(["tentacle tentacle@refinery"], board="weirdos")
    station = Map(built={HUB_SIDE: "periphery_command"})
    play = placed("nonhuman_resources", mine, other, station=station)
    play.make(Decline()).make(play.moves[0])
    assert (play.asks, play.seat) == ("component_choice", 1)
    play.make(TakeComponent("leaf"))
    assert play.player(1).storage == ("leaf",)


def test_a_set_may_give_several_perks_at_once_which_are_taken_one_after_the_other() -> None:
    rules = bind(parse(HOUSE.replace("tiers = { 2 = { perks = 1 }", "tiers = { 2 = { perks = 2 }")))
    station = Map(built={HUB_SIDE: "advanced_laboratory"}, display=("vendor", "mint", "foundry"))
    play = placed("advanced_laboratory", Has(), Has(), station=station, rules=rules)
    play.make(TakePerk("mint"))
    assert len(play.state.display) == 3
    play.make(TakePerk("vendor"))
    assert play.player().perks == ("mint", "vendor")
    assert play.asks == "turn"
