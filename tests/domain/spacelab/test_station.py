"""What follows from the labs in a station."""

from __future__ import annotations

from domain.spacelab.state import Player
from domain.spacelab.station import is_finished, is_satisfied
from tests.domain.spacelab.stations import ALL_COMPLETE, ALL_TILES, OTHER_TILES
from tests.domain.spacelab.table import RULES, Has, position

MATERIAL = RULES.material


def satisfied(has: Has, capsule: int = 0) -> bool:
    player = position(has, Has()).players[0]
    return is_satisfied(MATERIAL, player, player.objectives[capsule])


def test_wanted_agencies_are_a_multiset() -> None:
    twice = ("objective_05", *OTHER_TILES)  # golden, golden, red
    assert not satisfied(Has(labs={"side_1": "gp_02", "top_left": "rr_02"}, tiles=twice))
    done = {"side_1": "gp_02", "top_left": "rr_02", "bottom_left": "gp_03"}
    assert satisfied(Has(labs=done, tiles=twice, completed={"left": "left_8"}))


def test_a_lab_between_two_capsules_counts_for_both() -> None:
    labs = {"side_1": "gp_02", "top_left": "rr_02", "side_2": "bf_02", "top_center": "rr_03", "bottom_center": "ge_05"}
    both = Has(labs=labs, tiles=ALL_TILES, completed={"left": "left_8", "center": "center_8"})
    assert satisfied(both, 0)
    assert satisfied(both, 1)


def test_labs_at_other_capsules_do_not_count() -> None:
    assert not satisfied(Has(labs={"side_1": "gp_02", "top_left": "rr_02", "top_center": "bf_02"}, tiles=ALL_TILES))


def test_a_station_is_finished_with_its_last_objective_or_its_last_slot() -> None:
    three = {"left": "left_8", "center": "center_8", "right": "right_8"}
    objectives = Has(labs=ALL_COMPLETE, tiles=ALL_TILES, completed=three)
    state = position(objectives, Has(), active=1, trigger=0, over=True, agenda=())
    assert is_finished(MATERIAL, state.players[0])
    assert not is_finished(MATERIAL, state.players[1])
    assert not is_finished(MATERIAL, Player(dealt=ALL_TILES))
