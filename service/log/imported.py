"""The events of a game that is taken in as a whole, column by column as one statement takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ImportedEvents(Struct, frozen=True):
    """Events 1, 2, 3 ... of a game. All columns have one value an event; `data` is what was hashed, as text."""

    types: list[str]
    actors: list[str]
    data: list[str]
    rules_versions: list[str]
    hashes: list[bytes]
    recorded_at: list[datetime]
