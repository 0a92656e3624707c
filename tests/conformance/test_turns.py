"""Whose turn it is, and that the game comes to an end that adds up."""

from __future__ import annotations

import pytest

from domain.kernel import game as kernel
from domain.kernel.events import MoveMade
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from tests.conformance.games import Played, Position, games, in_each_place, places
from tests.conformance.law import law
from tests.conformance.titles import viewers


@law(games)
def test_the_game_waits_for_some_seats_in_ascending_order_until_it_has_finished(played: Played) -> None:
    for game in played.games:
        waiting = kernel.to_move(game, played.entry.rules)
        assert list(waiting) == sorted(set(waiting))
        assert set(waiting) <= set(range(played.seats))
        assert bool(waiting) == (game.status is Status.running)
    last = played.games[-1]
    assert played.entry.rules.to_move(last.state) == (), "the state itself waits for somebody after the end"


@law(games)
def test_a_seat_has_legal_moves_exactly_when_the_game_waits_for_it(played: Played) -> None:
    for game in played.games[played.started :]:
        waiting = played.entry.rules.to_move(game.state)
        for seat in range(played.seats):
            legal = played.entry.rules.legal_moves(game.state, seat)
            assert legal.seat == seat
            assert bool(legal) == (seat in waiting)
            assert (legal.count() > 0) == (seat in waiting)
            assert bool(legal.offers) == (seat in waiting)


@law(places)
@in_each_place
def test_a_seat_that_the_game_does_not_wait_for_is_refused_whatever_it_tries(position: Position) -> None:
    played, game = position.played, position.game
    waiting = kernel.to_move(game, played.entry.rules)
    moves = {event.move for event in played.log if isinstance(event, MoveMade)}
    for seat in set(range(played.seats)) - set(waiting):
        for move in moves:
            with pytest.raises(Rejected) as refused:
                kernel.make_move(game, played.entry.rules, seat, move, played.seed)
            assert refused.value.code == "not-your-turn"
            assert refused.value.facts == {"to_move": list(waiting)}


@law(games)
def test_a_state_knows_how_many_play(played: Played) -> None:
    for game in played.games[played.started :]:
        assert played.entry.rules.seats(game.state) == played.seats


@law(games)
def test_points_are_told_for_every_seat_and_at_the_end_to_all_as_in_the_result(played: Played) -> None:
    rules, last = played.entry.rules, played.games[-1]
    assert last.result is not None
    for viewer in viewers(played.seats):
        for game in played.games[played.started :]:
            assert len(rules.points(game.state, viewer)) == played.seats
        assert rules.points(last.state, viewer) == tuple(score.points for score in last.result.scores)


@law(games)
def test_every_game_ends_with_scores_that_are_the_sum_of_their_lines(played: Played) -> None:
    result = played.games[-1].result
    assert result is not None
    assert [score.seat for score in result.scores] == list(range(played.seats))
    for score in result.scores:
        assert score.points == sum(line.points for line in score.lines)


@law(games)
def test_ranks_follow_points_and_the_winners_are_those_of_rank_one(played: Played) -> None:
    result = played.games[-1].result
    assert result is not None
    for score in result.scores:
        # A tie may be broken by something else than points, so equal points allow any order.
        assert score.rank == 1 + sum(other.rank < score.rank for other in result.scores)
        assert all(other.points <= score.points for other in result.scores if other.rank > score.rank)
    assert result.winners == tuple(score.seat for score in result.scores if score.rank == 1)


@law(games)
def test_only_a_finished_game_has_a_result_and_it_takes_no_more_moves(played: Played) -> None:
    rules = played.entry.rules
    for game in played.games[played.started :]:
        result = rules.result(game.state)
        assert (result is None) == (game.status is Status.running)
        assert result == game.result
    for event in played.log:
        if isinstance(event, MoveMade):
            with pytest.raises(Rejected) as refused:
                kernel.make_move(played.games[-1], rules, event.seat, event.move, played.seed)
            assert refused.value.code == "game-over"
