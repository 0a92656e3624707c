"""Resolving: running out of cards, and what comes of placing a lab (S3, S5, S6, S7)."""

from __future__ import annotations

from domain.kernel.chance import shuffled, words
from domain.kernel.results import ScoreLine
from domain.spacelab.effects import AgencyChoice, ObjectiveCheck, Placement, ProjectChoice
from domain.spacelab.facts import (
    LabsDrawn,
    LabsReshuffled,
    LabsRevealed,
    ObjectiveCompleted,
    ProjectKept,
    ProjectsDrawn,
)
from domain.spacelab.moves import (
    DrawLabs,
    EndPlacing,
    KeepProject,
    PlaceLab,
)
from domain.spacelab.state import Objective
from tests.domain.spacelab.stations import (
    ALL_COMPLETE,
    ALL_TILES,
    OTHER_TILES,
    single_boosts,
)
from tests.domain.spacelab.table import (
    KEY,
    Has,
    answer,
    position,
    tags,
)


class TestS3AnEmptyDeckIsMadeAnewOfTheDiscardsAlsoMidway:
    def test_in_the_middle_of_revealing(self) -> None:
        state = position(Has(), Has(), deck=("gp_01",), discards=("rr_01", "bf_01", "ge_01"))
        after, facts = answer(state, DrawLabs())
        first, shuffle, second = facts
        assert first == LabsRevealed(("gp_01",))
        assert isinstance(shuffle, LabsReshuffled)
        assert second == LabsRevealed(shuffle.lab_deck[:2])
        assert after.revealed == ("gp_01", *shuffle.lab_deck[:2])
        assert (after.lab_deck, after.discards) == (shuffle.lab_deck[2:], ())

    def test_in_the_middle_of_drawing(self) -> None:
        # What was paid lies in the discards at once, so it can come back.
        state = position(Has(known=("gp_04", "rr_02")), Has(), deck=("bf_02",), discards=("ge_02",))
        after, facts = answer(state, PlaceLab("gp_04", "side_1", ("rr_02",)))
        _, first, shuffle, second = facts
        assert first == LabsDrawn(0, ("bf_02",))
        assert isinstance(shuffle, LabsReshuffled)
        assert set(shuffle.lab_deck) == {"rr_02", "ge_02"}
        assert second == LabsDrawn(0, shuffle.lab_deck[:1])
        assert after.lab_deck == shuffle.lab_deck[1:]

    def test_the_new_deck_is_a_shuffle_that_can_be_repeated(self) -> None:
        discards = ("ge_01", "rr_01", "bf_01", "gp_02")
        after, _ = answer(position(Has(), Has(), deck=("gp_01",), discards=discards), DrawLabs())
        again = shuffled(words(KEY, 100, "labs", 0), sorted(discards))
        assert after.revealed[1:] + after.lab_deck == again

    def test_an_empty_deck_is_left_alone_until_a_card_must_be_drawn(self) -> None:
        state = position(Has(), Has(), deck=("gp_01", "gp_02", "rr_01"), discards=("ge_01",))
        after, facts = answer(state, DrawLabs())
        assert tags(facts) == ["labs_revealed"]
        assert (after.lab_deck, after.discards) == ((), ("ge_01",))

    def test_if_that_too_is_short_fewer_cards_are_revealed(self) -> None:
        after, facts = answer(position(Has(), Has(), deck=(), discards=("rr_01", "gp_01")), DrawLabs())
        assert tags(facts) == ["labs_reshuffled", "labs_revealed"]
        assert set(after.revealed) == {"rr_01", "gp_01"}
        assert after.agenda == (AgencyChoice(),)

    def test_if_that_too_is_short_fewer_cards_are_drawn_or_none(self) -> None:
        one_left = position(Has(known=("gp_04", "rr_02")), Has(), deck=())
        _, facts = answer(one_left, PlaceLab("gp_04", "side_1", ("rr_02",)))
        assert facts[-1] == LabsDrawn(0, ("rr_02",))
        none_left = position(Has(known=("gp_01",)), Has(), deck=())
        _, facts = answer(none_left, PlaceLab("gp_01", "side_1", ()))
        assert tags(facts) == ["lab_placed"]


