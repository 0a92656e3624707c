"""Every event can be told in a line, to whoever may see it, in every language."""

from __future__ import annotations

from domain.kernel import game as kernel
from domain.kernel.events import Blank, MoveMade, MoveUndone, SeatTaken
from tests.conformance.games import Played, games
from tests.conformance.law import law
from tests.conformance.titles import viewers

LANGUAGES = ("en", "ja")


@law(games)
def test_every_event_is_told_to_every_viewer_in_one_line(played: Played) -> None:
    for line in _lines(played):
        assert line.strip() == line != ""
        assert len(line.splitlines()) == 1


@law(games)
def test_a_line_names_seats_only_by_the_names_of_those_who_sit_there(played: Played) -> None:
    # Names that occur nowhere else: what is left of a line without them must not depend on who plays.
    some = tuple(f"[{seat}]" for seat in range(played.seats))
    others = tuple(f"<{seat}>" for seat in range(played.seats))
    told = zip(_lines(played, some), _lines(played, others), strict=True)
    for line, other in told:
        assert _without(line, some) == _without(other, others)


def _lines(played: Played, names: tuple[str, ...] | None = None) -> list[str]:
    rules, lines = played.entry.rules, list[str]()
    for at, event in enumerate(played.log):
        for viewer in viewers(played.seats):
            seen = kernel.redact(event, rules, viewer)
            who = names or played.games[at].names
            if isinstance(seen, SeatTaken) and seen.facts:
                lines += [rules.describe(seen.seat, None, seen.facts, who, language) for language in LANGUAGES]
            elif isinstance(seen, MoveMade):
                lines += [rules.describe(seen.seat, seen.move, seen.facts, who, language) for language in LANGUAGES]
            else:
                assert at < played.started or isinstance(seen, Blank | MoveUndone)
    return lines


def _without(line: str, names: tuple[str, ...]) -> str:
    for name in names:
        line = line.replace(name, "")
    return line
