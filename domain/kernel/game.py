"""A game around a title's state: seats, status and version, folded from events; and the decisions that make events.

Everything here is pure. A decision takes the game as folded so far and gives the next event or raises `Rejected`;
`evolve` folds it. The service appends the event in between. What is decided before the start is in `seating.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import UNSET, Struct

from domain.kernel import proof
from domain.kernel.chance import Chance
from domain.kernel.events import (
    Blank,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    Final,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    MoveUndone,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    Seen,
)
from domain.kernel.legal import LegalMoves
from domain.kernel.rejected import Rejected
from domain.kernel.results import Result
from domain.kernel.rules import AnyRules
from domain.kernel.seats import Seats, Start, seats_after
from domain.kernel.terms import Seat, Version, Viewer

_FRAME = frozenset({GameStarted, GameEnded})
"""The facts that are the game's own and not the title's."""


class Status(Enum):
    """Where a game stands."""

    waiting = "waiting"
    starting = "starting"
    """Every seat is taken, and entropy that was committed to is still to be revealed."""
    running = "running"
    finished = "finished"


Barrier: TypeAlias = Final | Literal["seat"]
"""What a move that is to be taken back cannot go behind."""

_BARRIERS: Mapping[Barrier, str] = {
    "chance": "the last move made a random draw",
    "hidden": "the last move revealed hidden information",
    "seat": "the last move was made by another player",
}
"""What stands in the way of an undo while a game runs; after its end that is all that is told."""


class Step(Struct, frozen=True):
    """A move that can still be taken back: its version, its seat, and the state before it."""

    version: Version
    seat: Seat
    before: Any


_Move: TypeAlias = tuple[Version, Seat, int]
"""A move of a fold that can still be taken back: its version, its seat, and how many facts come before its own."""


class Game(Struct, frozen=True):
    """A game at one version. `state` is the title's own, None before the start.

    `trail` are the moves that can be taken back, the last one last, all by one seat; `barrier` is what stands before
    them: why the move there is final, another seat's move, or None for the start of the game.
    """

    created: GameCreated[Any, Any]
    seats: Seats
    version: Version
    status: Status = Status.waiting
    state: Any = None
    result: Result | None = None
    trail: tuple[Step, ...] = ()
    barrier: Barrier | None = None
    started: Version | None = None
    """The version of the event that started it."""
    drawn: int = 0
    """How many moves are final because they drew."""
    start: Start = Start()
    """What the start has come to."""

    def seat_of(self, account: str | None) -> Seat | None:
        """The seat of an account, or None."""
        if account is None:
            return None
        return next((seat for seat, who in enumerate(self.seats) if who and who.account == account), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those seated, empty for a free seat."""
        return tuple(who.name if who else "" for who in self.seats)


def evolve(game: Game | None, rules: AnyRules, event: Event) -> Game:
    """The game after one more event, the first one making it from None."""
    if game is not None:
        return fold(game, rules, (event,))
    if not isinstance(event, GameCreated):
        message = f"the first event of a game is game_created, not {event}"
        raise TypeError(message)
    return Game(created=event, seats=(None,) * event.seats, version=1)


def fold(game: Game, rules: AnyRules, events: Iterable[Event]) -> Game:
    """The game after more events: total over every event that was ever written."""
    # Whole games are folded here by the thousand, so the parts are carried along and put together once at the end, and
    # states are made only where a move can still be taken back: the facts before that are folded in one go.
    version, seats, status, state, result = game.version, game.seats, game.status, game.state, game.result
    barrier, started, trail, drawn = game.barrier, game.started, list(game.trail), game.drawn
    start = game.start
    mover = trail[-1].seat if trail else None
    facts: list[Any] = []
    moves: list[_Move] = []
    for version, event in enumerate(events, game.version + 1):
        if isinstance(event, MoveMade):  # before the match, which takes half as long again: most events are moves
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
                ended = facts.pop()
                if not isinstance(ended, GameEnded):
                    raise TypeError(f"version {version}: a game ends with game.ended, not {ended}")
                status, result = Status.finished, ended.result
            continue
        match event:
            case MoveUndone():
                if moves:
                    del facts[moves.pop()[2] :]
                else:  # then nothing came since that step, or it could not be taken back
                    state = trail.pop().before
                mover = mover if moves or trail else None
            case SeatTaken() | SeatLeft() | EntropyCommitted() | EntropyRevealed() | SeatFreed():
                seats, start = seats_after(seats, start, event)
                status = Status.waiting if start.reveal_by is None else Status.starting
                facts += event.facts if isinstance(event, SeatTaken | EntropyRevealed) else ()
                if facts and isinstance(facts[-1], GameStarted):
                    facts.pop()
                    status, started = Status.running, version
                    state = game.created.position if state is None and not facts else state
            case GameCreated():
                raise TypeError(f"version {version}: a game is created once")
            case _:
                assert_never(event)
    state, steps = _folded(rules, state, facts, moves)
    return Game(
        created=game.created,
        seats=seats,
        version=version,
        status=status,
        state=state,
        result=result,
        trail=(*trail, *steps),
        barrier=barrier,
        started=started,
        drawn=drawn,
        start=start,
    )


def _folded(rules: AnyRules, state: Any, facts: Sequence[Any], moves: Sequence[_Move]) -> tuple[Any, list[Step]]:
    """The state after facts, and the steps of the moves among them that can be taken back."""
    steps: list[Step] = []
    settled = moves[0][2] if moves else len(facts)
    state = rules.fold(state, facts[:settled]) if settled else state
    for (version, seat, start), (_, _, end) in pairwise([*moves, (0, 0, len(facts))]):
        steps.append(Step(version=version, seat=seat, before=state))
        state = rules.fold(state, facts[start:end]) if start < end else state
    return state, steps


