"""Nothing is lost and nothing is doubled, and a position from outside that lost something is refused."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from domain.kernel import game as kernel
from domain.kernel.game import Game, Status
from domain.kernel.rejected import Rejected
from tests.conformance.games import Played, Position, Script, choose, games, in_each_place, places, scripts
from tests.conformance.law import law
from tests.conformance.mutation import bent_state
from tests.conformance.titles import Entry, viewers


@law(games)
def test_every_position_of_a_game_passes_the_check(played: Played) -> None:
    for game in played.games[played.started :]:
        played.entry.rules.check(game.state)


@law(games)
def test_every_piece_is_in_one_place_in_every_position(played: Played) -> None:
    subject = played.entry.subject
    first = sorted(subject.pieces(played.games[played.started].state))
    assert len(first) == len(set(first))
    for game in played.games[played.started + 1 :]:
        assert sorted(subject.pieces(game.state)) == first


@law(places, scripts)
@in_each_place
def test_a_bent_position_is_refused_or_has_all_pieces_and_can_be_played_to_the_end(
    position: Position, picks: Script
) -> None:
    entry, game = position.played.entry, position.game
    for _ in range(6):
        state = _from_outside(bent_state(game.state, picks), entry)
        if state is None or state == game.state:
            continue
        assert sorted(entry.subject.pieces(state)) == sorted(entry.subject.pieces(game.state))
        _play_on(msgspec.structs.replace(game, state=state), entry, picks)


def _from_outside(written: bytes, entry: Entry) -> Any:
    """The state in a JSON text, or None where it is refused as it must be."""
    try:
        state = msgspec.json.decode(written, type=entry.title.state)
    except msgspec.DecodeError:
        return None
    try:
        entry.rules.check(state)
    except Rejected as refusal:
        refused = refusal
    else:
        return state
    if refused.code != "impossible-position":
        raise refused
    assert holds(state, str(refused.facts["field"])), refused
    return None


def holds(value: Any, path: str) -> bool:
    """Whether a value has what a path of members and places in lists, as in `players[0].labs`, leads to."""
    for name in re.findall(r"[^.\[\]]+", path):
        if name.isdecimal():
            if not (isinstance(value, tuple) and int(name) < len(value)):  # pyright: ignore[reportUnknownArgumentType]
                return False
            value = value[int(name)]  # pyright: ignore[reportUnknownVariableType]
        elif isinstance(value, msgspec.Struct) and name in value.__struct_fields__:
            value = getattr(value, name)
        else:
            return False
    return path != ""


def _play_on(game: Game, entry: Entry, picks: Script) -> None:
    rules = entry.rules
    for _ in range(entry.subject.most_decisions):
        for viewer in viewers(len(game.seats)):
            assert kernel.view(game, rules, viewer) is not None
        if rules.result(game.state) is not None or game.status is Status.finished:
            return
        seat, move = choose(game, entry, picks)
        game = kernel.evolve(game, rules, kernel.make_move(game, rules, seat, move, bytes(32)))
    raise AssertionError("the position does not come to an end")
