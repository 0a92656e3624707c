"""What the commands on a game have in common: how they are declared, and how they are answered."""

from __future__ import annotations

from functools import partial

from service.answers import MoveAnswer, move_answer
from service.auth.guards import Access
from service.http.operation import Answer, Call, operation
from service.play.writer import CommandResult

game_command = partial(operation, access=Access.account, idempotent=True, if_match=True)
"""An operation of a player that appends one event, and answers with it."""

posted_command = partial(game_command, "POST", status=201, location=True)
"""One that makes something, which has its place."""


def done(call: Call, what: CommandResult) -> Answer[MoveAnswer]:
    """The answer to a command on a game: its event, and whether it had been done before."""
    location = None
    if call.operation.location:
        location = f"/v1/games/{what.row.game_id}/events?after={what.row.version - 1}&limit=1"
    content = move_answer(what.table, what.row, what.event, call.caller.id)
    return Answer(content, location=location, replayed=what.replayed)
