"""Undo: the caller's own last move is taken back, by one more event."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.kernel.terms import LARGEST_INTEGER
from service.http import examples
from service.http.etags import match_of
from service.http.handler import handlers
from service.http.operation import Answer, Call
from service.http.paths import game_id
from service.routes.game_commands import done, posted_command


class NewUndo(Struct, frozen=True, forbid_unknown_fields=True):
    """The version of the game of which the last move is to be taken back: so a double click takes back one."""

    expected_version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]


_NEW = msgspec.json.Decoder(NewUndo)


async def undo_move(call: Call) -> Answer:
    """Take back the caller's own last move, and the one before it in the next request, back to the turn's beginning.

    A move stays if it drew by chance, laid open what was hidden, or was followed by another seat's; the code of the
    refusal says which. `final` of a move's event tells as much beforehand.
    """
    account = call.caller
    wanted = call.decoded(_NEW)
    what = await call.node.commands.undo(
        account, game_id(call), wanted.expected_version, call.key, match=match_of(call)
    )
    return done(call, what, 201)


OPERATIONS = (
    posted_command(
        path="/v1/games/{game}/undo",
        name="undo_move",
        tag="moves",
        summary="Take back my last move",
        run=undo_move,
        body=NewUndo,
        example=examples.undo,
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
    ),
)
HANDLERS = handlers(OPERATIONS)
