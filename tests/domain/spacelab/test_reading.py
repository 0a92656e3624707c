"""What can be wrong with a component set, and how it is told."""

from __future__ import annotations

from typing import Any

import pytest

from domain.kernel.component_text import parse
from domain.kernel.rejected import ComponentError
from domain.spacelab.material import MinAgency, PerProjectFamily
from domain.spacelab.reading import read
from tests.domain.spacelab.table import HOUSE, entry, toml, written

GONE = object()


def refused(*path: str | int, to: object) -> tuple[str, str]:
    """The entry that is named and what is said to be wrong, when a value of the house set is another, or gone."""
    data = written()
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    if to is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return refused_text(toml(data))


def refused_text(text: str) -> tuple[str, str]:
    with pytest.raises(ComponentError) as error:
        read(parse(text))
    return error.value.entry, error.value.wrong


def test_the_house_set_is_read_whole() -> None:
    material = read(parse(HOUSE))
    counts = {name: len(getattr(material, name)) for name in ("labs", "projects", "objectives", "boosts", "slots")}
    assert counts == {"labs": 60, "projects": 24, "objectives": 12, "boosts": 12, "slots": 10}
    assert material.capsules == ("left", "center", "right")
    assert material.projects["project_02"].score == MinAgency(7, "golden_planet", 4)
    assert material.projects["project_23"].score == PerProjectFamily(2, "deep_space")
    assert read(parse(toml(written()))) == material


def test_a_text_that_is_no_toml_is_refused() -> None:
    for text in ("labs = [", "", "= 3", "a = 1\na = 2", "[" * 5000, "a = " + "9" * 5000):
        refused_text(text)
    assert refused_text("labs = [")[0] == "text"
    assert "is not TOML" in refused_text("labs = [")[1]


def test_a_set_of_another_title_is_refused() -> None:
    assert refused("title", to="chimera")[0] == "title"


def test_a_missing_section_is_refused() -> None:
    assert refused("labs", to=GONE) == ("set", "Object missing required field `labs`")


def test_an_empty_section_is_refused() -> None:
    assert refused("projects", to=[])[0] == "projects"


def test_a_section_that_is_no_list_of_tables_is_refused() -> None:
    assert refused("labs", to="all")[0] == "labs"
    assert refused("labs", to=["gp_01"])[0] == "labs[0]"


def test_an_unknown_key_is_refused_at_every_level() -> None:
    assert refused("rules", to=2) == ("set", "Object contains unknown field `rules`")
    assert refused("labs", 3, "price", to=2) == ("labs[3] gp_04", "Object contains unknown field `price`")
    assert refused("labs", 3, "effect", "draw_boosts", to=2) == (
        "labs[3] gp_04.effect",
        "Object contains unknown field `draw_boosts`",
    )
    assert refused("projects", 0, "name", "fr", to="Charte")[0] == "projects[0] project_01.name"


@pytest.mark.parametrize("cost", [5, -1, "1", 1.0, True, 10**30])
def test_a_cost_that_is_no_integer_from_0_to_4_is_refused(cost: object) -> None:
    assert refused("labs", 3, "cost", to=cost)[0] == "labs[3] gp_04.cost"


def test_a_missing_key_is_refused() -> None:
    assert refused("labs", 3, "cost", to=GONE)[0] == "labs[3] gp_04"
    assert refused("labs", 3, "id", to=GONE)[0] == "labs[3]"


@pytest.mark.parametrize("name", ["", "GP 04", "gp-04", "gp_04\n", "_gp", "g" * 41, 4])
def test_an_id_of_another_form_is_refused(name: object) -> None:
    assert refused("labs", 3, "id", to=name)[0].endswith(".id")


def test_a_name_without_one_of_the_languages_is_refused() -> None:
    assert refused("agencies", 0, "name", "ja", to=GONE)[0] == "agencies[0] golden_planet.name"
    assert refused("agencies", 0, "name", "ja", to="")[0] == "agencies[0] golden_planet.name.ja"


@pytest.mark.parametrize("name", ["a\nb", "\u0000", "\u2028", "a" * 81])
def test_a_name_of_more_than_one_short_line_is_refused(name: str) -> None:
    assert refused("projects", 0, "name", "en", to=name)[0] == "projects[0] project_01.name.en"


def test_an_unknown_agency_is_refused_wherever_it_is_named() -> None:
    place, wrong = refused("labs", 3, "agency", to="nasa")
    assert place == "labs[3] gp_04.agency"
    assert "golden_planet, red_rocket" in wrong
    assert refused("labs", 5, "score", "per_agency", to="nasa")[0] == ("labs[5] gp_06.score.per_agency")
    assert refused("labs", 6, "score", "per_neighbor_agency", to="nasa")[0] == (
        "labs[6] gp_07.score.per_neighbor_agency"
    )
    assert refused("objectives", 4, "agencies", to=["red_rocket", "nasa"])[0] == (
        "objectives[4] objective_05.agencies[1]"
    )
    assert refused("projects", 1, "score", "min_agency", "agency", to="nasa")[0] == (
        "projects[1] project_02.score.min_agency.agency"
    )


def test_an_unknown_specialty_is_refused_wherever_it_is_named() -> None:
    assert refused("labs", 3, "specialty", to="cook")[0] == "labs[3] gp_04.specialty"
    assert refused("labs", 9, "score", "per_specialty", to="cook")[0] == ("labs[9] gp_10.score.per_specialty")
    assert refused("labs", 2, "score", "per_neighbor_specialty", to="cook")[0] == (
        "labs[2] gp_03.score.per_neighbor_specialty"
    )
    assert refused("objectives", 0, "specialty", to="cook")[0] == ("objectives[0] objective_01.specialty")
    assert refused("projects", 9, "score", "min_specialty", "specialty", to="cook")[0] == (
        "projects[9] project_10.score.min_specialty.specialty"
    )


