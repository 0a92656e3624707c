"""What others see of a fact or a move, and the draws that facts record."""

from __future__ import annotations

import pytest

from domain.kernel.chance import Draw, shuffled, words
from domain.spacelab.effects import Action
from domain.spacelab.facts import (
    AgendaSet,
    EndTriggered,
    Fact,
    GameScored,
    GameSetUp,
    GameSetUpUnseen,
    LabPlaced,
    LabsDrawn,
    LabsDrawnUnseen,
    LabsRecruited,
    LabsReshuffled,
    LabsReshuffledUnseen,
    LabsRevealed,
    LabsTaken,
    ObjectiveCompleted,
    ObjectivesAssigned,
    Passed,
    ProjectKept,
    ProjectKeptUnseen,
    ProjectsDrawn,
    ProjectsDrawnUnseen,
    draws,
)
from domain.spacelab.moves import EndPlacing, KeepProject, PlaceLab
from tests.domain.spacelab.table import KEY, RULES, Has, begun, position

OPEN: tuple[Fact, ...] = (
    ObjectivesAssigned(0, ("a", "b", "c")),
    LabsRevealed(("a",)),
    LabsTaken(0, "red_rocket", ("a",), ("b",)),
    LabsRecruited(0, "red_rocket", ("a",)),
    LabPlaced(0, "a", "side_1", ("b",)),
    ObjectiveCompleted(0, "left", None),
    EndTriggered(0),
    Passed(0),
    AgendaSet(0, (Action(),)),
    GameScored((("a",), ()), ((), ("b",))),
)


@pytest.mark.parametrize("fact", OPEN)
def test_what_happens_in_the_open_is_seen_by_all(fact: Fact) -> None:
    assert RULES.redact_fact(fact, None) is RULES.redact_fact(fact, 0) is RULES.redact_fact(fact, 1) is fact


@pytest.mark.parametrize(
    "fact,unseen",
    [
        (LabsDrawn(1, ("a", "b")), LabsDrawnUnseen(1, 2)),
        (ProjectsDrawn(1, ("a", "b", "c")), ProjectsDrawnUnseen(1, 3)),
        (ProjectKept(1, "a", ("b", "c")), ProjectKeptUnseen(1, 2)),
    ],
)
def test_what_a_seat_draws_or_keeps_is_a_count_for_all_others(fact: Fact, unseen: object) -> None:
    assert RULES.redact_fact(fact, 1) is fact
    assert RULES.redact_fact(fact, 0) == RULES.redact_fact(fact, None) == unseen


def test_the_order_of_a_deck_is_seen_by_nobody() -> None:
    _, facts = begun(2)
    set_up = facts[0]
    assert isinstance(set_up, GameSetUp)
    for viewer in (None, 0, 1):
        assert RULES.redact_fact(LabsReshuffled(("a", "b")), viewer) == LabsReshuffledUnseen(2)
        assert RULES.redact_fact(set_up, viewer) == GameSetUpUnseen(set_up.start, 60, 24, set_up.dealt, 6, set_up.piles)


def test_which_project_is_kept_is_the_only_move_that_others_do_not_see() -> None:
    keep = KeepProject("project_01")
    assert RULES.redact_move(keep, 0, 0) is keep
    assert RULES.redact_move(keep, 0, 1) is RULES.redact_move(keep, 0, None) is None
    for move in (PlaceLab("a", "side_1", ("b",)), EndPlacing()):
        assert RULES.redact_move(move, 0, 1) is RULES.redact_move(move, 0, None) is move


def test_every_draw_of_the_set_up_can_be_made_again_from_the_fact_and_the_key() -> None:
    _, facts = begun(3)
    made = draws(facts[0])
    assert [draw.purpose for draw in made] == ["start", "labs", "projects", "objectives"]
    for draw in made[1:]:
        order = shuffled(words(KEY, 4, draw.purpose, draw.repeat), range(len(draw.items)))
        assert tuple(draw.items[place] for place in order) == draw.outcome
    assert made[0].items == (0, 1, 2)
    assert len(made[0].outcome) == 1


def test_a_reshuffle_records_its_draw_and_other_facts_record_none() -> None:
    assert draws(LabsReshuffled(("b", "a"))) == (Draw("labs", ("a", "b"), ("b", "a")),)
    assert draws(LabsDrawn(0, ("a",))) == ()


HOLDING = position(Has(known=("gp_02", "gp_04"), unseen=("rr_02",)), Has())


@pytest.mark.parametrize(
    "fact",
    [
        LabsRevealed(("bf_01",)),
        LabsDrawn(0, ("bf_01",)),
        ProjectsDrawn(0, ("project_01",)),
        GameScored(((), ()), ((), ())),
        LabPlaced(0, "rr_02", "side_1", ()),
        LabPlaced(0, "gp_04", "side_1", ("rr_02",)),
    ],
)
def test_a_fact_reveals_where_it_opens_a_deck_or_a_card_that_was_held_unseen(fact: Fact) -> None:
    assert RULES.reveals(HOLDING, fact)


@pytest.mark.parametrize(
    "fact",
    [
        LabPlaced(0, "gp_02", "side_1", ()),
        LabPlaced(0, "gp_04", "side_1", ("gp_02",)),
        LabsTaken(0, "red_rocket", ("rr_01",), ()),
        LabsRecruited(0, "red_rocket", ("rr_01",)),
        ProjectKept(0, "project_01", ("project_02",)),
        AgendaSet(0, (Action(),)),
    ],
)
def test_a_fact_that_moves_what_was_known_anyway_reveals_nothing(fact: Fact) -> None:
    assert not RULES.reveals(HOLDING, fact)
