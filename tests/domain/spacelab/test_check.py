"""Positions that no game could be in, each kind with one that could."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel.rejected import Rejected
from domain.spacelab.effects import (
    Action,
    AgencyChoice,
    LabDraw,
    ObjectiveAssignment,
    ObjectiveCheck,
    Owed,
    Placement,
    ProjectChoice,
    ProjectDraw,
    Recruitment,
)
from domain.spacelab.moves import AssignObjectives, DrawLabs, KeepProject, PlaceLab
from domain.spacelab.state import Objective, Pile, PlacedLab, Player, State
from tests.domain.spacelab.stations import (
    ALL_COMPLETE,
    ALL_TILES,
    NOTHING_SCORES,
    OTHER_TILES,
    one_capsule,
    one_objective_left,
    single_boosts,
    unaffordable_labs,
)
from tests.domain.spacelab.table import RULES, Has, answer, begun, position

PLAIN = position(Has(known=("gp_01", "gp_02"), unseen=("gp_03",), labs={"side_1": "gp_04"}), Has(known=("rr_01",)))


def refused(state: State) -> str:
    """The field that a position is refused for."""
    with pytest.raises(Rejected) as error:
        RULES.check(state)
    assert error.value.code == "impossible-position"
    field = error.value.facts["field"]
    assert isinstance(field, str)
    return field


def with_player(state: State, seat: int, **changes: Any) -> State:
    """A position in which a seat has something else."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


class TestSeats:
    def test_a_number_of_players_that_cannot_play(self) -> None:
        assert refused(replace(PLAIN, players=PLAIN.players[:1])) == "players"
        assert refused(replace(PLAIN, players=PLAIN.players + (Player(),) * 3)) == "players"
        assert refused(replace(PLAIN, players=())) == "players"

    @pytest.mark.parametrize("seat", [-1, 2, 10**20])
    def test_a_seat_that_nobody_has(self, seat: int) -> None:
        assert refused(replace(PLAIN, active=seat)) == "active"
        assert refused(replace(PLAIN, trigger=seat)) == "trigger"

    @pytest.mark.parametrize("passes", [-1, 3, 10**20])
    def test_more_passes_than_seats_or_fewer_than_none(self, passes: int) -> None:
        assert refused(replace(PLAIN, passes=passes)) == "passes"


class TestPieces:
    def test_an_unknown_piece(self) -> None:
        assert refused(with_player(PLAIN, 0, known=("gp_01", "xx_02"))) == "players[0].known"
        assert refused(with_player(PLAIN, 0, projects=("gp_05",))) == "players[0].projects"
        assert refused(replace(PLAIN, spare=("objective_99", *PLAIN.spare[1:]))) == "spare"
        assert refused(replace(PLAIN, piles=(Pile("left", ("left_9",)), *PLAIN.piles[1:]))) == "piles[0].boosts"

    def test_a_piece_in_two_places(self) -> None:
        assert refused(replace(PLAIN, discards=("gp_01",))) == "players[0].known"
        assert refused(replace(PLAIN, lab_deck=(*PLAIN.lab_deck, PLAIN.lab_deck[0]))) == "lab_deck"
        assert refused(with_player(PLAIN, 1, projects=PLAIN.project_deck[:1])) == "players[1].projects"
        assert refused(replace(PLAIN, spare=PLAIN.spare * 2)) == "spare"
        assert refused(replace(PLAIN, piles=PLAIN.piles + PLAIN.piles[:1])) == "piles[3].boosts"

    def test_a_piece_that_is_nowhere(self) -> None:
        assert refused(replace(PLAIN, lab_deck=PLAIN.lab_deck[1:])) == "lab_deck"
        assert refused(replace(PLAIN, project_deck=())) == "project_deck"
        assert refused(replace(PLAIN, spare=())) == "spare"
        assert refused(replace(PLAIN, piles=PLAIN.piles[:2])) == "piles[0].boosts"


