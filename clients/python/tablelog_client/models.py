"""What the service tells, as values. Fields that a later version of the contract adds are passed over.

Views, moves and the data of events are a title's own: they come as plain JSON values.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

Status: TypeAlias = Literal["waiting", "starting", "running", "finished"]


class Account(Struct, frozen=True):
    """An account; its token is shown once, when it is made."""

    id: str
    name: str
    created_at: datetime
    token: str | None = None


class SeatCounts(Struct, frozen=True):
    """How many can play."""

    least: int
    most: int


class Title(Struct, frozen=True):
    """A kind of game. `options` is the JSON Schema of a new game's options; the first component set is the default."""

    id: str
    names: dict[str, str]
    seats: SeatCounts
    rules_version: str
    options: dict[str, Any]
    component_sets: tuple[str, ...]


class Piece(Struct, frozen=True):
    """A piece of a component set: names and what it does by language, figures as they stand on it."""

    id: str
    kind: str
    names: dict[str, str]
    text: dict[str, str]
    figures: dict[str, Any]


class ComponentSet(Struct, frozen=True):
    """The pieces of a title."""

    id: str
    title: str
    pieces: tuple[Piece, ...]


class Seat(Struct, frozen=True):
    """A place at the table; account and name are None while it is free.

    `entropy` says where it is with the entropy that it adds to the draws: `committed`, `revealed`, `owed` (its
    commitment is void and it must commit again), or None where it does not commit.
    """

    seat: int
    account: str | None = None
    name: str | None = None
    entropy: Literal["committed", "revealed", "owed"] | None = None


class ScoreLine(Struct, frozen=True):
    """Where some of a seat's points came from."""

    source: str
    points: int
    piece: str | None = None


class SeatScore(Struct, frozen=True):
    """A seat's points at the end, and the lines that they are the sum of."""

    seat: int
    points: int
    rank: int
    lines: tuple[ScoreLine, ...]


class Result(Struct, frozen=True):
    """How a game ended."""

    winners: tuple[int, ...]
    scores: tuple[SeatScore, ...]


class Game(Struct, frozen=True):
    """A game as this client may see it. `seat` is its own, `view` the title's.

    While it is `starting`, seats that committed to their entropy have until `reveal_by` to reveal it.
    """

    id: str
    title: str
    component_set: str
    component_hash: str
    options: Any
    visibility: str
    creator: str
    commitment: str
    status: Status
    seats: tuple[Seat, ...]
    seat: int | None
    version: int
    hash: str
    to_move: tuple[int, ...]
    view: Any
    result: Result | None
    revealed: Any = None
    reveal_seconds: int = 60
    reveal_by: datetime | None = None


class ListedSeat(Seat, frozen=True):
    """A place at a listed table, and what it came to when the game has ended."""

    rank: int | None = None
    points: int | None = None


class ListedGame(Struct, frozen=True):
    """A game as lists show it."""

    id: str
    title: str
    component_set: str
    visibility: str
    sandbox: bool
    creator: str
    status: Status
    seats: tuple[ListedSeat, ...]
    open_seats: int
    to_move: tuple[int, ...]
    winners: tuple[int, ...] | None
    version: int
    created_at: datetime
    updated_at: datetime


class Event(Struct, frozen=True):
    """An event as this client may see it: `data` has a `type`, which is `blank` where it may see nothing."""

    version: int
    recorded_at: datetime
    rules_version: str
    hash: str
    data: dict[str, Any]

    @property
    def type(self) -> str:
        """What kind of event it is."""
        return str(self.data["type"])


class EventPage(Struct, frozen=True):
    """Events in order; `version` is the game's, `more` whether others follow."""

    game: str
    epoch: str
    version: int
    events: tuple[Event, ...]
    more: bool


class Played(Struct, frozen=True):
    """What a command brought about: the game's version, status and whose turn it is after it."""

    version: int
    status: Status
    to_move: tuple[int, ...]
    event: Event


