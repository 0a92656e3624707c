"""How a game begins."""

from __future__ import annotations

from domain.spacelab.effects import Action
from domain.spacelab.facts import (
    GameSetUp,
)
from domain.spacelab.moves import (
    AssignObjectives,
)
from domain.spacelab.state import Objective
from tests.domain.spacelab.table import (
    RULES,
    answer,
    begun,
    offered,
)


class TestS1ObjectivesAreAssignedClockwiseFromTheStartPlayerEachInOneMove:
    def test_every_seat_is_dealt_three_tiles_that_all_see_and_the_start_player_is_asked_first(self) -> None:
        state, facts = begun(3)
        set_up = facts[0]
        assert isinstance(set_up, GameSetUp)
        assert [len(player.dealt) for player in state.players] == [3, 3, 3]
        assert state.active == set_up.start
        seen = RULES.view(state, None)
        assert tuple(player.dealt for player in seen.players) == set_up.dealt

    def test_the_others_follow_clockwise_and_see_what_was_chosen_before(self) -> None:
        state, _ = begun(3)
        order: list[int] = []
        for _ in range(3):
            order.append(state.active)
            tiles = state.players[state.active].dealt[::-1]
            state, _ = answer(state, AssignObjectives(tiles))
            open_to_all = RULES.view(state, None).players[order[-1]].objectives
            assert [objective.tile for objective in open_to_all] == list(tiles)
        start = order[0]
        assert order == [start, (start + 1) % 3, (start + 2) % 3]
        assert (state.active, state.agenda) == (start, (Action(),))

    def test_one_move_puts_all_tiles_on_the_capsules_left_to_right_in_any_order(self) -> None:
        state, _ = begun(2)
        moves = list(offered(state))
        assert len(set(moves)) == 6
        dealt = state.players[state.active].dealt
        after, _ = answer(state, AssignObjectives((dealt[2], dealt[0], dealt[1])))
        assert after.players[state.active].objectives == (
            Objective("left", dealt[2]),
            Objective("center", dealt[0]),
            Objective("right", dealt[1]),
        )


class TestS2AllBoostsArePiledWithAnyNumberOfPlayers:
    def test_the_piles_are_whole_with_two_three_and_four(self) -> None:
        for seats in (2, 3, 4):
            state, _ = begun(seats)
            piles = {pile.capsule: pile.boosts for pile in state.piles}
            assert piles["left"] == ("left_8", "left_6", "left_4", "left_2")
            assert list(piles) == ["left", "center", "right"]
