"""The worked examples of RULES.md."""

from __future__ import annotations

from domain.spacelab.effects import Placement
from domain.spacelab.facts import LabsDrawn, ObjectiveCompleted
from domain.spacelab.moves import ChooseAgency, DrawLabs, EndPlacing, KeepProject, PlaceLab
from tests.domain.spacelab.stations import NOTHING_SCORES
from tests.domain.spacelab.table import RULES, Has, answer, position, tags


def test_example_1_taking_red_rocket_of_two_red_and_one_blue() -> None:
    state = position(Has(), Has(), top=("rr_06", "bf_06", "rr_10"), center=("rr_14",))
    state, _ = answer(state, DrawLabs(), ChooseAgency("red_rocket"))
    assert state.players[0].hand == ("rr_06", "rr_10")
    assert state.center == ("rr_14", "bf_06")


def test_example_2_a_lab_of_cost_two_above_the_center_capsule() -> None:
    state = position(Has(known=("rr_08", "gp_02", "bf_02")), Has(), center=("ge_02",))
    state, facts = answer(state, PlaceLab("rr_08", "top_center", ("bf_02", "gp_02")))
    assert tags(facts) == ["lab_placed", "labs_recruited", "projects_drawn"]
    assert state.discards == ("bf_02", "gp_02")
    assert len(state.drawn) == 2
    state, facts = answer(state, KeepProject(state.drawn[1]))
    assert tags(facts) == ["project_kept"]
    assert len(state.players[0].projects) == 1


def test_example_3_a_lab_in_side_2_completes_the_left_and_then_the_center_objective() -> None:
    labs = {"side_1": "gp_05", "top_left": "rr_05", "top_center": "rr_09", "bottom_center": "ge_09"}
    # Another seat has the top boosts, so that both of these do something.
    other = Has(
        labs={
            "side_2": "gp_02",
            "top_left": "gp_03",
            "bottom_left": "rr_02",
            "top_center": "rr_03",
            "bottom_center": "rr_06",
        },
        tiles=("objective_05", "objective_10", "objective_11"),
        completed={"left": "left_8", "center": "center_8"},
    )
    tiles = ("objective_01", "objective_02", "objective_03")
    mine = Has(known=("bf_09", "gp_04", "gp_06"), labs=labs, tiles=tiles)
    state = position(mine, other, top=("ge_02", "ge_03"))
    state, facts = answer(state, PlaceLab("bf_09", "side_2", ("gp_04", "gp_06")))
    assert facts[1:] == (
        ObjectiveCompleted(0, "left", "left_6"),
        LabsDrawn(0, ("ge_02",)),
        ObjectiveCompleted(0, "center", "center_6"),
        LabsDrawn(0, ("ge_03",)),
    )


def test_example_4_of_four_with_equal_points_the_two_with_more_projects_share_the_victory() -> None:
    # Two projects of seven points that none fulfils, or three; nobody scores a point.
    final = tuple(f"project_{number:02}" for number in (2, 4, 6, 8, 10, 12, 14, 16, 1, 3))
    seats = [
        Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"), projects=final[:2]),
        Has(known=("ge_02",), projects=(*final[2:4], final[8])),
        Has(projects=(*final[4:6], final[9])),
        Has(projects=final[6:8]),
    ]
    state = position(*seats, active=1, trigger=0, agenda=(Placement(),))
    state, _ = answer(state, EndPlacing())
    result = RULES.result(state)
    assert result is not None
    assert [score.points for score in result.scores] == [0, 0, 0, 0]
    assert [score.rank for score in result.scores] == [3, 1, 1, 3]
    assert result.winners == (1, 2)
