"""Scoring."""

from __future__ import annotations

from dataclasses import replace

from domain.kernel.results import ScoreLine
from domain.spacelab.material import (
    MinAgency,
    MinSpecialty,
    PerAgency,
    PerBoost,
    PerNeighborAgency,
    PerNeighborSpecialty,
    PerProject,
    PerProjectFamily,
    PerSpecialty,
    PerSpecialtySet,
    Points,
    Score,
)
from domain.spacelab.score import points
from tests.domain.spacelab.stations import ALL_COMPLETE, ALL_TILES, NOTHING_SCORES
from tests.domain.spacelab.table import RULES, Has, entry, loaded, position, written


class TestS9NeighborsAreLabsThatTouchACommonCapsule:
    def test_a_lab_between_two_capsules_has_the_labs_of_both_as_neighbors_each_once(self) -> None:
        slots = RULES.material.slots
        assert slots["side_2"].neighbors == {
            *("top_left", "bottom_left", "side_1"),
            *("top_center", "bottom_center", "side_3"),
        }

    def test_a_lab_is_not_its_own_neighbor_and_far_capsules_do_not_count(self) -> None:
        for slot in RULES.material.slots.values():
            assert slot.id not in slot.neighbors
        assert "top_right" not in RULES.material.slots["side_2"].neighbors
        assert RULES.material.slots["side_1"].neighbors == {"top_left", "bottom_left", "side_2"}

    def test_the_score_per_neighbor_counts_them(self) -> None:
        # gp_07: two points per neighboring Blue Future lab.
        labs = {"side_2": "gp_07", "top_left": "bf_02", "side_3": "bf_03", "bottom_right": "bf_05", "side_4": "bf_09"}
        state = position(Has(labs=labs, tiles=("objective_05", "objective_06", "objective_09")), Has())
        player = state.players[0]
        score = RULES.material.labs["gp_07"].score
        assert score is not None
        assert points(RULES.material, player, score, "side_2") == 4


def score_of(score: Score, has: Has, slot: str | None = None) -> int:
    """What a score comes to for a seat."""
    return points(RULES.material, position(has, Has()).players[0], score, slot)


AROUND_LEFT = {"top_left": "gp_05", "side_1": "gp_02", "side_2": "rr_05", "top_center": "gp_03"}
"""Golden pilot, golden researcher, red researcher; golden technician, at the center only."""
AT_LEFT = Has(labs=AROUND_LEFT, tiles=("objective_02", "objective_03", "objective_06"))


class TestEveryKindOfScore:
    def test_points_as_they_stand(self) -> None:
        assert score_of(Points(5), Has()) == 5

    def test_per_agency_counts_all_labs_of_the_agency_in_the_own_station(self) -> None:
        assert score_of(PerAgency(2, "golden_planet"), AT_LEFT) == 6
        assert score_of(PerAgency(2, "blue_future"), AT_LEFT) == 0

    def test_per_specialty_counts_all_labs_of_the_specialty_in_the_own_station(self) -> None:
        assert score_of(PerSpecialty(2, "researcher"), AT_LEFT) == 4

    def test_per_neighbor_agency_counts_neighbors_and_not_the_card_itself(self) -> None:
        assert score_of(PerNeighborAgency(2, "golden_planet"), AT_LEFT, "side_1") == 2
        assert score_of(PerNeighborAgency(2, "golden_planet"), AT_LEFT, "side_2") == 6
        assert score_of(PerNeighborAgency(2, "golden_planet"), AT_LEFT, "top_center") == 0

    def test_per_neighbor_specialty_counts_neighbors_and_not_the_card_itself(self) -> None:
        assert score_of(PerNeighborSpecialty(1, "researcher"), AT_LEFT, "side_1") == 1
        assert score_of(PerNeighborSpecialty(1, "researcher"), AT_LEFT, "top_left") == 2

    def test_per_project_counts_own_projects(self) -> None:
        assert score_of(PerProject(2), Has(projects=("project_01", "project_02"))) == 4

    def test_per_boost_counts_own_completed_objectives(self) -> None:
        labs = {"top_left": "gp_05", "side_1": "rr_05", "bottom_left": "bf_05"}
        tiles = ("objective_01", "objective_02", "objective_03")
        assert score_of(PerBoost(3), Has(labs=labs, tiles=tiles, completed={"left": "left_8"})) == 3

    def test_per_specialty_set_counts_complete_sets_of_all_specialties(self) -> None:
        labs = {"top_left": "gp_05", "side_1": "gp_02", "top_right": "gp_03"}
        tiles = ("objective_02", "objective_03", "objective_06")
        assert score_of(PerSpecialtySet(4), Has(labs=labs, tiles=tiles)) == 0
        assert score_of(PerSpecialtySet(4), Has(labs={**labs, "side_4": "gp_04"}, tiles=tiles)) == 4

    def test_per_project_family_counts_own_projects_of_the_family(self) -> None:
        own = Has(projects=("project_17", "project_18", "project_19"))
        assert score_of(PerProjectFamily(2, "orbit"), own) == 4
        assert score_of(PerProjectFamily(2, "mars"), own) == 0

    def test_min_agency_gives_its_points_from_that_many_labs_on(self) -> None:
        assert score_of(MinAgency(7, "golden_planet", 3), AT_LEFT) == 7
        assert score_of(MinAgency(7, "golden_planet", 4), AT_LEFT) == 0

    def test_min_specialty_gives_its_points_from_that_many_labs_on(self) -> None:
        assert score_of(MinSpecialty(7, "researcher", 2), AT_LEFT) == 7
        assert score_of(MinSpecialty(7, "researcher", 3), AT_LEFT) == 0