class TestStations:
    def test_a_card_in_two_slots_or_a_slot_with_two_cards(self) -> None:
        twice = (PlacedLab("side_1", "gp_04"), PlacedLab("side_2", "gp_04"))
        assert refused(with_player(PLAIN, 0, labs=twice)) == "players[0].labs"
        together = (PlacedLab("side_1", "gp_04"), PlacedLab("side_1", "gp_03"))
        assert refused(with_player(PLAIN, 0, labs=together, unseen=())) == "players[0].labs"

    def test_a_slot_that_no_station_has(self) -> None:
        assert refused(with_player(PLAIN, 0, labs=(PlacedLab("attic", "gp_04"),))) == "players[0].labs"

    def test_objectives_that_are_not_one_for_each_capsule(self) -> None:
        first, second, third = PLAIN.players[0].objectives
        assert refused(with_player(PLAIN, 0, objectives=(second, first, third))) == "players[0].objectives"
        attic = replace(first, capsule="attic")
        assert refused(with_player(PLAIN, 0, objectives=(attic, second, third))) == "players[0].objectives"
        spared = replace(PLAIN, spare=(*PLAIN.spare, third.tile))
        assert refused(with_player(spared, 0, objectives=(first, second))) == "players[0].objectives"

    def test_dealt_tiles_beside_assigned_ones_or_too_few(self) -> None:
        moved = replace(PLAIN, spare=PLAIN.spare[1:])
        assert refused(with_player(moved, 0, dealt=PLAIN.spare[:1])) == "players[0].dealt"
        state, _ = begun(2)
        spared = replace(state, spare=(*state.spare, state.players[0].dealt[0]))
        assert refused(with_player(spared, 0, dealt=state.players[0].dealt[1:])) == "players[0].dealt"

    def test_a_boost_of_another_pile_or_on_an_objective_that_is_not_completed(self) -> None:
        state = position(one_objective_left("gp_02"), Has())
        left, center, right = state.players[0].objectives
        swapped = (replace(left, boost="center_8"), replace(center, boost="left_8"), right)
        assert refused(with_player(state, 0, objectives=swapped)) == "players[0].objectives[0]"
        undone = (replace(left, completed=False), center, right)
        assert refused(with_player(state, 0, objectives=undone)) == "players[0].objectives[0]"

    def test_no_boost_where_the_pile_still_has_one(self) -> None:
        state = position(one_objective_left("gp_02"), Has())
        left, center, right = state.players[0].objectives
        piles = (Pile("left", ("left_8", *state.piles[0].boosts)), *state.piles[1:])
        without = with_player(replace(state, piles=piles), 0, objectives=(replace(left, boost=None), center, right))
        assert refused(without) == "players[0].objectives[0]"

    def test_a_pile_from_which_another_than_the_top_boost_was_taken(self) -> None:
        state = position(one_objective_left("gp_02"), Has())
        left, center, right = state.players[0].objectives
        piles = (Pile("left", ("left_8", "left_4", "left_2")), *state.piles[1:])
        second = with_player(replace(state, piles=piles), 0, objectives=(replace(left, boost="left_6"), center, right))
        assert refused(second) == "piles[0]"
        assert refused(replace(PLAIN, piles=PLAIN.piles[::-1])) == "piles"
        upside_down = (replace(PLAIN.piles[0], boosts=PLAIN.piles[0].boosts[::-1]), *PLAIN.piles[1:])
        assert refused(replace(PLAIN, piles=upside_down)) == "piles[0]"

    def test_an_objective_completed_without_its_labs_or_not_completed_with_them(self) -> None:
        state = position(one_objective_left("gp_02"), Has())
        moved = tuple(replace(lab, slot="side_4") if lab.slot == "top_left" else lab for lab in state.players[0].labs)
        assert refused(with_player(state, 0, labs=moved)) == "players[0].objectives[0]"
        satisfied = (PlacedLab("side_1", "gp_04"), PlacedLab("top_left", "rr_01"), PlacedLab("top_right", "bf_01"))
        tiles = (Objective("left", "objective_01"), *PLAIN.players[0].objectives[1:])
        assert tiles == PLAIN.players[0].objectives
        deck = tuple(card for card in PLAIN.lab_deck if card != "bf_01")
        other = with_player(replace(PLAIN, lab_deck=deck), 1, known=())
        RULES.check(with_player(other, 0, labs=satisfied))
        satisfied = (*satisfied[:2], PlacedLab("bottom_left", "bf_01"))
        assert refused(with_player(other, 0, labs=satisfied)) == "players[0].objectives[0]"


