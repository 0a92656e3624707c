"""Events: a game's log as the caller may see it, by pages or as one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.terms import LARGEST_INTEGER, Viewer
from service.contract.headers import JSON, NDJSON
from service.contract.operation import Answer, Call, Operation
from service.contract.serving import handlers
from service.play.tables import Table
from service.routes.paths import game
from service.store import events
from service.wire import EventInfo, EventPage, encode, event_info

_PAGE = 100
_BATCH = 500


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which events are wanted."""

    after: Annotated[int, Meta(ge=0, le=LARGEST_INTEGER, description="Those with versions above this.")] = 0
    limit: (
        Annotated[
            int, Meta(ge=1, le=1_000, description="At most so many: a page has 100 by default, a stream them all.")
        ]
        | UnsetType
    ) = UNSET


async def list_events(call: Call) -> Answer:
    """The events of a game in order, one per version with none left out: what the caller may not see is a blank.

    With `Accept: application/x-ndjson` each event is a line, and they are all there unless `limit` says otherwise.
    """
    query: EventsQuery = call.query
    table = await game(call)
    viewer = table.game.seat_of(call.account_id)
    if call.accepted == NDJSON:
        limit = table.version if query.limit is UNSET else query.limit
        return Answer(_lines(call, table, viewer, query.after, limit))
    limit = _PAGE if query.limit is UNSET else query.limit
    found = await _read(call, table, viewer, query.after, limit)
    last = found[-1].version if found else query.after
    return Answer(
        EventPage(
            game=table.id,
            epoch=call.node.epoch,
            version=table.version,
            events=tuple(found),
            more=last < table.version,
        )
    )


async def _read(call: Call, table: Table, viewer: Viewer, after: int, limit: int) -> list[EventInfo]:
    """Events up to the table's version: one that came in meanwhile is for the next request."""
    limit = min(limit, table.version - after)
    rows = await events.read(call.node.pool, table.id, after, limit) if limit > 0 else []
    return [event_info(table, row, call.node.tables.decode(table, row), viewer) for row in rows]


async def _lines(call: Call, table: Table, viewer: Viewer, after: int, limit: int) -> AsyncIterator[bytes]:
    """Events as lines, read and sent in batches."""
    while limit > 0 and (found := await _read(call, table, viewer, after, min(limit, _BATCH))):
        yield b"".join(encode(each) + b"\n" for each in found)
        after = found[-1].version
        limit -= len(found)


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/games/{game}/events",
        name="list_events",
        tag="events",
        summary="What has happened",
        run=list_events,
        query=EventsQuery,
        media=(JSON, NDJSON),
        line=EventInfo,
        answer=EventPage,
    ),
)
HANDLERS = handlers(OPERATIONS)