class TestTheResult:
    def test_there_is_none_while_the_game_runs(self) -> None:
        assert RULES.result(position(Has(), Has())) is None

    def test_each_scoring_piece_has_a_line_also_for_no_points_and_hands_score_nothing(self) -> None:
        first = Has(
            known=("gp_09",),
            labs={**ALL_COMPLETE, "bottom_right": "gp_01"},
            tiles=ALL_TILES,
            completed={"left": "left_8", "center": "center_6", "right": "right_8"},
            projects=("project_10", "project_03"),
        )
        second = Has(
            labs={"top_center": "gp_02", "side_2": "ge_02", "side_3": "ge_05"},
            tiles=("objective_05", "objective_08", "objective_07"),
            completed={"center": "center_8"},
            projects=("project_01",),
        )
        first = replace(first, labs={**first.labs, "side_4": "gp_12"})
        state = position(first, second, active=1, trigger=0, over=True, agenda=())
        result = RULES.result(state)
        assert result is not None
        assert result.scores[0].lines == (
            ScoreLine("lab", 3, "gp_05"),
            ScoreLine("lab", 3, "rr_05"),
            ScoreLine("lab", 3, "bf_05"),
            ScoreLine("lab", 5, "rr_09"),
            ScoreLine("lab", 5, "bf_09"),
            ScoreLine("lab", 5, "ge_09"),
            ScoreLine("lab", 6, "gp_12"),
            ScoreLine("boost", 8, "left_8"),
            ScoreLine("boost", 6, "center_6"),
            ScoreLine("boost", 8, "right_8"),
            ScoreLine("project", 2, "project_03"),
            ScoreLine("project", 0, "project_10"),
        )
        assert (result.scores[0].points, result.scores[0].rank) == (54, 1)
        assert result.scores[1].points == 1 + 1 + 3 + 8 + 1
        assert result.winners == (0,)

    def test_most_points_win_then_most_projects(self) -> None:
        # Each project of 7 points wants four labs: they score nothing and break the tie.
        first = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        second = Has(projects=("project_02",))
        third = Has(projects=("project_04", "project_06"))
        fourth = Has(labs={"side_1": "gp_02"})
        state = position(first, second, third, fourth, active=3, trigger=0, over=True, agenda=())
        result = RULES.result(state)
        assert result is not None
        assert [(score.points, score.rank) for score in result.scores] == [(0, 4), (0, 3), (0, 2), (1, 1)]
        assert result.winners == (3,)


class TestPointsOnTheWay:
    def test_projects_count_for_their_owner_and_for_all_when_they_are_laid_open(self) -> None:
        mine = Has(labs={"side_1": "gp_05"}, projects=("project_11", "project_10"))  # one point per pilot
        running = position(mine, Has())
        assert RULES.points(running, 0) == (4, 0)
        assert RULES.points(running, 1) == RULES.points(running, None) == (3, 0)
        finished = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        over = position(finished, mine, active=1, trigger=0, over=True, agenda=())
        result = RULES.result(over)
        assert result is not None
        assert RULES.points(over, None) == tuple(score.points for score in result.scores) == (0, 4)

    def test_a_score_per_project_counts_at_once_for_how_many_there_are_is_open(self) -> None:
        state = position(Has(labs={"side_1": "gp_13"}, projects=("project_17", "project_19")), Has())
        assert RULES.points(state, None) == (4, 0)

    def test_a_lab_that_scores_by_family_tells_others_nothing_of_hidden_projects(self) -> None:
        data = written()
        entry(data, "labs", "gp_13")["score"] = {"points": 2, "per_project_family": "orbit"}
        rules = loaded(data)
        state = position(Has(labs={"side_1": "gp_13"}, projects=("project_17", "project_19")), Has(), rules=rules)
        assert rules.points(state, None) == rules.points(state, 1) == (0, 0)
        assert rules.points(state, 0) == (2 + 2 + 2, 0)
