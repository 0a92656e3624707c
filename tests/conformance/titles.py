"""The titles that the laws are held against: each with each of its component sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        """The pieces whose place a viewer may not know; before the start there are none."""
        return frozenset() if state is None else frozenset(self.subject.hidden(state, viewer))

    def kinds(self) -> dict[str, str]:
        """The kind of each piece. Pieces of one kind can stand in for each other."""
        return {piece.id: piece.kind for piece in self.rules.components.pieces}


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Everyone who may look: the public and every seat."""
    seated: tuple[Seat, ...] = tuple(range(seats))
    return (None, *seated)


def name_of(viewer: Viewer) -> str:
    """A viewer in the message of a failing law."""
    return "the public" if viewer is None else f"seat {viewer}"


def subject_of(title: Title) -> Subject:
    """What the laws know of a title, from the file in `subjects` that is named by its id."""
    return cast("Subject", import_module(f"tests.conformance.subjects.{title.id}").SUBJECT)


def entries_of(title: Title) -> Iterator[Entry]:
    """A title with each of its component sets."""
    subject = subject_of(title)
    for path in sorted(subject.components.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        yield Entry(subject, path.stem, text, title.load(text))


def _entries() -> tuple[tuple[Entry, ...], dict[str, Exception]]:
    """The entries of all titles, and by title what kept its own from being made: that fails one test, not all."""
    entries: list[Entry] = []
    unusable: dict[str, Exception] = {}
    for title in ALL_TITLES:
        try:
            entries += entries_of(title)
        except Exception as error:  # noqa: BLE001 - whatever a title under construction raises
            unusable[title.id] = error
    return tuple(entries), unusable


ENTRIES, UNUSABLE = _entries()
BY_TITLE: Mapping[str, tuple[Entry, ...]] = {
    title.id: tuple(entry for entry in ENTRIES if entry.title.id == title.id) for title in ALL_TITLES
}
"""The entries of each title: what a law is about that no single component set need hold for itself."""
