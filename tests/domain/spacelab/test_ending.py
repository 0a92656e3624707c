"""How a game ends: by passing, or by a finished station and the last actions (S4, S8)."""

from __future__ import annotations

from domain.spacelab.effects import Placement, ProjectChoice
from domain.spacelab.facts import (
    ObjectiveCompleted,
)
from domain.spacelab.moves import (
    EndPlacing,
    KeepProject,
    Pass,
    PlaceLab,
)
from tests.domain.spacelab.stations import (
    ALL_COMPLETE,
    ALL_TILES,
    OTHERS_WITH_RIGHT_BOOSTS,
    TWO_COMPLETE,
    one_capsule,
    one_objective_left,
    one_slot_left,
    unaffordable_labs,
)
from tests.domain.spacelab.table import (
    RULES,
    Has,
    answer,
    loaded,
    offered,
    position,
    tags,
    types,
    written,
)


class TestS4WhoCanDoNothingPassesAndAllPassingEndsTheGame:
    def test_passing_is_offered_only_where_no_action_can_be_taken(self) -> None:
        rules = unaffordable_labs(4)
        stuck = position(Has(known=("gp_01", "gp_02")), Has(known=("gp_03", "gp_04")), rules=rules)
        assert list(offered(stuck, rules)) == [Pass()]
        for way_out in (
            position(Has(known=("gp_01",)), Has(known=("gp_03",)), rules=rules, top=("gp_02",)),
            position(Has(known=("gp_01",)), Has(known=("gp_03",)), rules=rules, deck=(), discards=("gp_02",)),
            position(Has(known=("gp_01",)), Has(known=("gp_03", "gp_04")), rules=rules, center=("gp_02",)),
        ):
            assert "pass" not in types(way_out, rules)

    def test_when_all_have_passed_in_a_row_the_game_is_scored_without_last_actions(self) -> None:
        rules = unaffordable_labs(4)
        stuck = position(Has(known=("gp_01", "gp_02")), Has(known=("gp_03",)), Has(known=("gp_04",)), rules=rules)
        state, facts = answer(stuck, Pass(), rules=rules)
        assert (state.active, state.passes, state.over, tags(facts)) == (1, 1, False, ["passed"])
        state, facts = answer(state, Pass(), Pass(), rules=rules)
        assert tags(facts) == ["passed", "game_scored"]
        assert state.over
        assert rules.result(state) is not None

    def test_passes_count_only_in_a_row(self) -> None:
        data = written()
        data["labs"] = [{**lab, "cost": 4} for lab in data["labs"][:4]]
        data["labs"][3]["cost"] = 0
        rules = loaded(data)
        state = position(Has(known=("gp_01", "gp_02")), Has(known=("gp_03", "gp_04")), rules=rules)
        state, _ = answer(state, Pass(), rules=rules)
        assert state.passes == 1
        state, _ = answer(state, PlaceLab("gp_04", "side_1", ()), rules=rules)
        assert state.passes == 0
        state, _ = answer(state, EndPlacing(), Pass(), Pass(), rules=rules)
        assert state.over


