"""Seats: an account sits down, and gets up as long as the game waits."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.kernel.terms import LARGEST_INTEGER
from service.auth.guards import Access
from service.contract.etags import match_of
from service.contract.operation import Answer, Call, Operation
from service.contract.serving import handlers
from service.openapi import examples
from service.play.writer import Done
from service.routes.paths import game_id
from service.wire import MoveAnswer, move_answer

Commitment: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-f]{64}(?![\s\S])",
        description='SHA-256, in hex, of "tablelog/entropy/1", the id of the account and its entropy, each in UTF-8'
        " and preceded by its length in 8 bytes, big-endian. The entropy has at least 22 characters and is used once.",
    ),
]


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, and what the account adds to the chance of the game: entropy in the open, or a commitment to it."""

    seat: Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)] | None = None
    """The first free one where this is left out."""
    entropy: Annotated[
        str,
        Meta(
            max_length=64,
            pattern=r"^[ -~]*(?![\s\S])",
            description="Up to 64 printable ASCII characters, best such as nobody can foresee: all draws of the game"
            " derive from them, from those of the other seats and from the server's seed.",
        ),
    ] = ""
    entropy_commitment: Commitment | None = None
    """With this the game starts when all seats that have committed have revealed: nobody can choose its draws."""


_TAKE = msgspec.json.Decoder(TakeSeat)


def done(call: Call, what: Done, status: int) -> Answer:
    """The answer to a command on a game: its event, and whether it had been done before."""
    after = what.row.version - 1
    sent = [("Location", f"/v1/games/{what.row.game_id}/events?after={after}&limit=1")] if status == 201 else []
    if what.replayed:
        sent.append(("Idempotency-Replayed", "true"))
    return Answer(move_answer(what.table, what.row, what.event, call.caller.id), status=status, headers=sent)


async def take_seat(call: Call) -> Answer:
    """Take a seat. The last one starts the game, and its event says how it was set up.

    If any seat has committed to entropy, the last one makes the game `starting` instead, until `reveal_by`.
    """
    wanted = call.decoded(_TAKE)
    what = await call.node.commands.take_seat(
        call.caller,
        game_id(call),
        wanted.seat,
        wanted.entropy,
        call.key,
        commitment=wanted.entropy_commitment,
        match=match_of(call),
    )
    return done(call, what, 201)


async def leave_seat(call: Call) -> Answer:
    """Get up. Once the game has started, nobody can."""
    return done(
        call, await call.node.commands.leave_seat(call.caller, game_id(call), call.key, match=match_of(call)), 200
    )


OPERATIONS = (
    Operation(
        method="POST",
        path="/v1/games/{game}/seats",
        name="take_seat",
        tag="seats",
        summary="Take a seat",
        run=take_seat,
        access=Access.account,
        body=TakeSeat,
        example=examples.take_seat,
        body_required=False,
        status=201,
        answer=MoveAnswer,
        idempotent=True,
        matched=True,
        located=True,
        problems=(
            "already-seated",
            "no-such-seat",
            "game-full",
            "seat-taken",
            "barred",
            "bad-entropy",
            "commitment-reused",
            "too-many-events",
            "too-many-seats",
        ),
    ),
    Operation(
        method="DELETE",
        path="/v1/games/{game}/seats/me",
        name="leave_seat",
        tag="seats",
        summary="Leave my seat",
        run=leave_seat,
        access=Access.account,
        answer=MoveAnswer,
        idempotent=True,
        matched=True,
        problems=("not-seated", "game-starting", "game-started"),
    ),
)
HANDLERS = handlers(OPERATIONS)
