"""From an operation to a handler of Litestar: the one way that every request of the REST contract goes.

The order of the checks is part of the contract: headers, what is accepted, who calls, query, media type and size of
the body, Idempotency-Key, and then the operation's own. Nothing is looked up in the database before the caller is.

Litestar routes, and that is all: its own reading of parameters and bodies is lax ("5" and 1.0 pass for 5, the last of
two equal parameters wins), and its signature models cost more than the operations themselves.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Iterable, Sequence

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Method, Receive, Scope, Send
from msgspec import Struct

from domain.kernel.rejected import Rejected
from service.answers import encode
from service.auth.accounts import Account
from service.auth.guards import Access, caller
from service.database.errors import Unavailable, is_lost
from service.deadlines import Deadline
from service.http import headers
from service.http.body import read_body
from service.http.operation import Answer, Call, Endless, Operation
from service.http.query import parse_query
from service.limits.socket_slot import Slot
from service.limits.tokens import TokenLimit
from service.limits.weights import EXEMPT, HEAVY, weight
from service.media_types import EVENT_STREAM
from service.node import Node
from service.play.turns import in_turns
from service.play.writer import Key
from service.problems import ENDING, TRY_AGAIN, Refusal, headers_of, refusal
from service.transport.asgi_extension import cut
from service.transport.body_budget import BodyShare
from service.transport.http10 import WITHOUT_CHUNKS

ANSWER_SECONDS = 4.4
"""How long the work on a request may take, besides the arrival of its body: then it is answered with `unavailable`.

A database that hangs is what takes so long; what is allowed for one connection (`pool.CHECKOUT_SECONDS`) fits in.
"""

WHOLE_BYTES = 8 * 1024 * 1024
"""How large a stream may be for a client of HTTP/1.0."""

STALL_SECONDS = 60.0
"""How long a client may take nothing of a stream."""

_log = logging.getLogger("tablelog.streams")

PRIVATE = ((b"cache-control", b"private, no-cache"), (b"vary", b"Authorization, Accept"))
"""What every answer says: it is the caller's own, and to be asked for anew."""


_CONTENT_TYPES = {
    "text/html": b"text/html; charset=utf-8",
    EVENT_STREAM: b"text/event-stream; charset=utf-8",
    "text/plain": b"text/plain; version=0.0.4; charset=utf-8",  # the version of the format of Prometheus
}


class Reply:
    """An answer on its way out, as an ASGI application."""

    __slots__ = ("body", "headers", "slot", "status")

    def __init__(
        self, status: int, sent: list[tuple[bytes, bytes]], body: bytes | AsyncIterator[bytes] | Endless
    ) -> None:
        self.status = status
        self.headers = sent
        self.body = body
        self.slot: Slot | None = None
        """Its place among the sockets, where it is a stream of what happens."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        if isinstance(self.body, bytes):
            await send({"type": "http.response.body", "body": self.body, "more_body": False})
            return
        try:
            if scope["type"] == "http" and scope["method"] == "HEAD":
                pass  # nothing that is produced would be sent
            elif isinstance(self.body, Endless):
                await self.body.run(scope, receive, send)
                return
            else:
                async for part in self.body:
                    async with asyncio.timeout(STALL_SECONDS):
                        await send({"type": "http.response.body", "body": part, "more_body": True})
        except asyncio.CancelledError:
            _log.warning("a stream was broken off: the process stops")
            cut(scope)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is too late to tell the client what
            _log.warning("a stream was broken off: %r", error, exc_info=None if is_lost(error) else error)
            cut(scope)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _begun(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose first part is there: what keeps it from beginning can still be told with a status."""
    first = await anext(parts, b"")

    async def all_parts() -> AsyncIterator[bytes]:
        yield first
        async for part in parts:
            yield part

    return all_parts()


