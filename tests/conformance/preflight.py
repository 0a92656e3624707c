"""The first thing to be true of a title: random games can be played to their end, and shown as they go."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.describe import LANGUAGES, describe
from domain.kernel.events import logged_type, seen_type
from tests.conformance.games import Play, Played, players
from tests.conformance.report import brief
from tests.conformance.titles import BY_TITLE, UNUSABLE, Entry, name_of, viewers

GAMES = 3


def fault_in(entry: Entry) -> str | None:
    """What keeps games of an entry from being played and shown."""
    if entry.rules.components.id != entry.set:
        return f'{entry.set}.toml says id = "{entry.rules.components.id}": a set is named by its file'
    least, most = entry.title.seats
    for seats in sorted({least, most}):
        for number in range(GAMES):
            game = Play(entry, seats, entry.title.options(), bytes([number]) * 32, (number, 5 * number + 1, 11))
            try:
                _show(game.to_the_end(), entry)
            except Exception as error:  # noqa: BLE001 - whatever a title under construction raises
                return _report(game, error)
    return None


def _show(played: Played, entry: Entry) -> None:
    """Do with each event and state what the service does with it."""
    logged, seen = msgspec.json.Decoder(logged_type(entry.title)), msgspec.json.Decoder(seen_type(entry.title))
    states, views = msgspec.json.Decoder(entry.title.state), msgspec.json.Decoder(entry.title.view)
    for at, (event, game) in enumerate(zip(played.log, played.games, strict=True)):
        at_version = f"version {at + 1}, {brief(event)}"
        _same(logged, event, f"{at_version}: the event")
        if game.state is not None:
            _same(states, game.state, f"{at_version}: the state")
            entry.rules.check(game.state)
            assert entry.rules.result(game.state) == game.result
        for viewer in viewers(played.seats):
            before = kernel.view(played.games[at - 1], entry.rules, viewer) if at else None
            after = kernel.view(game, entry.rules, viewer)
            if after is not None:
                _same(views, after, f"{at_version}: the view")
                assert len(entry.rules.points(game.state, viewer)) == played.seats, f"{at_version}: points by seat"
            redacted = kernel.redact(event, entry.rules, viewer)
            _same(seen, redacted, f"{at_version}: the redacted event")
            for language in LANGUAGES:
                line = describe(redacted, entry.rules, players(played.seats), language, before=before, after=after)
                assert line, f"{at_version}: there is no {language} line about it for {name_of(viewer)}"


def _same(decoder: msgspec.json.Decoder[Any], value: Struct, what: str) -> None:
    """The value comes back from its JSON by the type that the title declares for it."""
    try:
        back = decoder.decode(msgspec.json.encode(value))
    except msgspec.DecodeError as error:
        raise AssertionError(f"{what} is not of the type that the title declares: {error}") from error
    if back != value:
        raise AssertionError(f"{what} is another value when it is read from its JSON: {brief(back)}")


def _report(game: Play, error: Exception) -> str:
    """The failure with the last move and the state it met."""
    lines = [f"{type(error).__name__}: {error}", f"in a game of {game.seats} seats with {len(game.log)} events"]
    if game.attempt is not None:
        seat, move = game.attempt
        lines.append(f"when seat {seat} made the move {brief(move)}")
    if game.games and game.games[-1].state is not None:
        lines.append(f"in the state {brief(game.games[-1].state)}")
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is not None:
        lines.append(f"raised at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}")
    return "\n".join(lines)


@cache
def fault_of(title: str) -> str | None:
    """Why the laws of a title cannot be tried yet, or None; found once in a process."""
    if title in UNUSABLE:
        return f"{type(UNUSABLE[title]).__name__}: {UNUSABLE[title]}"
    if not BY_TITLE[title]:
        return "it has no component set"
    return next(filter(None, map(fault_in, BY_TITLE[title])), None)