def test_a_family_that_no_project_has_is_refused() -> None:
    assert refused("projects", 16, "score", "per_project_family", to="sun")[0] == (
        "projects[16] project_17.score.per_project_family"
    )


@pytest.mark.parametrize(
    "least",
    [{}, {"agency": "red_rocket"}, {"labs": 3}, {"agency": "red_rocket", "labs": 0}, {"labs": "3"}, 3, "red_rocket"],
)
def test_a_malformed_min_agency_or_min_specialty_is_refused(least: object) -> None:
    place, _ = refused("projects", 1, "score", "min_agency", to=least)
    assert place.startswith("projects[1] project_02.score.min_agency")
    place, _ = refused("projects", 9, "score", "min_specialty", to=least)
    assert place.startswith("projects[9] project_10.score.min_specialty")


def test_a_boost_below_one_of_fewer_points_is_refused() -> None:
    place, wrong = refused("boosts", 2, "points", to=7)
    assert place == "boosts[2] left_4.points"
    assert "the highest is on top" in wrong


def test_boosts_of_equal_points_are_in_order() -> None:
    data = written()
    entry(data, "boosts", "left_4").update(points=6)
    assert read(parse(toml(data))).pile("left") == ("left_8", "left_6", "left_4", "left_2")


def test_a_slot_without_a_capsule_is_refused() -> None:
    assert refused("slots", 0, "capsules", to=[])[0] == "slots[0] top_left.capsules"


def test_a_slot_at_an_unknown_capsule_or_twice_at_one_is_refused() -> None:
    assert refused("slots", 7, "capsules", to=["left", "cellar"])[0] == ("slots[7] side_2.capsules[1]")
    assert refused("slots", 7, "capsules", to=["left", "left"]) == (
        "slots[7] side_2.capsules[1]",
        "names left twice",
    )


def test_a_slot_in_an_unknown_row_is_refused() -> None:
    assert refused("slots", 0, "row", to="middle")[0] == "slots[0] top_left.row"


def test_a_capsule_that_no_slot_touches_is_refused() -> None:
    data = written()
    for slot in data["slots"]:
        slot["capsules"] = ["right"]
    assert refused_text(toml(data)) == ("slots", "none touches the capsule left")


def test_more_piles_than_a_station_can_have_are_refused() -> None:
    data = written()
    for number, boost in enumerate(data["boosts"]):
        boost.update(pile=f"pile_{number % 6}", points=1)
    place, wrong = refused_text(toml(data))
    assert (place, wrong) == ("boosts", "are 6 piles, and a station has 5 capsules at most")


def test_a_lab_with_both_or_neither_of_effect_and_score_is_refused() -> None:
    assert refused("labs", 3, "score", to={"points": 1}) == ("labs[3] gp_04", "has both effect and score")
    assert refused("labs", 3, "effect", to=GONE) == ("labs[3] gp_04", "has neither effect nor score")


@pytest.mark.parametrize(
    "effect",
    [
        {},
        {"draw_labs": 1, "recruit": 1},
        {"draw_labs": 0},
        {"draw_projects": 21},
        {"recruit": True},
        {"recruit": "1"},
    ],
)
def test_an_effect_that_is_not_one_thing_done_a_few_times_is_refused(effect: object) -> None:
    assert refused("labs", 3, "effect", to=effect)[0].startswith("labs[3] gp_04.effect")
    assert refused("objectives", 0, "effect", to=effect)[0].startswith("objectives[0] objective_01.effect")
    assert refused("boosts", 0, "effect", to=effect)[0].startswith("boosts[0] left_8.effect")


def test_a_score_of_two_kinds_or_of_none_that_counts_is_refused() -> None:
    assert refused("labs", 1, "score", to={"points": 1, "per_boost": True, "per_project": True}) == (
        "labs[1] gp_02.score",
        "has both per_project and per_boost",
    )
    assert refused("labs", 1, "score", "per_boost", to=False) == (
        "labs[1] gp_02.score.per_boost",
        "is true, or is left out",
    )


@pytest.mark.parametrize("points", [-1, 1001, "3", 2.5, [1]])
def test_points_that_are_no_small_integer_are_refused(points: object) -> None:
    assert refused("labs", 1, "score", "points", to=points)[0] == "labs[1] gp_02.score.points"
    assert refused("projects", 0, "score", "points", to=points)[0] == "projects[0] project_01.score.points"
    assert refused("boosts", 0, "points", to=points)[0] == "boosts[0] left_8.points"


def test_an_id_used_twice_is_refused_also_across_sections() -> None:
    assert refused("labs", 3, "id", to="gp_01") == (
        "labs[3] gp_01.id",
        "is taken by labs[0] gp_01",
    )
    place, wrong = refused("projects", 0, "id", to="left_8")
    assert (place, wrong) == ("projects[0] left_8.id", "is taken by boosts[0] left_8")


def test_too_few_objectives_for_four_seats_are_refused() -> None:
    assert refused("objectives", -1, to=GONE) == (
        "objectives",
        "11 are too few for 4 seats: 12 needed",
    )


def test_an_objective_that_wants_nothing_is_refused() -> None:
    assert refused("objectives", 0, "agencies", to=[])[0] == "objectives[0] objective_01.agencies"


def test_the_id_of_the_set_has_a_form_too() -> None:
    assert refused("id", to="House 1")[0] == "id"
