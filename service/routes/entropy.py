"""Entropy by commitment: a seat commits before it knows the draws, and reveals when nobody can change his mind."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from service.http import examples
from service.http.etags import match_of
from service.http.handler import handlers
from service.http.operation import Answer, Call
from service.http.paths import game_id, seat_number
from service.routes.game_commands import done, game_command, posted_command
from service.routes.seats import Commitment


class NewCommitment(Struct, frozen=True, forbid_unknown_fields=True):
    """A commitment to entropy."""

    entropy_commitment: Commitment


Secret: TypeAlias = Annotated[
    str,
    Meta(
        min_length=22,
        max_length=64,
        pattern=r"^[ -~]*(?![\s\S])",
        description="The entropy that was committed to: 22 to 64 printable ASCII characters that nobody can guess and"
        " that were never used before.",
    ),
]


class NewReveal(Struct, frozen=True, forbid_unknown_fields=True):
    """The entropy behind a commitment."""

    entropy: Secret


_COMMIT = msgspec.json.Decoder(NewCommitment)
_REVEAL = msgspec.json.Decoder(NewReveal)


async def commit_entropy(call: Call) -> Answer:
    """Commit to entropy, before the game starts: after taking a seat without, or again when the commitment was voided.

    A table whose seats are all taken waits for every voided commitment to be made again. The last one begins the time
    in which all seats that have committed must reveal.
    """
    commitment = call.decoded(_COMMIT).entropy_commitment
    what = await call.node.commands.commit_entropy(
        call.caller, game_id(call), commitment, call.key, match=match_of(call)
    )
    return done(call, what, 201)


async def reveal_entropy(call: Call) -> Answer:
    """Reveal the entropy that the caller has committed to, while the game is `starting`.

    The reveal that completes them starts the game, and its event says how the game was set up.
    """
    entropy = call.decoded(_REVEAL).entropy
    what = await call.node.commands.reveal_entropy(call.caller, game_id(call), entropy, call.key, match=match_of(call))
    return done(call, what, 201)


async def free_seat(call: Call) -> Answer:
    """Free a seat that has not revealed its entropy by `reveal_by`; any other seat may do it.

    The game waits again: the freed account cannot come back to this table, what was revealed is void, and all seats
    that had committed must commit to other entropy.
    """
    what = await call.node.commands.free_seat(
        call.caller, game_id(call), seat_number(call), call.key, match=match_of(call)
    )
    return done(call, what, 200)


OPERATIONS = (
    posted_command(
        path="/v1/games/{game}/commitments",
        name="commit_entropy",
        tag="seats",
        summary="Commit to entropy",
        run=commit_entropy,
        body=NewCommitment,
        example=examples.commitment,
        problems=("not-seated", "game-starting", "game-started", "commitment-reused", "too-many-events"),
    ),
    posted_command(
        path="/v1/games/{game}/reveals",
        name="reveal_entropy",
        tag="seats",
        summary="Reveal my entropy",
        run=reveal_entropy,
        body=NewReveal,
        example=examples.reveal,
        problems=(
            "not-seated",
            "reveal-not-due",
            "game-started",
            "nothing-to-reveal",
            "already-revealed",
            "wrong-entropy",
        ),
    ),
    game_command(
        method="DELETE",
        path="/v1/games/{game}/seats/{seat}",
        name="free_seat",
        tag="seats",
        summary="Free a seat that did not reveal",
        run=free_seat,
        problems=(
            "not-seated",
            "no-such-seat",
            "game-not-started",
            "game-started",
            "nothing-to-reveal",
            "reveal-not-over",
        ),
    ),
)
HANDLERS = handlers(OPERATIONS)
