"""A move can be taken back as long as nobody has learned anything from it, and then all is as it was before."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from domain.kernel import game as kernel
from domain.kernel.events import MoveMade, MoveUndone
from domain.kernel.game import Game, Status
from domain.kernel.rejected import Rejected
from tests.conformance import report, worlds
from tests.conformance.games import Played, facts_of, games
from tests.conformance.law import law
from tests.conformance.report import place
from tests.conformance.titles import name_of, viewers
from tests.conformance.worlds import sight


@law(games)
def test_a_move_is_final_exactly_if_it_ended_the_game_or_drew_or_showed_someone_what_was_hidden(
    played: Played,
) -> None:
    for at, event in enumerate(played.log):
        if isinstance(event, MoveMade):
            due, why = _why_final(played, at)
            if event.final != due:
                raise AssertionError(
                    f"version {at + 1} is final for {event.final} and must be for {due}: {why}\n"
                    f"the event: {report.brief(event)}\nthe state before: {report.brief(played.games[at - 1].state)}"
                )


@law(games)
def test_after_an_undo_everyone_sees_what_was_there_before_the_move(played: Played) -> None:
    for at, event in enumerate(played.log):
        if isinstance(event, MoveUndone):
            # Version n is at index n - 1, and what was before the undone move one further down.
            before, after = played.games[event.undone - 2], played.games[at]
            assert (after.state, after.status, after.result) == (before.state, before.status, before.result)
            assert after.version == at + 1
            for viewer in viewers(played.seats):
                assert sight(after, played.entry, viewer) == sight(before, played.entry, viewer)


@law(games)
def test_only_the_last_move_can_be_taken_back_and_only_by_its_own_seat(played: Played) -> None:
    for game in played.games[played.started :]:
        own = game.trail[-1].seat if game.trail else None
        for seat in range(played.seats):
            if game.status is Status.running and seat == own:
                undone = kernel.undo_move(game, seat)
                assert undone == MoveUndone(seat=seat, undone=game.trail[-1].version)
                assert kernel.evolve(game, played.entry.rules, undone).trail == game.trail[:-1]
            else:
                with pytest.raises(Rejected) as refused:
                    kernel.undo_move(game, seat)
                assert refused.value.code in _refusals(game)


def _refusals(game: Game) -> set[str]:
    """The codes with which an undo may be refused: none of them says anything hidden."""
    if game.status is Status.finished:
        return {"game-over"}
    return {"undo-seat"} if game.trail else {"undo-nothing", "undo-chance", "undo-hidden", "undo-seat"}


def _why_final(played: Played, at: int) -> tuple[str | None, str]:
    """Why the move of an event is final, and what shows it."""
    entry, states = played.entry, list(played.states_in(at))
    if played.games[at].status is Status.finished:
        return "end", "the game ended"
    drawing = [fact for fact in facts_of(played.log[at], entry) if entry.rules.draws(fact)]
    if drawing:
        return "chance", f"{report.brief(drawing[0])} records a draw"
    for fact in facts_of(played.log[at], entry):
        if worlds.is_partial(fact, entry):
            return "hidden", f"{report.brief(fact)} tells part of a secret"
    for viewer, (before, after) in product(viewers(played.seats), pairwise(states)):
        shown = sorted(entry.hidden(before, viewer) - entry.hidden(after, viewer))
        if shown:
            return "hidden", f"{name_of(viewer)} learned where {', '.join(shown)} is, which {place(before, shown[0])}"
    return None, "nothing was drawn, and nobody learned anything"
