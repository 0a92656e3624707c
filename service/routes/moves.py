"""Moves: what the caller may do, and doing it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.kernel import game as kernel
from domain.kernel.chance import Chance
from domain.kernel.documented import schema
from domain.kernel.legal import example
from domain.kernel.rejected import Rejected
from domain.kernel.rules import Title
from domain.kernel.tagged_unions import members, tag
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import LegalInfo, MoveAnswer, legal_info
from service.auth.guards import Access
from service.http.body import decode_body
from service.http.etags import etag, match_of, require_match
from service.http.operation import Answer, Call, operation
from service.http.paths import game, game_id
from service.play.built_in import built_in
from service.routes.game_commands import done, posted_command

Move = TypeVar("Move")


class NewMove(Struct, Generic[Move], frozen=True, forbid_unknown_fields=True):
    """A move, and the version of the game that it was made for."""

    expected_version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
    move: Annotated[Move, schema("Move")]


class _Type(Struct):
    type: Any = None


class _Named(Struct):
    move: _Type


def _example(titles: Mapping[str, Title]) -> Any:
    """The first legal move of a game of the first title that has just begun."""
    for title in titles.values():
        (_, text), *_ = built_in(title)
        rules = title.load(text)
        state = rules.fold(None, rules.begin(title.options(), title.seats[0], Chance(bytes(32), 3)))
        legal = rules.legal_moves(state, rules.to_move(state)[0])
        return {"expected_version": title.seats[0] + 1, "move": example(legal.offers[0])}
    return None


@operation(
    "GET",
    "/v1/games/{game}/moves",
    tag="moves",
    summary="My legal moves",
    access=Access.account,
    etag=True,
    problems=("not-seated",),
)
async def get_legal_moves(call: Call) -> Answer[LegalInfo]:
    """What the caller may do now: complete, so that a program that knows no rules can play by it.

    Each case is a free product of its fields; `example` is a move ready to be posted. There are none while the game
    does not wait for the caller.
    """
    table = await game(call)
    current = etag(call, table)
    require_match(call, current)
    seat = kernel.require_seat(table.game, call.caller.id)
    return Answer(legal_info(table, kernel.legal_moves(table.game, table.rules, seat)), etag=current)


@posted_command(
    "/v1/games/{game}/moves",
    tag="moves",
    summary="Make a move",
    body=NewMove,
    example=_example,
    problems=("not-seated", "stale-version", "not-your-turn", "illegal-move", "game-not-started", "game-over"),
)
async def make_move(call: Call, body: bytes) -> Answer[MoveAnswer]:
    """Make a move. It counts for `expected_version` only.

    If the game has moved on, nothing happens, and the refusal tells the current version.
    """
    table = await call.node.tables.get(game_id(call))
    wanted = _decoded(call, table.title, body)
    what = await call.node.commands.move(
        call.caller, table.id, wanted.expected_version, wanted.move, call.key, match=match_of(call)
    )
    return done(call, what)


def _decoded(call: Call, title: Title, body: bytes) -> NewMove[Any]:
    """The move in a body. One of another title fits the document, and so is illegal rather than malformed."""
    try:
        return decode_body(_decoder(title.move), body)
    except Rejected as error:
        titles = call.node.sets.titles.values()
        known = [tag(each) for other in titles for each in members(other.move)]
        if error.facts.get("field") == "move.type" and (named := _named(body)) in known:
            raise Rejected("illegal-move", f"{named} is a move of another title", field="move.type") from error
        raise


def _named(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body, type=_Named).move.type
    except msgspec.DecodeError:
        return None


@cache
def _decoder(move: Any) -> msgspec.json.Decoder[NewMove[Any]]:
    body: Any = NewMove
    return msgspec.json.Decoder(body[move])
