"""What stands in a path, and the game that it names."""

from __future__ import annotations

import re

from domain.kernel.rejected import Rejected
from service.contract.operation import Call
from service.play.tables import Table

GAME_ID = "g[0-9a-f]{20}"
"""What the id of a game looks like."""

_GAME_ID = re.compile(GAME_ID)


def game_id(call: Call) -> str:
    """The game's id in the path; what cannot be one is `no-such-game`, and nobody looks for it."""
    text = call.path["game"]
    if not _GAME_ID.fullmatch(text):
        raise Rejected("no-such-game", "there is no game of this id")
    return text


async def game(call: Call) -> Table:
    """The game in the path as the log has it now."""
    return await call.node.tables.fresh(game_id(call))
