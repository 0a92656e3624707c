"""Logged events read: the one way from the bytes of the log to events, whatever version of the rules wrote them.

The log is never rewritten. Where a title's events have another form today, `Title.earlier` says how those of an
earlier rules version come into it, and that is done here and nowhere else: hot games, earlier versions, events, feeds,
lists, records and their verification all get their events from an `EventReader`. What is hashed, stored and exported
stays as it was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.kernel.events import Event, folded_type, logged_type
from domain.kernel.rules import Title


class EventReader:
    """Reads the logged events of a title."""

    def __init__(self, title: Title) -> None:
        array: Any = list
        self._whole: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(array[logged_type(title)])
        self._to_fold: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(array[folded_type(title)])
        self._upcasts = {version: upcast for version, upcast in title.earlier.items() if upcast is not None}

    def read(self, array: bytes | str, rules_versions: Sequence[str], *, to_fold: bool = False) -> list[Event]:
        """The events in a JSON array of them, with the rules version of each, or the one of them all.

        Those that are read only to be folded have moves that are not looked at, and must not be used for anything else.
        Raises any exception on bytes that are not events of this title.
        """
        decoder = self._to_fold if to_fold else self._whole
        # Whole games are read here by the thousand: what needs no conversion is decoded in one go.
        if not self._upcasts or self._upcasts.keys().isdisjoint(rules_versions):
            return decoder.decode(array)
        found = msgspec.json.decode(array, type=list[dict[str, Any]])
        versions = list(rules_versions) * len(found) if len(rules_versions) == 1 else rules_versions
        converted = [
            event if (upcast := self._upcasts.get(version)) is None else upcast(event)
            for event, version in zip(found, versions, strict=True)
        ]
        return decoder.decode(msgspec.json.encode(converted))
