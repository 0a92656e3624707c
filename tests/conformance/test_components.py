"""A component set that is wrong is refused with the place that is wrong, and one that is not refused can be played."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from domain.kernel.rejected import ComponentError
from tests.conformance.games import numbers, play
from tests.conformance.law import law
from tests.conformance.titles import Entry

_VALUES = ("0", "-1", "3", "1000000", "1.5", "true", '""', '"x"', '"card"', "[]", "{}", "[1]", "2020-01-01", "nan", "")


@st.composite
def bent_sets(draw: DrawFn, entry: Entry) -> Entry:
    """A component set with one line dropped, doubled, moved or given another value."""
    lines = entry.text.splitlines()
    places = [place for place, line in enumerate(lines) if line and not line.startswith("#")]
    place, other = draw(st.sampled_from(places)), draw(st.sampled_from(places))
    key, equals, _ = lines[place].partition(" = ")
    bent = draw(
        st.sampled_from(
            [
                [*lines[:place], *lines[place + 1 :]],
                [*lines[:place], lines[other], *lines[place + 1 :]],
                [*lines[: place + 1], *lines[place:]],
                [*lines[:place], lines[other], *lines[place:]],
                lines[:place],
            ]
        )
        | st.sampled_from(_VALUES).map(lambda value: [*lines[:place], key + equals + value, *lines[place + 1 :]])
    )
    return replace(entry, text="\n".join(bent))


def _scripts(_entry: Entry) -> SearchStrategy[tuple[int, ...]]:
    return numbers(8)


@law(bent_sets, _scripts)
def test_a_bent_component_set_is_refused_by_a_component_error_or_can_be_played(
    bent: Entry, script: tuple[int, ...]
) -> None:
    try:
        rules = bent.title.load(bent.text)
    except ComponentError as refused:
        accounted = bool(refused.entry and refused.wrong)
    else:
        played = play(replace(bent, rules=rules), bent.title.seats[1], bent.title.options(), bytes(32), script)
        for game in played.games[played.started :]:
            rules.check(game.state)
        accounted = bool(rules.components.pieces)
    assert accounted
