"""Undo: which moves can be taken back, and the fold of moves and undos.

A seat takes back its own last move, and then the one before that, for as long as the moves are its own. A move is final
if it ended the game, drew by chance, or revealed hidden information: it is never taken back, and nothing before it is.
Neither is anything before another seat's move. An undo is an event like any other: the move stays in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from domain.kernel.events import Event, Final, GameEnded, MoveMade, MoveUndone
from domain.kernel.rejected import Rejected
from domain.kernel.rules import AnyRules
from domain.kernel.terms import Seat, Version

Barrier: TypeAlias = Final | Literal["seat"]
"""What no undo goes behind: why the move there is final, or another seat's move."""

_BARRIERS: Mapping[Barrier, str] = {
    "chance": "the last move made a random draw",
    "hidden": "the last move revealed hidden information",
    "seat": "the last move was made by another player",
}
"""What stands in the way of an undo while a game runs."""


class UndoStep(Struct, frozen=True):
    """A move that can still be taken back: its version, its seat, and the state before it."""

    version: Version
    seat: Seat
    before: Any


class Moves(Struct, frozen=True):
    """What the moves of a game come to, as `Game` has it."""

    version: Version
    state: Any
    trail: tuple[UndoStep, ...]
    barrier: Barrier | None
    drawn: int
    ended: GameEnded | None


class _Before(Protocol):
    """What the fold of moves goes on from: a game that has started."""

    @property
    def version(self) -> Version: ...
    @property
    def state(self) -> Any: ...
    @property
    def trail(self) -> tuple[UndoStep, ...]: ...
    @property
    def barrier(self) -> Barrier | None: ...
    @property
    def drawn(self) -> int: ...


_Fold: TypeAlias = Callable[[Any, Sequence[Any]], Any]
"""The state after facts, from the state before them."""

_Open: TypeAlias = tuple[Version, Seat, int]
"""A move that can be taken back while events are folded: its version, its seat, and how many facts precede its own."""


def why_final(rules: AnyRules, state: Any, facts: Sequence[Any], *, ends: bool, draws: bool) -> Final | None:
    """Why a move can never be taken back; `state` is the one before its facts."""
    if ends:
        return "end"
    if draws:
        return "chance"
    return "hidden" if any(rules.reveals(state, fact) for fact in facts) else None


def last_undoable(trail: Sequence[UndoStep], barrier: Barrier | None, seat: Seat) -> Version:
    """The version of the move that a seat takes back next; refused with what stands in the way."""
    if trail and trail[-1].seat == seat:
        return trail[-1].version
    barrier = "seat" if trail else barrier
    if barrier is None:
        raise Rejected("undo-nothing", "there is no move to undo")
    raise Rejected(f"undo-{barrier}", _BARRIERS[barrier])


def fold_moves(fold: _Fold, before: _Before, facts: list[Any], events: Iterable[tuple[Version, Event]]) -> Moves:
    """What more moves and undos come to; `events` have their versions, `facts` precede them and are not yet folded.

    `fold` is the rules' own, or knows its result already.
    """
    # Whole games are folded here by the thousand: states are made only where a move can still be taken back, and all
    # facts before that are folded in one go.
    version, state, barrier, drawn = before.version, before.state, before.barrier, before.drawn
    trail = list(before.trail)
    moves: list[_Open] = []
    ended: GameEnded | None = None
    mover = trail[-1].seat if trail else None
    for version, event in events:
        if isinstance(event, MoveMade):
            final = event.final
            if mover is not None and (final is not None or event.seat != mover):
                moves.clear()
                trail.clear()
                barrier = "seat"
            if final is None:
                mover = event.seat
                moves.append((version, mover, len(facts)))
                facts += event.facts
                continue
            barrier, mover = final, None
            facts += event.facts
            drawn += final == "chance"
            if final == "end":
                last = facts.pop()
                if not isinstance(last, GameEnded):
                    raise TypeError(f"version {version}: a game ends with game.ended, not {last}")
                ended = last
        elif isinstance(event, MoveUndone):
            if moves:
                del facts[moves.pop()[2] :]
            else:  # then nothing came since that step, or it could not be taken back
                state = trail.pop().before
            mover = mover if moves or trail else None
        else:
            raise TypeError(f"version {version}: {event.__struct_config__.tag} has no place in a game that has started")
    state, steps = _folded(fold, state, facts, moves)
    return Moves(version, state, (*trail, *steps), barrier, drawn, ended)


def _folded(fold: _Fold, state: Any, facts: Sequence[Any], moves: Sequence[_Open]) -> tuple[Any, list[UndoStep]]:
    """The state after facts, and the steps of the moves among them that can be taken back."""
    steps: list[UndoStep] = []
    settled = moves[0][2] if moves else len(facts)
    state = fold(state, facts[:settled]) if settled else state
    for (version, seat, start), (_, _, end) in pairwise([*moves, (0, 0, len(facts))]):
        steps.append(UndoStep(version=version, seat=seat, before=state))
        state = fold(state, facts[start:end]) if start < end else state
    return state, steps
