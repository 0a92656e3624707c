"""Events: a game's log as the caller may see it, by pages, as one stream, or as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER, Viewer
from service.answers import EventInfo, EventPage, encode, event_info
from service.http.headers import last_event_id
from service.http.operation import Answer, Call, Endless, Stream, operation
from service.http.paths import game, game_id
from service.limits.socket_slot import Slot
from service.live.frames import SubscribeFrame
from service.live.sse import Watching
from service.log import events
from service.media_types import EVENT_STREAM, JSON, NDJSON
from service.play.game_cache import LoadedGame

_PAGE = 100
_BATCH = 500
_SLICE = 100
"""Events that are decoded and redacted in one go."""


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which events are wanted."""

    after: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=LARGEST_INTEGER,
                description="Those with versions above this: all by default, or, as they happen, those to come.",
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=1_000,
                description="Maximum number of events (JSON pages default to 100, NDJSON is unlimited);"
                " not for `text/event-stream`.",
            ),
        ]
        | UnsetType
    ) = UNSET
    epoch: (
        Annotated[str, Meta(description="The epoch that `after` is of; for `text/event-stream` only.")] | UnsetType
    ) = UNSET


@operation(
    "GET",
    "/v1/games/{game}/events",
    tag="events",
    summary="What has happened",
    media=(JSON, NDJSON, EVENT_STREAM),
    line=EventInfo,
    last_event_id=True,
)
async def list_events(call: Call, query: EventsQuery) -> Answer[EventPage | Stream]:
    """The events of a game in order, one per version with none left out: what the caller may not see is a blank.

    With `Accept: application/x-ndjson` each event is a line, and they are all there unless `limit` says otherwise.

    With `Accept: text/event-stream` the answer goes on for as long as the client watches: server-sent events, each with
    a frame of the live feed for its `data` and the type of the frame for its `event`. What has a position has it for an
    `id`, as `<epoch>:<version>`. `Last-Event-ID`, or else `after` and `epoch`, say where to go on; without them the
    first event is `hello`, the game as it is.
    """
    if call.accepted == EVENT_STREAM:
        return await _watch(call, query)
    if query.epoch is not UNSET:
        raise Rejected("invalid-query", f"epoch: it is for {EVENT_STREAM}", field="epoch")
    after = 0 if query.after is UNSET else query.after
    table = await game(call)
    viewer = table.game.seat_of(call.account_id)
    if call.accepted == NDJSON:
        limit = table.version if query.limit is UNSET else query.limit
        return Answer(_lines(call, table, viewer, after, limit))
    limit = _PAGE if query.limit is UNSET else query.limit
    found = await _read(call, table, viewer, after, limit)
    last = found[-1].version if found else after
    more = last < table.version
    return Answer(EventPage(table.id, call.node.epoch, table.version, tuple(found), more))


async def _watch(call: Call, query: EventsQuery) -> Answer[EventPage | Stream]:
    """The live feed of the game: what keeps it from starting gets a status, and all else comes in the stream."""
    slot = Slot(call.node.limits, call.address, call.account_id, upgrade=False)
    try:
        asked = _asked(call, query)
        table = await game(call)
    except BaseException:
        slot.leave()
        raise
    charge = partial(call.node.limits.request, call.address, call.account_id)
    watching = Watching(call.node.hub, call.node.tokens, call.account_id, asked, table.version, charge)
    unbuffered = (b"x-accel-buffering", b"no")  # or nginx would keep events until it has many
    return Answer(Endless(watching, slot.leave), headers=[unbuffered])


def _asked(call: Call, query: EventsQuery) -> SubscribeFrame:
    """Where to go on: what the client had last, or what its address says, which stays as it was when it reconnects."""
    if query.limit is not UNSET:
        raise Rejected("invalid-query", f"limit: {EVENT_STREAM} has no end", field="limit")
    sent = call.headers.get(b"last-event-id")
    if sent is not None:
        epoch, after = last_event_id(sent)
        return SubscribeFrame(game_id(call), after, epoch)
    if query.after is UNSET:
        if query.epoch is not UNSET:
            raise Rejected("invalid-query", "epoch: it goes with after", field="epoch")
        return SubscribeFrame(game_id(call))
    return SubscribeFrame(game_id(call), query.after, None if query.epoch is UNSET else query.epoch)


async def _read(call: Call, table: LoadedGame, viewer: Viewer, after: int, limit: int) -> list[EventInfo]:
    """Events up to the table's version: one that came in meanwhile is for the next request."""
    limit = min(limit, table.version - after)
    rows = await events.read(call.node.pool, table.id, after, limit) if limit > 0 else []
    found: list[EventInfo] = []
    for number, row in enumerate(rows, 1):
        found.append(event_info(table, row, call.node.tables.decode(table, row), viewer))
        if number % _SLICE == 0:
            await asyncio.sleep(0)  # a page is much work, and others have their turn in between
    return found


async def _lines(call: Call, table: LoadedGame, viewer: Viewer, after: int, limit: int) -> AsyncIterator[bytes]:
    """Events as lines, read and sent in batches."""
    while limit > 0 and (found := await _read(call, table, viewer, after, min(limit, _BATCH))):
        yield b"".join(encode(each) + b"\n" for each in found)
        after = found[-1].version
        limit -= len(found)
