"""The titles that the laws are held against: each with each of its component sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from domain.catalogue import TITLES
from domain.kernel.rules import AnyRules, Title
from domain.kernel.terms import Seat, Viewer
from tests import toy
from tests.conformance.subjects import Subject

ALL_TITLES: tuple[Title, ...] = (toy.TITLE, *TITLES.values())


@dataclass(frozen=True)
class Entry:
    """A title bound to one component set."""

    subject: Subject
    set: str
    text: str
    rules: AnyRules

    def __repr__(self) -> str:
        return f"{self.title.id}/{self.set}"

    @property
    def title(self) -> Title:
        """The title without its component set."""
        return self.subject.title

    def hidden(self, state: Any, viewer: Viewer) -> frozenset[str]:
        """The pieces of which a viewer may not see where they are; before the start there are none."""
        return frozenset() if state is None else frozenset(self.subject.hidden(state, viewer))

    def kinds(self) -> dict[str, str]:
        """The kind of each piece. Pieces of one kind can stand in for each other."""
        return {piece.id: piece.kind for piece in self.rules.components.pieces}


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Everyone who may look: the public and every seat."""
    seated: tuple[Seat, ...] = tuple(range(seats))
    return (None, *seated)


def _entries() -> Iterator[Entry]:
    for title in ALL_TITLES:
        subject = cast("Subject", import_module(f"tests.conformance.subjects.{title.id}").SUBJECT)
        for path in sorted(subject.components.glob("*.toml")):
            text = path.read_text(encoding="utf-8")
            yield Entry(subject, path.stem, text, title.load(text))


ENTRIES = tuple(_entries())
