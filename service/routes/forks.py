"""Forks: a sandbox that begins where another game was at some version."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.events import Fork
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import GameInfo
from service.auth.guards import Access
from service.http.etags import match_of
from service.http.operation import Answer, Call, operation
from service.http.paths import game, game_at
from service.routes.games import opened


class NewFork(Struct, frozen=True, forbid_unknown_fields=True):
    """The version to go on from, differently or to the same end."""

    version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]


@operation(
    "POST",
    "/v1/games/{game}/forks",
    tag="games",
    summary="Open a sandbox at a version of a game",
    access=Access.account,
    example=lambda _: {"version": 12},
    status=201,
    idempotent=True,
    if_match=True,
    location=True,
    problems=(
        "too-many-open-tables",
        "game-not-finished",
        "game-not-started",
        "no-such-version",
        "impossible-position",
    ),
)
async def fork_game(call: Call, body: NewFork) -> Answer[GameInfo]:
    """Open a sandbox at a version of a game that has ended, or of a sandbox. Its seats are free to take.

    It is played by the component set of the game that it comes from, and counts in no history.
    """
    table = await game(call)
    if table.game.status is not Status.finished and not table.game.created.sandbox:
        raise Rejected("game-not-finished", "only a finished game can be forked, or a sandbox at any time")
    then = await game_at(call, table, body.version)
    if then.game.state is None:
        raise Rejected("game-not-started", f"at version {body.version} the game had not started", field="version")
    match = match_of(call)

    def require_match() -> None:
        if match is not None:
            match(table)

    what = await call.node.commands.fork(call.caller, then, Fork(table.id, body.version), call.key, require_match)
    return opened(call, what)
