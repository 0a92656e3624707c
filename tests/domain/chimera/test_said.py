"""Every move is told as its seat's, also where the facts tell nothing of it."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec import Struct

from domain.chimera import facts as f
from domain.chimera import moves as m
from domain.chimera.effects import Choice, Effect
from domain.chimera.texts import OPTION_TEXTS
from domain.kernel.describe import LANGUAGES
from tests.domain.chimera.table import RULES

NAMES = ("Ann", "{Bob}", "Cy", "Di")
TOLD: tuple[tuple[Struct, str, str], ...] = (
    (m.ChooseOption("buy_two"), "buys two components", "パーツを2個買う"),
    (m.ChooseOption("per_component"), "takes what the worker's components bring", "ワーカーのパーツの分を得る"),
    (m.SpliceWorker(()), "splices nothing", "何も組み込まない"),
    (
        m.SpliceWorker(("claw", "leaf")),
        "leaves the worker with Claw, Leaf",
        "ワーカーのパーツを変えない: ハサミ、木の葉",
    ),
    (m.AttachComponents(("leaf",)), "attaches Leaf", "木の葉を付ける"),
    (m.AttachComponents(()), "attaches nothing", "何も付けない"),
    (m.DetachComponents(("leaf",)), "detaches Leaf", "木の葉を外す"),
    (m.DetachComponents(()), "detaches nothing", "何も外さない"),
    (m.RemoveComponents("0-1", ()), "removes nothing", "何も除去しない"),
    (m.TakeComponent("brain"), "chooses Brain", "頭脳を選ぶ"),
    (m.TakeCoinsAndFood(1, 2), "takes 1 coin, 2 food", "コイン1、食料2を取る"),
    (m.EjectWorker("0-1"), "ejects an own worker", "自分のワーカーを追い出す"),
    (m.EjectWorker("1-0"), "ejects a worker of {Bob}", "{Bob}のワーカーを追い出す"),
    (m.Give("coin"), "gives 1 coin", "コイン1を渡す"),
    (m.Give("food"), "gives 1 food", "食料1を渡す"),
    (m.TakeTribute((1,), 2), "takes 2 coins from {Bob}", "{Bob}からコイン2を取る"),
    (m.TakeTribute((1, 2), 1), "takes 1 coin each from {Bob} and Cy", "{Bob}とCyからコイン1ずつを取る"),
    (m.ChooseModule("refinery"), "applies Refinery", "精製所の効果を適用する"),
    (m.ChooseSpace("0,-1"), "chooses space 0,-1", "スペース0,-1を選ぶ"),
    (m.ApplyEffect(), "applies the effect", "効果を適用する"),
    (m.Decline(), "declines", "見送る"),
    (m.EndTurn(), "ends the turn", "手番を終える"),
    (m.Flush(()), "moves", "行動する"),
)
SHOWN: tuple[tuple[Struct, Struct], ...] = (
    (m.TakeCard("pantry"), f.CardTaken(0, "pantry")),
    (m.PlaceWorker("0-0", "refinery"), f.WorkerPlaced("0-0", "refinery")),
    (m.Flush(()), f.CardSpent(0)),
    (m.TakeCoinsAndFood(1, 0), f.ResourcesChanged(0, 1, 0)),
    (m.TakeComponent("brain"), f.ComponentGained(0, "brain")),
    (m.TakePerk("vendor"), f.PerkTaken(0, "vendor", drawn=False)),
    (m.BuildModule("gardens", "0,-1", "coins"), f.ModuleBuilt(0, "gardens", "0,-1", "reactor")),
    (m.RecallWorker("0-0"), f.WorkerRecalled("0-0")),
    (m.SwapWorkers("0-0", "1-0"), f.WorkersSwapped("0-0", "academy", "1-0", "refinery")),
    (m.SpliceWorker(("leaf",)), f.WorkerSpliced("0-0", ("leaf",), ())),
    (m.RemoveComponents("0-0", ("leaf",)), f.ComponentsRemoved("0-0", ("leaf",))),
    (m.ReturnComponents(("leaf",)), f.ComponentsReturned(0, ("leaf",))),
    (m.DiscardPerk("vendor"), f.PerkDiscarded(0, "vendor")),
)


@pytest.mark.parametrize("move,en,ja", TOLD, ids=[en for _, en, _ in TOLD])
def test_a_move_is_told_though_nothing_came_of_it(move: Struct, en: str, ja: str) -> None:
    assert RULES.describe(0, move, (), NAMES, "en") == f"Ann {en}"
    assert RULES.describe(0, move, (), NAMES, "ja") == f"Annは{ja}"


@pytest.mark.parametrize("move,fact", SHOWN, ids=[type(move).__name__ for move, _ in SHOWN])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_that_a_fact_tells_is_told_once(move: Struct, fact: Struct, language: str) -> None:
    line = RULES.describe(0, move, (fact,), NAMES, language)
    assert line == RULES.describe(0, None, (fact,), NAMES, language)
    assert line.startswith("Ann")


def test_a_move_that_changed_nothing_is_told_though_others_lost_components_after_it() -> None:
    later = (f.PhaseBegun("feeding"), f.ComponentsRemoved("1-0", ("leaf",)))
    line = RULES.describe(0, m.RemoveComponents("0-1", ()), later, NAMES, "en")
    assert line == "Ann removes nothing; feeding phase; {Bob} removes Leaf"


def test_no_kind_of_move_is_forgotten_here() -> None:
    assert {type(move) for move, *_ in (*TOLD, *SHOWN)} == set(get_args(m.Move))


def test_there_are_words_for_the_options_that_there_are_and_for_no_others() -> None:
    places = RULES.material.places.values()
    offered = {option for place in places for effect in place.effects for option in _options(effect)}
    assert offered == set(OPTION_TEXTS)


def _options(effect: Effect) -> set[str]:
    if not isinstance(effect, Choice):
        return set()
    return {option.id for option in effect.options}


def test_the_start_tells_who_has_which_board_and_who_begins() -> None:
    beginnings = tuple(f.Beginning(board, 1, 4, 2) for board in ("weirdos", "toughies"))
    supply: Any = None
    fact = f.GameSetUpUnseen(beginnings, supply, 6, (1, 0), (), deck=1, perk_deck=1)
    assert RULES.describe(0, None, (fact,), NAMES, "en") == (
        "the game is set up: 6 reactor spaces; Ann plays Weirdos; {Bob} plays Toughies; has the start player marker"
    )
