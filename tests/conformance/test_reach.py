"""The plays that the laws are tried on reach everything: without this a law could hold because nothing happened."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from domain.kernel import game as kernel
from domain.kernel.events import Blank, MoveMade
from domain.kernel.rules import Title
from tests.conformance.games import Played, facts_of, play
from tests.conformance.shapes import arms, tag
from tests.conformance.titles import ALL_TITLES, BY_TITLE, Entry, subject_of, viewers


def _plays(entry: Entry) -> list[Played]:
    least, most = entry.title.seats
    return [
        play(
            entry, least + number % (most - least + 1), entry.title.options(), bytes([number] * 32), (number, number**2)
        )
        for number in range(100)
    ]


@pytest.mark.parametrize("title", ALL_TITLES, ids=lambda title: title.id)
def test_every_kind_of_move_fact_and_redacted_fact_occurs_with_some_component_set(title: Title) -> None:
    reached: Counter[object] = Counter()
    for played in chain.from_iterable(map(_plays, BY_TITLE[title.id])):
        entry = played.entry
        for event in played.log:
            reached.update(type(fact) for fact in facts_of(event, entry))
            if isinstance(event, MoveMade):
                reached[type(event.move)] += 1
            for viewer in viewers(played.seats):
                seen = kernel.redact(event, entry.rules, viewer)
                reached[type(seen)] += 1
                if not isinstance(seen, Blank):
                    reached.update(type(fact) for fact in facts_of(seen, entry))
    declared = arms(title.move) | arms(title.fact) | arms(title.seen)
    missing = {str(tag(kind)) for kind in declared if not reached[kind]} - subject_of(title).rare
    assert not missing, f"{sorted(missing)} did not occur: nothing makes them, or the title's subject must say `rare`"