class TestS5PlacingALabIsResolvedInOrder:
    def test_pay_then_effect_then_slot_bonus_then_objectives(self) -> None:
        # gp_14 draws three projects; above the capsule its cost draws three more; with it the objective is complete.
        around = {"side_1": "rr_05", "bottom_left": "bf_05"}
        state = position(
            Has(known=("gp_14", "rr_02", "bf_02", "ge_02"), labs=around, tiles=("objective_01", *OTHER_TILES)),
            Has(),
        )
        place = PlaceLab("gp_14", "top_left", ("bf_02", "ge_02", "rr_02"))
        state, facts = answer(state, place)
        assert tags(facts) == ["lab_placed", "projects_drawn"]
        assert state.discards == ("bf_02", "ge_02", "rr_02")
        assert len(state.agenda) == 4
        state, facts = answer(state, KeepProject(state.drawn[0]))
        assert tags(facts) == ["project_kept", "projects_drawn"]
        assert state.agenda == (ProjectChoice(), ObjectiveCheck("left"), Placement())
        state, facts = answer(state, KeepProject(state.drawn[0]))
        assert tags(facts) == ["project_kept", "objective_completed"]

    def test_the_lab_stands_from_the_moment_it_is_paid_for(self) -> None:
        # Its own recruit effect waits for an answer: meanwhile it is in its slot and the discards are in the pile.
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has(), center=("ge_02", "ge_03", "gp_02"))
        state, _ = answer(state, PlaceLab("gp_08", "side_1", ("bf_02", "rr_02")))
        assert [lab.card for lab in state.players[0].labs] == ["gp_08"]
        assert state.discards == ("bf_02", "rr_02")

    def test_top_draws_as_many_projects_as_the_cost_and_returns_the_rest_in_the_order_drawn(self) -> None:
        state = position(
            Has(known=("gp_13", "rr_02", "bf_02", "ge_02")),
            Has(),
            project_top=("project_09", "project_03", "project_05"),
        )
        state, facts = answer(state, PlaceLab("gp_13", "top_right", ("bf_02", "ge_02", "rr_02")))
        assert facts[-1] == ProjectsDrawn(0, ("project_09", "project_03", "project_05"))
        state, facts = answer(state, KeepProject("project_03"))
        assert facts[0] == ProjectKept(0, "project_03", ("project_09", "project_05"))
        assert state.project_deck[-2:] == ("project_09", "project_05")
        assert state.players[0].projects == ("project_03",)

    def test_top_gives_nothing_for_a_free_lab_and_one_project_without_a_question(self) -> None:
        _, facts = answer(position(Has(known=("gp_02",)), Has()), PlaceLab("gp_02", "top_left", ()))
        assert tags(facts) == ["lab_placed"]
        state = position(Has(known=("gp_05", "rr_02")), Has(), project_top=("project_07",))
        state, facts = answer(state, PlaceLab("gp_05", "top_left", ("rr_02",)))
        assert facts[1:] == (ProjectsDrawn(0, ("project_07",)), ProjectKept(0, "project_07", ()))

    def test_top_draws_as_many_as_there_are_when_fewer_are_left(self) -> None:
        pay = ("bf_02", "ge_02", "rr_02")
        state = position(Has(known=("gp_13", *pay)), Has(), project_deck=("project_01", "project_02"))
        state, facts = answer(state, PlaceLab("gp_13", "top_left", pay))
        assert facts[-1] == ProjectsDrawn(0, ("project_01", "project_02"))
        one = position(Has(known=("gp_13", *pay)), Has(), project_deck=("project_01",))
        _, facts = answer(one, PlaceLab("gp_13", "top_left", pay))
        assert facts[-1] == ProjectKept(0, "project_01", ())
        none = position(Has(known=("gp_13", *pay)), Has(), project_deck=())
        _, facts = answer(none, PlaceLab("gp_13", "top_left", pay))
        assert tags(facts) == ["lab_placed"]

    def test_bottom_gives_the_tiles_effect_only_to_a_lab_of_its_specialty(self) -> None:
        tiles = ("objective_01", *OTHER_TILES)  # a doctor: draw two labs
        doctor = position(Has(known=("bf_02",), tiles=tiles), Has(), top=("ge_05", "ge_06"))
        _, facts = answer(doctor, PlaceLab("bf_02", "bottom_left", ()))
        assert facts[-1] == LabsDrawn(0, ("ge_05", "ge_06"))
        researcher = position(Has(known=("gp_02",), tiles=tiles), Has())
        _, facts = answer(researcher, PlaceLab("gp_02", "bottom_left", ()))
        assert tags(facts) == ["lab_placed"]
        another_capsule = position(Has(known=("bf_02",), tiles=tiles), Has())
        _, facts = answer(another_capsule, PlaceLab("bf_02", "bottom_right", ()))
        assert tags(facts) == ["lab_placed"]

    def test_side_gives_nothing(self) -> None:
        state = position(Has(known=("bf_02",), tiles=("objective_01", *OTHER_TILES)), Has())
        _, facts = answer(state, PlaceLab("bf_02", "side_1", ()))
        assert tags(facts) == ["lab_placed"]

    def test_the_lab_that_completes_an_objective_from_below_still_triggers_the_tile_first(self) -> None:
        around = {"side_1": "gp_05", "top_left": "rr_05"}
        tiles = ("objective_01", *OTHER_TILES)  # golden, red, blue; a doctor: draw two labs
        state = position(Has(known=("bf_02",), labs=around, tiles=tiles), Has())
        _, facts = answer(state, PlaceLab("bf_02", "bottom_left", ()))
        assert tags(facts) == ["lab_placed", "labs_drawn", "objective_completed"]


