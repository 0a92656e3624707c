"""Every piece in words, and a line for every event."""

from __future__ import annotations

import random
import re

import msgspec
import pytest
from msgspec import Struct

from domain.chimera.effects import Gain
from domain.chimera.facts import Fact, SeenFact
from domain.chimera.moves import BuildModule, ChooseModule, ChooseSpace, Decline, Options, SpliceWorker
from domain.chimera.state import State
from domain.chimera.texts import ENDS, MODULE_TEXTS, PERK_TEXTS
from domain.chimera.words import gains_text, name_of
from domain.kernel.chance import Chance
from domain.kernel.rules import Piece
from tests.domain.chimera.table import HUB_SIDE, KEY, RULES, Has, Map, Table, placed, table
from tests.harness.play import random_move

PIECES = {piece.id: piece for piece in RULES.components.pieces}
NAMES = ("Ann", "Bob", "Cy", "Di")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def told(play: Table, language: str = "en") -> str:
    """The line of the last event as anyone sees it."""
    seen = [RULES.redact_fact(fact, None) for fact in play.facts]
    return RULES.describe(0, None, [fact for fact in seen if fact is not None], NAMES, language)


def test_every_piece_has_its_own_id_and_names_in_both_languages() -> None:
    assert len(PIECES) == len(RULES.components.pieces)
    for piece in RULES.components.pieces:
        assert piece.names["en"]
        assert piece.names["ja"]
    kinds = [piece.kind for piece in RULES.components.pieces]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "component": 4,
        "base_module": 11,
        "module": 40,
        "build_space": 22,
        "reactor_space": 6,
        "starting_card": 6,
        "module_perk": 10,
        "passive_perk": 12,
        "board": 5,
        "name": 8,
    }


@pytest.mark.parametrize(
    "piece", [piece for piece in PIECES.values() if piece.kind != "name"], ids=lambda each: each.id
)
def test_every_piece_says_in_both_languages_what_it_does(piece: Piece) -> None:
    assert piece.text["en"]
    assert JAPANESE.search(piece.text["ja"]) or piece.text["ja"].endswith("点")
    msgspec.json.encode(piece)


def test_there_are_texts_for_the_pieces_that_there_are_and_for_no_others() -> None:
    assert set(MODULE_TEXTS) == set(RULES.material.modules)
    assert set(PERK_TEXTS) == set(ENDS) == set(RULES.material.perks)


def test_figures_of_the_set_come_into_words_from_the_set() -> None:
    assert "claw: 2 coins" in PIECES["boiler_room"].text["en"].lower()
    assert PIECES["-2,1"].text == {"en": "4 coins", "ja": "コイン4"}
    assert PIECES["0,-2"].text["en"] == "as many coins as the number of the round"
    assert PIECES["-2,0"].text["en"] == "recall an own placed worker"
    assert PIECES["0,1"].text["en"] == "the current reactor rewards"
    assert PIECES["3,0"].text["en"] == "the effect of an adjacent module, without a worker"
    assert PIECES["grant"].text["en"] == "1 coin, 2 food, 1 step of research"
    assert PIECES["reactor_4"].text["en"] == "1 component of any kind"
    assert PIECES["cargo_bay"].figures["cost"] == 4
    assert PIECES["command_hub_b"].figures["opens_in_round"] == 3


def test_a_board_says_what_it_begins_with_and_what_each_tier_gives() -> None:
    text = PIECES["brainiacs"].text["en"]
    assert "starts with a Brain" in text
    assert "starts with 1 perk" in text
    assert "starts at tier 2" in text
    assert "tier 2: nothing" in text
    assert "tier 8: 6 points" in text
    assert "第8段階: 8点" in PIECES["standard"].text["ja"]


def test_a_perk_says_what_it_scores_and_when() -> None:
    assert PIECES["conference"].text["en"].startswith("on taking: points as the number of the round")
    assert PIECES["vendor"].text["en"] == "2 coins, 1 food. At game end: 9"


def test_one_and_many_are_told_apart() -> None:
    assert gains_text((Gain("leaf", 1), Gain("leaf", 2), Gain("points", 1)))["en"] == "1 leaf, 2 leaves, 1 point"
    assert gains_text(())["en"] == "nothing"


