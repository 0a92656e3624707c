"""What a viewer sees."""

from __future__ import annotations

from domain.spacelab.effects import Action, Placement
from domain.spacelab.facts import GameScored, LabPlaced
from domain.spacelab.moves import ChooseAgency, DrawLabs, EndPlacing, PlaceLab, Recruit
from domain.spacelab.state import PlacedLab
from tests.domain.spacelab.stations import NOTHING_SCORES
from tests.domain.spacelab.table import RULES, Has, answer, begun, position


class TestS10CardsTakenFromTheOpenAreKnownToAll:
    def test_the_actions_draw_and_recruit_and_a_recruit_effect_give_known_cards(self) -> None:
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has(), center=("ge_02", "ge_03"))
        state, _ = answer(state, PlaceLab("gp_08", "side_1", ("bf_02", "rr_02")))
        assert RULES.view(state, 1).players[0].known == ("ge_02", "ge_03")
        state = position(Has(), Has(), center=("ge_02", "ge_03", "gp_01"))
        state, _ = answer(state, Recruit("green_explorer"))
        assert RULES.view(state, None).players[0].known == ("ge_02", "ge_03")
        state = position(Has(), Has(), top=("ge_02", "rr_03", "ge_04"))
        state, _ = answer(state, DrawLabs(), ChooseAgency("green_explorer"))
        assert RULES.view(state, 1).players[0].known == ("ge_02", "ge_04")

    def test_cards_that_came_unseen_are_a_count_until_they_are_placed_or_paid(self) -> None:
        state = position(Has(known=("gp_04", "rr_02", "ge_02")), Has(), top=("bf_03", "bf_07"))
        state, _ = answer(state, PlaceLab("gp_04", "side_1", ("rr_02",)))
        seen = RULES.view(state, 1).players[0]
        assert (seen.hand, seen.known, seen.unseen) == (3, ("ge_02",), None)
        assert RULES.view(state, 0).players[0].unseen == ("bf_03", "bf_07")
        state, facts = answer(state, PlaceLab("bf_07", "side_2", ("bf_03",)))
        assert RULES.redact_fact(facts[0], 1) == LabPlaced(0, "bf_07", "side_2", ("bf_03",))
        assert RULES.view(state, 1).players[0].hand == 1


class TestWhatIsHidden:
    def test_decks_are_counts_for_everyone(self) -> None:
        state, _ = begun(3)
        for viewer in (None, 0, 1, 2):
            seen = RULES.view(state, viewer)
            assert (seen.lab_deck, seen.project_deck) == (60, 24)

    def test_projects_are_a_count_for_all_but_their_owner(self) -> None:
        state = position(Has(projects=("project_03", "project_01")), Has())
        own, other = RULES.view(state, 0).players[0], RULES.view(state, 1).players[0]
        assert (own.project_count, own.projects) == (2, ("project_01", "project_03"))
        assert (other.project_count, other.projects) == (2, None)
        assert RULES.view(state, None).players[0].projects is None

    def test_projects_just_drawn_are_told_to_who_drew_them(self) -> None:
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has())
        state, _ = answer(state, PlaceLab("gp_08", "top_left", ("bf_02", "rr_02")))
        assert (RULES.view(state, 0).drawn, RULES.view(state, 0).drawn_count) == (state.drawn, 2)
        for viewer in (None, 1):
            assert (RULES.view(state, viewer).drawn, RULES.view(state, viewer).drawn_count) == (None, 2)

    def test_what_lies_open_is_seen_by_all(self) -> None:
        state = position(Has(labs={"side_1": "gp_02"}), Has(), center=("rr_01",), discards=("bf_01",))
        seen = RULES.view(state, None)
        assert (seen.center, seen.discards) == (("rr_01",), ("bf_01",))
        assert seen.players[0].labs == (PlacedLab("side_1", "gp_02"),)
        assert seen.agenda == (Action(),)

    def test_when_the_game_is_over_hands_and_projects_lie_open_and_decks_stay_counts(self) -> None:
        first = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        second = Has(known=("ge_02",), unseen=("gp_15",), projects=("project_01",))
        state = position(first, second, active=1, trigger=0, agenda=(Placement(),))
        assert RULES.view(state, 0).players[1].unseen is None
        state, facts = answer(state, EndPlacing())
        assert facts == (GameScored(((), ("ge_02", "gp_15")), ((), ("project_01",))),)
        for viewer in (None, 0, 1):
            seen = RULES.view(state, viewer)
            player = seen.players[1]
            assert (player.hand, player.known, player.unseen) == (2, ("ge_02", "gp_15"), ())
            assert player.projects == ("project_01",)
            assert (seen.lab_deck, seen.project_deck) == (len(state.lab_deck), 23)

    def test_no_order_tells_when_a_hidden_card_came(self) -> None:
        state = position(Has(known=("gp_04", "rr_02")), Has(), top=("rr_15", "bf_01"))
        other = position(Has(known=("gp_04", "rr_02")), Has(), top=("bf_01", "rr_15"))
        place = PlaceLab("gp_04", "side_1", ("rr_02",))
        assert answer(state, place)[0] == answer(other, place)[0]
