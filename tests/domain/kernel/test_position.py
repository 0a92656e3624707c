"""Sandboxes: a game that begins at a given position, which is the title's own state as JSON."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel import seating
from domain.kernel.events import Delay, Event, Fork, GameCreated, GameStarted, encode, logged_type
from domain.kernel.game import Game, Status
from domain.kernel.ids import GameId
from domain.kernel.rejected import Rejected
from tests import toy
from tests.domain.kernel.test_game import ADA, BO, RULES, SEED, created, running
from tests.domain.kernel.test_undo import moved
from tests.harness.recording import BEGUN

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(logged_type(toy.TITLE))


def begun(position: Any) -> Game:
    event = msgspec.structs.replace(created(2), position=position, sandbox=True)
    game = kernel.evolve(None, RULES, DECODER.decode(encode(event)))
    for who in (ADA, BO):
        game = kernel.evolve(game, RULES, seating.take_seat(game, RULES, who, None, SEED, BEGUN))
    return game


def test_a_sandbox_begins_at_its_position_when_the_last_seat_is_taken() -> None:
    there = moved(running(), 0)
    game = begun(there.state)
    assert game.status is Status.running
    assert game.state == there.state
    assert kernel.to_move(game, RULES) == kernel.to_move(there, RULES)
    assert moved(game, 1).version == game.version + 1


def test_the_last_seat_of_a_sandbox_draws_nothing() -> None:
    event = msgspec.structs.replace(created(2), position=running().state, sandbox=True)
    game = kernel.evolve(None, RULES, event)
    game = kernel.evolve(game, RULES, seating.take_seat(game, RULES, ADA, None, SEED, BEGUN))
    assert seating.take_seat(game, RULES, BO, None, SEED, BEGUN).facts == (GameStarted(),)


def test_nobody_is_shown_the_position_that_a_sandbox_begins_at() -> None:
    event = msgspec.structs.replace(
        created(2), position=running().state, sandbox=True, forked_from=Fork(GameId("g"), 7)
    )
    for viewer in (None, 0, 1):
        seen = kernel.redact(event, RULES, viewer)
        assert isinstance(seen, GameCreated)
        assert seen.position is None
        assert (seen.sandbox, seen.forked_from) == (True, Fork(GameId("g"), 7))


def test_an_ordinary_game_is_written_without_what_only_sandboxes_and_delays_have() -> None:
    written = encode(created(2))
    assert not any(word in written for word in (b"sandbox", b"position", b"fork", b"delay"))
    assert b'"spectator_delay":{"versions":3' in encode(msgspec.structs.replace(created(2), spectator_delay=Delay(3)))


def test_a_position_that_no_game_can_begin_at_is_refused_with_what_is_wrong() -> None:
    state = running().state
    kernel.require_position(RULES, state, 2)
    for wrong, seats in ((state, 3), (msgspec.structs.replace(state, deck=state.deck[1:]), 2)):
        with pytest.raises(Rejected, match="impossible-position"):
            kernel.require_position(RULES, wrong, seats)
    over = msgspec.structs.replace(state, agenda=(), finished=True)
    with pytest.raises(Rejected, match="impossible-position"):
        kernel.require_position(RULES, over, 2)
