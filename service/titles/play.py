"""The command `tablelog play`: a random game of a title, played by the kernel alone and printed in words."""

# ruff: noqa: T201 - a command prints
from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.describe import describe
from domain.kernel.events import Event, GameCreated
from domain.kernel.game import AnyRules, Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.rejected import ComponentError
from domain.kernel.rules import Title
from domain.kernel.seats import Seated
from domain.kernel.terms import Viewer
from service.play.built_in import built_in
from service.titles.random_move import random_move

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
MOST_MOVES = 10_000
"""A game that goes on longer does not end."""
_BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Playthrough:
    """What to play, and who looks."""

    title: str
    seats: int | None = None
    seed: int = 1
    component_set: str | None = None
    language: str = "en"
    viewer: Viewer = None


class CannotPlay(Exception):
    """There is no such game; the message says what there is."""


def main(what: Playthrough, titles: Mapping[str, Title]) -> int:
    """Play a game and print a line for each event; gives the exit code."""
    try:
        for line in lines(what, titles):
            print(line)
    except CannotPlay as error:
        print(f"tablelog: {error}", file=sys.stderr)
        return 2
    return 0


def lines(what: Playthrough, titles: Mapping[str, Title]) -> Iterator[str]:
    """The game in words: a line for each event, as the viewer sees it."""
    title = titles.get(what.title)
    if title is None:
        raise CannotPlay(f"there is no title {what.title}, only {', '.join(titles)}")
    least, most = title.seats
    seats = least if what.seats is None else what.seats
    if not least <= seats <= min(most, len(NAMES)):
        raise CannotPlay(f"{title.id} is for {least} to {most} seats")
    if what.viewer is not None and not 0 <= what.viewer < seats:
        raise CannotPlay(f"the seats are 0 to {seats - 1}")
    names, rules = NAMES[:seats], _rules(title, what.component_set)
    before: Game | None = None
    for version, (event, game) in enumerate(play(title, rules, seats, what.seed), 1):
        seen = kernel.redact(event, rules, what.viewer)
        views = [None if each is None else kernel.view(each, rules, what.viewer) for each in (before, game)]
        text = describe(seen, rules, names, what.language, before=views[0], after=views[1])
        yield f"{version:4}  {text}"
        before = game


def play(title: Title, rules: AnyRules, seats: int, seed: int) -> Iterator[tuple[Event, Game]]:
    """A random game to its end: each event, and the game after it."""
    secret, picks = hashlib.sha256(f"{title.id} {seed}".encode()).digest(), Random(seed)  # noqa: S311 - replayed
    event: Event = GameCreated[Any, Any](
        title=title.id,
        seats=seats,
        options=title.options(),
        component_set=rules.components.id,
        component_hash="",
        visibility="public",
        creator=AccountId(""),
        commitment=proof.commitment("", secret),
        scheme=2,
    )
    game = kernel.evolve(None, rules, event)
    yield event, game
    for seat in range(seats):
        event = seating.take_seat(game, rules, Seated(AccountId(f"account-{seat}"), NAMES[seat]), seat, secret, _BEGUN)
        game = kernel.evolve(game, rules, event)
        yield event, game
    for _ in range(MOST_MOVES):
        if game.status is Status.finished:
            return
        seat = picks.choice(kernel.to_move(game, rules))
        event = kernel.make_move(game, rules, seat, random_move(rules.legal_moves(game.state, seat), picks), secret)
        game = kernel.evolve(game, rules, event)
        yield event, game
    raise CannotPlay(f"the game has not ended after {MOST_MOVES} moves")


def _rules(title: Title, component_set: str | None) -> AnyRules:
    """The rules bound to a built-in set, by default the first."""
    texts = {name.removesuffix(".toml"): text for name, text in built_in(title)}
    chosen = component_set or next(iter(texts))
    if chosen not in texts:
        raise CannotPlay(f"{title.id} has no component set {chosen}, only {', '.join(texts)}")
    try:
        return title.load(texts[chosen])
    except ComponentError as error:
        raise CannotPlay(f"{chosen}.toml: {error}") from error