class TestS8TheLabThatTriggersTheEndIsTheLastOfItsAction:
    def test_after_the_third_objective_no_other_lab_is_asked_for(self) -> None:
        state = position(one_objective_left("gp_02", "gp_03", "rr_02"), Has(known=("bf_02",)))
        state, facts = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert tags(facts) == ["lab_placed", "objective_completed", "end_triggered"]
        assert state.players[0].hand == ("gp_03", "rr_02")
        assert (state.trigger, state.active, state.agenda) == (0, 1, (Placement(),))

    def test_after_the_tenth_lab_no_other_lab_is_asked_for(self) -> None:
        state = position(one_slot_left("ge_02", "ge_03"), Has(known=("gp_02",)))
        state, facts = answer(state, PlaceLab("ge_02", "side_1", ()))
        assert tags(facts) == ["lab_placed", "end_triggered"]
        assert (state.trigger, state.active, state.agenda) == (0, 1, (Placement(),))

    def test_the_third_objective_and_the_tenth_lab_at_once_trigger_the_end_once(self) -> None:
        labs = {**one_objective_left().labs, "bottom_right": "bf_02", "side_2": "bf_04"}
        both = Has(known=("gp_02", "gp_03"), labs=labs, tiles=ALL_TILES, completed=TWO_COMPLETE)
        state = position(both, Has(known=("rr_02",)))
        state, facts = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert tags(facts) == ["lab_placed", "end_triggered", "objective_completed"]
        assert state.trigger == 0

    def test_the_lab_that_triggers_is_resolved_wholly_effect_bonus_objective_and_boost(self) -> None:
        # The boost on top of the right pile is the third one, which draws two projects.
        labs = {slot: card for slot, card in ALL_COMPLETE.items() if card != "gp_09"}
        mine = Has(
            known=("gp_14", "rr_02", "rr_03", "gp_03", "gp_04"), labs=labs, tiles=ALL_TILES, completed=TWO_COMPLETE
        )
        state = position(mine, *OTHERS_WITH_RIGHT_BOOSTS)
        state, facts = answer(state, PlaceLab("gp_14", "side_4", ("gp_04", "rr_02", "rr_03")))
        assert tags(facts) == ["lab_placed", "projects_drawn"]
        assert state.trigger is None
        state, facts = answer(state, KeepProject(state.drawn[0]))
        assert tags(facts) == ["project_kept", "objective_completed", "end_triggered", "projects_drawn"]
        assert facts[1] == ObjectiveCompleted(0, "right", "right_4")
        assert state.agenda == (ProjectChoice(), Placement())
        state, facts = answer(state, KeepProject(state.drawn[0]))
        assert tags(facts) == ["project_kept"]
        assert (state.active, state.players[0].hand) == (2, ("gp_03",))

    def test_each_other_seat_has_one_last_action_clockwise_and_then_the_game_is_scored(self) -> None:
        others = [Has(known=("bf_02", "bf_03")), Has(known=("rr_02",)), Has(known=("ge_02",))]
        state = position(others[0], others[1], one_objective_left("gp_02"), others[2], active=2)
        state, _ = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert state.active == 3
        state, _ = answer(state, EndPlacing())
        assert state.active == 0
        state, _ = answer(state, PlaceLab("bf_02", "side_1", ()))
        assert (state.active, state.agenda) == (0, (Placement(),))
        state, _ = answer(state, PlaceLab("bf_03", "side_2", ()))
        assert state.active == 1
        state, facts = answer(state, EndPlacing())
        assert (tags(facts), state.over, state.agenda) == (["game_scored"], True, ())
        assert RULES.to_move(state) == ()

    def test_a_seat_without_cards_in_hand_is_not_asked_for_a_last_action(self) -> None:
        state = position(one_objective_left("gp_02"), Has(), Has(known=("rr_02",)), Has())
        state, _ = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert state.active == 2
        state, _ = answer(state, EndPlacing())
        assert state.over

    def test_a_last_action_offers_placing_only_and_a_hand_of_five_need_not_be_placed(self) -> None:
        full = ("bf_02", "bf_03", "bf_04", "rr_01", "rr_02")
        state = position(one_objective_left("gp_02"), Has(known=full), center=("ge_02",))
        state, _ = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert types(state) == ["place_lab", "end_placing"]

    def test_a_lab_of_a_last_action_brings_everything_that_placing_brings(self) -> None:
        around = {"side_1": "gp_07", "top_left": "rr_07"}
        tiles = ("objective_04", "objective_05", "objective_06")
        mine = Has(known=("ge_04", "rr_02"), labs=around, tiles=tiles)  # a technician below: draw two labs
        state = position(one_objective_left("gp_02"), mine)
        state, _ = answer(state, PlaceLab("gp_02", "side_4", ()))
        state, facts = answer(state, PlaceLab("ge_04", "bottom_left", ("rr_02",)))
        assert tags(facts) == ["lab_placed", "labs_drawn", "labs_drawn", "objective_completed", "labs_drawn"]
        assert facts[3] == ObjectiveCompleted(1, "left", "left_6")
        assert (state.active, state.agenda) == (1, (Placement(),))

    def test_a_further_trigger_in_a_last_action_changes_and_stops_nothing(self) -> None:
        rules = one_capsule()
        first = Has(known=("gp_02",), labs={"side_1": "rr_05", "top_left": "bf_05"}, tiles=("objective_01",))
        again = Has(
            known=("ge_02", "gp_03", "rr_02"), labs={"side_1": "ge_03", "top_left": "gp_04"}, tiles=("objective_08",)
        )
        state = position(first, again, rules=rules)
        state, facts = answer(state, PlaceLab("gp_02", "bottom_left", ()), rules=rules)
        assert state.trigger == 0
        state, facts = answer(state, PlaceLab("ge_02", "bottom_left", ()), rules=rules)
        assert tags(facts) == ["lab_placed", "objective_completed", "labs_drawn"]
        assert (state.trigger, state.active, state.agenda) == (0, 1, (Placement(),))
        state, _ = answer(state, PlaceLab("gp_03", "side_2", ()), rules=rules)
        assert state.over
