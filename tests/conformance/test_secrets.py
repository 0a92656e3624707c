"""Nobody learns what is hidden: neither from a view, nor from legal moves, nor from events, nor from their length."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from domain.kernel import game as kernel
from domain.kernel.game import Game, Status
from tests.conformance import worlds
from tests.conformance.games import Played, Script, choose, facts_of, games, play, scripts
from tests.conformance.law import law
from tests.conformance.titles import ENTRIES, Entry, viewers
from tests.conformance.worlds import Stretch

_WORD = re.compile(r"\w+")


@st.composite
def stretches(draw: DrawFn, entry: Entry) -> Stretch:
    """A part of a game, seen by anyone."""
    played = draw(games(entry))
    viewer = draw(st.sampled_from(viewers(played.seats)))
    until = draw(st.integers(played.started, len(played.log) - 1))
    since = draw(st.none() | st.integers(played.started, until))
    return Stretch(played, viewer, since, until)


@dataclass(frozen=True)
class Fallen:
    """A draw of pieces somewhere in a game, and a stretch from there on."""

    items: frozenset[str]
    stretch: Stretch


@st.composite
def fallen(draw: DrawFn, entry: Entry) -> Fallen:
    """A draw of pieces, and how long anyone looks at what comes of it."""
    played = draw(games(entry))
    drawn = [
        (at, kept, frozenset(map(str, each.items)))
        for at, event in enumerate(played.log)
        for kept, fact in enumerate(facts_of(event, entry))
        for each in entry.rules.draws(fact)
        if entry.kinds().keys() >= set(each.items)
    ]
    at, kept, items = draw(st.sampled_from(drawn))
    viewer = draw(st.sampled_from(viewers(played.seats)))
    until = draw(st.integers(at, min(at + 8, len(played.log) - 1)))
    return Fallen(items, Stretch(played, viewer, at - 1, until, kept))


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


@law(stretches, scripts)
def test_worlds_that_differ_in_hidden_pieces_look_the_same_to_the_byte(stretch: Stretch, picks: Script) -> None:
    exchanged = worlds.exchange(stretch.hidden(), stretch.played.entry, picks)
    assume(exchanged)
    _compare(stretch, exchanged)


@law(fallen, scripts)
def test_worlds_in_which_chance_fell_otherwise_where_nobody_looks_look_the_same(drawn: Fallen, picks: Script) -> None:
    exchanged = worlds.exchange(drawn.stretch.hidden() & drawn.items, drawn.stretch.played.entry, picks)
    assume(exchanged)
    _compare(drawn.stretch, exchanged)


@law(stretches, scripts)
def test_worlds_that_look_the_same_go_on_the_same_until_a_difference_is_revealed(
    stretch: Stretch, picks: Script
) -> None:
    exchanged = worlds.exchange(stretch.hidden(), stretch.played.entry, picks)
    game = stretch.played.games[stretch.until]
    assume(exchanged and game.status is Status.running)
    _decide_in_both(stretch, game, _compare(stretch, exchanged), exchanged, picks)


def test_the_two_worlds_are_compared_often_and_go_on_often() -> None:
    for entry in ENTRIES:
        compared = decided = 0
        for number in range(12):
            picks = Script((number, 7 * number + 1, 31 * number + 2))
            seats = entry.title.seats[0] + number % (entry.title.seats[1] - entry.title.seats[0] + 1)
            options = entry.title.options()
            played = play(entry, seats, options, bytes([number]) * 32, (number, number + 100, 3 * number))
            for viewer in viewers(seats):
                until = played.started + picks.randrange(len(played.log) - played.started - 1)
                since = played.started + picks.randrange(until - played.started + 1)
                for stretch in (Stretch(played, viewer, since, until), Stretch(played, viewer, None, until)):
                    exchanged = worlds.exchange(stretch.hidden(), entry, picks)
                    compared += bool(exchanged)
                    if exchanged:
                        other = _compare(stretch, exchanged)
                        decided += _decide_in_both(stretch, played.games[until], other, exchanged, picks)
        assert compared > 50, entry
        assert decided > 25, entry


def _compare(stretch: Stretch, exchanged: dict[str, str]) -> Game:
    """Assert that the viewer sees the same in both worlds; the game at the end of the other one."""
    played, entry, viewer = stretch.played, stretch.played.entry, stretch.viewer
    other = worlds.other_game(stretch, exchanged)
    first = len(played.log[: stretch.until + 1]) - len(stretch.events)
    assert worlds.sight(other, entry, viewer) == worlds.sight(stretch.game, entry, viewer)
    others = worlds.other_events(stretch, exchanged)
    for at, (event, other_event) in enumerate(zip(stretch.events, others, strict=True), first):
        other = kernel.evolve(other, entry.rules, other_event)
        assert worlds.seen(other_event, entry, viewer) == worlds.seen(event, entry, viewer)
        assert worlds.sight(other, entry, viewer) == worlds.sight(played.games[at], entry, viewer)
    assert other is not None
    assert other.state != played.games[stretch.until].state, "the worlds do not differ"
    return other


def _decide_in_both(stretch: Stretch, game: Game, other: Game, exchanged: dict[str, str], picks: Script) -> bool:
    """Make one more decision in both worlds and compare what the viewer sees of it; whether that could be done."""
    entry, viewer, seed = stretch.played.entry, stretch.viewer, stretch.played.seed
    rules, moved = entry.rules, frozenset(exchanged)
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