@pytest.mark.parametrize(
    "piece,name",
    [
        ("refinery", "Refinery"),
        ("vendor", "Vendor"),
        ("pantry", "Pantry"),
        ("weirdos", "Weirdos"),
        ("worker_lounge", "Worker Lounge"),
        ("splicing_lab", "Splicing Lab"),
        ("splicing_lab.B", "Splicing Lab B"),
        ("0,-1", "space 0,-1"),
        ("leaf", "Leaf"),
        ("pool", "pool"),
    ],
)
def test_pieces_and_places_are_called_by_name(piece: str, name: str) -> None:
    assert name_of(RULES.material, piece)["en"] == name


def test_an_event_is_told_in_the_order_of_its_facts_naming_a_seat_where_it_is_another() -> None:
    play = placed("refinery", Has(["claw"]), Has(["@refinery"]))
    assert told(play) == "Bob has a worker ejected; Ann places a worker: Refinery"
    assert told(play, "ja") == "Bobはワーカーを追い出される。Annはワーカーを置く: 精製所"


def test_a_build_is_told_with_its_cost_its_points_and_its_place() -> None:
    play = placed("constructor", Has(coins=2), Has(), station=Map(reactor=("petty_cash",)))
    play.make(BuildModule("petty_cash", HUB_SIDE, "coins"))
    assert told(play) == (
        "Ann pays 2 coins; scores 2 points for building (Petty Cash); builds: Petty Cash, space 0,-1; gets 2 coins"
    )


def test_a_module_drawn_and_a_perk_shown_are_told_by_name() -> None:
    station = Map(built={HUB_SIDE: "quantum_constructor"}, deck=("monolith",))
    play = placed("quantum_constructor", Has(coins=2), Has(), station=station)
    assert told(play) == "Ann places a worker: Quantum Constructor; pays 2 coins; drawn: Monolith"


def test_declining_is_told_though_nothing_happens() -> None:
    assert RULES.describe(0, Decline(), (), NAMES, "en") == "Ann declines"
    assert RULES.describe(1, Decline(), (), NAMES, "ja") == "Bobは見送る"


def test_choosing_and_changing_nothing_is_told_too() -> None:
    assert RULES.describe(0, ChooseModule("refinery"), (), NAMES, "en") == "Ann applies Refinery"
    assert RULES.describe(0, ChooseSpace("0,-1"), (), NAMES, "ja") == "Annはスペース0,-1を選ぶ"
    assert RULES.describe(0, SpliceWorker(()), (), NAMES, "en") == "Ann splices nothing"


def test_losing_points_is_told() -> None:
    mine = Has(["", "@refinery", "@academy", "@hydroponics"])
    play = table(mine, Has(["@worker_lounge"] * 4, food=9)).place("boiler_room")
    assert "Ann loses 8 points for missing food" in told(play)


@pytest.mark.parametrize("sides", ["standard", "factions"])
def test_every_kind_of_fact_that_is_seen_is_told_in_both_languages(sides: str) -> None:
    reached: set[type] = set()
    for seed in range(12):
        picks = random.Random(seed)
        options = Options("standard") if sides == "standard" else Options("factions")
        facts: tuple[Fact, ...] = RULES.begin(options, 2 + seed % 3, Chance(KEY, seed))
        state: State | None = None
        move: Struct | None = None
        for step in range(400):
            for fact in facts:
                state = RULES.evolve(state, fact)
            assert state is not None
            seen: list[SeenFact] = [each for each in (RULES.redact_fact(fact, None) for fact in facts) if each]
            reached.update(type(fact) for fact in seen)
            for language in ("en", "ja"):
                assert RULES.describe(0, move, seen, NAMES, language)
            if RULES.result(state) is not None:
                break
            (seat,) = RULES.to_move(state)
            move = random_move(RULES.legal_moves(state, seat), picks)
            facts = RULES.decide(state, seat, move, Chance(KEY, 1000 * seed + step))  # pyright: ignore[reportArgumentType]
    assert len(reached) > 25
