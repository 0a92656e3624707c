"""What a move brings about."""

from __future__ import annotations

from domain.kernel.chance import Chance
from domain.spacelab.effects import Action, Recruitment
from domain.spacelab.facts import AgendaSet, LabsRecruited
from domain.spacelab.moves import ChooseAgency, EndPlacing, PlaceLab, Recruit
from tests.domain.spacelab.table import KEY, RULES, Has, answer, entry, loaded, offered, position, tags, written


def test_the_last_fact_of_every_decision_is_the_agenda_that_is_left() -> None:
    state = position(Has(), Has(), center=("rr_01", "gp_01"))
    facts = RULES.decide(state, 0, Recruit("red_rocket"), Chance(KEY, 7))
    assert facts == (LabsRecruited(0, "red_rocket", ("rr_01",)), AgendaSet(1, (Action(),)))


def test_recruit_takes_all_cards_of_the_agency_and_leaves_the_others() -> None:
    state = position(Has(known=("bf_02",)), Has(), center=("rr_01", "gp_01", "rr_02"))
    state, _ = answer(state, Recruit("red_rocket"))
    assert state.players[0].hand == ("bf_02", "rr_01", "rr_02")
    assert state.center == ("gp_01",)


def test_a_recruit_effect_asks_which_agency_and_goes_on_with_the_rest() -> None:
    state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has(), center=("ge_02", "rr_03", "ge_03"))
    state, facts = answer(state, PlaceLab("gp_08", "side_1", ("bf_02", "rr_02")))
    assert tags(facts) == ["lab_placed"]
    assert list(offered(state)) == [ChooseAgency("red_rocket"), ChooseAgency("green_explorer")]
    state, facts = answer(state, ChooseAgency("green_explorer"))
    assert facts == (LabsRecruited(0, "green_explorer", ("ge_02", "ge_03")),)
    assert offered(state).offers[-1].type == "spacelab.end_placing"


def test_a_recruit_effect_with_an_empty_center_gives_nothing() -> None:
    state = position(Has(known=("gp_08", "rr_02", "bf_02")), Has())
    _, facts = answer(state, PlaceLab("gp_08", "side_1", ("bf_02", "rr_02")))
    assert tags(facts) == ["lab_placed"]


def test_a_set_may_recruit_several_times_in_one_effect() -> None:
    data = written()
    entry(data, "labs", "gp_08").update(effect={"recruit": 3}, cost=0)
    rules = loaded(data)
    state = position(Has(known=("gp_08",)), Has(), rules=rules, center=("ge_02", "rr_03", "bf_03", "gp_03"))
    state, _ = answer(state, PlaceLab("gp_08", "side_1", ()), rules=rules)
    state, _ = answer(state, ChooseAgency("red_rocket"), rules=rules)
    assert state.agenda[0] == Recruitment(2)
    state, _ = answer(state, ChooseAgency("blue_future"), ChooseAgency("golden_planet"), rules=rules)
    assert state.players[0].hand == ("bf_03", "gp_03", "rr_03")
    assert state.center == ("ge_02",)


def test_the_last_agency_left_is_recruited_without_a_question_and_further_times_give_nothing() -> None:
    data = written()
    entry(data, "labs", "gp_08").update(effect={"recruit": 3}, cost=0)
    rules = loaded(data)
    state = position(Has(known=("gp_08",)), Has(), rules=rules, center=("ge_02", "rr_03"))
    state, facts = answer(state, PlaceLab("gp_08", "side_1", ()), ChooseAgency("red_rocket"), rules=rules)
    assert tags(facts) == ["labs_recruited", "labs_recruited"]
    assert state.center == ()


def test_ending_the_action_hands_the_turn_on_clockwise() -> None:
    state = position(Has(), Has(), Has(known=("gp_02", "gp_03")), active=2)
    state, facts = answer(state, PlaceLab("gp_02", "side_1", ()), EndPlacing())
    assert (facts, state.active) == ((), 0)
