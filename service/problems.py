"""Problems (RFC 9457): one table from each stable code to its status, and the one way from an error to an answer.

Whatever a client may see refused is a `Rejected` with a code of this table and the facts that it needs to go on. An
error that is none of the known ones is a bug: it is logged with its traceback, and the client hears no detail of it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from litestar.exceptions import HTTPException, MethodNotAllowedException
from msgspec import UNSET, Meta, Struct, UnsetType
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from domain.kernel.rejected import Rejected
from service.database.errors import Unavailable, is_lost
from service.limits.response_fields import fields
from service.loop_lag import why_lost
from service.play.game_cache import Unreadable

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 1

OVERLOADED_SECONDS = 5
"""When to try again what was refused because too much was being done at once."""

ENDING = (b"connection", b"close")
"""The header of an answer that is the last of its connection."""

_log = logging.getLogger("tablelog.problems")


class Kind(Struct, frozen=True):
    """What a code stands for."""

    status: int
    title: str


CODES: Mapping[str, Kind] = MappingProxyType({
    # Requests that cannot be read
    "invalid-body": Kind(400, "The request body is invalid"),
    "invalid-query": Kind(400, "A query parameter is invalid"),
    "invalid-header": Kind(400, "A header is invalid"),
    "invalid-request": Kind(400, "The request is malformed"),
    "invalid-cursor": Kind(400, "The cursor is invalid"),
    "not-found": Kind(404, "Not found"),
    "method-not-allowed": Kind(405, "Method not allowed"),
    "not-acceptable": Kind(406, "No acceptable media type"),
    "request-timeout": Kind(408, "The request timed out"),
    "precondition-failed": Kind(412, "If-Match does not match the current version"),
    "precondition-refused": Kind(400, "This operation does not support this precondition"),
    "body-too-large": Kind(413, "The request body is too large"),
    "headers-too-large": Kind(431, "The request headers are too large"),
    "http-version-not-supported": Kind(505, "HTTP/1.1 required"),
    "upgrade-required": Kind(426, "WebSocket upgrade required"),
    "unsupported-media-type": Kind(415, "Unsupported media type"),
    # Who asks
    "token-required": Kind(401, "Authentication required"),
    "invalid-token": Kind(401, "The token is invalid"),
    "not-seated": Kind(403, "You do not have a seat in this game"),
    "invalid-name": Kind(422, "The name is not allowed"),
    "name-taken": Kind(409, "The name is already taken"),
    # Repeats
    "idempotency-key-reused": Kind(422, "The Idempotency-Key was already used for a different request"),
    "idempotency-key-refused": Kind(400, "This operation does not support Idempotency-Key"),
    # Opening a game and sitting down
    "no-such-title": Kind(422, "Unknown title"),
    "no-such-component-set": Kind(422, "Unknown component set"),
    "bad-seat-count": Kind(422, "Unsupported number of seats"),
    "bad-options": Kind(422, "The options are inconsistent"),
    "no-such-seat": Kind(422, "Unknown seat"),
    "already-seated": Kind(409, "You already have a seat in this game"),
    "seat-taken": Kind(409, "The seat is already taken"),
    "game-full": Kind(409, "The game is full"),
    "game-started": Kind(409, "The game has already started"),
    # Committing to entropy and revealing it
    "bad-entropy": Kind(422, "Send either entropy or a commitment to it"),
    "commitment-reused": Kind(422, "The commitment was already used at this table"),
    "game-starting": Kind(409, "The game is waiting for reveals"),
    "reveal-not-due": Kind(409, "It is not time to reveal yet"),
    "reveal-not-over": Kind(409, "There is still time to reveal"),
    "nothing-to-reveal": Kind(409, "The seat has no entropy to reveal"),
    "already-revealed": Kind(409, "Your entropy is already revealed"),
    "wrong-entropy": Kind(422, "The entropy does not match its commitment"),
    "barred": Kind(403, "You cannot take a seat at this table again"),
    # Playing
    "no-such-game": Kind(404, "Game not found"),
    "no-such-version": Kind(404, "Version not found"),
    "game-not-started": Kind(409, "The game has not started yet"),
    "game-over": Kind(409, "The game is over"),
    "game-not-finished": Kind(409, "The game is not over yet"),
    "stale-version": Kind(409, "The game has moved on to a newer version"),
    "not-your-turn": Kind(409, "It is not your turn"),
    "illegal-move": Kind(422, "The move is not legal"),
    "undo-nothing": Kind(409, "There is no move to undo"),
    "undo-chance": Kind(409, "A move with a random draw cannot be undone"),
    "undo-hidden": Kind(409, "A move that revealed hidden information cannot be undone"),
    "undo-seat": Kind(409, "Another player's move cannot be undone"),
    "impossible-position": Kind(422, "The position is impossible"),
    # Records
    "bad-record": Kind(422, "The record is invalid"),
    "unknown-component-set": Kind(422, "The component set is not known here"),
    "record-too-costly": Kind(422, "Verifying the record takes too much time or memory"),
    "record-conflict": Kind(409, "A different game with this id already exists"),
    # On a socket, in an error frame
    "invalid-frame": Kind(400, "The frame is invalid"),
    "frame-too-large": Kind(413, "A frame would exceed the size limit of clients"),
    "origin-refused": Kind(403, "This origin is not allowed to connect"),
    "already-subscribed": Kind(409, "This socket is already subscribed to the game"),
    "not-subscribed": Kind(409, "This socket is not subscribed to the game"),
    "too-many-subscriptions": Kind(409, "This socket has reached its subscription limit"),
    "already-following": Kind(409, "This socket already follows the feed"),
    "not-following": Kind(409, "This socket does not follow the feed"),
    # Limits
    "rate-limited": Kind(429, "A limit is used up for now"),
    "too-many-open-tables": Kind(409, "You have as many open tables as you may"),
    "too-many-events": Kind(409, "The game has as many events as it may"),
    "too-many-seats": Kind(409, "You sit at as many waiting tables as you may"),
    # Ours
    "game-unreadable": Kind(409, "The log of this game is unreadable"),
    "internal-error": Kind(500, "Internal server error"),
    "unavailable": Kind(503, "The database is unavailable"),
    "overloaded": Kind(503, "The service is overloaded"),
})  # fmt: skip
"""Every code that a client can meet."""

FRAME_CODES = frozenset({
    *("invalid-frame", "no-such-game", "token-required"),
    *("already-subscribed", "not-subscribed", "too-many-subscriptions", "already-following", "not-following"),
    *("game-unreadable", "frame-too-large", "rate-limited"),
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
    code: Annotated[str, Meta(extra_json_schema={"type": "string", "enum": sorted(CODES)})]
    field: str | UnsetType = UNSET
    """What is wrong: a place in the body (`move.pay[2]`), a query parameter or a header."""
    current_version: int | UnsetType = UNSET
    current_etag: str | UnsetType = UNSET
    to_move: tuple[int, ...] | UnsetType = UNSET
    """The seats that the game waits for."""
    seat: int | UnsetType = UNSET
    """Your own."""
    free_seats: tuple[int, ...] | UnsetType = UNSET
    reveal_by: str | UnsetType = UNSET
    """Until when the seat may reveal its entropy (RFC 3339)."""
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
    component_hash: str | UnsetType = UNSET
    limit: str | UnsetType = UNSET
    """The limit that is used up; `most` is how much it allows."""
    seconds: int | UnsetType = UNSET
    """The length of the limit's window; left out where the limit is on what is open at once."""
    retry_after: int | UnsetType = UNSET
    """When to try again, in seconds, as in Retry-After."""
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
    "not-found": "no operation exists at this path",
    "method-not-allowed": "see the Allow header for the methods of this path",
    "unsupported-media-type": "supported media types: application/json",
    "upgrade-required": "connect with a WebSocket client",
})  # fmt: skip


