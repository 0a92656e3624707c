"""What a seat may do, and whether it is asked."""

from __future__ import annotations

import pytest

from domain.kernel.rejected import Rejected
from domain.spacelab.effects import Action, Placement
from domain.spacelab.facts import LabsTaken
from domain.spacelab.moves import ChooseAgency, DrawLabs, EndPlacing, KeepProject, Pass, PlaceLab, Recruit
from tests.domain.spacelab.stations import NOTHING_SCORES, unaffordable_labs
from tests.domain.spacelab.table import RULES, Has, answer, offered, position, tags, types

UNFULFILLED = ("objective_12", "objective_08", "objective_05")


class TestS11WhetherASeatIsAskedIsPublic:
    def test_another_lab_is_asked_for_even_where_ending_is_the_only_answer(self) -> None:
        state = position(Has(known=("bf_02",), unseen=("gp_15",)), Has())
        state, _ = answer(state, PlaceLab("bf_02", "side_1", ()))
        assert list(offered(state)) == [EndPlacing()]

    def test_it_is_not_asked_for_with_an_empty_hand(self) -> None:
        state, _ = answer(position(Has(known=("bf_02",)), Has()), PlaceLab("bf_02", "side_1", ()))
        assert (state.active, state.agenda) == (1, (Action(),))

    def test_a_turns_action_is_asked_even_where_passing_is_the_only_answer(self) -> None:
        rules = unaffordable_labs(2)
        state = position(Has(known=("gp_01",)), Has(known=("gp_02",)), rules=rules)
        assert RULES.to_move(state) == (0,)

    def test_whether_it_is_asked_does_not_change_with_the_hidden_cards_in_hand(self) -> None:
        for hidden in ("gp_15", "gp_02", "gp_08"):
            state = position(Has(known=("bf_02",), unseen=(hidden,)), Has())
            state, _ = answer(state, PlaceLab("bf_02", "side_1", ()))
            assert (state.active, state.agenda) == (0, (Placement(),))

    def test_a_single_agency_to_recruit_by_an_effect_is_taken_without_a_question(self) -> None:
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has(), center=("ge_02", "ge_03"))
        _, facts = answer(state, PlaceLab("gp_08", "side_1", ("bf_02", "rr_02")))
        assert tags(facts) == ["lab_placed", "labs_recruited"]


class TestS12DrawLabsTakesOfTheRevealedCardsOnly:
    def test_cards_already_in_the_recruitment_center_are_not_touched(self) -> None:
        state = position(Has(), Has(), top=("rr_02", "rr_03", "bf_02"), center=("rr_01", "ge_01"))
        state, facts = answer(state, DrawLabs(), ChooseAgency("red_rocket"))
        assert facts[0] == LabsTaken(0, "red_rocket", ("rr_02", "rr_03"), ("bf_02",))
        assert state.players[0].hand == ("rr_02", "rr_03")
        assert state.center == ("rr_01", "ge_01", "bf_02")

    def test_revealed_cards_of_one_agency_are_taken_without_a_question(self) -> None:
        state = position(Has(), Has(), top=("rr_02", "rr_03", "rr_04"), center=("rr_01",))
        state, facts = answer(state, DrawLabs())
        assert tags(facts) == ["labs_revealed", "labs_taken"]
        assert (state.center, state.active) == (("rr_01",), 1)


