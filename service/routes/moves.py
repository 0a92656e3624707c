"""Moves: what the caller may do, and doing it."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.kernel import game as kernel
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import LegalInfo, legal_info
from service.auth.guards import Access
from service.http import examples
from service.http.etags import demand_match, etag, match_of
from service.http.handler import handlers
from service.http.operation import Answer, Call, Operation
from service.http.paths import game, game_id
from service.http.tagged_unions import members, tag
from service.routes.game_commands import done, posted_command

Move = TypeVar("Move")


class NewMove(Struct, Generic[Move], frozen=True, forbid_unknown_fields=True):
    """A move, and the version of the game that it was made for."""

    expected_version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
    move: Move


class _Type(Struct):
    type: Any = None


class _Named(Struct):
    move: _Type


_decoders: dict[str, msgspec.json.Decoder[NewMove[Any]]] = {}


async def get_legal_moves(call: Call) -> Answer:
    """What the caller may do now: complete, so that a program that knows no rules can play by it.

    Each case is a free product of its fields; `example` is a move ready to be posted. There are none while the game
    does not wait for the caller.
    """
    table = await game(call)
    current = etag(call, table)
    demand_match(call, current)
    seat = kernel.demand_seat(table.game, call.caller.id)
    return Answer(legal_info(table, kernel.legal_moves(table.game, table.rules, seat)), etag=current)


async def make_move(call: Call) -> Answer:
    """Make a move. It counts for `expected_version` only.

    If the game has moved on, nothing happens, and the refusal tells the current version.
    """
    account = call.caller
    table = await call.node.tables.get(game_id(call))
    wanted = _decoded(call, table.title)
    what = await call.node.commands.move(
        account, table.id, wanted.expected_version, wanted.move, call.key, match=match_of(call)
    )
    return done(call, what, 201)


def _decoded(call: Call, title: Title) -> NewMove[Any]:
    """The move in the body. One of another title fits the document, and so is illegal rather than malformed."""
    try:
        return call.decoded(_decoder(title))
    except Rejected as error:
        titles = call.node.sets.titles.values()
        known = [tag(each) for other in titles for each in members(other.move)]
        if error.facts.get("field") == "move.type" and (named := _named(call.body)) in known:
            raise Rejected("illegal-move", f"{named} is a move of another title", field="move.type") from error
        raise


def _named(body: bytes) -> Any:
    """What stands in a body as the type of its move."""
    try:
        return msgspec.json.decode(body, type=_Named).move.type
    except msgspec.DecodeError:
        return None


def _decoder(title: Title) -> msgspec.json.Decoder[NewMove[Any]]:
    if title.id not in _decoders:
        body: Any = NewMove
        _decoders[title.id] = msgspec.json.Decoder(body[title.move])
    return _decoders[title.id]


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/games/{game}/moves",
        name="get_legal_moves",
        tag="moves",
        summary="My legal moves",
        run=get_legal_moves,
        access=Access.account,
        answer=LegalInfo,
        tagged=True,
        problems=("not-seated",),
    ),
    posted_command(
        path="/v1/games/{game}/moves",
        name="make_move",
        tag="moves",
        summary="Make a move",
        run=make_move,
        body=NewMove,
        example=examples.new_move,
        problems=("not-seated", "stale-version", "not-your-turn", "illegal-move", "game-not-started", "game-over"),
    ),
)
HANDLERS = handlers(OPERATIONS)
