"""The one clock of all processes: the database's, which each process keeps as an offset to its monotonic time.

Processes on several machines disagree about the time of day, and that of a machine may be set while it runs. Nothing
here reads it: times that are stored come from `Clock.now`, and a query that compares stored times with the present
asks the database for that (`statement_timestamp()`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic

from service.database.types import Connection


class Clock:
    """The database's time as this process knows it, without asking each time."""

    def __init__(self) -> None:
        self._offset: float | None = None

    def now(self) -> datetime:
        """The time of the database, to a microsecond; may go back a little where a measurement corrects it.

        Raises `LookupError` before the first measurement.
        """
        if self._offset is None:
            raise LookupError("the clock was never measured")
        return datetime.fromtimestamp(monotonic() + self._offset, UTC)

    async def measure(self, connection: Connection) -> None:
        """Compare with the database in one round trip.

        The answer was made at some moment of the round trip, which bounds the offset on both sides. The first
        measurement takes the middle. A later one corrects the offset only as far as its bounds prove it wrong, so that
        a slow round trip does not make a good offset worse.
        """
        asked = monotonic()
        answered: datetime = await connection.fetchval("select clock_timestamp()")
        lowest, highest = answered.timestamp() - monotonic(), answered.timestamp() - asked
        known = (lowest + highest) / 2 if self._offset is None else self._offset
        self._offset = min(max(known, lowest), highest)
