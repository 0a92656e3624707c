"""What the laws cannot find out by themselves about a title: one file a title, named by its id, with a `SUBJECT`.

`pieces` and `hidden` are written from the rulebook and not from the title's own view or check, which they judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from domain.kernel.rules import Title
from domain.kernel.terms import Viewer


@dataclass(frozen=True)
class Subject:
    """A title and what the laws need to judge it."""

    title: Title
    components: Path
    """The folder of its component sets."""
    options: Callable[[int], SearchStrategy[Struct]]
    """Every combination of options, by the number of seats."""
    most_decisions: int
    """No game is longer."""
    pieces: Callable[[Any], Iterable[str]]
    """Every piece that lies anywhere in a state, by its id: as often as it lies there."""
    hidden: Callable[[Any, Viewer], Iterable[str]]
    """The pieces in a state whose place a viewer may not know. It may know that they exist.

    A piece that a viewer was shown is not hidden from it while it is where the viewer saw it go.
    """
    games: int
    """How many games the quick run plays for each law: fewer where games are long."""
    rare: frozenset[str] = frozenset()
    """Tags of what random play does not come to, so that the title's own tests must."""
    partial: frozenset[str] = frozenset()
    """Tags of facts that tell part of a secret without showing a piece: an answer, the outcome of a comparison."""
