"""Two worlds: a game, and the same game with pieces exchanged that a viewer cannot tell apart.

Theory. Take a viewer and a stretch of the log, from version `since` to version `until`. The pieces that are hidden from
the viewer in every state of that stretch, also in those in the middle of an event, are not shown to it by anything
that happens there. Exchange such pieces of one kind for each other in the state at `since` and in every event after
it. A viewer of this other world must see the same bytes: every view, every legal move, every redacted event, and whose
turn it is. What it saw before `since` does not come into it: a view is a function of the state. That
a state keeps what a viewer was shown is a law of its own (`test_memory.py`).

With `since` None the exchange begins with the first event. A later `since` reaches cards that were open once: those
that were shuffled into a new deck, say. Exchanging cards within a deck is reordering it.

The event of the shuffle itself is reached by letting chance fall otherwise: what was drawn there, and is hidden from
then on, is exchanged from the very fact on that records the draw, the state before it and the facts before it staying
as they are. Of any other fact that would be unsound: who sees an open card go away knows what is hidden then.

The other world need not be one that rules would have led to (the exchanged card may have another cost): `evolve`
consults no rules, so it folds, and a view that differs has leaked. A *further* decision consults rules; it is compared
where it is legal in both worlds and neither reveals an exchanged piece in either nor tells part of a secret
(`Subject.partial`): which of two hidden cards is higher may differ though neither is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel.events import Event, MoveMade, SeatTaken, encode, logged_type
from domain.kernel.game import Game
from domain.kernel.terms import Viewer
from tests.conformance.games import Played, Script, facts_of
from tests.conformance.titles import Entry

_STRING = re.compile(rb'"([^"\\]*)"')


@dataclass(frozen=True)
class Stretch:
    """A part of a log as one viewer sees it: the game at `since` (None: from nothing) and the events to `until`."""

    played: Played
    viewer: Viewer
    since: int | None
    until: int
    kept: int | None = None
    """Where chance falls otherwise: how many facts of the first event come before the one that records the draw."""

    @property
    def game(self) -> Game | None:
        """The game that the stretch begins with."""
        return None if self.since is None else self.played.games[self.since]

    @property
    def events(self) -> Sequence[Event]:
        """The events of the stretch."""
        return self.played.log[0 if self.since is None else self.since + 1 : self.until + 1]

    def hidden(self) -> frozenset[str]:
        """The pieces that are hidden from the viewer throughout."""
        first = self.played.started if self.since is None else self.since + 1
        entry = self.played.entry
        states = [state for at in range(first, self.until + 1) for state in self.played.states_in(at)]
        if self.kept is not None:
            states = states[self.kept + 1 :]
        return hidden_in_all([*states, self.played.games[self.until].state], entry, self.viewer)


def hidden_in_all(states: Iterable[Any], entry: Entry, viewer: Viewer) -> frozenset[str]:
    """The pieces that are hidden from a viewer in each of the states."""
    each = (entry.hidden(state, viewer) for state in states if state is not None)
    return reduce(lambda one, other: one & other, each)


def exchange(hidden: frozenset[str], entry: Entry, picks: Script) -> dict[str, str]:
    """Some of the hidden pieces, each with another of its kind that takes its place; empty if there are too few."""
    kinds = entry.kinds()
    by_kind = [sorted(piece for piece in hidden if kinds[piece] == kind) for kind in sorted(set(kinds.values()))]
    exchanged: dict[str, str] = {}
    for pieces in by_kind:
        if len(pieces) < 2:
            continue
        size = 2 + picks.randrange(len(pieces) - 1)
        chosen = [pieces.pop(picks.randrange(len(pieces))) for _ in range(size)]
        exchanged |= dict(zip(chosen, [*chosen[1:], chosen[0]], strict=True))
    return exchanged


def exchanged_bytes(written: bytes, exchanged: Mapping[str, str]) -> bytes:
    """JSON with the pieces exchanged wherever they stand."""
    names = {old.encode(): new.encode() for old, new in exchanged.items()}
    return _STRING.sub(lambda found: b'"%s"' % names.get(found[1], found[1]), written)


def other_game(stretch: Stretch, exchanged: Mapping[str, str]) -> Game | None:
    """The game that the other world begins with: its state, and those that it can go back to."""
    game, entry = stretch.game, stretch.played.entry
    if game is None or game.state is None or stretch.kept is not None:
        return game

    def other(state: Any) -> Any:
        written = exchanged_bytes(msgspec.json.encode(state), exchanged)
        return msgspec.json.decode(written, type=entry.title.state)

    trail = tuple(msgspec.structs.replace(step, before=other(step.before)) for step in game.trail)
    return msgspec.structs.replace(game, state=other(game.state), trail=trail)


def other_events(stretch: Stretch, exchanged: Mapping[str, str]) -> Iterator[Event]:
    """The events of the other world."""
    decoder = msgspec.json.Decoder(logged_type(stretch.played.entry.title))
    for number, event in enumerate(stretch.events):
        other = decoder.decode(exchanged_bytes(encode(event), exchanged))
        if number == 0 and stretch.kept is not None:
            assert isinstance(event, SeatTaken | MoveMade)
            other = msgspec.structs.replace(event, facts=event.facts[: stretch.kept] + other.facts[stretch.kept :])
        yield other


def sight(game: Game | None, entry: Entry, viewer: Viewer) -> bytes:
    """All that a viewer can get of a game at one version, but for its events, as JSON by what it gets it from."""
    if game is None or game.state is None:
        return b""
    rules = entry.rules
    legal = kernel.legal_moves(game, rules, viewer) if viewer is not None else None
    shown: dict[str, Any] = {
        "view": kernel.view(game, rules, viewer),
        "points": rules.points(game.state, viewer),
        "result": game.result,
        "to_move": kernel.to_move(game, rules),
        "moves": [] if legal is None else [(offer.type, offer.cases) for offer in legal.offers],
    }
    return msgspec.json.encode(shown)


def seen(event: Event, entry: Entry, viewer: Viewer) -> bytes:
    """All that a viewer can get of an event."""
    return encode(kernel.redact(event, entry.rules, viewer))


def reveals(game: Game, event: MoveMade[Any, Any], entry: Entry, viewer: Viewer, pieces: frozenset[str]) -> bool:
    """Whether an event shows the viewer any of the pieces at some point, or tells part of a secret."""
    state = game.state
    for fact in facts_of(event, entry):
        state = entry.rules.evolve(state, fact)
        if is_partial(fact, entry) or not pieces <= entry.hidden(state, viewer):
            return True
    return False


def is_partial(fact: Struct, entry: Entry) -> bool:
    """Whether a fact tells part of a secret without showing a piece, as the title's subject has it."""
    return str(fact.__struct_config__.tag) in entry.subject.partial


