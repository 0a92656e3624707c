"""Nobody learns what is hidden: neither from a view, nor from legal moves, nor from events, nor from their length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.game import Game, Status
from tests.conformance import worlds
from tests.conformance.games import Played, Script, choose, facts_of, games, play, scripts
from tests.conformance.law import law
from tests.conformance.titles import ENTRIES, Entry, viewers
from tests.conformance.worlds import Stretch

_WORD = re.compile(r"\w+")


@law(games)
def test_a_hidden_piece_is_named_nowhere_in_what_a_viewer_gets(played: Played) -> None:
    entry = played.entry
    for viewer in viewers(played.seats):
        for at in range(played.started, len(played.log)):
            game = played.games[at]
            assert not _words(worlds.sight(game, entry, viewer)) & entry.hidden(game.state, viewer)
            # An event may name what it showed on the way: a card that was paid and then shuffled away.
            hidden = worlds.hidden_in_all(played.states_in(at), entry, viewer)
            assert not _words(worlds.seen(played.log[at], entry, viewer)) & hidden


@law(games, scripts)
def test_worlds_that_differ_in_hidden_pieces_look_the_same_to_the_byte(played: Played, picks: Script) -> None:
    for stretch in _stretches(played, picks):
        exchanged = worlds.exchange(stretch.hidden(), played.entry, picks)
        if exchanged:
            _compare(stretch, exchanged)


@law(games, scripts)
def test_worlds_in_which_chance_fell_otherwise_where_nobody_looks_look_the_same(played: Played, picks: Script) -> None:
    for items, stretch in _draws(played, picks):
        exchanged = worlds.exchange(stretch.hidden() & items, played.entry, picks)
        if exchanged:
            _compare(stretch, exchanged)


@law(games, scripts)
def test_worlds_that_look_the_same_go_on_the_same_until_a_difference_is_revealed(played: Played, picks: Script) -> None:
    for stretch in _stretches(played, picks):
        exchanged = worlds.exchange(stretch.hidden(), played.entry, picks)
        if exchanged:
            _decide_in_both(stretch, _compare(stretch, exchanged), exchanged, picks)


@pytest.mark.parametrize("entry", ENTRIES, ids=repr)
def test_the_two_worlds_are_compared_often_and_go_on_often(entry: Entry) -> None:
    compared = drawn = decided = 0
    for number in range(12):
        picks = Script((number, 7 * number + 1, 31 * number + 2))
        seats = entry.title.seats[number % 2]
        played = play(entry, seats, entry.title.options(), bytes([number]) * 32, (number, number + 100, 3 * number))
        for stretch in _stretches(played, picks):
            exchanged = worlds.exchange(stretch.hidden(), entry, picks)
            if exchanged:
                other = _compare(stretch, exchanged)
                compared += 1
                decided += _decide_in_both(stretch, other, exchanged, picks)
        drawn += sum(len(stretch.hidden() & items) > 1 for items, stretch in _draws(played, picks))
    assert compared > 50
    assert drawn > 50
    assert decided > 25


def _stretches(played: Played, picks: Script) -> Iterator[Stretch]:
    """For everyone who may look: the game from nothing to somewhere, and from somewhere to there."""
    for viewer in viewers(played.seats):
        until = played.started + picks.randrange(len(played.log) - played.started)
        since = played.started + picks.randrange(until - played.started + 1)
        yield Stretch(played, viewer, None, until)
        yield Stretch(played, viewer, since, until)


def _draws(played: Played, picks: Script) -> Iterator[tuple[frozenset[str], Stretch]]:
    """For everyone who may look: every draw of pieces, and the game from it to somewhere."""
    pieces = played.entry.kinds().keys()
    for at, event in enumerate(played.log):
        for kept, fact in enumerate(facts_of(event, played.entry)):
            for draw in played.entry.rules.draws(fact):
                if pieces >= set(draw.items):
                    for viewer in viewers(played.seats):
                        until = at + picks.randrange(min(6, len(played.log) - at))
                        yield frozenset(map(str, draw.items)), Stretch(played, viewer, at - 1, until, kept)


def _compare(stretch: Stretch, exchanged: dict[str, str]) -> Game:
    """Assert that the viewer sees the same in both worlds; the game at the end of the other one."""
    played, entry, viewer = stretch.played, stretch.played.entry, stretch.viewer
    other = worlds.other_game(stretch, exchanged)
    first = len(played.log[: stretch.until + 1]) - len(stretch.events)
    assert worlds.sight(other, entry, viewer) == worlds.sight(stretch.game, entry, viewer)
    others = worlds.other_events(stretch, exchanged)
    differ = other != stretch.game
    for at, (event, other_event) in enumerate(zip(stretch.events, others, strict=True), first):
        other = kernel.evolve(other, entry.rules, other_event)
        differ = differ or other_event != event or other.state != played.games[at].state
        assert worlds.seen(other_event, entry, viewer) == worlds.seen(event, entry, viewer)
        assert worlds.sight(other, entry, viewer) == worlds.sight(played.games[at], entry, viewer)
    assert other is not None
    # From somewhere on the way they may not: two cards of one hand change places, and nobody plays either.
    assert differ or stretch.since is not None, "the worlds do not differ"
    return other


def _decide_in_both(stretch: Stretch, other: Game, exchanged: dict[str, str], picks: Script) -> bool:
    """Make one more decision in both worlds and compare what the viewer sees of it; whether that could be done."""
    entry, viewer, seed = stretch.played.entry, stretch.viewer, stretch.played.seed
    game, rules, moved = stretch.played.games[stretch.until], entry.rules, frozenset(exchanged)
    if game.status is not Status.running:
        return False
    seat, move = choose(game, entry, picks)
    other_move = _exchanged_move(move, entry, exchanged)
    if seat == viewer:
        assert other_move == move, "the viewer is offered what is hidden from it"
    elif other_move not in kernel.legal_moves(other, rules, seat):
        return False
    event = kernel.make_move(game, rules, seat, move, seed)
    other_event = kernel.make_move(other, rules, seat, other_move, seed)
    if worlds.reveals(game, event, entry, viewer, moved) or worlds.reveals(other, other_event, entry, viewer, moved):
        return False
    assert worlds.seen(other_event, entry, viewer) == worlds.seen(event, entry, viewer)
    after = kernel.evolve(game, rules, event)
    other_after = kernel.evolve(other, rules, other_event)
    assert worlds.sight(other_after, entry, viewer) == worlds.sight(after, entry, viewer)
    return True


def _exchanged_move(move: msgspec.Struct, entry: Entry, exchanged: dict[str, str]) -> Any:
    written = worlds.exchanged_bytes(msgspec.json.encode(move), exchanged)
    return msgspec.json.decode(written, type=entry.title.move)


def _words(written: bytes) -> set[str]:
    return set(_WORD.findall(written.decode()))