def refusal(error: Exception, again: str = TRY_AGAIN) -> Refusal:
    """The answer to a request that ended in an error; `again` says whether the request is safe to retry."""
    match error:
        case Rejected():
            return _refusal(error.code, error.detail, error.facts)
        case Unreadable():
            _log.error("%s", error, exc_info=error)
            detail = "the log of this game cannot be replayed; other games are not affected"
            return _refusal("game-unreadable", detail, {"game": error.game_id, "unreadable_version": error.version})
        case Unavailable():
            return _unavailable(f"{error}; {again}" if error.args else again)
        case HTTPException() if error.status_code < 500:
            return _of_litestar(error)
        case _ if is_lost(error):
            _log.warning("%s", why_lost(error))
            return _unavailable(again)
        case _:
            _log.error("a request ended in an error that nobody foresaw: %r", error, exc_info=error)
            return fault()


def fault() -> Refusal:
    """The answer where the service has failed, and has logged it."""
    return _refusal("internal-error", "an unexpected error occurred and was logged", {})


def no_such_socket() -> Refusal:
    """The answer to a handshake at a path that is no socket's."""
    return _refusal("not-found", "no WebSocket exists at this path", {})


def not_a_handshake() -> Refusal:
    """The answer to what asks for a websocket in a way that RFC 6455 does not know."""
    return _refusal("invalid-request", "this is not a handshake as RFC 6455 has it", {})


def handshake_too_large() -> Refusal:
    """The answer to a handshake with more in it than `websockets` reads."""
    return _refusal("headers-too-large", "a WebSocket handshake is limited to 128 headers of 8,192 bytes each", {})


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
    if code == "overloaded":
        sent = [*sent, ("Retry-After", str(OVERLOADED_SECONDS))]
    if code == "rate-limited":
        sent = [*sent, *fields(facts)]
    if kind.status == 426:
        sent = [*sent, *_UPGRADE]
    body = msgspec.json.encode({**problem, **facts})
    return Refusal(code=code, status=kind.status, headers=tuple(sent), body=body)


def reference(code: str) -> str:
    """The problem's type: its place in the served documentation."""
    return f"/docs#{code}"


def _challenge(code: str) -> str:
    """What RFC 6750 says about a missing token and a wrong one."""
    return 'Bearer realm="tablelog"' + (', error="invalid_token"' if code == "invalid-token" else "")