def can_be_exchanged(hidden: frozenset[str], kinds: Mapping[str, str]) -> bool:
    """Whether two of the pieces are of one kind."""
    return len({kinds[piece] for piece in hidden}) < len(hidden)


def stretches(played: Played, viewer: Viewer, picks: Script) -> Iterator[Stretch]:
    """Two stretches through which something stays hidden: from nothing, and from somewhere to somewhere.

    In a game of rounds, which shows everything again and again, no more than a round can be one.
    """
    kinds, first, last = played.entry.kinds(), played.started, len(played.log) - 1
    until = _until(played, viewer, kinds)
    if until is not None:
        yield Stretch(played, viewer, None, first + picks.randrange(until - first + 1))
    until = first + picks.randrange(last - first + 1)
    least = _since(played, viewer, kinds, until)
    if least is not None:
        yield Stretch(played, viewer, least + picks.randrange(until - least + 1), until)


def _until(played: Played, viewer: Viewer, kinds: Mapping[str, str]) -> int | None:
    """How far the first pieces that could be exchanged stay hidden from the start on."""
    hidden, until = frozenset(kinds), None
    for at in range(played.started, len(played.log)):
        hidden &= hidden_in_all(played.states_in(at), played.entry, viewer)
        if not can_be_exchanged(hidden, kinds):
            break
        until = at
    return until


def _since(played: Played, viewer: Viewer, kinds: Mapping[str, str], until: int) -> int | None:
    """Since when pieces that could be exchanged have been hidden up to a version."""
    hidden, since = played.entry.hidden(played.games[until].state, viewer), until
    if not can_be_exchanged(hidden, kinds):
        return None
    while since > played.started:
        hidden &= hidden_in_all(played.states_in(since), played.entry, viewer)
        if not can_be_exchanged(hidden, kinds):
            break
        since -= 1
    return since
