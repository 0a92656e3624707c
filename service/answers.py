"""What goes over the wire: answers of the REST API and what both it and the live feed are made of.

Fields typed Any hold a title's own structs; the OpenAPI document has unions of them over the titles served. Times are
RFC 3339 in UTC; hashes are hex; every number is below 2^53.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel import game as kernel
from domain.kernel.documented import reference, schema, schema_or_null
from domain.kernel.events import Delay, Event, Fork
from domain.kernel.game import Status
from domain.kernel.ids import AccountId
from domain.kernel.legal import LegalMoves, example
from domain.kernel.results import Result
from domain.kernel.terms import Seat, Version, Viewer
from service.log.events import Row
from service.play.entropy import EntropyStage, entropy_stage
from service.play.game_cache import LoadedGame


class SeatInfo(Struct, frozen=True):
    """A place at the table; account and name are null while it is free.

    `entropy` is null for a seat that has not committed to any. One that is `committed` has to reveal while the game is
    `starting`; `owed` means that its commitment was voided and the game waits for it to commit again.
    """

    seat: Seat
    account: AccountId | None
    name: str | None
    entropy: EntropyStage | None


class GameInfo(Struct, frozen=True):
    """A game as the caller sees it. `seat` is the caller's own, `view` the title's, null before the start.

    While it is `starting`, it waits until `reveal_by` for seats to reveal their entropy; then they may be freed.
    One that is `archived` was taken in as a record: its accounts are of another service, whatever their ids are.
    """

    id: str
    title: str
    component_set: str
    component_hash: str
    options: Annotated[Any, schema("Options")]
    visibility: str
    creator: str
    commitment: str
    sandbox: bool
    archived: bool
    forked_from: Fork | None
    spectator_delay: Delay | None
    reveal_seconds: int | None
    """How long seats have to reveal their entropy; null in games that were opened before there were commitments."""
    status: Status
    seats: tuple[SeatInfo, ...]
    seat: Seat | None
    reveal_by: datetime | None
    version: Version
    hash: str
    to_move: tuple[Seat, ...]
    view: Annotated[Any, schema_or_null("View")]
    result: Result | None
    revealed: Annotated[Any | UnsetType, schema_or_null("State")] = UNSET
    """The whole state of a finished game, when `reveal=true` asks for it."""


class EventInfo(Struct, frozen=True):
    """An event as the caller may see it; `data` is a blank where that is nothing."""

    version: Version
    recorded_at: datetime
    rules_version: str
    hash: str
    data: Annotated[Any, schema("SeenEvent")]


class MoveAnswer(Struct, frozen=True):
    """What a command brought about: the game's version, status and whose turn it is right after the event."""

    version: Version
    status: Status
    to_move: tuple[Seat, ...]
    event: EventInfo


_CASE = Meta(extra_json_schema={"type": "object", "additionalProperties": reference("CaseField")})


class OfferInfo(Struct, frozen=True):
    """The legal moves of one type. Each case is a free product of its fields; `example` is a move ready to post."""

    type: str
    cases: tuple[Annotated[Any, _CASE], ...]
    example: Annotated[Any, schema("Move")]


class LegalInfo(Struct, frozen=True):
    """All that a seat may do at a version."""

    version: Version
    seat: Seat
    moves: tuple[OfferInfo, ...]


class EventPage(Struct, frozen=True):
    """Events in order; `version` is the game's, `more` whether there are events after the last one here."""

    game: str
    epoch: str
    version: Version
    events: tuple[EventInfo, ...]
    more: bool


def event_info(table: LoadedGame, row: Row, event: Event, viewer: Viewer) -> EventInfo:
    """An event of the log as a viewer may see it."""
    return EventInfo(
        version=row.version,
        recorded_at=row.recorded_at,
        rules_version=row.rules_version,
        hash=row.hash.hex(),
        data=kernel.redact(event, table.rules, viewer),
    )


def game_info(table: LoadedGame, account: AccountId | None, *, reveal: bool = False) -> GameInfo:
    """A game as an account sees it (None: the public). `reveal` adds the whole state: the game must have finished."""
    game, seat = table.game, table.game.seat_of(account)
    return GameInfo(
        id=table.id,
        title=game.created.title,
        component_set=game.created.component_set,
        component_hash=game.created.component_hash,
        options=game.created.options,
        visibility=game.created.visibility,
        creator=game.created.creator,
        commitment=game.created.commitment,
        sandbox=game.created.sandbox,
        archived=table.archived,
        forked_from=game.created.forked_from,
        spectator_delay=game.created.spectator_delay,
        reveal_seconds=game.created.reveal_seconds or None,
        status=game.status,
        seats=seat_infos(table),
        seat=seat,
        reveal_by=game.start.reveal_by,
        version=game.version,
        hash=table.hash.hex(),
        to_move=kernel.to_move(game, table.rules),
        view=kernel.view(game, table.rules, seat),
        result=game.result,
        revealed=game.state if reveal else UNSET,
    )


def seat_infos(table: LoadedGame) -> tuple[SeatInfo, ...]:
    """The places at the table."""
    return tuple(
        SeatInfo(
            seat=seat,
            account=who.account if who else None,
            name=who.name if who else None,
            entropy=entropy_stage(who) if who else None,
        )
        for seat, who in enumerate(table.game.seats)
    )


def move_answer(table: LoadedGame, row: Row, event: Event, account: AccountId) -> MoveAnswer:
    """The answer to a command; `table` is the game right after the event."""
    return MoveAnswer(
        version=row.version,
        status=table.game.status,
        to_move=kernel.to_move(table.game, table.rules),
        event=event_info(table, row, event, table.game.seat_of(account)),
    )


def legal_info(table: LoadedGame, legal: LegalMoves) -> LegalInfo:
    """A seat's legal moves; offers without a case are left out."""
    offers = tuple(
        OfferInfo(type=offer.type, cases=offer.cases, example=example(offer)) for offer in legal.offers if offer.cases
    )
    return LegalInfo(version=table.version, seat=legal.seat, moves=offers)


encode = msgspec.json.Encoder().encode
