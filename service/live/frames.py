"""The frames of the live feed, both ways: JSON objects in text frames, distinguished by `type`.

The schemas of both unions stand among the components of the OpenAPI document; PROTOCOL.md tells what follows what.
`version` of `hello` and `resumed` is a position: the next `event` of that game has this version plus one.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel import game as kernel
from domain.kernel.documented import schema_or_null
from domain.kernel.expected import explained
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from domain.kernel.results import Result
from domain.kernel.terms import LARGEST_INTEGER, Seat, Version, Viewer
from service.answers import EventInfo, SeatInfo, seat_infos
from service.play.game_cache import LoadedGame, Unreadable
from service.problems import FRAME_CODES
from service.projections.lobby import ListedGame
from service.transport.websocket_protocol import text_frame

SERVER_FRAME_BYTES = 1_048_576
"""No frame of ours is larger: the default limit of common client libraries."""

Position: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]

Feed: TypeAlias = Literal["lobby", "account"]
What: TypeAlias = Literal[
    "created",
    "seat_taken",
    "seat_left",
    "seat_freed",
    "commit_due",
    "reveal_due",
    "started",
    "ended",
    "your_turn",
    "turn_over",
]

Cursor: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(0|[0-9A-Za-z_-]{1,64}:[1-9][0-9]{0,15})(?![\s\S])",
        description="An event, as `game:version`; `0` is the place before the first one.",
    ),
]


HeartbeatSeconds: TypeAlias = Annotated[
    float, Meta(gt=0, description="The interval of heartbeats: a connection that is silent for three of them is dead.")
]


class AuthFrame(Struct, frozen=True, tag="auth", forbid_unknown_fields=True):
    """Who is there: the account of a token, or the public for null. If that changes, all subscriptions start over."""

    token: str | None = None


class SubscribeFrame(Struct, frozen=True, tag="subscribe", forbid_unknown_fields=True):
    """Watch a game: from now on (`hello`), or all that came after a version of an epoch (`resumed`)."""

    game: str
    after: Position | None = None
    epoch: str | None = None


class UnsubscribeFrame(Struct, frozen=True, tag="unsubscribe", forbid_unknown_fields=True):
    """Watch a game no longer."""

    game: str


class FollowFrame(Struct, frozen=True, tag="follow", forbid_unknown_fields=True):
    """Follow the lobby, or what concerns one's own account: from now on, or all that came after a cursor."""

    feed: Feed
    after: Cursor | None = None
    epoch: str | None = None


class UnfollowFrame(Struct, frozen=True, tag="unfollow", forbid_unknown_fields=True):
    """Follow a feed no longer."""

    feed: Feed


class HelloFrame(Struct, frozen=True, tag="hello"):
    """A game as it stands at a version, which replaces all that the client knew of it. `seat` is the viewer's own."""

    game: str
    epoch: str
    version: Version
    hash: str
    title: str
    status: Status
    seats: tuple[SeatInfo, ...]
    seat: Seat | None
    reveal_by: datetime | None
    """While the game is starting: until when the seats that have committed must reveal their entropy."""
    to_move: tuple[Seat, ...]
    view: Annotated[Any, schema_or_null("View")]
    result: Result | None
    heartbeat_seconds: HeartbeatSeconds


class ResumedFrame(Struct, frozen=True, tag="resumed"):
    """All events after `version`, which the client named, follow; `head` is the newest version at this moment."""

    game: str
    epoch: str
    version: Position
    head: Version
    status: Status
    seats: tuple[SeatInfo, ...]
    seat: Seat | None
    reveal_by: datetime | None
    to_move: tuple[Seat, ...]
    heartbeat_seconds: HeartbeatSeconds


class EventFrame(Struct, frozen=True, tag="event"):
    """One event as the viewer may see it (a blank for nothing), with whose turn it is right after it."""

    game: str
    version: Version
    to_move: tuple[Seat, ...]
    status: Status
    event: EventInfo


class ResyncFrame(Struct, frozen=True, tag="resync"):
    """The client's position means nothing here, and `hello` follows. `reason`: `epoch`, `no-epoch` or `ahead`."""

    game: str
    reason: str
    epoch: str
    version: Version


class UnsubscribedFrame(Struct, frozen=True, tag="unsubscribed"):
    """The last frame of a game: the client wished it, or an `error` before it says why."""

    game: str


class FollowingFrame(Struct, frozen=True, tag="following"):
    """All notices of the feed after `cursor` follow. What came up to there stands in the lists of games already."""

    feed: Feed
    epoch: str
    cursor: Cursor
    heartbeat_seconds: HeartbeatSeconds