async def _whole(reply: Reply, stream: AsyncIterator[bytes], share: BodyShare) -> Reply:
    """A stream as an answer with a length.

    A client of HTTP/1.0 sees the end of a stream only by the end of the connection, and could take one that breaks for
    a whole one. What is too large for memory is refused.
    """
    parts = bytearray()
    with share:
        async for part in stream:
            size = len(parts) + len(part)
            if size > WHOLE_BYTES:
                raise Rejected("http-version-not-supported", "ask for a stream of this size by HTTP/1.1")
            share.reserve(size)
            parts += part
    reply.body = bytes(parts)
    reply.headers.append((b"content-length", str(len(parts)).encode()))
    return reply


def handlers(operations: Sequence[Operation]) -> list[HTTPRouteHandler]:
    """The handlers of some operations."""
    return [handler(operation) for operation in operations]


def handler(operation: Operation) -> HTTPRouteHandler:
    """The handler of an operation. What answers GET answers HEAD.

    It is answered in a middleware, which Litestar calls with the request as it came: on the way from there to a handler
    it would make signatures, stacks and responses that nothing here asks for.
    """

    def answering(app: ASGIApp) -> ASGIApp:
        del app

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            state = scope["litestar_app"].state
            try:
                reply = await _answered(operation, state.node, state.document, scope, receive)
            except asyncio.CancelledError:  # by the server alone, when it stops and this has taken too long
                reply = refused(refusal(Unavailable(), again(operation, scope["headers"])))
            except Exception as error:  # noqa: BLE001 - whatever it is, it becomes a problem
                if isinstance(error, Rejected):
                    state.node.counters.refused(error)
                reply = refused(refusal(error, again(operation, scope["headers"])))
            state.node.counters.answered(operation.name, reply.status)
            try:
                await reply(scope, receive, send)
            finally:
                if reply.slot is not None:
                    reply.slot.leave()

        return answer

    async def never() -> None:
        """Stand for the operation: Litestar routes to handlers only."""

    methods: list[Method] = ["GET", "HEAD"] if operation.method == "GET" else [operation.method]
    path = litestar_path(operation.path)
    route = HTTPRouteHandler(path, http_method=methods, name=operation.name, status_code=200, middleware=[answering])
    return route(never)


def litestar_path(path: str) -> str:
    """A path of the document as Litestar writes it."""
    return path.replace("}", ":str}")


def again(operation: Operation, sent: Iterable[tuple[bytes, bytes]]) -> str:
    """What comes of it to send a request again, of which nobody knows whether it was done."""
    if operation.method == "GET":
        return TRY_AGAIN
    if operation.known is not None:
        return f"{TRY_AGAIN}: what is there already is not made twice"
    if not operation.idempotent:
        return f"{TRY_AGAIN}; whether this was done is not known, and an Idempotency-Key is not taken here"
    if any(name == b"idempotency-key" for name, _ in sent):
        return f"{TRY_AGAIN}: with the same Idempotency-Key nothing is done twice"
    return f"{TRY_AGAIN}; whether this was done is not known: what has an Idempotency-Key is not done twice"


def refused(what: Refusal) -> Reply:
    """A problem as a reply."""
    return Reply(what.status, [*headers_of(what), *PRIVATE], what.body)


async def _answered(operation: Operation, node: Node, document: bytes, scope: Scope, receive: Receive) -> Reply:
    address = node.limits.address(scope)
    try:
        sent, accepted = _head(operation, scope)
    except Rejected:
        if operation.name not in EXEMPT:
            node.limits.request(address, None)  # whose it was was not looked up
        raise
    raw_query = scope["query_string"]
    is_head = scope["type"] == "http" and scope["method"] == "HEAD"
    with node.deadlines.within(ANSWER_SECONDS) as deadline:
        cost = weight(operation.name, raw_query, accepted)
        account = await _limited_caller(operation, node, address, sent, cost)
        query = parse_query(operation.query, raw_query) if raw_query or operation.query is not None else None
        with node.bodies.body(address, account and account.id) as share:
            body = b""
            if operation.body is not None:
                left = deadline.left
                body = await _body(operation, receive, sent, share, deadline)
                deadline.restart(left if operation.prompt else None)
            call = Call(
                operation=operation,
                node=node,
                headers=sent,
                path=scope["path_params"],
                query=query,
                body=body,
                accepted=accepted,
                account=account,
                key=_key(operation, scope, sent, body),
                document=document,
                address=address,
            )
            if accepted == EVENT_STREAM:
                return await _stream(call, account)
            turns = node.tables.turns
            if operation.method == "GET" and cost >= HEAVY:
                async with turns:
                    reply = _reply(call, await operation.run(call))
            else:
                reply = _reply(call, await operation.run(call))
            if not (isinstance(reply.body, bytes | Endless) or is_head):
                reply.body = await _begun(in_turns(reply.body, turns))
    if not (isinstance(reply.body, bytes | Endless) or is_head) and scope["http_version"] in WITHOUT_CHUNKS:
        return await _whole(reply, reply.body, node.bodies.body(address, account and account.id))
    return reply


