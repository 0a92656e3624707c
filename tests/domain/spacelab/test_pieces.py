"""The component set as it is served."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from domain.kernel.rules import ComponentSet, Piece
from domain.spacelab.words import capsule_name
from tests.domain.spacelab.table import RULES, entry, loaded, written

SET = RULES.components


def piece(name: str) -> Piece:
    return next(each for each in SET.pieces if each.id == name)


def test_every_piece_is_served_in_the_order_of_the_set() -> None:
    assert (SET.id, SET.title) == ("house-1", "spacelab")
    assert Counter(each.kind for each in SET.pieces) == {
        "agency": 4,
        "specialty": 4,
        "slot": 10,
        "lab": 60,
        "project": 24,
        "objective": 12,
        "boost": 12,
    }
    assert [each.id for each in SET.pieces][8:10] == ["top_left", "top_center"]


def test_every_id_is_one_piece_and_every_name_is_there_in_both_languages() -> None:
    assert len({each.id for each in SET.pieces}) == len(SET.pieces)
    for each in SET.pieces:
        assert all(each.names[language] for language in ("en", "ja"))
        assert set(each.text) == {"en", "ja"}
        if each.kind not in ("agency", "specialty"):
            assert all(each.text.values())


def test_a_lab_tells_what_stands_on_it() -> None:
    assert piece("gp_04").text["en"] == "Draw 2 lab cards."
    assert piece("gp_04").figures == {
        "agency": "golden_planet",
        "specialty": "doctor",
        "cost": 1,
        "effect": {"type": "spacelab.lab_draw", "count": 2},
        "score": None,
    }
    assert piece("gp_06").text["en"] == "1 point per Red Rocket lab in your station."


def test_a_slot_tells_its_row_its_capsules_and_its_neighbors() -> None:
    assert piece("side_2").figures == {
        "row": "side",
        "capsules": ["left", "center"],
        "neighbors": ["top_left", "top_center", "bottom_left", "bottom_center", "side_1", "side_3"],
    }
    assert piece("top_left").text["en"].startswith("When you place a lab here, draw as many project cards")
    assert piece("bottom_left").text["ja"].startswith("目標タイルと同じ専門のラボ")


@pytest.mark.parametrize(
    "name,en,ja",
    [
        ("bottom_right", "below the right capsule", "右のカプセルの下"),
        ("side_2", "between the left and center capsules", "左と中央のカプセルの間"),
        ("side_4", "beside the right capsule", "右のカプセルの横"),
        ("objective_05", "Golden Planet ×2 & Red Rocket", "ゴールデンプラネット×2・レッドロケット"),
        ("center_6", "Boost 6 of the center capsule", "中央のカプセルのブースト6"),
    ],
)
def test_what_has_only_an_id_in_the_set_is_named_for_what_it_is(name: str, en: str, ja: str) -> None:
    assert piece(name).names == {"en": en, "ja": ja}


def test_slots_at_one_place_are_numbered() -> None:
    data = written()
    entry(data, "slots", "side_4")["capsules"] = ["left"]
    names = {each.id: each.names for each in loaded(data).components.pieces}
    assert names["side_1"] == {"en": "beside the left capsule (1)", "ja": "左のカプセルの横（1）"}
    assert names["side_4"]["en"] == "beside the left capsule (2)"


@pytest.mark.parametrize(
    "capsules,places",
    [
        (1, ["the only capsule"]),
        (2, ["the left capsule", "the right capsule"]),
        (4, ["the first capsule", "the second capsule", "the third capsule", "the fourth capsule"]),
    ],
)
def test_capsules_are_told_by_their_places_however_many_there_are(capsules: int, places: list[str]) -> None:
    piles = tuple(f"pile_{number}" for number in range(capsules))
    material = msgspec.structs.replace(RULES.material, capsules=piles)
    assert [f"the {capsule_name(material, pile)['en']}" for pile in piles] == places
    assert len({capsule_name(material, pile)["ja"] for pile in piles}) == capsules


def test_projects_objectives_and_boosts_tell_what_they_do() -> None:
    assert piece("project_02").names["en"] == "Golden Planet Consortium"
    assert piece("project_02").text["en"] == "7 points if your station has at least 4 Golden Planet labs. Family: moon."
    assert piece("project_02").text["ja"].endswith("あれば7点。系統: 月。")
    assert piece("objective_05").text["en"] == (
        "Wants Golden Planet, Golden Planet, and Red Rocket. "
        "When you place a pilot below it: Draw 2 project cards and keep 1."
    )
    assert piece("left_8").text == {"en": "8 points.", "ja": "8点。"}
    assert piece("left_2").text["en"] == "2 points. Draw 3 lab cards."


def test_a_boost_of_one_point_says_so() -> None:
    data = written()
    entry(data, "boosts", "left_2")["points"] = 1
    boost = next(each for each in loaded(data).components.pieces if each.id == "left_2")
    assert boost.text["en"] == "1 point. Draw 3 lab cards."


def test_the_set_can_be_sent_as_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SET), type=ComponentSet) == SET
