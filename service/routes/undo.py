"""Undo: the caller's own last move is taken back, by one more event."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.terms import LARGEST_INTEGER
from service.answers import MoveAnswer
from service.http.etags import match_of
from service.http.operation import Answer, Call
from service.http.paths import game_id
from service.routes.game_commands import done, posted_command


class NewUndo(Struct, frozen=True, forbid_unknown_fields=True):
    """The version of the game whose last move is to be taken back, so that a double click takes back one."""

    expected_version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]


@posted_command(
    "/v1/games/{game}/undo",
    tag="moves",
    summary="Take back my last move",
    example=lambda _: {"expected_version": 12},
    problems=(
        "too-many-events",
        "not-seated",
        "stale-version",
        "game-not-started",
        "game-over",
        "undo-nothing",
        "undo-chance",
        "undo-hidden",
        "undo-seat",
    ),
)
async def undo_move(call: Call, body: NewUndo) -> Answer[MoveAnswer]:
    """Take back the caller's own last move, and the one before it in the next request, back to the turn's beginning.

    A move stays if it drew by chance, laid open what was hidden, or was followed by another seat's; the code of the
    refusal says which. `final` of a move's event tells as much beforehand.
    """
    what = await call.node.commands.undo(
        call.caller, game_id(call), body.expected_version, call.key, match=match_of(call)
    )
    return done(call, what)
