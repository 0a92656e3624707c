"""The latest events of all games, each with the game after it: decoded and folded once in a process.

The command that appends an event, the room of its watchers and the feeds all need the game after it, within a moment.
"""

from __future__ import annotations

from collections import OrderedDict

from domain.kernel.events import Event
from domain.kernel.game import Game
from service.log.events import Row


class RecentEvents:
    """At most `limit` events by the hashes of their rows, which stand for all that came before in their games."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._found: OrderedDict[bytes, tuple[bytes, Event, Game]] = OrderedDict()

    def find(self, row_hash: bytes, data: bytes) -> tuple[Event, Game] | None:
        """The event of a row and the game after it, unless its bytes are not those that the hash was made of."""
        found = self._found.get(row_hash)
        return found[1:] if found is not None and found[0] == data else None

    def keep(self, row: Row, event: Event, game: Game) -> None:
        """Remember an event that the log has, or may have in a moment, and the game after it."""
        self._found[row.hash] = row.data, event, game
        if len(self._found) > self._limit:
            self._found.popitem(last=False)
