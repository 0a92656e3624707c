"""Seats: an account sits down, and gets up as long as the game waits."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.terms import LARGEST_INTEGER
from service.answers import MoveAnswer
from service.http.etags import match_of
from service.http.operation import Answer, Call
from service.http.paths import game_id
from service.routes.game_commands import done, game_command, posted_command

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


@posted_command(
    "/v1/games/{game}/seats",
    tag="seats",
    summary="Take a seat",
    body_required=False,
    example=lambda _: {"seat": 0, "entropy": "dice: 3 1 6 2"},
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
)
async def take_seat(call: Call, body: TakeSeat) -> Answer[MoveAnswer]:
    """Take a seat. The last one starts the game, and its event says how it was set up.

    If any seat has committed to entropy, the last one makes the game `starting` instead, until `reveal_by`.
    """
    what = await call.node.commands.take_seat(
        call.caller,
        game_id(call),
        body.seat,
        body.entropy,
        call.key,
        commitment=body.entropy_commitment,
        match=match_of(call),
    )
    return done(call, what)


@game_command(
    "DELETE",
    "/v1/games/{game}/seats/me",
    tag="seats",
    summary="Leave my seat",
    problems=("not-seated", "game-starting", "game-started"),
)
async def leave_seat(call: Call) -> Answer[MoveAnswer]:
    """Get up. Once the game has started, nobody can."""
    what = await call.node.commands.leave_seat(call.caller, game_id(call), call.key, match=match_of(call))
    return done(call, what)
