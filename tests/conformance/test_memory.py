"""A view never forgets what its viewer was shown: a client that joins late sees as much as one that was there.

A piece that stood in a viewer's view, or in a fact as the viewer saw it, may be missing from the next view in two cases
only. It went where nobody may look, into a deck. Or another piece could have gone in its place for all that the viewer
was shown: then the same fact about that other piece looks the same to it and leads to a state that can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.terms import Viewer
from tests.conformance import report
from tests.conformance.games import Played, facts_of, games
from tests.conformance.law import law
from tests.conformance.titles import Entry, name_of, viewers
from tests.conformance.worlds import exchanged_bytes

_WORD = re.compile(rb"\w+")


@dataclass(frozen=True)
class Step:
    """A fact as one viewer saw it, between the states before and after it."""

    entry: Entry
    viewer: Viewer
    before: Any
    fact: Struct
    after: Any

    def lost(self) -> Iterator[str]:
        """The pieces that the viewer was shown and that its next view does not name, though it must."""
        if self.before is None:
            return
        lying = frozenset(self.entry.subject.pieces(self.after))
        shown = lying & (_words(self.entry.rules.view(self.before, self.viewer)) | self.named)
        for piece in sorted(shown - _words(self.entry.rules.view(self.after, self.viewer))):
            if not self._may_lose(piece):
                yield piece

    @property
    def named(self) -> set[str]:
        """What the fact names to the viewer."""
        return _words(self.entry.rules.redact_fact(self.fact, self.viewer))

    def _may_lose(self, piece: str) -> bool:
        seats = self.entry.rules.seats(self.after)
        if all(piece in self.entry.hidden(self.after, each) for each in viewers(seats)):
            return True
        kinds = self.entry.kinds()
        others = (other for other, kind in kinds.items() if other != piece and kind == kinds[piece])
        return piece not in self.named and any(self._could_be_instead(other, piece) for other in others)

    def _could_be_instead(self, other: str, piece: str) -> bool:
        """Whether the fact about another piece looks the same to the viewer, and leads to a state with all pieces."""
        written = exchanged_bytes(msgspec.json.encode(self.fact), {piece: other, other: piece})
        instead = msgspec.json.decode(written, type=type(self.fact))
        looks = [self.entry.rules.redact_fact(fact, self.viewer) for fact in (self.fact, instead)]
        if instead == self.fact or looks[0] != looks[1]:
            return False
        state, pieces = self.entry.rules.evolve(self.before, instead), self.entry.subject.pieces
        return state != self.after and sorted(pieces(state)) == sorted(pieces(self.after))


@law(games)
def test_a_view_never_loses_what_was_shown_to_its_viewer(played: Played) -> None:
    entry = played.entry
    for at in range(played.started, len(played.log)):
        state = played.games[at - 1].state
        for fact in facts_of(played.log[at], entry):
            before, state = state, entry.rules.evolve(state, fact)
            for viewer in viewers(played.seats):
                for piece in Step(entry, viewer, before, fact, state).lost():
                    raise AssertionError(
                        f"the view of {name_of(viewer)} forgets {piece} at version {at + 1}, although it was shown\n"
                        f"it {report.place(before, piece)} at first, and then it {report.place(state, piece)}\n"
                        f"the fact: {report.brief(fact)}\nthe state after it: {report.brief(state)}"
                    )


def _words(value: Struct | None) -> set[str]:
    return {each.decode() for each in _WORD.findall(msgspec.json.encode(value))}
