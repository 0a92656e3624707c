"""The fold."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.spacelab.evolve import FOLDS, evolve, fold
from domain.spacelab.facts import Fact, GameSetUp, LabPlaced, LabsDrawn, LabsRecruited, Passed, ProjectKept
from tests.domain.spacelab.table import Has, begun, position


def test_the_first_fact_makes_the_state_and_no_other_fact_can() -> None:
    _, facts = begun(2)
    assert isinstance(facts[0], GameSetUp)
    assert evolve(None, facts[0]).lab_deck == facts[0].lab_deck
    for facts in ((Passed(0),), ()):
        with pytest.raises(TypeError, match="the first fact sets the game up"):
            fold(None, facts)


def test_every_fact_but_the_first_has_a_fold() -> None:
    assert set(FOLDS) == set(get_args(Fact)) - {GameSetUp}


def test_a_game_is_set_up_once() -> None:
    state, facts = begun(2)
    with pytest.raises(KeyError):
        evolve(state, facts[0])


def test_facts_fold_in_one_go_as_they_do_one_by_one() -> None:
    state = position(Has(known=("gp_02",), unseen=("rr_02",)), Has(), center=("bf_02",))
    facts = (LabsRecruited(0, "blue_future", ("bf_02",)), LabPlaced(0, "rr_02", "side_1", ("gp_02",)), Passed(1))
    assert fold(state, facts) == evolve(evolve(evolve(state, facts[0]), facts[1]), facts[2])
    assert fold(state, ()) == state


def test_a_fact_about_pieces_that_no_set_has_is_folded_all_the_same() -> None:
    state = position(Has(known=("gp_02",)), Has())
    state = evolve(state, LabPlaced(0, "gone_1", "gone_slot", ("gp_02", "gone_2")))
    assert state.players[0].hand == ()
    assert state.discards == ("gp_02", "gone_2")


def test_sets_of_cards_stay_in_the_order_of_their_ids() -> None:
    state = position(Has(known=("gp_02",), unseen=("rr_02",), projects=("project_05",)), Has(), center=("bf_02",))
    state = evolve(state, LabsRecruited(0, "blue_future", ("bf_02",)))
    state = evolve(state, LabsDrawn(0, ("ge_02",)))
    state = evolve(state, ProjectKept(0, "project_01", ()))
    player = state.players[0]
    assert (player.known, player.unseen) == (("bf_02", "gp_02"), ("ge_02", "rr_02"))
    assert player.hand == ("bf_02", "ge_02", "gp_02", "rr_02")
    assert player.projects == ("project_01", "project_05")


def test_a_card_leaves_the_part_of_the_hand_that_it_was_in() -> None:
    state = position(Has(known=("gp_02", "gp_03"), unseen=("rr_02", "rr_03")), Has())
    state = evolve(state, LabPlaced(0, "rr_02", "side_1", ("gp_03",)))
    assert (state.players[0].known, state.players[0].unseen) == (("gp_02",), ("rr_03",))