class Moment(Struct, frozen=True):
    """A version in words: who did what and when, and how things stood after it; `points` are each seat's."""

    version: int
    recorded_at: datetime
    seat: int | None
    text: str
    status: Status
    to_move: tuple[int, ...]
    points: tuple[int, ...] | None


class Offer(Struct, frozen=True):
    """The legal moves of one type. A case is a free product of its fields; `example` is a move ready to be made."""

    type: str
    cases: tuple[dict[str, Any], ...]
    example: dict[str, Any]


class LegalMoves(Struct, frozen=True):
    """All that a seat may do at a version; there are no moves while the game does not wait for it."""

    version: int
    seat: int
    moves: tuple[Offer, ...]

    def __bool__(self) -> bool:
        return bool(self.moves)

    def first(self) -> dict[str, Any]:
        """The first one."""
        return self.moves[0].example

    def random(self, picks: Random) -> dict[str, Any]:
        """Any one: a type, a case of it, and a value for each of its fields, each drawn alike."""
        offer = picks.choice(self.moves)
        case = picks.choice(offer.cases)
        return {"type": offer.type, **{name: _value(field, picks) for name, field in case.items()}}


class Hello(Struct, frozen=True, tag="hello"):
    """A game as it stands at a version: it replaces all that was known of it."""

    game: str
    epoch: str
    version: int
    hash: str
    title: str
    status: Status
    seats: tuple[Seat, ...]
    seat: int | None
    to_move: tuple[int, ...]
    view: Any
    result: Result | None
    heartbeat_seconds: float | None = None


class EventFrame(Struct, frozen=True, tag="event"):
    """One event, and whose turn it is right after it."""

    game: str
    version: int
    to_move: tuple[int, ...]
    status: Status
    event: Event


class Resumed(Struct, frozen=True, tag="resumed"):
    """The events after `version` follow."""

    version: int
    epoch: str
    heartbeat_seconds: float | None = None


class Resync(Struct, frozen=True, tag="resync"):
    """The position meant nothing to the service; a hello follows."""


class Unsubscribed(Struct, frozen=True, tag="unsubscribed"):
    """The feed of the game has ended."""


class Following(Struct, frozen=True, tag="following"):
    """The notices after `cursor` follow; what came before it stands in the lists of games."""

    feed: Literal["lobby", "account"]
    epoch: str
    cursor: str
    heartbeat_seconds: float | None = None


class Notice(Struct, frozen=True, tag="notice"):
    """One event that a feed is about, and its game as lists show it right after that event.

    `what` holds words of `created`, `seat_taken`, `seat_left`, `started`, `ended`, `your_turn` and `turn_over`; `seat`
    is one's own.
    """

    feed: Literal["lobby", "account"]
    cursor: str
    game: str
    what: tuple[str, ...]
    seat: int | None
    recorded_at: datetime
    listed: ListedGame


class Refollow(Struct, frozen=True, tag="refollow"):
    """The cursor meant nothing to the service; a `Following` follows."""


class Unfollowed(Struct, frozen=True, tag="unfollowed"):
    """The feed has ended."""


class ErrorFrame(Struct, frozen=True, tag="error"):
    """What was refused or went wrong."""

    code: str
    detail: str
    field: str | None = None
    feed: str | None = None


class Heartbeat(Struct, frozen=True, tag="heartbeat"):
    """The service is there."""


Frame: TypeAlias = (
    Hello
    | EventFrame
    | Resumed
    | Resync
    | Unsubscribed
    | Following
    | Notice
    | Refollow
    | Unfollowed
    | ErrorFrame
    | Heartbeat
)

decode_frame = msgspec.json.Decoder(Frame).decode


def _value(field: Any, picks: Random) -> Any:
    match field:
        case {"one_of": values}:
            return picks.choice(values)
        case {"some_of": values, "least": least, "most": most}:
            return _some(values, picks.randint(least, most), picks)
        case _:
            return field


def _some(values: Sequence[Any], size: int, picks: Random) -> list[Any]:
    """A set of the values is written in their order."""
    return [values[place] for place in sorted(picks.sample(range(len(values)), size))]
