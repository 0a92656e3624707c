"""What stands in a path, and the game that it names."""

from __future__ import annotations

import re

from domain.kernel import ids
from domain.kernel.ids import GameId
from domain.kernel.rejected import Rejected
from service.http.operation import Call
from service.play.game_cache import LoadedGame
from service.play.visibility import shown

LARGEST_SEAT = 999
"""The largest number of a seat that can stand in a path; no title has as many."""

_SEAT = re.compile("0|[1-9][0-9]{0,2}")


def game_id(call: Call) -> GameId:
    """The game's id in the path; what cannot be one is `no-such-game`, and nobody looks for it."""
    found = ids.game_id(call.path["game"])
    if found is None:
        raise Rejected("no-such-game", "there is no game of this id")
    return found


def seat_number(call: Call) -> int:
    """The seat in the path; what is no number is `not-found`."""
    text = call.path["seat"]
    if not _SEAT.fullmatch(text):
        raise Rejected("not-found", f"seats have numbers from 0 to {LARGEST_SEAT}; the caller's own is `me`")
    return int(text)


async def game(call: Call) -> LoadedGame:
    """The game in the path as far as the caller sees it now."""
    table = await call.node.tables.fresh(game_id(call))
    return await shown(call.node.pool, call.node.tables, table, call.account_id)


async def game_at(call: Call, latest: LoadedGame, version: int) -> LoadedGame:
    """The game in the path as it was at a version that the caller sees; `no-such-version`."""
    if version > latest.version:
        detail = f"the game's versions are 1 to {latest.version}"
        raise Rejected("no-such-version", detail, field="version", current_version=latest.version)
    return await call.node.tables.at(latest.id, version)
