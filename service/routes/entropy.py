"""Entropy by commitment: a seat commits before it knows the draws, and reveals when nobody can change his mind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from domain.kernel import proof
from domain.kernel.rules import Title
from service.answers import MoveAnswer
from service.http.etags import match_of
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


_ENTROPY = "mhDbAfOeDvLTqDQLcgvrRA"


def _commitment(_titles: Mapping[str, Title]) -> Any:
    return {"entropy_commitment": proof.entropy_commitment("a2c09a2ae0deb1396000b", _ENTROPY)}


@posted_command(
    "/v1/games/{game}/commitments",
    tag="seats",
    summary="Commit to entropy",
    example=_commitment,
    problems=("not-seated", "game-starting", "game-started", "commitment-reused", "too-many-events"),
)
async def commit_entropy(call: Call, body: NewCommitment) -> Answer[MoveAnswer]:
    """Commit to entropy, before the game starts: after taking a seat without, or again when the commitment was voided.

    A table whose seats are all taken waits for every voided commitment to be made again. The last one begins the time
    in which all seats that have committed must reveal.
    """
    what = await call.node.commands.commit_entropy(
        call.caller, game_id(call), body.entropy_commitment, call.key, match=match_of(call)
    )
    return done(call, what)


@posted_command(
    "/v1/games/{game}/reveals",
    tag="seats",
    summary="Reveal my entropy",
    example=lambda _: {"entropy": _ENTROPY},
    problems=(
        "not-seated",
        "reveal-not-due",
        "game-started",
        "nothing-to-reveal",
        "already-revealed",
        "wrong-entropy",
    ),
)
async def reveal_entropy(call: Call, body: NewReveal) -> Answer[MoveAnswer]:
    """Reveal the entropy that the caller has committed to, while the game is `starting`.

    The reveal that completes them starts the game, and its event says how the game was set up.
    """
    what = await call.node.commands.reveal_entropy(
        call.caller, game_id(call), body.entropy, call.key, match=match_of(call)
    )
    return done(call, what)


@game_command(
    "DELETE",
    "/v1/games/{game}/seats/{seat}",
    tag="seats",
    summary="Free a seat that did not reveal",
    problems=(
        "not-seated",
        "no-such-seat",
        "game-not-started",
        "game-started",
        "nothing-to-reveal",
        "reveal-not-over",
    ),
)
async def free_seat(call: Call) -> Answer[MoveAnswer]:
    """Free a seat that has not revealed its entropy by `reveal_by`; any other seat may do it.

    The game waits again: the freed account cannot come back to this table, what was revealed is void, and all seats
    that had committed must commit to other entropy.
    """
    what = await call.node.commands.free_seat(
        call.caller, game_id(call), seat_number(call), call.key, match=match_of(call)
    )
    return done(call, what)
