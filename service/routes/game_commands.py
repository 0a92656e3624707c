"""What the commands on a game have in common: how they are declared, and how they are answered."""

from __future__ import annotations

from functools import partial

from service.answers import MoveAnswer, move_answer
from service.auth.guards import Access
from service.http.operation import Answer, Call, Operation
from service.play.writer import Done

game_command = partial(Operation, access=Access.account, answer=MoveAnswer, idempotent=True, matched=True)
"""An operation of a player that appends one event, and answers with it."""

posted_command = partial(game_command, method="POST", status=201, located=True)
"""One that makes something, which has its place."""


def done(call: Call, what: Done, status: int) -> Answer:
    """The answer to a command on a game: its event, and whether it had been done before."""
    after = what.row.version - 1
    sent = [("Location", f"/v1/games/{what.row.game_id}/events?after={after}&limit=1")] if status == 201 else []
    if what.replayed:
        sent.append(("Idempotency-Replayed", "true"))
    return Answer(move_answer(what.table, what.row, what.event, call.caller.id), status=status, headers=sent)
