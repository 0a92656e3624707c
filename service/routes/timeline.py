"""The timeline: what each version was, in words, to build a replay slider from."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel import game as kernel
from domain.kernel.describe import describe, describe_opening
from domain.kernel.events import Blank, GameCreated, Seen
from domain.kernel.game import Status
from domain.kernel.terms import LARGEST_INTEGER, Seat, Version
from service.http.operation import Answer, Call, operation
from service.http.paths import game, game_at
from service.log import events
from service.log.events import Row
from service.play.game_cache import LoadedGame


class TimelineQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which versions, and in which language."""

    language: Literal["en", "ja"] = "en"
    after: Annotated[int, Meta(ge=0, le=LARGEST_INTEGER, description="Those above this version.")] = 0
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 100


_SLICE = 10
"""Versions that are worked out in one go."""


class Moment(Struct, frozen=True):
    """A version: who did what, when, and how things stood right after it, as far as the caller may know.

    `seat` is null for what no seat did or may be seen to have done; `points` are each seat's, null before the start. At
    the end they are those of the result. For an earlier version that was recorded under other rules than today's they
    are null: today's rules may count otherwise than those by which the game was decided.
    """

    version: Version
    recorded_at: datetime
    seat: Seat | None
    text: str
    status: Status
    to_move: tuple[Seat, ...]
    points: tuple[int, ...] | None


class Timeline(Struct, frozen=True):
    """Versions in order; `more` whether there are any after the last one here."""

    game: str
    version: Version
    moments: tuple[Moment, ...]
    more: bool


@operation("GET", "/v1/games/{game}/timeline", tag="events", summary="What happened, in words")
async def get_timeline(call: Call, query: TimelineQuery) -> Answer[Timeline]:
    """What happened, one line per version in English or Japanese, with time and the points that the caller could know.

    With `GET /v1/games/{game}?version=` for the state behind a line this is all that a replay needs.
    """
    latest = await game(call)
    viewer = latest.game.seat_of(call.account_id)
    limit = min(query.limit, latest.version - query.after)
    rows = await events.read(call.node.pool, latest.id, query.after, limit) if limit > 0 else []
    table = await game_at(call, latest, query.after or 1) if rows else latest
    moments: list[Moment] = []
    after = kernel.view(table.game, table.rules, viewer)
    for row in rows:
        if row.version % _SLICE == 0:
            await asyncio.sleep(0)  # a page is much work, and others have their turn in between
        before = None if row.version == 1 else after
        if row.version == 1:
            event = call.node.tables.decode(table, row)
        else:
            table, event = call.node.tables.advance(table, row)
        after = kernel.view(table.game, table.rules, viewer)
        seen = kernel.redact(event, table.rules, viewer)
        seat = None if isinstance(seen, GameCreated | Blank) else seen.seat
        text = _text(table, seen, query.language, before, after)
        moments.append(_moment(table, row, text, seat, viewer))
    last = moments[-1].version if moments else query.after
    return Answer(Timeline(game=latest.id, version=latest.version, moments=tuple(moments), more=last < latest.version))


def _text(table: LoadedGame, seen: Seen, language: str, before: Struct | None, after: Struct | None) -> str:
    if isinstance(seen, GameCreated):
        begins_at = table.game.created.position is not None
        return describe_opening(seen, language, position=begins_at, archived=table.archived)
    return describe(seen, table.rules, table.game.names, language, before=before, after=after)


def _moment(table: LoadedGame, row: Row, text: str, seat: Seat | None, viewer: Seat | None) -> Moment:
    return Moment(
        version=row.version,
        recorded_at=row.recorded_at,
        seat=seat,
        text=text,
        status=table.game.status,
        to_move=kernel.to_move(table.game, table.rules),
        points=points(table, row.rules_version, viewer),
    )


def points(table: LoadedGame, rules_version: str, viewer: Seat | None) -> tuple[int, ...] | None:
    """Each seat's points at a version recorded under some rules, as `Moment` describes them."""
    state, result = table.game.state, table.game.result
    if result is not None:
        return tuple(score.points for score in sorted(result.scores, key=lambda score: score.seat))
    if state is None or rules_version != table.title.rules_version:
        return None
    return table.rules.points(state, viewer)
