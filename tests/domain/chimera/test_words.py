"""Every piece in words, and a line for every event."""

from __future__ import annotations

import re

import msgspec
import pytest

from domain.chimera.effects import Gain
from domain.chimera.words import gains_text, name_of
from domain.kernel.rules import Piece
from tests.domain.chimera.table import RULES

PIECES = {piece.id: piece for piece in RULES.components.pieces}
NAMES = ("Ann", "Bob", "Cy", "Di")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


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
    assert JAPANESE.search(piece.text["ja"]) or piece.text["ja"].endswith("点。")
    msgspec.json.encode(piece)


def test_figures_of_the_set_come_into_words_from_the_set() -> None:
    assert "2 coins for each claw" in PIECES["boiler_room"].text["en"]
    assert "ハサミ1つにつきコイン2枚" in PIECES["boiler_room"].text["ja"]
    assert PIECES["-2,1"].text == {"en": "Gain 4 coins.", "ja": "コイン4枚を得る。"}
    assert PIECES["0,-2"].text == {
        "en": "Gain coins equal to the round number.",
        "ja": "現在のラウンド数に等しい数のコインを得る。",
    }
    assert PIECES["-2,0"].text["en"] == "Recall one of your placed workers."
    assert PIECES["0,1"].text["en"] == "Gain the current reactor rewards."
    assert PIECES["3,0"].text["en"] == "Apply the effect of an adjacent module without a worker."
    assert PIECES["grant"].text["en"] == "Gain 1 coin, 2 food, and 1 research step."
    assert PIECES["reactor_4"].text["en"] == "Gain 1 component of your choice."
    assert PIECES["cargo_bay"].figures["cost"] == 4
    assert PIECES["command_hub_b"].figures["opens_in_round"] == 3


def test_a_board_says_what_it_begins_with_and_what_each_tier_gives() -> None:
    text = PIECES["brainiacs"].text["en"]
    assert "One worker starts with 1 brain." in text
    assert "Start with 1 perk." in text
    assert "Research starts at tier 2." in text
    assert "Tier 2: nothing." in text
    assert "Tier 8: 6 points." in text
    assert "第8段階: 8点。" in PIECES["standard"].text["ja"]


def test_a_perk_says_what_it_scores_and_when() -> None:
    assert PIECES["conference"].text["en"].startswith("When taken: score points equal to the round number. Recall one")
    assert PIECES["conference"].text["ja"].startswith("入手時: 現在のラウンド数に等しい得点を得る。配置済の")
    assert PIECES["vendor"].text["en"] == "Gain 2 coins and 1 food. End of game: 9 points."


@pytest.mark.parametrize("piece", [each for each in PIECES.values() if each.kind != "name"], ids=lambda each: each.id)
def test_every_text_is_made_of_whole_sentences_with_one_way_of_counting(piece: Piece) -> None:
    en, ja = piece.text["en"], piece.text["ja"]
    assert en[0].isupper()
    assert en.endswith(".")
    assert ja.endswith("。")
    # Of the dialect that these texts once had: an adjective without its noun, half-width marks, two ways of counting.
    assert not re.search(r"\bown (?!workers)", en), en
    assert not re.search(r"[;(),]", ja), ja
    assert not re.search(
        r"コイン\d(?!枚)|食料\d(?!つ)|\d個|(?<!現在の)ラウンド数|置き場(?<!パーツ置き場)(?<!ワーカー置き場)", ja
    ), ja


def test_one_and_many_are_told_apart() -> None:
    assert gains_text((Gain("leaf", 1), Gain("leaf", 2), Gain("points", 1)))["en"] == "1 leaf, 2 leaves, and 1 point"
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
