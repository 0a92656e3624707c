"""Events in words: who does what to whom, with which piece, from where to where."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec import Struct

from domain.chimera import TITLE
from domain.chimera import facts as f
from domain.chimera import moves as m
from domain.chimera.timeline.describe import WRITE
from domain.chimera.timeline.moves import WRITE as DECISIONS
from domain.kernel.events import GameEnded
from tests.domain.chimera.table import HUB_SIDE, RULES, Has, Map, Table, at_slot, placed, table

NAMES = ("Ann", "{Bob}", "Cy", "Di")
"""A name may hold what is special in a format string."""


def lines(play: Table, move: m.Move) -> tuple[str, str]:
    """What anyone reads of the next move, in both languages."""
    seat, before = play.seat, RULES.view(play.state, None)
    play.make(move)
    after = RULES.view(play.state, None)
    seen = [fact for fact in (RULES.redact_fact(each, None) for each in play.facts) if fact is not None]
    english, japanese = (
        RULES.describe(seat, move, seen, NAMES, language, before=before, after=after) for language in ("en", "ja")
    )
    return english, japanese


def test_a_placing_names_the_worker_the_place_and_the_gain() -> None:
    play = table(Has(["claw leaf"]), Has())
    assert lines(play, m.PlaceWorker("0-0", "refinery")) == (
        "Ann places a worker with 1 claw and 1 leaf at the Refinery, and gets 3 coins.",
        "Annはハサミ1つと木の葉1つを持つワーカーを精製所に配置し、コイン3枚を得る。",
    )


def test_an_ejection_says_who_ejects_whose_worker_from_where_to_where() -> None:
    play = table(Has(["claw"]), Has(["brain@refinery"]))
    assert lines(play, m.PlaceWorker("0-0", "refinery")) == (
        "Ann places a worker with 1 claw at the Refinery, ejecting {Bob}'s worker with 1 brain to the Worker Lounge.",
        "Annは精製所の{Bob}の頭脳1つを持つワーカーをワーカーラウンジに追い出し、ハサミ1つを持つワーカーを精製所に配置する。",
    )
    assert lines(play, m.TakeCoinsAndFood(1, 0)) == (
        "{Bob} takes 1 coin for the ejection. Ann gets 3 coins.",
        "{Bob}は追い出しの分としてコイン1枚を取る。Annはコイン3枚を得る。",
    )


def test_an_ejection_by_an_effect_names_both_workers() -> None:
    play = placed("morale_center", Has(["", "@academy"], perks=("morale_center",)), Has(["@refinery"]))
    assert lines(play, m.EjectWorker("1-0"))[0] == "Ann ejects {Bob}'s worker from the Refinery to the Worker Lounge."
    english, japanese = lines(play, m.TakeCoinsAndFood(0, 1))
    assert english.startswith(
        "{Bob} takes 1 food for the ejection. Ann ejects one of their own workers from the Academy"
    )
    assert "自分のワーカー" in japanese


def test_a_worker_in_a_slot_is_placed_again_from_there() -> None:
    play = table(Has(["@splicing_lab.A"]), Has(), phase="splicing_lab", agenda=at_slot(0, "0-0"))
    english, japanese = lines(play, m.PlaceWorker("0-0", "hydroponics"))
    assert english.startswith("Ann moves a worker from Splicing Lab A to Hydroponics and gets 2 food.")
    assert japanese.startswith("Annはワーカーを組み込みラボAから水耕栽培所に再配置し、食料2つを得る。")


def test_splicing_says_what_is_detached_and_attached() -> None:
    play = placed("splicing_lab", Has(["claw"], storage="leaf brain"), Has())
    assert lines(play, m.SpliceWorker(("brain", "leaf"))) == (
        "Ann detaches 1 claw from the worker in Splicing Lab A, and attaches 1 brain and 1 leaf to it.",
        "Annは組み込みラボAのワーカーからハサミ1つを外し、そのワーカーに頭脳1つと木の葉1つを付ける。",
    )
    play = placed("splicing_lab", Has(["claw"], storage="leaf"), Has())
    assert lines(play, m.SpliceWorker(("claw",))) == ("Ann splices nothing.", "Annは何も組み込まない。")


def test_the_laboratory_says_what_it_detaches() -> None:
    play = table(Has(["claw"]), Has())
    english, japanese = lines(play, m.PlaceWorker("0-0", "laboratory"))
    assert english.startswith("Ann places a worker with 1 claw at the Laboratory, detaches 1 claw from it, and reaches")
    assert "そのワーカーからハサミ1つを外し" in japanese


def test_a_shop_says_what_is_paid_for_what() -> None:
    play = placed("academy", Has(coins=5), Has())
    assert lines(play, m.ChooseOption("buy_two")) == (
        "Ann pays 5 coins for 2 brains.",
        "Annはコイン5枚を払って頭脳2つを得る。",
    )


def test_a_shop_that_yields_nothing_says_so() -> None:
    play = placed("academy", Has(coins=5), Has())
    assert lines(play, m.ChooseOption("per_component")) == (
        "Ann gets nothing at the Academy.",
        "Annはアカデミーでは何も得ない。",
    )
    play = table(Has([""]), Has())
    assert lines(play, m.PlaceWorker("0-0", "claw_shop")) == (
        "Ann places a worker at the Claw Shop and gets nothing there.",
        "Annはワーカーをハサミ売り場に配置し、そこでは何も得ない。",
    )


def test_an_effect_that_yields_nothing_after_an_ejection_says_so() -> None:
    play = table(Has(["claw"]), Has(["@seed_repository"])).place("seed_repository", "0-0")
    assert lines(play, m.TakeCoinsAndFood(1, 0))[0] == (
        "{Bob} takes 1 coin for the ejection. Ann gets nothing at the Seed Repository."
    )


def test_a_build_says_what_where_and_for_how_much() -> None:
    play = placed("constructor", Has(coins=2), Has(), station=Map(reactor=("petty_cash",)))
    assert lines(play, m.BuildModule("petty_cash", HUB_SIDE, "coins")) == (
        "Ann builds Petty Cash at 0,-1 for 2 coins, scores 2 points, and gets 2 coins.",
        "Annはコイン2枚を払って小口現金置き場を0,-1に建設し、2点を得て、コイン2枚を得る。",
    )


def test_moving_onto_a_built_module_is_said_once_and_declining_it_by_name() -> None:
    def build() -> Table:
        play = placed("constructor", Has(coins=3), Has(), station=Map(reactor=("gardens",)))
        return play.make(m.BuildModule("gardens", HUB_SIDE, "coins"))

    assert lines(build(), m.ApplyEffect()) == (
        "Ann moves a worker onto the Gardens and gets 1 leaf.",
        "Annはワーカーを庭園に移動させ、木の葉1つを得る。",
    )
    assert lines(build(), m.Decline()) == (
        "Ann does not move the worker onto the Gardens.",
        "Annはワーカーを庭園に移動させない。",
    )


def test_a_component_that_need_not_be_detached_is_said_to_stay() -> None:
    pair = (Has(["brain brain"], board="brainiacs", research=2), Has(board="weirdos"))
    assert lines(placed("laboratory", *pair), m.Decline()) == (
        "Ann detaches nothing and reaches research tier 3.",
        "Annは何も外さず、研究第3段階に進む。",
    )


def test_a_gift_is_said_once_with_who_gets_it() -> None:
    play = placed("beggars_alley", Has(perks=("beggars_alley",)), Has(coins=1, food=1))
    assert lines(play, m.Give("coin")) == (
        "{Bob} gives Ann 1 coin and scores 1 point.",
        "{Bob}はAnnにコイン1枚を渡し、1点を得る。",
    )
    play = placed("beggars_alley", Has(perks=("beggars_alley",)), Has(coins=1, food=1))
    assert lines(play, m.Decline()) == ("{Bob} gives Ann nothing.", "{Bob}はAnnに何も渡さない。")


def test_a_tribute_is_said_once() -> None:
    play = placed("command_hub_a", Has(perks=("warlord",)), Has(coins=1), Has(coins=3), start=1)
    assert lines(play, m.TakeTribute((1, 2), 1)) == (
        "Ann takes 1 coin each from {Bob} and Cy.",
        "Annは{Bob}とCyからコイン1枚ずつ奪う。",
    )


def test_a_swap_says_which_workers_from_which_places() -> None:
    mine = Has(["", "leaf@refinery"], perks=("nonhuman_resources",))
    play = placed("nonhuman_resources", mine, Has(["@academy", "@boiler_room"]))
    assert lines(play, m.SwapWorkers("0-1", "1-0")) == (
        "Ann swaps a worker with 1 leaf from the Refinery with {Bob}'s worker from the Academy.",
        "Annは精製所の木の葉1つを持つワーカーをアカデミーの{Bob}のワーカーと入れ替える。",
    )


def test_a_recall_says_from_where() -> None:
    mine = Has(["", "@refinery", "@academy"], perks=("conference",))
    play = placed("conference", mine, Has())
    assert lines(play, m.RecallWorker("0-2")) == (
        "Ann recalls a worker from the Academy.",
        "Annはアカデミーからワーカーを呼び戻す。",
    )


def test_components_that_are_removed_for_hunger_are_said_to_be() -> None:
    mine = Has(["", "claw@worker_lounge", "brain@worker_lounge", "@worker_lounge"])
    play = table(mine, Has(["@worker_lounge"] * 4, food=9)).place("boiler_room", "0-0")
    assert play.asks == "hunger"
    english, japanese = lines(play, m.RemoveComponents("0-1", ("claw",)))
    assert english.startswith("Ann removes 1 claw from a worker for missing food")
    assert japanese.startswith("Annは食料不足でワーカーからハサミ1つを除去")


def test_commanding_lists_the_modules_once_with_their_points() -> None:
    play = table(Has([""]), Has(["@refinery", "@academy"]))
    assert lines(play, m.PlaceWorker("0-0", "command_hub_a")) == (
        "Ann places a worker at Command Hub A, and commands Refinery and Academy for 2 points.",
        "Annはワーカーを司令室Aに配置し、精製所、アカデミーを指揮して2点を得る。",
    )


def test_without_views_an_event_is_told_as_far_as_its_facts_go() -> None:
    facts = (f.WorkerRecalled("0-0"), f.WorkerSpliced("1-0", ("leaf",), ()))
    assert RULES.describe(0, None, facts, NAMES, "en") == "Ann recalls a worker. {Bob} leaves a worker with 1 leaf."
    assert RULES.describe(0, m.Decline(), (), NAMES, "en") == "Ann declines."
    assert RULES.describe(0, m.ApplyEffect(), (), NAMES, "ja") == "Annは効果を適用する。"


SILENT: dict[type, str] = {
    f.ReactorSlid: "it follows from every build and every refill",
    f.WorkersReturned: "the feeding phase that it belongs to says so",
}


@pytest.mark.parametrize(
    "fact", sorted({*get_args(TITLE.seen)} - {*get_args(m.Move)}, key=str), ids=lambda each: each.__name__
)
def test_every_kind_of_fact_is_written_or_has_a_reason_not_to_be(fact: type) -> None:
    assert (fact in WRITE) != (fact in SILENT)
    assert GameEnded in WRITE


TOLD_BY_FACTS: dict[type[Struct], tuple[type[Any], ...]] = {
    m.TakeCard: (f.CardTaken,),
    m.PlaceWorker: (f.WorkerPlaced,),
    m.Flush: (f.CardSpent,),
    m.TakeComponent: (f.ComponentGained, f.ComponentImplanted),
    m.TakePerk: (f.PerkTaken,),
    m.ChooseOption: (f.ResourcesChanged, f.ComponentGained),
    m.BuildModule: (f.ModuleBuilt,),
    m.RecallWorker: (f.WorkerRecalled,),
    m.EjectWorker: (f.WorkerEjected,),
    m.SwapWorkers: (f.WorkersSwapped,),
    m.ReturnComponents: (f.ComponentsReturned,),
    m.DiscardPerk: (f.PerkDiscarded,),
}


@pytest.mark.parametrize("move", get_args(m.Move), ids=lambda each: each.__name__)
def test_every_kind_of_move_is_written_or_told_by_its_facts(move: type[Struct]) -> None:
    assert (move in DECISIONS) != (move in TOLD_BY_FACTS)
    assert all(fact in WRITE for fact in TOLD_BY_FACTS.get(move, ()))