class NoticeFrame(Struct, frozen=True, tag="notice"):
    """One event that the feed is about, with its game as lists show it right after that event.

    `what` says in words what it was; `your_turn`, `turn_over`, `commit_due` and `reveal_due` are about the own seat.
    `seat` is null in the lobby.
    """

    feed: Feed
    cursor: Cursor
    game: str
    what: tuple[What, ...]
    seat: Seat | None
    recorded_at: datetime
    listed: ListedGame


class RefollowFrame(Struct, frozen=True, tag="refollow"):
    """The client's cursor means nothing here, and `following` follows. `reason`: `epoch`, `no-epoch` or `unknown`."""

    feed: Feed
    reason: str
    epoch: str


class UnfollowedFrame(Struct, frozen=True, tag="unfollowed"):
    """The last frame of a feed: the client wished it, or it has no account any more."""

    feed: Feed


class ErrorFrame(Struct, frozen=True, tag="error"):
    """A frame that was refused, or what went wrong. `field` names the part of the client's frame or query.

    `retry_after` is in seconds, after `rate-limited` alone.
    """

    code: Annotated[str, Meta(extra_json_schema={"type": "string", "enum": sorted(FRAME_CODES)})]
    detail: str
    game: str | None = None
    field: str | None = None
    feed: Feed | None = None
    retry_after: int | UnsetType = UNSET


class HeartbeatFrame(Struct, frozen=True, tag="heartbeat"):
    """The service is there. One that is long overdue means that the connection is dead."""


ClientFrame: TypeAlias = AuthFrame | SubscribeFrame | UnsubscribeFrame | FollowFrame | UnfollowFrame
ServerFrame: TypeAlias = (
    HelloFrame
    | ResumedFrame
    | EventFrame
    | ResyncFrame
    | UnsubscribedFrame
    | FollowingFrame
    | NoticeFrame
    | RefollowFrame
    | UnfollowedFrame
    | ErrorFrame
    | HeartbeatFrame
)


def packed(frame: ServerFrame) -> bytes:
    """A frame as it goes over the wire, to any number of clients."""
    return text_frame(msgspec.json.encode(frame))


def hello(table: LoadedGame, epoch: str, viewer: Viewer, heartbeat_seconds: float) -> HelloFrame:
    """A game as a viewer may see it."""
    game = table.game
    return HelloFrame(
        game=table.id,
        epoch=epoch,
        version=game.version,
        hash=table.hash.hex(),
        title=game.created.title,
        status=game.status,
        seats=seat_infos(table),
        seat=viewer,
        reveal_by=game.start.reveal_by,
        to_move=kernel.to_move(game, table.rules),
        view=kernel.view(game, table.rules, viewer),
        result=game.result,
        heartbeat_seconds=heartbeat_seconds,
    )


def resumed(table: LoadedGame, epoch: str, viewer: Viewer, after: int, heartbeat_seconds: float) -> ResumedFrame:
    """A game that a client goes on with after a version."""
    game = table.game
    return ResumedFrame(
        game=table.id,
        epoch=epoch,
        version=after,
        head=game.version,
        status=game.status,
        seats=seat_infos(table),
        seat=viewer,
        reveal_by=game.start.reveal_by,
        to_move=kernel.to_move(game, table.rules),
        heartbeat_seconds=heartbeat_seconds,
    )


def error_frame(error: Rejected | Unreadable, game: str | None = None, feed: Feed | None = None) -> ErrorFrame:
    """What went wrong, for the client."""
    if isinstance(error, Unreadable):
        detail = "the log of this game cannot be read; other games are not concerned"
        return ErrorFrame(code="game-unreadable", detail=detail, game=game)
    field = error.facts.get("field")
    wait = error.facts.get("retry_after")
    return ErrorFrame(
        code=error.code,
        detail=error.detail,
        game=game,
        field=str(field) if field else None,
        feed=feed,
        retry_after=wait if isinstance(wait, int) else UNSET,
    )


def read(payload: str) -> ClientFrame:
    """A client's frame, read strictly; `invalid-frame` says what is wrong and where."""
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError as error:
        what, _, place = str(error).partition(" - at `$")
        found = re.search(r"field `([^`]*)`", what) if not place else re.match(r"\.?([^`]*)`", place)
        field = found[1][:80] if found else None
        detail = explained(what, ClientFrame, f".{field}")[0] if payload.strip() else "the frame is empty"
        raise Rejected("invalid-frame", detail, field=field) from error
    except RecursionError as error:
        raise Rejected("invalid-frame", "nested too deeply") from error


_decoder = msgspec.json.Decoder(ClientFrame)
