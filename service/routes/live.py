"""The two sockets: `WS /v1/live`, and `WS /v1/games/{id}/live` with the subscription to that game implied.

Whatever is wrong with the request (query, origin, game) is answered after the handshake, by an error frame and a close
code: a browser cannot see the status of a handshake that was refused. No token is taken in the URL.

The implied subscription begins with the client's first frame. If that is `auth`, as it should be for a player, the
subscription begins as that account (`{"type": "auth"}` without a token: as the public, at once); for a client that
sends nothing it begins as the public after `PATIENCE_SECONDS`. An `auth` that comes later is as good, but for resuming:
the subscription starts over as that account, with a hello.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, TypeAlias

from litestar import WebSocket, websocket
from msgspec import UNSET, Meta, Struct, UnsetType
from uvicorn.protocols.utils import ClientDisconnected

from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER
from service.http.query import QueryDecoder
from service.limits.socket_slot import Slot
from service.live.frames import SubscribeFrame
from service.live.session import Session
from service.node import Node
from service.problems import refusal
from service.transport.websocket_protocol import pipe

Socket: TypeAlias = WebSocket[Any, Any, Any]

PATIENCE_SECONDS = 1.0


class LiveQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to go on: the version and the epoch of the last frame that the client has."""

    after: Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)] | UnsetType = UNSET
    epoch: str | UnsetType = UNSET


_QUERY = QueryDecoder(LiveQuery)
_NO_QUERY: QueryDecoder[LiveQuery] = QueryDecoder(None)


@websocket("/v1/live")
async def live(socket: Socket) -> None:
    """Watch any number of games."""
    await _serve(socket, None, _NO_QUERY)


@websocket("/v1/games/{game:str}/live")
async def game_live(socket: Socket) -> None:
    """Watch one game."""
    await _serve(socket, str(socket.path_params["game"]), _QUERY)


async def _serve(socket: Socket, game: str | None, decoder: QueryDecoder[LiveQuery]) -> None:
    try:
        await _admit(socket, game, decoder)
    finally:
        del socket.receive, socket.send  # Litestar's wrappers, which lead back to the socket: a cycle


async def _admit(socket: Socket, game: str | None, decoder: QueryDecoder[LiveQuery]) -> None:
    node: Node = socket.app.state.node
    try:
        slot = Slot(node.limits, node.limits.address(socket.scope))
    except Rejected as error:
        node.counters.refused(error)
        with suppress(ClientDisconnected):
            await pipe(socket.scope).refuse(refusal(error))
        return
    watcher = None
    try:
        await socket.accept()
        watcher = node.hub.arrive(pipe(socket.scope), charge=slot.deliver)
        await _converse(socket, node, Session(node.hub, node.tokens, watcher, node.counters, slot), game, decoder)
    finally:
        slot.leave()
        if watcher is not None:
            node.hub.depart(watcher)


async def _converse(
    socket: Socket, node: Node, talk: Session, game: str | None, decoder: QueryDecoder[LiveQuery]
) -> None:
    try:
        _require_origin(socket, node.settings.allowed_origins)
        query = decoder.decode(socket.scope["query_string"])
        if game is not None and query is not None:
            talk.imply(_implied(game, query))
        await _listen(socket, talk)
    except Rejected as error:
        talk.end(error, game)


def _implied(game: str, query: LiveQuery) -> SubscribeFrame:
    after = None if query.after is UNSET else query.after
    epoch = None if query.epoch is UNSET else query.epoch
    if after is None and epoch is not None:
        raise Rejected("invalid-query", "epoch goes with after", field="epoch")
    return SubscribeFrame(game, after, epoch)


async def _listen(socket: Socket, talk: Session) -> None:
    first = asyncio.ensure_future(socket.receive())
    # Not wait_for, which would cancel the receiving, and might lose a frame with it.
    await asyncio.wait([first], timeout=PATIENCE_SECONDS)
    if not first.done():
        await talk.begin()
    message: Any = await first
    while message["type"] != "websocket.disconnect":
        await talk.hear(message)
        message = await socket.receive()


def _require_origin(socket: Socket, allowed: tuple[str, ...]) -> None:
    """Pass a page of an allowed origin, and whatever is not a page."""
    for origin in socket.headers.getall("origin", []):
        if allowed and origin not in allowed:
            raise Rejected("origin-refused", "pages of this origin may not connect", field="Origin")


HANDLERS = (live, game_live)
