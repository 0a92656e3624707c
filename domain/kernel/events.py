"""The events of a game: one per command, with the facts that it brought about.

What is logged and what a viewer sees have the same form; seen events hold redacted moves and facts, and an event of
which a viewer may see nothing is a `Blank`.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.kernel.documented import NULL, schema, schema_or_null
from domain.kernel.ids import AccountId, GameId
from domain.kernel.instants import Instant
from domain.kernel.results import Result
from domain.kernel.rules import Title
from domain.kernel.terms import Seat, Version

Move = TypeVar("Move")
Fact = TypeVar("Fact")
Options = TypeVar("Options")
Position = TypeVar("Position")

Final: TypeAlias = Literal["chance", "hidden", "end"]
"""Why a move can never be taken back."""


class GameStarted(Struct, frozen=True, gc=False, tag="game.started"):
    """Every seat is taken; the facts before it set the game up."""


class GameEnded(Struct, frozen=True, gc=False, tag="game.ended"):
    """The game is over: its result, and the seed (64 hex digits) by which anyone can check its draws."""

    result: Result
    seed: str


class Fork(Struct, frozen=True, gc=False):
    """The game and version that a sandbox was forked from."""

    game: GameId
    version: Version


class Delay(Struct, frozen=True, gc=False):
    """How far the public lags behind the moves of a running game: by a number of versions and a number of seconds."""

    versions: int = 0
    seconds: int = 0


class GameCreated(Struct, Generic[Options, Position], frozen=True, gc=False, omit_defaults=True, tag="game_created"):
    """A table was opened. `commitment` pins the secret seed; `component_hash` pins the component set's text.

    A sandbox counts in no history; it may begin at a given `position`, which nobody is shown.
    """

    title: str
    seats: int
    options: Annotated[Options, schema("Options")]
    component_set: str
    component_hash: str
    visibility: str
    creator: AccountId
    commitment: str
    sandbox: bool = False
    position: Annotated[Position | None, NULL] = None
    forked_from: Fork | None = None
    spectator_delay: Delay | None = None
    scheme: Literal[2] | UnsetType = UNSET
    """The proof scheme (`kernel/proof.py`); 1 where it is left out, as in every game from before there was another."""
    reveal_seconds: int | UnsetType = UNSET
    """How long committed seats have to reveal their entropy once every seat is taken."""


class SeatTaken(Struct, Generic[Fact], frozen=True, gc=False, tag="seat_taken"):
    """An account sat down. The one that takes the last seat starts the game: then there are facts.

    If any seat has committed to an entropy, the game is `starting` instead, and `reveal_by` is the deadline.
    """

    seat: Seat
    account: AccountId
    name: str
    entropy: str = ""
    facts: tuple[Annotated[Fact | GameStarted, schema("SeenFact")], ...] = ()
    entropy_commitment: str | UnsetType = UNSET
    reveal_by: Instant | UnsetType = UNSET


class EntropyCommitted(Struct, frozen=True, gc=False, tag="entropy_committed"):
    """A seated account committed to an entropy before the start.

    With `reveal_by` it was the last commitment that a full table was waiting for: the game is `starting`.
    """

    seat: Seat
    account: AccountId
    entropy_commitment: str
    reveal_by: Instant | UnsetType = UNSET


class EntropyRevealed(Struct, Generic[Fact], frozen=True, gc=False, tag="entropy_revealed"):
    """A seat revealed the entropy that it had committed to. The last reveal starts the game: then there are facts."""

    seat: Seat
    account: AccountId
    entropy: str
    facts: tuple[Annotated[Fact | GameStarted, schema("SeenFact")], ...] = ()


class SeatFreed(Struct, frozen=True, gc=False, tag="seat_freed"):
    """Somebody at the table freed the seat of an account that had not revealed its entropy in time.

    The game is waiting again, every commitment and reveal is void, and the account may not come back.
    """

    seat: Seat
    account: AccountId


class SeatLeft(Struct, frozen=True, gc=False, tag="seat_left"):
    """An account got up before the start."""

    seat: Seat
    account: AccountId


class MoveMade(Struct, Generic[Move, Fact], frozen=True, gc=False, omit_defaults=True, tag="move_made"):
    """A seat moved, with everything that this brought about. A viewer who may not see the move has None there.

    `final` says why it can never be taken back: it drew by `chance`, laid open what was `hidden`, or was the `end`.
    """

    seat: Seat
    move: Annotated[Move, schema_or_null("Seen")]
    facts: tuple[Annotated[Fact | GameEnded, schema("SeenFact")], ...]
    final: Final | None = None


class MoveUndone(Struct, frozen=True, gc=False, tag="move_undone"):
    """A seat took back its last move, the one of version `undone`: the state is what it was before that."""

    seat: Seat
    undone: Version


class Blank(Struct, frozen=True, gc=False, tag="blank"):
    """An event that is hidden from the viewer, except that it happened."""


Event: TypeAlias = (
    GameCreated[Any, Any]
    | SeatTaken[Any]
    | SeatLeft
    | EntropyCommitted
    | EntropyRevealed[Any]
    | SeatFreed
    | MoveMade[Any, Any]
    | MoveUndone
)
Seen: TypeAlias = Event | Blank


def logged_type(title: Title) -> Any:
    """The union of a title's events as they are logged, for a strict decoder."""
    return _logged(title, title.move)


def folded_type(title: Title) -> Any:
    """The same union as far as a fold needs it: a move is its JSON, for facts alone say what has come about."""
    return _logged(title, msgspec.Raw)


def _logged(title: Title, move: Any) -> Any:
    created = GameCreated[title.options, title.state]
    seating = SeatTaken[title.fact] | SeatLeft | EntropyCommitted | EntropyRevealed[title.fact] | SeatFreed
    return created | seating | MoveMade[move, title.fact] | MoveUndone


def seen_type(title: Title) -> Any:
    """The union of a title's events as any viewer may see them."""
    seating = SeatTaken[title.seen] | SeatLeft | EntropyCommitted | EntropyRevealed[title.seen] | SeatFreed
    return GameCreated[title.options, None] | seating | MoveMade[title.seen | None, title.seen] | MoveUndone | Blank


def event_type(event: Seen) -> str:
    """The tag of an event."""
    return str(event.__struct_config__.tag)


def encode(event: Seen) -> bytes:
    """An event as JSON: the very bytes that are stored and hashed."""
    return msgspec.json.encode(event)


def ends_game(event: Event) -> bool:
    return isinstance(event, MoveMade) and bool(event.facts) and isinstance(event.facts[-1], GameEnded)
