"""What is stored is enough: events rebuild a game at every version, and a state survives being written down."""

from __future__ import annotations

import msgspec

from domain.kernel import game as kernel
from domain.kernel.events import GameEnded, GameStarted, encode, logged_type
from tests.conformance.games import Played, Position, again, games, in_each_place, places
from tests.conformance.law import law


@law(games)
def test_folding_the_stored_events_gives_the_same_game_at_every_version(played: Played) -> None:
    decoder = msgspec.json.Decoder(logged_type(played.entry.title))
    game = None
    for event, expected in zip(played.log, played.games, strict=True):
        game = kernel.evolve(game, played.entry.rules, decoder.decode(encode(event)))
        assert game == expected
        assert msgspec.json.encode(game.state) == msgspec.json.encode(expected.state)


@law(games)
def test_the_bytes_of_an_event_are_the_only_way_to_write_it(played: Played) -> None:
    decoder = msgspec.json.Decoder(logged_type(played.entry.title))
    for event in played.log:
        stored = encode(event)
        again = decoder.decode(stored)
        assert again == event
        assert encode(again) == stored


@law(places)
@in_each_place
def test_a_state_read_from_json_in_mid_effect_goes_on_as_if_it_had_never_been_written(position: Position) -> None:
    played, rules = position.played, position.played.entry.rules
    written = msgspec.json.encode(position.game.state)
    state = msgspec.json.decode(written, type=played.entry.title.state)
    assert state == position.game.state
    assert msgspec.json.encode(state) == written
    game = msgspec.structs.replace(position.game, state=state)
    for event in played.log[position.at + 1 :]:
        assert again(game, played, event) == event
        game = kernel.evolve(game, rules, event)
    assert game == played.games[-1]


@law(places)
@in_each_place
def test_events_fold_in_stretches_as_they_do_one_by_one(position: Position) -> None:
    played, rules, next_at = position.played, position.played.entry.rules, position.at + 1
    assert kernel.fold(played.games[0], rules, played.log[1:next_at]) == position.game
    assert kernel.fold(position.game, rules, played.log[next_at:]) == played.games[-1]


@law(games)
def test_facts_fold_in_one_go_as_they_evolve_a_state_one_by_one(played: Played) -> None:
    rules = played.entry.rules
    for event, before in zip(played.log[1:], played.games, strict=False):
        facts = [fact for fact in getattr(event, "facts", ()) if not isinstance(fact, GameStarted | GameEnded)]
        state = before.state
        for count, fact in enumerate(facts):
            state = rules.evolve(state, fact)
            assert rules.fold(before.state, facts[: count + 1]) == state


@law(games)
def test_evolve_asks_neither_rules_nor_components(played: Played) -> None:
    # Rules that hold nothing at all: whatever evolve looked up in them would be missing.
    rules_type = type(played.entry.rules)
    empty = rules_type.__new__(rules_type)
    assert kernel.fold(played.games[0], empty, played.log[1:]) == played.games[-1]