def _head(operation: Operation, scope: Scope) -> tuple[headers.Headers, str]:
    """The headers of a request, and the media type of its answer; raises what is wrong with them."""
    if b"%2f" in scope["raw_path"].lower():
        raise Rejected("not-found", "an escaped slash is part of a name, and no name here has one")
    sent = headers.read(scope["headers"])
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
    if b"if-match" in sent and not (operation.tagged or operation.matched):
        raise Rejected("precondition-refused", "this operation has no entity tag to compare", field="If-Match")
    if b"if-none-match" in sent and operation.method != "GET":
        detail = "only reading can be bound to it; a command takes If-Match, if anything"
        raise Rejected("precondition-refused", detail, field="If-None-Match")


async def _stream(call: Call, account: Account | None) -> Reply:
    """A stream of what happens, which counts as a socket for as long as it is open."""
    slot = Slot(call.node.limits, call.address, account and account.id, upgrade=False)
    try:
        reply = _reply(call, await call.operation.run(call))
    except BaseException:
        slot.leave()
        raise
    reply.slot = slot
    return reply


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
        if sent.get(b"content-encoding", "identity").strip().lower() != "identity":
            detail = "send the body as it is"
            raise Rejected("unsupported-media-type", detail, field="Content-Encoding", allowed=["identity"])
    length = sent.get(b"content-length")
    body = await read_body(receive, length, share, deadline, largest=operation.largest, seconds=operation.seconds)
    if body and given is None:
        raise _wrong_media(operation)
    return body


def _wrong_media(operation: Operation) -> Rejected:
    detail = f"send {operation.takes}"
    return Rejected("unsupported-media-type", detail, field="Content-Type", allowed=[operation.takes])


def _key(operation: Operation, scope: Scope, sent: headers.Headers, body: bytes) -> Key | None:
    given = sent.get(b"idempotency-key")
    if given is None:
        return None
    if not operation.idempotent:
        if operation.method == "GET":
            return None  # as safe to repeat as it is
        detail = "what this answers is shown once, so it cannot be replayed"
        if operation.known is not None:
            detail = "the same request again changes nothing, so it takes no key"
        raise Rejected("idempotency-key-refused", detail, field="Idempotency-Key")
    request = b"\n".join((operation.method.encode(), scope["path"].encode("utf-8", "surrogatepass"), body))
    return Key(key=headers.idempotency_key(given), request_hash=hashlib.sha256(request).digest())


def _reply(call: Call, answer: Answer) -> Reply:
    sent = [(b"content-type", _CONTENT_TYPES.get(call.accepted) or call.accepted.encode()), *PRIVATE]
    sent += [(name.lower().encode(), value.encode()) for name, value in answer.headers]
    if answer.etag is not None:
        sent.append((b"etag", answer.etag.encode()))
        seen = call.headers.get(b"if-none-match")
        if seen is not None and headers.matches(seen, answer.etag, weakly=True):
            return Reply(304, sent[1:], b"")
    body = encode(answer.content) if isinstance(answer.content, Struct) else answer.content
    if isinstance(body, Endless):
        sent.append(ENDING)
    elif isinstance(body, bytes):
        sent.append((b"content-length", str(len(body)).encode()))
    return Reply(answer.status, sent, body)