class TestTheEnd:
    def test_a_trigger_by_a_station_that_is_not_finished_or_none_by_one_that_is(self) -> None:
        finished = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        state = position(finished, Has(known=("gp_02",)), active=1, trigger=0, agenda=(Placement(),))
        assert refused(replace(state, trigger=1)) == "trigger"
        assert refused(replace(state, trigger=None, agenda=(Action(),))) == "trigger"

    def test_a_game_that_is_over_and_still_owes_hides_or_asks_something(self) -> None:
        finished = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        state = position(finished, Has(known=("gp_02",)), active=1, trigger=0, over=True, agenda=())
        assert refused(replace(state, agenda=(Action(),))) == "agenda"
        assert refused(with_player(state, 1, known=(), unseen=("gp_02",))) == "over"
        drawn = replace(state, drawn=state.project_deck[:1], project_deck=state.project_deck[1:])
        assert refused(drawn) == "over"
        assert refused(replace(state, active=0)) == "over"
        assert refused(replace(state, over=False)) == "agenda"

    def test_a_game_that_is_over_for_no_reason(self) -> None:
        assert (
            refused(replace(with_player(PLAIN, 0, unseen=(), known=("gp_01", "gp_02", "gp_03")), over=True, agenda=()))
            == "over"
        )

    def test_passes_where_there_is_something_to_take_or_after_the_trigger(self) -> None:
        assert refused(replace(PLAIN, passes=1)) == "passes"
        finished = Has(labs=NOTHING_SCORES, tiles=("objective_12", "objective_08", "objective_05"))
        state = position(finished, Has(known=("gp_02",)), active=1, trigger=0, agenda=(Placement(),))
        assert refused(replace(state, passes=1)) == "passes"

    def test_passes_in_the_middle_of_an_action_or_by_all_while_the_game_goes_on(self) -> None:
        rules = unaffordable_labs(4)
        stuck = position(Has(known=("gp_01",), labs={"side_1": "gp_02"}), Has(known=("gp_03", "gp_04")), rules=rules)
        rules.check(replace(stuck, passes=1))
        for impossible in (replace(stuck, passes=2), replace(stuck, passes=1, agenda=(Placement(),))):
            with pytest.raises(Rejected) as error:
                rules.check(impossible)
            assert error.value.facts["field"] == "passes"


class TestSettingUp:
    def test_seats_that_assign_out_of_turn(self) -> None:
        state, _ = begun(3)
        state, _ = answer(state, AssignObjectives(state.players[state.active].dealt))
        assert refused(replace(state, active=(state.active + 1) % 3)) == "active"
        assert refused(replace(state, active=(state.active - 1) % 3)) == "active"

    def test_a_game_that_began_before_all_objectives_were_assigned(self) -> None:
        state, _ = begun(2)
        deck = state.lab_deck
        assert refused(replace(state, lab_deck=deck[1:], center=deck[:1])) == "players"
        assert refused(with_player(replace(state, lab_deck=deck[1:]), 0, unseen=deck[:1])) == "players"

    def test_something_else_owed_than_the_assignment(self) -> None:
        state, _ = begun(2)
        for agenda in ((), (Action(),), (ObjectiveAssignment(), Action()), (Placement(),)):
            assert refused(replace(state, agenda=agenda)) == "agenda"


