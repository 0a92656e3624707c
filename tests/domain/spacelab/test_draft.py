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
    player.known.append("ge_02")
    player.labs.append(PlacedLab("side_1", "gp_03"))
    draft.center += ("rr_02",)
    draft.labs_gone += 2
    assert msgspec.json.encode(state) == before
    after = draft.state()
    assert after.players[0].known == ("gp_02", "ge_02")
    assert after.players[0].labs[-1] == PlacedLab("side_1", "gp_03")
    assert after.players[1] is state.players[1]
    assert (after.center, after.lab_deck) == (("bf_02", "rr_02"), state.lab_deck[2:])


def test_a_player_that_is_asked_for_twice_is_one() -> None:
    draft = Draft(begun(2)[0])
    assert draft.player(1) is draft.player(1)
    assert draft.players()[1] is draft.player(1)
