"""The component set as it is served."""

from __future__ import annotations

from collections import Counter

import msgspec

from domain.kernel.rules import ComponentSet, Piece
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
    assert piece("gp_04").text["en"] == "draw 2 lab cards"
    assert piece("gp_04").figures == {
        "agency": "golden_planet",
        "specialty": "doctor",
        "cost": 1,
        "effect": {"type": "spacelab.lab_draw", "count": 2},
        "score": None,
    }
    assert piece("gp_06").text["en"] == "1 point per Red Rocket lab in the station"


def test_a_slot_tells_its_row_its_capsules_and_its_neighbors() -> None:
    assert piece("side_2").figures == {
        "row": "side",
        "capsules": ["left", "center"],
        "neighbors": ["top_left", "top_center", "bottom_left", "bottom_center", "side_1", "side_3"],
    }
    assert piece("top_left").text["en"].startswith("above left: draw as many project cards")
    assert piece("bottom_left").text["ja"].startswith("leftの下")


def test_projects_objectives_and_boosts_tell_what_they_do() -> None:
    assert piece("project_02").names["en"] == "Golden Planet Consortium"
    assert piece("project_02").text["en"] == "7 points if the station has at least 4 Golden Planet labs (moon)"
    assert piece("objective_05").text["en"] == (
        "wants Golden Planet, Golden Planet, Red Rocket; pilot below: draw 2 project cards, keep 1"
    )
    assert piece("left_8").text == {"en": "8 points", "ja": "8点"}
    assert piece("left_2").text["en"] == "2 points, draw 3 lab cards"


def test_a_boost_of_one_point_says_so() -> None:
    data = written()
    entry(data, "boosts", "left_2")["points"] = 1
    boost = next(each for each in loaded(data).components.pieces if each.id == "left_2")
    assert boost.text["en"] == "1 point, draw 3 lab cards"


def test_the_set_can_be_sent_as_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SET), type=ComponentSet) == SET