class TestTheAgenda:
    @pytest.mark.parametrize(
        "agenda",
        [
            (),
            (Action(), Action()),
            (ObjectiveAssignment(),),
            (AgencyChoice(),),
            (ProjectChoice(), Placement()),
            (Recruitment(1), Placement()),
            (LabDraw(2), ObjectiveCheck("left"), Placement()),
            (ProjectDraw(10**9), Placement()),
            (ObjectiveCheck("attic"), Placement()),
            (Placement(), Action()),
        ],
    )
    def test_what_cannot_be_owed(self, agenda: tuple[Owed, ...]) -> None:
        assert refused(replace(PLAIN, agenda=agenda)) == "agenda"

    def test_another_lab_without_one_placed_in_this_action(self) -> None:
        assert refused(replace(PLAIN, active=1, agenda=(Placement(),))) == "agenda"

    def test_an_action_after_the_end_was_triggered(self) -> None:
        state = position(one_objective_left("gp_02"), Has(known=("bf_02",)))
        state, _ = answer(state, PlaceLab("gp_02", "side_4", ()))
        assert refused(replace(state, agenda=(Action(),))) == "agenda"

    def test_a_question_that_has_nothing_to_choose_from(self) -> None:
        placed = replace(PLAIN, agenda=(Placement(),))
        RULES.check(placed)
        rest = PLAIN.lab_deck + PLAIN.players[0].hand
        assert refused(with_player(replace(placed, lab_deck=rest), 0, known=(), unseen=())) == "agenda"

    def test_cards_revealed_or_drawn_that_nobody_is_asked_about(self) -> None:
        deck, projects = PLAIN.lab_deck, PLAIN.project_deck
        assert refused(replace(PLAIN, revealed=deck[:3], lab_deck=deck[3:])) == "revealed"
        assert refused(replace(PLAIN, drawn=projects[:2], project_deck=projects[2:])) == "drawn"

    def test_a_number_of_revealed_cards_that_is_never_turned_up(self) -> None:
        state = position(Has(), Has(), top=("gp_01", "rr_01", "bf_01", "ge_01"))
        state, _ = answer(state, DrawLabs())
        four = (*state.revealed, state.lab_deck[0])
        assert refused(replace(state, revealed=four, lab_deck=state.lab_deck[1:])) == "revealed"
        two = (state.revealed[0], *state.lab_deck)
        assert refused(replace(state, revealed=state.revealed[1:], lab_deck=two)) == "revealed"
        one = with_player(replace(state, lab_deck=state.lab_deck[5:]), 0, known=state.lab_deck[:5])
        assert refused(one) == "revealed"

    def test_another_number_of_projects_drawn_than_the_lab_draws(self) -> None:
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has())
        state, _ = answer(state, PlaceLab("gp_08", "top_left", ("bf_02", "rr_02")))
        more = replace(state, drawn=(*state.drawn, state.project_deck[0]), project_deck=state.project_deck[1:])
        assert refused(more) == "agenda"
        none = replace(state, drawn=(), project_deck=(*state.drawn, *state.project_deck))
        assert refused(none) == "agenda"

    def test_checks_owed_for_other_capsules_than_the_last_lab_touches(self) -> None:
        state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has())
        state, _ = answer(state, PlaceLab("gp_08", "top_left", ("bf_02", "rr_02")))
        assert state.agenda == (ProjectChoice(), ObjectiveCheck("left"), Placement())
        for tail in ((ObjectiveCheck("right"), Placement()), (Placement(),), (), (ObjectiveCheck("left"),)):
            assert refused(replace(state, agenda=(ProjectChoice(), *tail))) == "agenda"

    def test_a_boosts_question_only_where_the_last_lab_completed_the_objective(self) -> None:
        labs = {slot: card for slot, card in ALL_COMPLETE.items() if slot in ("side_1", "top_left")}
        mine = Has(known=("bf_02",), labs=labs, tiles=("objective_01", *OTHER_TILES))
        taken = [
            Has(
                labs={"side_1": first, "top_left": second, "bottom_left": third},
                tiles=(tile, *rest),
                completed={"left": boost},
            )
            for first, second, third, tile, rest, boost in (
                ("ge_05", "ge_02", "gp_02", "objective_08", ("objective_05", "objective_06"), "left_8"),
                ("ge_03", "ge_01", "bf_03", "objective_12", ("objective_09", "objective_10"), "left_6"),
            )
        ]
        state = position(mine, *taken)
        state, _ = answer(state, PlaceLab("bf_02", "side_2", ()))
        assert state.agenda == (ProjectChoice(), ObjectiveCheck("center"), Placement())
        first, second, last = state.players[0].labs
        assert refused(with_player(state, 0, labs=(last, first, second))) == "agenda"

    def test_every_position_on_the_way_is_possible(self) -> None:
        state = position(Has(known=("gp_14", "rr_02", "bf_02", "ge_02")), Has())
        state, _ = answer(state, PlaceLab("gp_14", "top_left", ("bf_02", "ge_02", "rr_02")))
        answer(state, KeepProject(state.drawn[2]))


def test_a_position_is_checked_as_json_brings_it() -> None:
    text = msgspec.json.encode(PLAIN)
    RULES.check(msgspec.json.decode(text, type=State))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text.replace(b'"passes":0', b'"passes":0,"cheats":1'), type=State)


def test_a_set_with_one_capsule_never_asks_for_an_assignment() -> None:
    rules = one_capsule()
    state, _ = begun(2, rules)
    assert state.agenda == (Action(),)
    dealt = (state.players[0].objectives[0].tile,)
    undone = with_player(replace(state, agenda=(ObjectiveAssignment(),)), 0, dealt=dealt, objectives=())
    with pytest.raises(Rejected):
        rules.check(replace(undone, active=0))


def test_an_objective_completed_at_an_empty_pile_is_possible() -> None:
    rules = single_boosts()
    done = Has(labs={"side_1": "gp_05", "top_left": "rr_05", "bottom_left": "bf_05"}, tiles=ALL_TILES)
    first = Has(labs=done.labs, tiles=ALL_TILES, completed={"left": "left_8"})
    tiles = ("objective_08", "objective_05", "objective_06")
    second = Has(
        labs={"side_1": "ge_05", "top_left": "ge_02", "side_2": "gp_02"}, tiles=tiles, completed={"left": None}
    )
    position(first, second, rules=rules)
