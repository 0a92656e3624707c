"""Every event can be told in a line, to whoever may see it, in every language."""

from __future__ import annotations

from collections.abc import Iterator

from domain.kernel import game as kernel
from domain.kernel.describe import LANGUAGES, describe
from tests.conformance.games import Played, games
from tests.conformance.law import law
from tests.conformance.titles import viewers


@law(games)
def test_every_event_is_told_to_every_viewer_in_one_line(played: Played) -> None:
    for line in _lines(played, tuple("ABCDE")):
        assert line.strip() == line != ""
        assert len(line.splitlines()) == 1


@law(games)
def test_a_line_names_seats_only_by_the_names_of_those_who_sit_there(played: Played) -> None:
    # Names that occur nowhere else: what is left of a line without them must not depend on who plays.
    some, others = (tuple(form.format(seat) for seat in range(played.seats)) for form in ("<<{}>>", "[[{}]]"))
    for line, other in zip(_lines(played, some), _lines(played, others), strict=True):
        assert _without(line, some) == _without(other, others)


def _lines(played: Played, names: tuple[str, ...]) -> Iterator[str]:
    for event in played.log:
        for viewer in viewers(played.seats):
            seen = kernel.redact(event, played.entry.rules, viewer)
            for language in LANGUAGES:
                yield describe(seen, played.entry.rules, names, language)


def _without(line: str, names: tuple[str, ...]) -> str:
    for name in names:
        line = line.replace(name, "")
    return line
