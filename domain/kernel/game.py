"""A game around a title's state: seats, status and version, folded from events; and the decisions that make events.

Everything here is pure. A decision takes the game as folded so far and gives the next event or raises `Rejected`;
`evolve` folds it. The service appends the event in between. What is decided before the start is in `seating.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Any, assert_never

import msgspec
from msgspec import UNSET, Struct

from domain.kernel import proof
from domain.kernel.chance import Chance
from domain.kernel.events import (
    Blank,
    EntropyCommitted,
    EntropyRevealed,
    Event,
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
from domain.kernel.ids import AccountId
from domain.kernel.legal import LegalMoves
from domain.kernel.rejected import Rejected
from domain.kernel.results import Result
from domain.kernel.rules import AnyRules
from domain.kernel.seats import Seats, Start, seats_after
from domain.kernel.terms import Seat, Version, Viewer
from domain.kernel.undo import Barrier, Moves, UndoStep, fold_moves, last_undoable, why_final

_FRAME = frozenset({GameStarted, GameEnded})
"""The facts that are the game's own and not the title's."""


class Status(Enum):
    """Where a game stands."""

    waiting = "waiting"
    starting = "starting"
    """Every seat is taken, and entropy that was committed to is still to be revealed."""
    running = "running"
    finished = "finished"


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
    trail: tuple[UndoStep, ...] = ()
    barrier: Barrier | None = None
    started: Version | None = None
    """The version of the event that started it."""
    drawn: int = 0
    """How many moves are final because they drew."""
    start: Start = Start()
    """What the start has come to."""

    def seat_of(self, account: AccountId | None) -> Seat | None:
        """The seat of an account, or None."""
        if account is None:
            return None
        for seat, who in enumerate(self.seats):  # each request asks several times: a generator takes twice as long
            if who is not None and who.account == account:
                return seat
        return None

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
    # Whole games are folded here by the thousand: each event is looked at once, first those about seats up to the
    # start, then the moves, and the facts of both are folded together.
    numbered = enumerate(events, game.version + 1)
    facts: list[Any] = []
    if game.started is None:
        game = _fold_seats(game, facts, numbered)
        if game.started is None:
            return game
    return _after(game, fold_moves(rules.fold, game, facts, numbered))


def _after(game: Game, moves: Moves) -> Game:
    return Game(
        created=game.created,
        seats=game.seats,
        version=moves.version,
        status=game.status if moves.ended is None else Status.finished,
        state=moves.state,
        result=game.result if moves.ended is None else moves.ended.result,
        trail=moves.trail,
        barrier=moves.barrier,
        started=game.started,
        drawn=moves.drawn,
        start=game.start,
    )


def _fold_seats(game: Game, facts: list[Any], events: Iterable[tuple[Version, Event]]) -> Game:
    """The game after the events up to its start, or all of them; the facts of the start are left to be folded."""
    version, seats, start = game.version, game.seats, game.start
    for version, event in events:
        match event:
            case SeatTaken() | SeatLeft() | EntropyCommitted() | EntropyRevealed() | SeatFreed():
                seats, start = seats_after(seats, start, event)
                begun = event.facts if isinstance(event, SeatTaken | EntropyRevealed) else ()
                if begun:
                    if not isinstance(begun[-1], GameStarted):
                        raise TypeError(f"version {version}: a game starts with game.started, not {begun[-1]}")
                    facts += begun[:-1]
                    return msgspec.structs.replace(
                        game,
                        seats=seats,
                        version=version,
                        status=Status.running,
                        state=None if facts else game.created.position,
                        started=version,
                        start=start,
                    )
            case GameCreated():
                raise TypeError(f"version {version}: a game is created once")
            case MoveMade() | MoveUndone():
                raise TypeError(f"version {version}: a game has no moves before its start")
            case _:
                assert_never(event)
    status = Status.waiting if start.reveal_by is None else Status.starting
    return msgspec.structs.replace(game, seats=seats, version=version, status=status, start=start)


def require_position(rules: AnyRules, state: Any, seats: int) -> None:
    """Raises `impossible-position`, saying what is wrong, unless a game of `seats` seats can begin at a position.

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
    """The event of a seat's move; raises as `play_move`."""
    return play_move(game, rules, seat, move, seed)[0]


def play_move(game: Game, rules: AnyRules, seat: Seat, move: Struct, seed: bytes) -> tuple[MoveMade[Any, Any], Game]:
    """The event of a seat's move and the game after it, whose facts are folded once.

    Raises `illegal-move` or `not-your-turn` when it may not be made, and `DrawError` where the rules draw something
    that their facts do not record.
    """
    require_running(game)
    legal = rules.legal_moves(game.state, seat)
    if not legal:
        raise Rejected("not-your-turn", "it is not your turn", to_move=list(to_move(game, rules)))
    legal.require(move)
    chance = chance_of(game, game.seats, seed)
    facts = rules.decide(game.state, seat, move, chance)
    chance.require_recorded([draw for fact in facts for draw in rules.draws(fact)])
    after = rules.fold(game.state, facts)
    result = rules.result(after)
    final = why_final(rules, game.state, facts, ends=result is not None, draws=chance.used)
    if result is not None:
        facts = (*facts, GameEnded(result=result, seed=seed.hex()))
    # Not MoveMade[Any, Any](...), here and below: that goes through `typing`, and takes fifty times as long.
    event = MoveMade(seat=seat, move=move, facts=facts, final=final)
    return event, _after(game, fold_moves(lambda _before, _facts: after, game, [], ((game.version + 1, event),)))


def undo_move(game: Game, seat: Seat) -> MoveUndone:
    """Take back a seat's own last move; refused with what stands in the way of it."""
    require_running(game)
    return MoveUndone(seat=seat, undone=last_undoable(game.trail, game.barrier, seat))


def require_seat(game: Game, account: AccountId) -> Seat:
    """The seat of an account; `not-seated` if it has none."""
    seat = game.seat_of(account)
    if seat is None:
        raise Rejected("not-seated", "you do not have a seat in this game")
    return seat


def require_running(game: Game) -> None:
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
    seen = [fact if type(fact) in _FRAME else rules.redact_fact(fact, viewer) for fact in facts]
    return tuple([fact for fact in seen if fact is not None])


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
