"""Undo: an event that takes back a seat's own last move, unless that crossed chance, hidden things or another seat."""

from __future__ import annotations

import random

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.chance import Chance
from domain.kernel.events import Event, MoveMade, MoveUndone, encode, logged_type
from domain.kernel.game import Game, Status
from domain.kernel.rejected import Rejected
from tests import toy
from tests.domain.kernel.test_game import ADA, BO, RULES, SEED, running
from tests.harness.play import random_move

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(logged_type(toy.TITLE))


def moved(game: Game, seat: int, picks: random.Random | None = None) -> Game:
    move = random_move(kernel.legal_moves(game, RULES, seat), picks or random.Random(1))
    return kernel.evolve(game, RULES, kernel.make_move(game, RULES, seat, move, SEED))


def undone(game: Game, seat: int) -> Game:
    return kernel.evolve(game, RULES, kernel.undo_move(game, seat))


def refused(game: Game, seat: int) -> str:
    with pytest.raises(Rejected) as refusal:
        kernel.undo_move(game, seat)
    return refusal.value.code


def test_a_move_that_told_nobody_anything_is_taken_back_and_the_state_is_what_it_was() -> None:
    before = running()
    after = undone(moved(before, 0), 0)
    assert after.state == before.state
    assert after.version == before.version + 2
    assert kernel.to_move(after, RULES) == kernel.to_move(before, RULES)
    assert refused(after, 0) == "undo-nothing"


def test_the_move_after_an_undo_draws_as_its_own_version_has_it() -> None:
    again = moved(undone(moved(running(), 0), 0), 0)
    assert again.trail[-1].version == again.version
    assert undone(again, 0).state == running().state


def test_nobody_takes_back_another_seats_move() -> None:
    game = moved(moved(running(), 0), 1) if 1 in kernel.to_move(moved(running(), 0), RULES) else running()
    laid = moved(running(), 0)
    assert refused(laid, 1) == "undo-seat"
    assert refused(game, 0) in {"undo-seat", "undo-hidden", "undo-chance"}


def test_there_is_nothing_to_take_back_before_the_first_move() -> None:
    assert refused(running(), 0) == "undo-nothing"


def test_a_move_that_turned_up_what_was_hidden_stays() -> None:
    game = moved(moved(running(), 0), 1)  # with the second card laid both are turned up
    assert game.barrier in {"hidden", "chance"}
    assert refused(game, 1) == f"undo-{game.barrier}"
    assert refused(game, 0) == f"undo-{game.barrier}"


def test_a_move_that_drew_by_chance_is_final_and_says_so() -> None:
    finals = set[str | None]()
    for number in range(20):
        picks, game = random.Random(number), running(rounds=4)
        while game.status is Status.running:
            seat = kernel.to_move(game, RULES)[0]
            move = random_move(kernel.legal_moves(game, RULES, seat), picks)
            event = kernel.make_move(game, RULES, seat, move, SEED)
            chance = Chance(kernel.draw_key(game.seats, SEED, 1), game.version + 1)
            RULES.decide(game.state, seat, move, chance)
            assert chance.used == (event.final == "chance") or event.final == "end"
            finals.add(event.final)
            game = kernel.evolve(game, RULES, event)
        assert refused(game, 0) == "game-over"
    assert finals == {None, "chance", "hidden", "end"}


def test_play_with_undo_folds_from_its_log_to_the_same_game_at_every_version() -> None:
    undos = 0
    for seed in range(40):
        picks, game = random.Random(seed), running()
        replayed = game
        while game.status is Status.running:
            event: Event
            if game.trail and picks.random() < 0.3:
                event, undos = kernel.undo_move(game, game.trail[-1].seat), undos + 1
            else:
                waiting = kernel.to_move(game, RULES)
                seat = waiting[picks.randrange(len(waiting))]
                move = random_move(kernel.legal_moves(game, RULES, seat), picks)
                event = kernel.make_move(game, RULES, seat, move, SEED)
            game = kernel.evolve(game, RULES, event)
            replayed = kernel.evolve(replayed, RULES, DECODER.decode(encode(event)))
            assert msgspec.json.encode(replayed) == msgspec.json.encode(game)
            RULES.check(game.state)
    assert undos > 10


def test_an_undo_is_seen_by_all_as_it_is() -> None:
    event = MoveUndone(seat=0, undone=4)
    assert kernel.redact(event, RULES, None) == event


def test_why_a_move_is_final_is_told_with_it() -> None:
    game = moved(running(), 0)
    move = random_move(kernel.legal_moves(game, RULES, 1), random.Random(1))
    event = kernel.make_move(game, RULES, 1, move, SEED)
    seen = kernel.redact(event, RULES, None)
    assert isinstance(seen, MoveMade)
    assert seen.final == event.final is not None
    assert (ADA.name, BO.name) == game.names