class TestS6ACompletedTileHasNoEffect:
    def test_a_matching_lab_below_a_completed_objective_triggers_nothing(self) -> None:
        around = {"side_1": "gp_05", "top_left": "rr_05", "side_2": "bf_05"}
        tiles = ("objective_01", *OTHER_TILES)
        state = position(
            Has(known=("gp_04", "rr_03"), labs=around, tiles=tiles, completed={"left": "left_8"}),
            Has(),
        )
        _, facts = answer(state, PlaceLab("rr_03", "bottom_left", ()))
        assert tags(facts) == ["lab_placed"]


class TestS7AnObjectiveCompletedAtAnEmptyPileGetsNoTile:
    def test_it_is_completed_with_nothing_and_no_effect_follows(self) -> None:
        rules = single_boosts()
        done = Has(
            labs={"side_1": "ge_05", "top_left": "ge_09", "bottom_left": "bf_05"},
            tiles=("objective_12", "objective_10", "objective_11"),
            completed={"left": "left_8"},
        )
        around = {"side_1": "gp_05", "top_left": "rr_05"}
        mine = Has(known=("bf_09", "gp_02", "gp_03", "rr_02"), labs=around, tiles=("objective_01", *OTHER_TILES))
        state = position(mine, done, rules=rules)
        state, facts = answer(state, PlaceLab("bf_09", "bottom_left", ("gp_02", "gp_03")), rules=rules)
        assert facts[-1] == ObjectiveCompleted(0, "left", None)
        assert state.players[0].objectives[0] == Objective("left", "objective_01", completed=True)
        assert state.agenda == (Placement(),)

    def test_it_counts_as_completed_for_the_end_and_for_scores_per_boost(self) -> None:
        rules = single_boosts()
        taken = {"left": "left_8", "center": "center_8", "right": "right_8"}
        first = Has(labs=ALL_COMPLETE, tiles=ALL_TILES, completed=taken)
        labs = {"side_1": "ge_05", "top_left": "ge_02", "side_2": "gp_11"}
        tiles = ("objective_08", "objective_06", "objective_07")  # two green, one golden
        second = Has(labs=labs, tiles=tiles, completed={"left": None}, known=("rr_02",))
        state = position(second, first, rules=rules, trigger=1, agenda=(Placement(),))
        state, _ = answer(state, EndPlacing(), rules=rules)
        result = rules.result(state)
        assert result is not None
        assert [line for line in result.scores[0].lines if line.piece == "gp_11"] == [ScoreLine("lab", 2, "gp_11")]
        assert [line for line in result.scores[0].lines if line.source == "boost"] == []