class TestTheActionOfATurn:
    def test_the_offers_stand_in_a_fixed_order(self) -> None:
        state = position(Has(known=("gp_02",)), Has(), center=("rr_01",))
        assert types(state) == ["draw_labs", "recruit", "place_lab"]

    def test_the_moves_of_a_small_hand_are_these_in_this_order(self) -> None:
        # Agencies and slots in the order of the set, cards by their ids, payments in the order of the hand.
        full = {
            "top_left": "rr_01",
            "bottom_left": "rr_04",
            "side_1": "rr_08",
            "side_2": "bf_01",
            "top_center": "bf_04",
            "bottom_center": "bf_08",
            "side_3": "gp_01",
            "top_right": "gp_04",
        }
        has = Has(known=("rr_05", "gp_05"), unseen=("ge_02",), labs=full, tiles=UNFULFILLED)
        state = position(has, Has(), center=("ge_01", "rr_02", "ge_03"))
        assert list(offered(state)) == [
            DrawLabs(),
            Recruit("red_rocket"),
            Recruit("green_explorer"),
            PlaceLab("ge_02", "bottom_right", ()),
            PlaceLab("ge_02", "side_4", ()),
            PlaceLab("gp_05", "bottom_right", ("ge_02",)),
            PlaceLab("gp_05", "bottom_right", ("rr_05",)),
            PlaceLab("gp_05", "side_4", ("ge_02",)),
            PlaceLab("gp_05", "side_4", ("rr_05",)),
            PlaceLab("rr_05", "bottom_right", ("ge_02",)),
            PlaceLab("rr_05", "bottom_right", ("gp_05",)),
            PlaceLab("rr_05", "side_4", ("ge_02",)),
            PlaceLab("rr_05", "side_4", ("gp_05",)),
        ]

    def test_with_five_cards_in_hand_only_placing_is_allowed(self) -> None:
        five = ("gp_02", "gp_03", "gp_04", "rr_02", "rr_03")
        assert types(position(Has(known=five), Has(), center=("rr_01",))) == ["place_lab"]
        seen_and_unseen = Has(known=five[:2], unseen=five[2:])
        assert types(position(seen_and_unseen, Has(), center=("rr_01",))) == ["place_lab"]
        assert types(position(Has(known=five[:4]), Has(), center=("rr_01",))) == ["draw_labs", "recruit", "place_lab"]

    def test_five_cards_reached_within_an_action_do_not_matter(self) -> None:
        state = position(Has(known=("gp_02", "rr_02", "rr_03", "rr_05")), Has(), top=("rr_06", "rr_07", "rr_09"))
        state, _ = answer(state, DrawLabs())
        assert state.players[0].hand_size == 7

    def test_drawing_needs_a_card_in_the_deck_or_the_discards(self) -> None:
        assert types(position(Has(known=("gp_02",)), Has(), deck=())) == ["place_lab"]
        assert types(position(Has(), Has(), deck=(), discards=("gp_02",))) == ["draw_labs"]

    def test_recruiting_needs_a_card_in_the_center(self) -> None:
        assert types(position(Has(), Has())) == ["draw_labs"]

    def test_a_card_that_the_rest_of_the_hand_cannot_pay_for_is_not_offered(self) -> None:
        state = position(Has(known=("gp_08", "rr_02")), Has())
        assert {move.card for move in offered(state) if isinstance(move, PlaceLab)} == {"rr_02"}

    def test_payments_are_one_case_however_many_there_are(self) -> None:
        hand = tuple(f"gp_{number:02}" for number in range(1, 13))
        (offer,) = offered(position(Has(known=hand), Has())).offers
        assert len(offer.cases) == 12
        assert offered(position(Has(known=hand), Has())).count() == 10 * (3 + 4 * 11 + 4 * 55 + 1 * 165)


class TestTheForm:
    def test_every_case_gives_legal_moves_and_no_move_twice(self) -> None:
        state = position(Has(known=("gp_02", "gp_04", "rr_08")), Has(), center=("ge_01", "rr_02"))
        moves = list(offered(state))
        assert len(set(moves)) == len(moves) == offered(state).count()
        assert all(move in offered(state) for move in moves)

    def test_a_wrong_card_slot_or_payment_is_refused_by_the_field_that_is_wrong(self) -> None:
        state = position(Has(known=("gp_02", "gp_04", "rr_08")), Has())
        for move, field in (
            (PlaceLab("ge_02", "side_1", ()), "move.card"),
            (PlaceLab("gp_04", "attic", ("gp_02",)), "move.slot"),
            (PlaceLab("gp_04", "side_1", ()), "move.pay"),
            (PlaceLab("gp_04", "side_1", ("gp_04",)), "move.pay"),
            (PlaceLab("gp_04", "side_1", ("gp_02", "rr_08")), "move.pay"),
            (PlaceLab("rr_08", "side_1", ("gp_04", "gp_02")), "move.pay"),
            (PlaceLab("gp_02", "side_1", ("gp_04",)), "move.pay"),
            (EndPlacing(), "move.type"),
            (Pass(), "move.type"),
            (Recruit("red_rocket"), "move.type"),
        ):
            with pytest.raises(Rejected) as error:
                offered(state).require(move)
            assert error.value.facts["field"] == field

    def test_a_seat_that_is_not_asked_has_no_moves(self) -> None:
        state = position(Has(known=("gp_02",)), Has(known=("rr_02",)))
        assert not RULES.legal_moves(state, 1)
        over = position(Has(labs=NOTHING_SCORES, tiles=UNFULFILLED), Has(), active=1, trigger=0, over=True, agenda=())
        assert not RULES.legal_moves(over, 1)
        assert RULES.to_move(over) == ()

    def test_the_answers_to_a_question_are_in_the_order_in_which_things_lie(self) -> None:
        state = position(Has(), Has(), top=("ge_02", "rr_02", "gp_02"))
        state, _ = answer(state, DrawLabs())
        assert list(offered(state)) == [
            ChooseAgency("golden_planet"),
            ChooseAgency("red_rocket"),
            ChooseAgency("green_explorer"),
        ]
        drawn = ("project_09", "project_02")
        state = position(Has(known=("gp_09", "rr_02", "bf_02")), Has(), project_top=drawn)
        state, _ = answer(state, PlaceLab("gp_09", "top_left", ("bf_02", "rr_02")))
        assert list(offered(state)) == [KeepProject("project_09"), KeepProject("project_02")]
