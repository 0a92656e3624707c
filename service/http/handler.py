"""From an operation to a handler of Litestar: the one way that every request of the REST contract goes.

The order of the checks is part of the contract: headers, what is accepted, who calls, query, media type and size of
the body, Idempotency-Key, and then the operation's own. Nothing is looked up in the database before the caller is.

Litestar routes, and that is all: its own reading of parameters and bodies is lax ("5" and 1.0 pass for 5, the last of
two equal parameters wins), and its signature models cost more than the operations themselves.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope
from msgspec import Struct

from domain.kernel.rejected import Rejected
from service.answers import encode
from service.auth.accounts import Account
from service.auth.guards import Access, caller
from service.counters import Counters
from service.database.errors import Unavailable
from service.deadlines import Deadline
from service.http import headers
from service.http.body import read_body
from service.http.operation import Answer, Call, Endless, Operation
from service.http.reply import Reply, is_head
from service.limits.tokens import TokenLimit
from service.limits.weights import EXEMPT, HEAVY, weight
from service.media_types import EVENT_STREAM, JSON, NDJSON
from service.node import Node
from service.play.turns import in_turns
from service.play.writer import Key
from service.problems import ENDING, MEDIA_TYPE, TRY_AGAIN, Refusal, refusal
from service.transport.body_budget import BodyShare
from service.transport.http10 import WITHOUT_CHUNKS

ANSWER_SECONDS = 4.4
"""How long the work on a request may take, besides the arrival of its body: then it is answered with `unavailable`.

A database that hangs is what takes so long; what is allowed for one connection (`pool.CHECKOUT_SECONDS`) fits in.
"""

PRIVATE = {"cache-control": "private, no-cache", "vary": "Authorization, Accept"}
"""Headers of every answer: it is the caller's own, and to be asked for again."""

_PRIVATE = tuple((name.encode(), value.encode()) for name, value in PRIVATE.items())

_CONTENT_TYPES = {
    JSON: b"application/json",
    NDJSON: b"application/x-ndjson",
    "application/yaml": b"application/yaml",
    "text/html": b"text/html; charset=utf-8",
    EVENT_STREAM: b"text/event-stream; charset=utf-8",
    "text/plain": b"text/plain; version=0.0.4; charset=utf-8",  # the version of the format of Prometheus
}


def handler(operation: Operation) -> HTTPRouteHandler:
    """The handler of an operation. What answers GET answers HEAD."""

    async def handle(request: Request[Any, Any, Any]) -> ASGIApp:
        node: Node = request.app.state.node
        try:
            reply = await _answer(operation, node, request)
        except asyncio.CancelledError:  # by the server alone, when it stops and this has taken too long
            raise Unavailable from None
        node.counters.answered(operation.name, reply.status)
        return reply

    def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        counters: Counters = request.app.state.node.counters
        if isinstance(error, Rejected):
            counters.refused(error)
        what = refusal(error, again(operation, request.scope["headers"]))
        counters.answered(operation.name, what.status)
        return problem_response(what, PRIVATE)

    return HTTPRouteHandler(
        litestar_path(operation.path),
        http_method=["GET", "HEAD"] if operation.method == "GET" else [operation.method],
        name=operation.name,
        status_code=200,
        exception_handlers={Exception: refuse},
    )(handle)


def problem_response(what: Refusal, more: Mapping[str, str]) -> Response[bytes]:
    """A problem as a response; `more` are headers."""
    return Response(what.body, status_code=what.status, headers={**more, **dict(what.headers)}, media_type=MEDIA_TYPE)


def litestar_path(path: str) -> str:
    return path.replace("}", ":str}")


def again(operation: Operation, sent: Iterable[tuple[bytes, bytes]]) -> str:
    """Whether a request of unknown outcome is safe to retry."""
    if operation.method == "GET":
        return TRY_AGAIN
    if operation.known is not None:
        return f"{TRY_AGAIN}: what is there already is not made twice"
    if not operation.idempotent:
        return f"{TRY_AGAIN}; whether this was done is not known, and an Idempotency-Key is not taken here"
    if any(name == b"idempotency-key" for name, _ in sent):
        return f"{TRY_AGAIN}: with the same Idempotency-Key nothing is done twice"
    return f"{TRY_AGAIN}; whether this was done is not known: what has an Idempotency-Key is not done twice"


async def _answer(operation: Operation, node: Node, request: Request[Any, Any, Any]) -> Reply:
    scope = request.scope
    address = node.limits.address(scope)
    try:
        sent, accepted = _head(operation, scope)
    except Rejected:
        if operation.name not in EXEMPT:
            node.limits.request(address, None)  # whose it was was not looked up
        raise
    raw_query = scope["query_string"]
    with Deadline(node.deadlines, ANSWER_SECONDS) as deadline:
        cost = weight(operation.name, raw_query, accepted)
        account = await _limited_caller(operation, node, address, sent, cost)
        arguments = operation.decode_query(raw_query) if raw_query or operation.query is not None else {}
        with node.bodies.body(address, account and account.id) as share:
            body = b""
            if operation.body is not None:
                body = await _body(operation, request.receive, sent, share, deadline)
            key = _key(operation, scope, sent, body) if b"idempotency-key" in sent else None
            if operation.body is not None:
                arguments["body"] = operation.decode_body(body)
            call = Call(operation, node, request, sent, scope["path_params"], accepted, account, key, address)
            if operation.method == "GET" and cost >= HEAVY:
                async with node.tables.turns:
                    answer = await operation.run(call, **arguments)
            else:
                answer = await operation.run(call, **arguments)
            reply = _reply(call, answer)
            if isinstance(reply.body, bytes | Endless) or is_head(scope):
                return reply
            parts = in_turns(reply.body, node.tables.turns)
            await reply.begin(parts)
    if scope["http_version"] in WITHOUT_CHUNKS:
        await reply.hold(parts, node.bodies.body(address, account and account.id))
    return reply


