"""What a task that reads the log for ever says of what keeps it from that; of a database that is away, once."""

from __future__ import annotations

import logging

from service.database.errors import is_lost
from service.loop_lag import why_lost


class Outage:
    """Whether the database is away, as far as one reader knows. `who` waits for it, as the log is to name it."""

    def __init__(self, log: logging.Logger, who: str) -> None:
        self._log = log
        self._who = who
        self._told = False

    def met(self, error: Exception) -> None:
        """Tell of an error, after which the reader tries again."""
        if not is_lost(error):
            self._log.error("the log cannot be read, trying again", exc_info=error)
            return
        if not self._told:
            self._log.warning("%s for the database: %s", self._who, why_lost(error))
        self._told = True

    def over(self) -> None:
        """Note that the log was read."""
        self._told = False
