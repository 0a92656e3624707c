"""Any position can begin a game of its own, and nobody is shown more of it than its view."""

from __future__ import annotations

import msgspec

from domain.kernel import game as kernel
from domain.kernel import seating
from domain.kernel.events import Event, Fork, GameCreated, GameStarted, encode, logged_type
from domain.kernel.game import Status
from domain.kernel.ids import AccountId, GameId
from domain.kernel.seats import Seated
from tests.conformance.games import NAMES, Position, Script, choose, in_each_place, places, scripts
from tests.conformance.law import law
from tests.conformance.titles import viewers
from tests.harness.recording import BEGUN


@law(places, scripts)
@in_each_place
def test_a_game_forked_from_any_position_goes_on_from_there_to_its_end(position: Position, picks: Script) -> None:
    played, entry, rules = position.played, position.played.entry, position.played.entry.rules
    kernel.require_position(rules, position.game.state, played.seats)
    decoder = msgspec.json.Decoder[Event](logged_type(entry.title))
    fork = Fork(game=GameId("game"), version=position.game.version)
    created = msgspec.structs.replace(
        position.game.created, sandbox=True, position=position.game.state, forked_from=fork
    )
    game = kernel.evolve(None, rules, decoder.decode(encode(created)))
    started: tuple[object, ...] = ()
    for seat in range(played.seats):
        taken = seating.take_seat(game, rules, Seated(AccountId(NAMES[seat]), NAMES[seat]), seat, played.seed, BEGUN)
        game = kernel.evolve(game, rules, decoder.decode(encode(taken)))
        started += taken.facts
    assert started == (GameStarted(),)
    assert game.state == position.game.state
    for seat in range(played.seats):
        assert kernel.legal_moves(game, rules, seat) == kernel.legal_moves(position.game, rules, seat)
    for _ in range(entry.subject.most_decisions):
        if game.status is not Status.running:
            break
        mover, move = choose(game, entry, picks)
        made = kernel.make_move(game, rules, mover, move, played.seed)
        game = kernel.evolve(game, rules, decoder.decode(encode(made)))
    assert game.result is not None


@law(places)
@in_each_place
def test_the_position_that_a_game_begins_at_is_told_to_nobody(position: Position) -> None:
    played, rules = position.played, position.played.entry.rules
    created = msgspec.structs.replace(position.game.created, sandbox=True, position=position.game.state)
    plain = msgspec.structs.replace(created, position=None)
    for viewer in viewers(played.seats):
        seen = kernel.redact(created, rules, viewer)
        assert isinstance(seen, GameCreated)
        assert encode(seen) == encode(plain)
