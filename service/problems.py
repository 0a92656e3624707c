"""Problems (RFC 9457): one table from each stable code to its status, and the one way from an error to an answer.

Whatever a client may see refused is a `Rejected` with a code of this table and the facts that it needs to go on. An
error that is none of the known ones is a bug: it is logged with its traceback, and the client hears no detail of it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from litestar.exceptions import HTTPException, MethodNotAllowedException
from msgspec import UNSET, Struct, UnsetType
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from domain.kernel.rejected import Rejected
from service.play.tables import Unreadable
from service.store.appender import Unavailable, is_lost

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 1

ENDING = (b"connection", b"close")
"""The header of an answer that is the last of its connection."""

_log = logging.getLogger("tablelog.problems")


class Kind(Struct, frozen=True):
    """What a code stands for."""

    status: int
    title: str


CODES: Mapping[str, Kind] = MappingProxyType({
    # Requests that cannot be read
    "invalid-body": Kind(400, "The body is not what this operation takes"),
    "invalid-query": Kind(400, "A query parameter is not what this operation takes"),
    "invalid-header": Kind(400, "A header is not what this operation takes"),
    "invalid-request": Kind(400, "The request cannot be read"),
    "invalid-cursor": Kind(400, "The cursor is not one that this list gave out"),
    "not-found": Kind(404, "There is nothing here"),
    "method-not-allowed": Kind(405, "The method is not allowed here"),
    "not-acceptable": Kind(406, "None of the accepted media types can be served"),
    "request-timeout": Kind(408, "The request did not come to its end"),
    "precondition-failed": Kind(412, "If-Match names another version"),
    "precondition-refused": Kind(400, "This operation takes no such precondition"),
    "body-too-large": Kind(413, "The body is too large"),
    "headers-too-large": Kind(431, "The request line and headers are too large"),
    "upgrade-required": Kind(426, "This is a websocket"),
    "unsupported-media-type": Kind(415, "The body is of another media type than this operation takes"),
    # Who asks
    "token-required": Kind(401, "This needs a token"),
    "invalid-token": Kind(401, "The token is not valid"),
    "not-seated": Kind(403, "You have no seat in this game"),
    "invalid-name": Kind(422, "The name cannot be used"),
    "name-taken": Kind(409, "The name is taken"),
    # Repeats
    "idempotency-key-reused": Kind(422, "The Idempotency-Key was used with another request"),
    "idempotency-key-refused": Kind(400, "This operation takes no Idempotency-Key"),
    # Opening a game and sitting down
    "no-such-title": Kind(422, "There is no such title"),
    "no-such-component-set": Kind(422, "There is no such component set"),
    "bad-seat-count": Kind(422, "The title is not played by so many"),
    "bad-options": Kind(422, "The options do not go together"),
    "no-such-seat": Kind(422, "There is no such seat"),
    "already-seated": Kind(409, "You have a seat in this game"),
    "seat-taken": Kind(409, "The seat is taken"),
    "game-full": Kind(409, "Every seat is taken"),
    "game-started": Kind(409, "The game has started"),
    # Playing
    "no-such-game": Kind(404, "There is no such game"),
    "no-such-version": Kind(404, "The game has no such version"),
    "game-not-started": Kind(409, "The game has not started"),
    "game-over": Kind(409, "The game has ended"),
    "game-not-finished": Kind(409, "The game has not ended"),
    "stale-version": Kind(409, "The game has moved on"),
    "not-your-turn": Kind(409, "The game does not wait for you"),
    "illegal-move": Kind(422, "The move may not be made now"),
    "undo-nothing": Kind(409, "There is no move to take back"),
    "undo-chance": Kind(409, "A move that drew by chance is not taken back"),
    "undo-hidden": Kind(409, "A move that laid open what was hidden is not taken back"),
    "undo-seat": Kind(409, "Another seat's move is not taken back"),
    "impossible-position": Kind(422, "The position breaks the rules"),
    # Records
    "bad-record": Kind(422, "The record is not that of a whole game"),
    "record-conflict": Kind(409, "There is another game of this id"),
    # On a socket, in an error frame
    "invalid-frame": Kind(400, "The frame is not one that the feed takes"),
    "frame-too-large": Kind(413, "A frame would be larger than clients take"),
    "origin-refused": Kind(403, "Pages of this origin may not connect"),
    "already-subscribed": Kind(409, "This socket watches the game"),
    "not-subscribed": Kind(409, "This socket does not watch the game"),
    "too-many-subscriptions": Kind(409, "This socket watches as many games as it may"),
    "already-following": Kind(409, "This socket follows the feed"),
    "not-following": Kind(409, "This socket does not follow the feed"),
    # Ours
    "game-unreadable": Kind(409, "The log of this game cannot be read"),
    "internal-error": Kind(500, "Something went wrong in the service"),
    "unavailable": Kind(503, "The database is out of reach"),
})  # fmt: skip
"""Every code that a client can meet."""

FRAME_CODES = frozenset({
    *("invalid-frame", "no-such-game", "token-required"),
    *("already-subscribed", "not-subscribed", "too-many-subscriptions", "already-following", "not-following"),
    *("game-unreadable", "frame-too-large"),
    *("invalid-query", "invalid-token", "origin-refused", "unavailable", "internal-error"),
})  # fmt: skip
"""Those that an error frame of a socket or a stream can have."""

TRY_AGAIN = "try again"


class Problem(Struct, frozen=True):
    """A refusal as it is sent. Which of the facts there are depends on the code; the others are left out."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    field: str | UnsetType = UNSET
    """What is wrong: a place in the body (`move.pay[2]`), a query parameter or a header."""
    current_version: int | UnsetType = UNSET
    current_etag: str | UnsetType = UNSET
    to_move: tuple[int, ...] | UnsetType = UNSET
    """The seats that the game waits for."""
    seat: int | UnsetType = UNSET
    """Your own."""
    free_seats: tuple[int, ...] | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    titles: tuple[str, ...] | UnsetType = UNSET
    component_sets: tuple[str, ...] | UnsetType = UNSET
    allowed: tuple[str, ...] | UnsetType = UNSET
    """What would have been accepted: values, types of moves, parameters, methods, or media types."""
    line: int | UnsetType = UNSET
    """Of a record: where it is wrong, from 1."""
    version: int | UnsetType = UNSET
    """Of a record: the version whose event stands there, or should."""
    check: str | UnsetType = UNSET
    """Of a record: the check that it does not pass, as `tablelog verify` names them."""
    game: str | UnsetType = UNSET
    unreadable_version: int | UnsetType = UNSET