def _head(operation: Operation, scope: Scope) -> tuple[headers.Headers, str]:
    """The headers of a request, and the media type of its answer; raises what is wrong with them."""
    if b"%2f" in scope["raw_path"].lower():
        raise Rejected("not-found", "an escaped slash is part of a name, and no name here has one")
    sent = headers.read(scope["headers"])
    if b"if-match" in sent or b"if-none-match" in sent:
        _require_heeded(operation, sent)
    accepted = headers.accepted(sent.get(b"accept"), operation.media)
    if accepted is None:
        offered = list(operation.media)
        raise Rejected(
            "not-acceptable", f"supported media types: {', '.join(offered)}", field="Accept", allowed=offered
        )
    return sent, accepted


def _require_heeded(operation: Operation, sent: headers.Headers) -> None:
    """Raises `precondition-refused` where a precondition would be ignored and the client would believe it was checked.

    What RFC 9110 and RFC 7240 let a server ignore passes: If-None-Match of what has no tag, Range, Prefer, and the
    dates of If-Modified-Since and If-Unmodified-Since, since nothing here has a modification date.
    """
    if b"if-match" in sent and not (operation.etag or operation.if_match):
        raise Rejected("precondition-refused", "this operation has no entity tag to compare", field="If-Match")
    if b"if-none-match" in sent and operation.method != "GET":
        detail = "only reading can be bound to it; a command takes If-Match, if anything"
        raise Rejected("precondition-refused", detail, field="If-None-Match")


async def _limited_caller(
    operation: Operation, node: Node, address: str, sent: headers.Headers, cost: int
) -> Account | None:
    """The account that calls; raises `rate-limited` as well, before anything is done for the request."""
    if operation.name in EXEMPT:
        return await caller(node.tokens, operation.access, sent.get(b"authorization"))
    authorization = sent.get(b"authorization")
    if authorization is None or operation.access is Access.anyone:
        node.limits.request(address, None, cost)
        return await caller(node.tokens, operation.access, authorization)
    account = await caller(node.tokens, operation.access, authorization, TokenLimit(node.limits, address))
    if account is not None:
        node.limits.request(address, account.id, cost, command=operation.method != "GET")
    return account


async def _body(
    operation: Operation, receive: Receive, sent: headers.Headers, share: BodyShare, deadline: Deadline
) -> bytes:
    given = sent.get(b"content-type")
    if given is not None or operation.body_required:
        if not headers.is_media(given, operation.takes):
            raise _wrong_media(operation)
        if b"content-encoding" in sent and sent[b"content-encoding"].strip().lower() != "identity":
            detail = "send the body as it is"
            raise Rejected("unsupported-media-type", detail, field="Content-Encoding", allowed=["identity"])
    length = sent.get(b"content-length")
    body = await read_body(
        receive, length, share, deadline, largest=operation.most_body_bytes, seconds=operation.body_seconds
    )
    if not operation.prompt:
        deadline.restart(None)
    if body and given is None:
        raise _wrong_media(operation)
    return body


def _wrong_media(operation: Operation) -> Rejected:
    detail = f"send {operation.takes}"
    return Rejected("unsupported-media-type", detail, field="Content-Type", allowed=[operation.takes])


def _key(operation: Operation, scope: Scope, sent: headers.Headers, body: bytes) -> Key | None:
    if not operation.idempotent:
        if operation.method == "GET":
            return None  # as safe to repeat as it is
        detail = "what this answers is shown once, so it cannot be replayed"
        if operation.known is not None:
            detail = "the same request again changes nothing, so it takes no key"
        raise Rejected("idempotency-key-refused", detail, field="Idempotency-Key")
    request = b"\n".join((operation.method.encode(), scope["path"].encode("utf-8", "surrogatepass"), body))
    return Key(key=headers.idempotency_key(sent[b"idempotency-key"]), request_hash=hashlib.sha256(request).digest())


def _reply(call: Call, answer: Answer[Any]) -> Reply:
    sent = [(b"content-type", _CONTENT_TYPES[call.accepted]), *_PRIVATE]
    if answer.location is not None:
        sent.append((b"location", answer.location.encode()))
    if answer.replayed:
        sent.append((b"idempotency-replayed", b"true"))
    sent += answer.headers
    if answer.etag is not None:
        sent.append((b"etag", answer.etag.encode()))
        known = call.headers.get(b"if-none-match")
        if known is not None and headers.matches(known, answer.etag, weakly=True):
            return Reply(304, sent[1:], b"")
    body = answer.content
    if isinstance(body, Struct):
        body = encode(body)
        sent.append((b"content-length", b"%d" % len(body)))
    elif isinstance(body, bytes):
        sent.append((b"content-length", b"%d" % len(body)))
    elif isinstance(body, Endless):
        sent.append(ENDING)
    return Reply(answer.status or call.operation.status, sent, body)
