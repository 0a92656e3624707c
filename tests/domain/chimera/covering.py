"""Which piece, bonus, board and ruling a test is about: the coverage table is made of these marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])

TABLE: dict[str, list[str]] = {}
"""The tests of each thing, by its name: a piece's id, a kind of bonus, a ruling as R7, a worked example as E3."""


def covers(*things: str) -> Callable[[Test], Test]:
    """Mark a test as being about some things."""

    def mark(test: Test) -> Test:
        for thing in things:
            TABLE.setdefault(thing, []).append(test.__name__)
        return test

    return mark