class Refusal(Struct, frozen=True):
    """A problem on its way out: status, headers and body."""

    code: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


_BY_STATUS: Mapping[int, str] = MappingProxyType({
    404: "not-found",
    405: "method-not-allowed",
    415: "unsupported-media-type",
})  # fmt: skip
"""The codes of what Litestar refuses by itself; any other client error of its own is `invalid-request`."""

_SOCKET = "websocket"
"""What Litestar takes for the method of a path that has a socket only."""

WEBSOCKET_VERSION = "13"
"""The version of websockets that is spoken here."""

_UPGRADE = (("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", WEBSOCKET_VERSION))
"""What a websocket is asked for with."""

_DETAILS: Mapping[str, str] = MappingProxyType({
    "not-found": "no operation has this path",
    "method-not-allowed": "the header Allow names the methods of this path",
    "unsupported-media-type": "send application/json",
    "upgrade-required": "connect with a websocket",
})  # fmt: skip


def refusal(error: Exception, again: str = TRY_AGAIN) -> Refusal:
    """The answer to a request that ended in an error; `again` says what comes of it to send the request again."""
    match error:
        case Rejected():
            return _refusal(error.code, error.detail, error.facts)
        case Unreadable():
            _log.error("%s", error, exc_info=error)
            detail = "its log cannot be folded; other games are not concerned"
            return _refusal("game-unreadable", detail, {"game": error.game_id, "unreadable_version": error.version})
        case Unavailable():
            return _unavailable(again)
        case HTTPException() if error.status_code < 500:
            return _of_litestar(error)
        case _ if is_lost(error):
            _log.warning("the database is out of reach: %r", error)
            return _unavailable(again)
        case _:
            _log.error("a request ended in an error that nobody foresaw: %r", error, exc_info=error)
            return _refusal("internal-error", "this was logged, and is a fault of the service", {})


def no_such_socket() -> Refusal:
    """The answer to a handshake at a path that is no socket's."""
    return _refusal("not-found", "no socket has this path", {})


def handshake_too_large() -> Refusal:
    """The answer to a handshake with more in it than `websockets` reads."""
    return _refusal("headers-too-large", "a handshake may have 128 headers, and 8,192 bytes in each", {})


def headers_of(what: Refusal) -> list[tuple[bytes, bytes]]:
    """The headers of a problem, as ASGI has them."""
    sent = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(what.body)).encode())]
    return sent + [(name.lower().encode(), value.encode()) for name, value in what.headers]


def last_answer(what: Refusal, *more: tuple[bytes, bytes], with_body: bool = True) -> bytes:
    """A problem as the last bytes of a connection, for what never reaches an application; `more` are headers."""
    head = b"".join(b"%b: %b\r\n" % each for each in (*more, *headers_of(what), ENDING))
    return b"%b%b\r\n%b" % (STATUS_LINE[what.status], head, what.body if with_body else b"")


def _of_litestar(error: HTTPException) -> Refusal:
    code = _BY_STATUS.get(error.status_code, "invalid-request")
    facts: dict[str, Any] = {}
    headers: list[tuple[str, str]] = []
    if isinstance(error, MethodNotAllowedException):
        allowed = (error.headers or {}).get("allow", "")
        if allowed == _SOCKET:
            return _refusal("upgrade-required", _DETAILS["upgrade-required"], {})
        headers.append(("Allow", allowed))
        facts["allowed"] = allowed.split(", ")
    return _refusal(code, _DETAILS.get(code, error.detail), facts, headers)


def _unavailable(again: str) -> Refusal:
    return _refusal("unavailable", again, {}, [("Retry-After", str(RETRY_SECONDS))])


def _refusal(code: str, detail: str, facts: Mapping[str, Any], headers: list[tuple[str, str]] | None = None) -> Refusal:
    kind = CODES[code]
    problem = {"type": reference(code), "title": kind.title, "status": kind.status, "detail": detail, "code": code}
    sent = headers or []
    if kind.status == 401:
        sent = [*sent, ("WWW-Authenticate", _challenge(code))]
    if kind.status == 426:
        sent = [*sent, *_UPGRADE]
    body = msgspec.json.encode({**problem, **facts})
    return Refusal(code=code, status=kind.status, headers=tuple(sent), body=body)


def reference(code: str) -> str:
    """The problem's type: where the served documentation tells of it."""
    return f"/docs#{code}"


def _challenge(code: str) -> str:
    """What RFC 6750 says about a missing token and a wrong one."""
    return 'Bearer realm="tablelog"' + (', error="invalid_token"' if code == "invalid-token" else "")
