"""Nobody learns what is hidden: neither from a view, nor from legal moves, nor from events, nor from their length."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import MoveMade
from domain.kernel.game import Game, Status
from domain.kernel.rules import Title
from domain.kernel.terms import Viewer
from tests.conformance import report, worlds
from tests.conformance.games import Played, Script, choose, facts_of, games, play, scripts
from tests.conformance.law import law
from tests.conformance.titles import ALL_TITLES, BY_TITLE, ENTRIES, Entry, name_of, subject_of, viewers
from tests.conformance.worlds import Stretch

MOST_MOVES = 12
"""Moves of one game that are made in another world as well."""
_WORD = re.compile(r"\w+")


@law(games)
def test_a_hidden_piece_is_named_nowhere_in_what_a_viewer_gets(played: Played) -> None:
    entry = played.entry
    for viewer in viewers(played.seats):
        for at in range(played.started, len(played.log)):
            state = played.games[at].state
            for part, shown in report.as_json(msgspec.Raw(worlds.sight(played.games[at], entry, viewer))).items():
                _require_unnamed(_words(shown) & entry.hidden(state, viewer), viewer, f"its {part}", at, played)
            # An event may name what it showed on the way: a card that was paid and then shuffled away.
            hidden = worlds.hidden_in_all(played.states_in(at), entry, viewer)
            shown = report.as_json(msgspec.Raw(worlds.seen(played.log[at], entry, viewer)))
            _require_unnamed(_words(shown) & hidden, viewer, "the event", at, played)


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


@law(games, scripts)
def test_a_move_that_shows_no_piece_tells_nobody_anything(played: Played, picks: Script) -> None:
    """Unless the subject says that it tells part of a secret, which makes the move final."""
    moves = [(at, event) for at, event in enumerate(played.log) if isinstance(event, MoveMade)]
    for _ in range(min(MOST_MOVES, len(moves))):
        at, event = moves.pop(picks.randrange(len(moves)))
        for viewer in viewers(played.seats):
            stretch = Stretch(played, viewer, at - 1, at - 1)
            exchanged = worlds.exchange(stretch.hidden(), played.entry, picks)
            other = worlds.other_game(stretch, exchanged)
            if exchanged and other is not None:
                _decide_in_both(stretch, other, exchanged, picks, event)


@pytest.mark.parametrize("entry", ENTRIES, ids=repr)
def test_worlds_are_compared_often_if_the_title_hides_anything(entry: Entry) -> None:
    hides = draws = compared = drawn = decided = 0
    for number in range(12):
        picks = Script((number, 7 * number + 1, 31 * number + 2))
        seats = entry.title.seats[number % 2]
        played = play(entry, seats, entry.title.options(), bytes([number]) * 32, (number, number + 100, 3 * number))
        kinds = entry.kinds()
        hides += any(worlds.can_be_exchanged(entry.hidden(game.state, None), kinds) for game in played.games)
        for stretch in _stretches(played, picks):
            exchanged = worlds.exchange(stretch.hidden(), entry, picks)
            if exchanged:
                other = _compare(stretch, exchanged)
                compared += 1
                decided += _decide_in_both(stretch, other, exchanged, picks)
        found = [worlds.can_be_exchanged(each.hidden() & items, kinds) for items, each in _draws(played, picks)]
        draws, drawn = draws + len(found), drawn + sum(found)
    assert compared >= 3 * hides, "the title hides pieces, and hardly any could be exchanged"
    assert 4 * decided >= hides, "hardly any decision could be made in two worlds"
    assert drawn or not draws or not hides, "pieces are drawn, and none of them is hidden"


@pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
def test_each_fact_that_is_said_to_tell_part_of_a_secret_does_so(title: Title) -> None:
    partial, telling = subject_of(title).partial, set[str]()
    for number, entry in product(range(60), BY_TITLE[title.id]):
        if telling >= partial:
            break
        picks, seats = Script((number, 5 * number + 3)), title.seats[number % 2]
        played = play(entry, seats, entry.title.options(), bytes([number]) * 32, (number, number + 7))
        for at, event in enumerate(played.log):
            if isinstance(event, MoveMade) and any(worlds.is_partial(fact, entry) for fact in facts_of(event, entry)):
                telling |= _partial_in(played, at, event, picks)
    assert telling >= partial, f"{sorted(partial - telling)} came out the same in every other world that was tried"


def _partial_in(played: Played, at: int, event: MoveMade[Any, Any], picks: Script) -> set[str]:
    """The tags of partial facts of an event that are others to some viewer in a world that it took for the same."""
    entry, found = played.entry, set[str]()
    for viewer in viewers(played.seats):
        stretch = Stretch(played, viewer, at - 1, at - 1)
        exchanged = worlds.exchange(stretch.hidden(), entry, picks)
        other = worlds.other_game(stretch, exchanged)
        move = _exchanged_move(event.move, entry, exchanged)
        if other is None or move not in kernel.legal_moves(other, entry.rules, event.seat):
            continue
        others = kernel.make_move(other, entry.rules, event.seat, move, played.seed)
        for each in entry.subject.partial:
            here, there = _of_tag(event, entry, viewer, each), _of_tag(others, entry, viewer, each)
            found |= {each} if here != there else set()
    return found


def _of_tag(event: MoveMade[Any, Any], entry: Entry, viewer: Viewer, tag: str) -> list[bytes]:
    facts = [fact for fact in facts_of(event, entry) if str(fact.__struct_config__.tag) == tag]
    return [msgspec.json.encode(entry.rules.redact_fact(fact, viewer)) for fact in facts]


def _stretches(played: Played, picks: Script) -> Iterator[Stretch]:
    for viewer in viewers(played.seats):
        yield from worlds.stretches(played, viewer, picks)


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
    pair = _Pair(stretch, exchanged)
    pair.same(worlds.sight(stretch.game, entry, viewer), worlds.sight(other, entry, viewer), first - 1, "what it gets")
    others = worlds.other_events(stretch, exchanged)
    differ = other != stretch.game
    for at, (event, other_event) in enumerate(zip(stretch.events, others, strict=True), first):
        other = kernel.evolve(other, entry.rules, other_event)
        differ = differ or other_event != event or other.state != played.games[at].state
        pair.same(worlds.seen(event, entry, viewer), worlds.seen(other_event, entry, viewer), at, "the event")
        here, there = worlds.sight(played.games[at], entry, viewer), worlds.sight(other, entry, viewer)
        pair.same(here, there, at, "what it gets")
    assert other is not None
    # From somewhere on the way they may not: two cards of one hand change places, and nobody plays either.
    assert differ or stretch.since is not None, "the worlds do not differ"
    return other


def _decide_in_both(
    stretch: Stretch, other: Game, exchanged: dict[str, str], picks: Script, made: MoveMade[Any, Any] | None = None
) -> bool:
    """Make one more decision, by default a random one, in both worlds; whether that could be done and compared."""
    entry, viewer, seed = stretch.played.entry, stretch.viewer, stretch.played.seed
    game, rules, moved = stretch.played.games[stretch.until], entry.rules, frozenset(exchanged)
    if game.status is not Status.running:
        return False
    seat, move = choose(game, entry, picks) if made is None else (made.seat, made.move)
    other_move = _exchanged_move(move, entry, exchanged)
    if seat == viewer:
        assert other_move == move, "the viewer is offered what is hidden from it"
    elif other_move not in kernel.legal_moves(other, rules, seat):
        return False
    event = kernel.make_move(game, rules, seat, move, seed) if made is None else made
    other_event = kernel.make_move(other, rules, seat, other_move, seed)
    if worlds.reveals(game, event, entry, viewer, moved):
        return False
    # A move that can be taken back must come out the same everywhere: that it showed nothing would tell something.
    if event.final is not None and worlds.reveals(other, other_event, entry, viewer, moved):
        return False
    pair, at = _Pair(stretch, exchanged), stretch.until
    what = f"the event of seat {seat}'s move {report.brief(move)}"
    pair.same(worlds.seen(event, entry, viewer), worlds.seen(other_event, entry, viewer), at, what)
    after, other_after = kernel.evolve(game, rules, event), kernel.evolve(other, rules, other_event)
    here, there = worlds.sight(after, entry, viewer), worlds.sight(other_after, entry, viewer)
    pair.same(here, there, at, f"what it gets after seat {seat}'s move {report.brief(move)}")
    return True


@dataclass(frozen=True)
class _Pair:
    """Two worlds that a viewer may not be able to tell apart."""

    stretch: Stretch
    exchanged: Mapping[str, str]

    def same(self, here: bytes, there: bytes, at: int, what: str) -> None:
        """Assert that the viewer gets the same in both, at the event of an index or as the game is then."""
        if here == there:
            return
        state = self.stretch.played.games[at].state
        pairs = ", ".join(f"{old} ({report.place(state, old)}) for {new}" for old, new in self.exchanged.items())
        raise AssertionError(
            f"{name_of(self.stretch.viewer)} can tell at version {at + 1} that hidden pieces were exchanged\n"
            f"exchanged: {pairs}\nit shows in {what}, at {report.difference(here, there)}\n"
            f"the state: {report.brief(state)}"
        )


def _exchanged_move(move: msgspec.Struct, entry: Entry, exchanged: dict[str, str]) -> Any:
    written = worlds.exchanged_bytes(msgspec.json.encode(move), exchanged)
    return msgspec.json.decode(written, type=entry.title.move)


def _words(shown: Any) -> set[str]:
    return set(_WORD.findall(json.dumps(shown, ensure_ascii=False)))


def _require_unnamed(leaked: Collection[str], viewer: Viewer, part: str, at: int, played: Played) -> None:
    """Fail if anything leaked: with what, to whom, at which version, and where it lies in the state."""
    if not leaked:
        return
    state = played.games[at].state
    pieces = [f"{name_of(viewer)} is shown {each}, which {report.place(state, each)}" for each in sorted(leaked)]
    event = f"it stands in {part} at version {at + 1}, {report.brief(played.log[at])}"
    raise AssertionError("\n".join([*pieces, event, f"the state: {report.brief(state)}"]))
