"""The application: every route over the node that serves."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import ResponseHeader, State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.kernel.rejected import Rejected
from service.http.handler import handler, litestar_path, problem_response
from service.http.operation import Operation
from service.node import Node, Resources
from service.openapi.document import as_text, document
from service.problems import Refusal, refusal
from service.process import Process
from service.routes import (
    accounts,
    documents,
    entropy,
    events,
    forks,
    games,
    health,
    live,
    moves,
    records,
    seats,
    timeline,
    titles,
    undo,
)
from service.transport.cors import Origins
from service.transport.websocket_protocol import pipe

RESOURCES = (titles, accounts, games, forks, seats, entropy, moves, undo, events, timeline, records, health, documents)
OPERATIONS = tuple(each for resource in RESOURCES for each in vars(resource).values() if isinstance(each, Operation))
"""The REST contract, in the order of the document."""


def application(process: Process) -> ASGIApp:
    """The ASGI application of a process."""
    resources = process.resources
    handlers = [_options(path) for path in dict.fromkeys(operation.path for operation in OPERATIONS)]
    handlers += map(handler, OPERATIONS)
    written = as_text(document(resources.titles, OPERATIONS)).encode()
    app = Litestar(
        [*handlers, *live.HANDLERS],
        state=State({"node": process.node, "document": written}),
        exception_handlers={Exception: _refused},
        openapi_config=None,  # its document has neither discriminators nor closed objects: service/openapi writes ours
        logging_config=None,
        debug=False,
    )
    process.on_restart(partial(setattr, app.state, "node"))
    allowed = resources.settings.allowed_origins
    return Origins(_counting_handshakes(app, resources), allowed, partial(_limit_preflight, resources))


def _options(path: str) -> HTTPRouteHandler:
    """Answers OPTIONS at a path; to be registered before the others there.

    Litestar's own, which it makes where there is none, tells the methods of one of the handlers and not of all.
    """
    methods = {operation.method for operation in OPERATIONS if operation.path == path}
    allowed = ", ".join(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))

    async def handle(request: Request[Any, Any, Any]) -> None:
        """Do nothing but answer."""
        _count(request.app.state.node, request.scope)

    headers = [ResponseHeader(name="Allow", value=allowed)]
    route = HTTPRouteHandler(litestar_path(path), http_method="OPTIONS", status_code=204, response_headers=headers)
    return route(handle)


def _refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What no operation answered: no such path, no such method, a request that cannot be read."""
    node: Node = request.app.state.node
    if isinstance(error, HTTPException):
        try:
            _count(node, request.scope)
        except Rejected as limited:
            error = limited
    what = refusal(error)
    node.counters.answered("none", what.status)
    return problem_response(what, {"cache-control": "private, no-cache"})


def _count(resources: Resources, scope: Scope) -> None:
    """Count a request that no operation answers, by its address; raises `rate-limited`."""
    try:
        resources.limits.request(resources.limits.address(scope), None)
    except Rejected as error:
        resources.counters.refused(error)
        raise


def _limit_preflight(resources: Resources, scope: Scope) -> Refusal | None:
    try:
        resources.limits.preflight(resources.limits.address(scope))
    except Rejected as error:
        resources.counters.refused(error)
        return refusal(error)
    return None


def _counting_handshakes(app: ASGIApp, resources: Resources) -> ASGIApp:
    """Count handshakes at paths where no socket is: Litestar closes those without asking anything here."""

    async def count(scope: Scope, receive: Receive, send: Send) -> None:
        accepted = False

        async def watch(message: Message) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            if message["type"] == "websocket.close" and not accepted:
                try:
                    _count(resources, scope)
                except Rejected as error:
                    await pipe(scope).refuse(refusal(error))
                    return
            await send(message)

        await app(scope, receive, watch)

    def route(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return (app if scope["type"] == "http" else count)(scope, receive, send)

    return route
