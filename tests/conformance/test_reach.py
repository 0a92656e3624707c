"""The plays that the laws are tried on reach everything: without this a law could hold because nothing happened."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.kernel import game as kernel
from domain.kernel.events import Blank, MoveMade
from tests.conformance.games import Played, facts_of, play
from tests.conformance.shapes import arms, tag
from tests.conformance.titles import ENTRIES, Entry, viewers

each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=repr)


def _plays(entry: Entry) -> list[Played]:
    least, most = entry.title.seats
    return [
        play(
            entry, least + number % (most - least + 1), entry.title.options(), bytes([number] * 32), (number, number**2)
        )
        for number in range(100)
    ]


@each_entry
def test_every_kind_of_move_fact_and_redacted_fact_occurs(entry: Entry) -> None:
    reached: Counter[object] = Counter()
    for played in _plays(entry):
        for event in played.log:
            reached.update(type(fact) for fact in facts_of(event, entry))
            if isinstance(event, MoveMade):
                reached[type(event.move)] += 1
            for viewer in viewers(played.seats):
                seen = kernel.redact(event, entry.rules, viewer)
                reached[type(seen)] += 1
                if not isinstance(seen, Blank):
                    reached.update(type(fact) for fact in facts_of(seen, entry))
    declared = arms(entry.title.move) | arms(entry.title.fact) | arms(entry.title.seen)
    assert {str(tag(kind)) for kind in declared if not reached[kind]} <= entry.subject.rare