def demand_position(rules: AnyRules, state: Any, seats: int) -> None:
    """Pass if a game of so many seats can begin at a position; else `impossible-position` with what is wrong.

    `field` is a path from what has the position as its member of that name: an opening, or the request for one.
    """
    try:
        rules.check(state)
    except Rejected as error:
        raise Rejected(
            error.code, error.detail, **{**error.facts, "field": f"position.{error.facts['field']}"}
        ) from error
    if rules.seats(state) != seats:
        detail = f"the position is one of {rules.seats(state)} seats"
        raise Rejected("impossible-position", detail, field="position", seats=rules.seats(state))
    if not rules.to_move(state):
        raise Rejected("impossible-position", "the game of this position is over", field="position")


def make_move(game: Game, rules: AnyRules, seat: Seat, move: Struct, seed: bytes) -> MoveMade[Any, Any]:
    """What a seat's move brings about; `illegal-move` or `not-your-turn` when it may not be made.

    Raises `DrawError` where the rules draw something that their facts do not record.
    """
    demand_running(game)
    legal = rules.legal_moves(game.state, seat)
    if not legal:
        raise Rejected("not-your-turn", "it is not your turn", to_move=list(to_move(game, rules)))
    legal.demand(move)
    chance = chance_of(game, game.seats, seed)
    facts = rules.decide(game.state, seat, move, chance)
    chance.require_recorded(draw for fact in facts for draw in rules.draws(fact))
    result = rules.result(rules.fold(game.state, facts))
    if result is not None:
        facts = (*facts, GameEnded(result=result, seed=seed.hex()))
    final = None
    if result is not None:
        final = "end"
    elif chance.used:
        final = "chance"
    elif any(rules.reveals(game.state, fact) for fact in facts):
        final = "hidden"
    # Not MoveMade[Any, Any](...), here and below: that goes through `typing`, and takes fifty times as long.
    return MoveMade(seat=seat, move=move, facts=facts, final=final)


def undo_move(game: Game, seat: Seat) -> MoveUndone:
    """Take back a seat's own last move; refused with what stands in the way of it."""
    demand_running(game)
    if game.trail and game.trail[-1].seat == seat:
        return MoveUndone(seat=seat, undone=game.trail[-1].version)
    barrier = "seat" if game.trail else game.barrier
    if barrier is None:
        raise Rejected("undo-nothing", "there is no move to undo")
    raise Rejected(f"undo-{barrier}", _BARRIERS[barrier])


def demand_seat(game: Game, account: str) -> Seat:
    """The seat of an account; `not-seated` if it has none."""
    seat = game.seat_of(account)
    if seat is None:
        raise Rejected("not-seated", "you do not have a seat in this game")
    return seat


def demand_running(game: Game) -> None:
    """Pass if moves can be made: `game-not-started` before the start, `game-over` after the end."""
    if game.status is Status.waiting:
        raise Rejected("game-not-started", "the game starts when every seat is taken")
    if game.status is Status.starting:
        raise Rejected("game-not-started", "the game starts when every committed seat has revealed its entropy")
    if game.status is Status.finished:
        raise Rejected("game-over", "the game has ended")


def to_move(game: Game, rules: AnyRules) -> tuple[Seat, ...]:
    """The seats that the game waits for; none before the start and after the end."""
    return rules.to_move(game.state) if game.status is Status.running else ()


def legal_moves(game: Game, rules: AnyRules, seat: Seat) -> LegalMoves:
    """What a seat may do now; nothing before the start and after the end."""
    return rules.legal_moves(game.state, seat) if game.status is Status.running else LegalMoves(seat=seat)


def view(game: Game, rules: AnyRules, viewer: Viewer) -> Struct | None:
    """The title's view, None before the start."""
    return None if game.state is None else rules.view(game.state, viewer)


def redact(event: Event, rules: AnyRules, viewer: Viewer) -> Seen:
    """An event as a viewer may see it."""
    match event:
        case SeatLeft() | EntropyCommitted() | SeatFreed() | MoveUndone():
            return event
        case GameCreated():
            return msgspec.structs.replace(event, position=None)
        case SeatTaken() | EntropyRevealed():
            return msgspec.structs.replace(event, facts=_redacted(event.facts, rules, viewer))
        case MoveMade():
            move = rules.redact_move(event.move, event.seat, viewer)
            facts = _redacted(event.facts, rules, viewer)
            if move is None and not facts:
                return Blank()
            return MoveMade(seat=event.seat, move=move, facts=facts, final=event.final)
        case _:
            assert_never(event)


def _redacted(facts: Iterable[Any], rules: AnyRules, viewer: Viewer) -> tuple[Any, ...]:
    seen = (fact if type(fact) in _FRAME else rules.redact_fact(fact, viewer) for fact in facts)
    return tuple(fact for fact in seen if fact is not None)


def scheme_of(game: Game) -> proof.Scheme:
    """The proof scheme of a game, which is that of its first event."""
    return 1 if game.created.scheme is UNSET else game.created.scheme


def chance_of(game: Game, seats: Seats, seed: bytes) -> Chance:
    """The chance of the next event, whose draws derive from the entropies of these seats."""
    return Chance(draw_key(seats, seed, scheme_of(game)), draw_ordinal(game))


def draw_ordinal(game: Game) -> int:
    """The ordinal of the next event's draws (`proof.py`)."""
    if scheme_of(game) == 1:
        return game.version + 1
    return 0 if game.started is None else 1 + game.drawn


@lru_cache(maxsize=1_000)
def draw_key(seats: Seats, seed: bytes, scheme: proof.Scheme) -> bytes:
    """The key of a game's draws: the same for all of its moves."""
    return proof.draw_key(seed, (who.entropy if who else "" for who in seats), scheme)
