"""A draft is the state that it was made of, to be changed, and leaves that one as it is."""

from __future__ import annotations

import msgspec

from domain.spacelab.draft import Draft
from domain.spacelab.state import PlacedLab
from tests.domain.spacelab.table import Has, begun, position


def test_a_draft_that_nobody_touched_is_the_state_it_was_made_of() -> None:
    for state in (begun(4)[0], position(Has(known=("gp_02",), unseen=("rr_02",)), Has(), center=("bf_02",))):
        draft = Draft(state)
        assert draft.state() == state
        draft.players()
        assert draft.state() == state


def test_what_becomes_of_a_draft_is_no_concern_of_its_state() -> None:
    state = position(Has(known=("gp_02",), projects=("project_05",)), Has(), center=("bf_02",))
    before = msgspec.json.encode(state)
    draft = Draft(state)
    player = draft.player(0)
    for cards in (player.known, player.unseen, player.projects, draft.lab_deck, draft.center, draft.discards):
        cards.append("ge_02")
    player.labs.append(PlacedLab("side_1", "gp_03"))
    draft.project_deck.clear()
    assert msgspec.json.encode(state) == before
    after = draft.state()
    assert after.players[0].known == ("gp_02", "ge_02")
    assert after.players[0].labs[-1] == PlacedLab("side_1", "gp_03")
    assert after.players[1] is state.players[1]
    assert (after.center, after.project_deck) == (("bf_02", "ge_02"), ())


def test_a_player_that_is_asked_for_twice_is_one() -> None:
    draft = Draft(begun(2)[0])
    assert draft.player(1) is draft.player(1)
    assert draft.players()[1] is draft.player(1)


def test_a_draft_can_begin_anew_with_another_state() -> None:
    (first, _), (second, _) = begun(2), begun(3)
    draft = Draft(first)
    draft.player(0).known.append("gp_02")
    draft.take(second)
    assert draft.state() == second
