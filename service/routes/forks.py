"""Forks: a sandbox that begins where another game was at some version."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.kernel.events import Fork
from domain.kernel.game import Status
from domain.kernel.rejected import Rejected
from domain.kernel.terms import LARGEST_INTEGER
from service.answers import GameInfo
from service.auth.guards import Access
from service.http import examples
from service.http.etags import match_of
from service.http.handler import handlers
from service.http.operation import Answer, Call, Operation
from service.http.paths import game, game_at
from service.routes.games import opened


class NewFork(Struct, frozen=True, forbid_unknown_fields=True):
    """The version to go on from, differently or to the same end."""

    version: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]


_NEW = msgspec.json.Decoder(NewFork)


async def fork_game(call: Call) -> Answer:
    """Open a sandbox at a version of a game that has ended, or of a sandbox. Its seats are free to take.

    It is played by the component set of the game that it comes from, and counts in no history.
    """
    account = call.caller
    wanted = call.decoded(_NEW)
    table = await game(call)
    if table.game.status is not Status.finished and not table.game.created.sandbox:
        raise Rejected("game-not-finished", "only a finished game can be forked, or a sandbox at any time")
    then = await game_at(call, table, wanted.version)
    if then.game.state is None:
        raise Rejected("game-not-started", f"at version {wanted.version} the game had not started", field="version")
    match = match_of(call)

    def require_match() -> None:
        if match is not None:
            match(table)

    what = await call.node.commands.fork(account, then, Fork(table.id, wanted.version), call.key, require_match)
    return opened(call, what)


OPERATIONS = (
    Operation(
        method="POST",
        path="/v1/games/{game}/forks",
        name="fork_game",
        tag="games",
        summary="Open a sandbox at a version of a game",
        run=fork_game,
        access=Access.account,
        body=NewFork,
        example=examples.fork,
        status=201,
        answer=GameInfo,
        idempotent=True,
        matched=True,
        located=True,
        problems=(
            "too-many-open-tables",
            "game-not-finished",
            "game-not-started",
            "no-such-version",
            "impossible-position",
        ),
    ),
)
HANDLERS = handlers(OPERATIONS)
