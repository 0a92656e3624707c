"""The laws find what they are for: each is held against a toy that breaks it, and says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from domain.kernel.chance import Chance
from domain.kernel.component_text import parse
from domain.kernel.rules import bound
from domain.kernel.terms import Seat, Viewer
from tests.conformance import preflight, test_memory, test_secrets, test_undo
from tests.conformance.law import Depth
from tests.conformance.titles import ENTRIES, Entry
from tests.toy.decide import decide
from tests.toy.evolve import evolve
from tests.toy.facts import Fact, ToyAnswered, ToyHandsSwapped
from tests.toy.material import Material, read
from tests.toy.moves import Move, ToyAskSeat
from tests.toy.rules import ToyRules
from tests.toy.state import ToyState
from tests.toy.view import ToyView, view

COURT = next(entry for entry in ENTRIES if str(entry) == "toy/toy-court")
QUICK = Depth("quick", times=1, repeatable=True)


def _forgetful(state: ToyState | None, fact: Fact) -> ToyState:
    after = evolve(state, fact)
    is_swap = isinstance(fact, ToyHandsSwapped)
    return msgspec.structs.replace(after, known=((),) * len(after.hands)) if is_swap else after


class ForgetsAtSwaps(ToyRules):
    evolve = staticmethod(_forgetful)


class LetsQuestionsBeTakenBack(ToyRules):
    def reveals(self, state: ToyState, fact: Fact) -> bool:
        return not isinstance(fact, ToyAnswered) and super().reveals(state, fact)


def _open_view(state: ToyState, viewer: Viewer) -> ToyView:
    return msgspec.structs.replace(view(state, viewer), discards=(*state.discards, *state.deck[:1]))


class ShowsTheTopOfTheDeck(ToyRules):
    view = staticmethod(_open_view)


def _failing(material: Material, state: ToyState, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    if isinstance(move, ToyAskSeat):
        raise KeyError("value")
    return decide(material, state, seat, move, chance)


class CannotAsk(ToyRules):
    decide = bound(_failing)


def with_rules(rules: Callable[..., ToyRules]) -> Entry:
    material = read(parse(COURT.text))
    return replace(COURT, rules=rules(material, material.served()))


def broken_by(law: Callable[..., None], entry: Entry) -> str:
    """What a law says of an entry that breaks it."""
    with pytest.raises(AssertionError) as broken:
        law(entry=entry, depth=QUICK)
    return "\n".join([str(broken.value), *broken.value.__notes__])


def test_a_view_that_forgets_is_found_with_the_piece_and_its_viewer() -> None:
    said = broken_by(test_memory.test_a_view_never_loses_what_was_shown_to_its_viewer, with_rules(ForgetsAtSwaps))
    assert re.match(r"the view of seat \d forgets [a-z]+_\d at version \d+, although it was shown\n", said)
    assert re.search(r"it lies at hands\[\d\]\[\d\] at first, and then it lies at hands\[\d\]\[\d\]\n", said)
    assert '"type": "toy.hands_swapped"' in said
    assert "broken by play(toy/toy-court, " in said


def test_a_question_that_can_be_taken_back_is_found() -> None:
    law = test_undo.test_a_move_is_final_exactly_if_it_ended_the_game_or_drew_or_showed_someone_what_was_hidden
    said = broken_by(law, with_rules(LetsQuestionsBeTakenBack))
    assert re.match(r"version \d+ is final for None and must be for hidden: .*toy\.answered", said)


@pytest.mark.parametrize("fact", ["toy.answered", "toy.duel_fought"])
def test_a_fact_that_tells_part_of_a_secret_is_found_if_nobody_says_so(fact: str) -> None:
    entry = replace(COURT, subject=replace(COURT.subject, partial=COURT.subject.partial - {fact}))
    said = broken_by(test_secrets.test_a_move_that_shows_no_piece_tells_nobody_anything, entry)
    assert re.match(r"(the public|seat \d) can tell at version \d+ that hidden pieces were exchanged\n", said)
    assert re.search(r"exchanged: [a-z]+_\d \(lies at \w+(\[\d+\])+\) for [a-z]+_\d", said)


def test_a_leak_is_found_with_the_piece_its_viewer_and_its_place() -> None:
    law = test_secrets.test_a_hidden_piece_is_named_nowhere_in_what_a_viewer_gets
    said = broken_by(law, with_rules(ShowsTheTopOfTheDeck))
    assert re.match(r"the public is shown [a-z]+_\d, which lies at deck\[0\]\nit stands in its view at version 3", said)
    assert '\nthe state: {"rounds": ' in said


def test_a_game_that_cannot_be_played_is_found_before_any_law_with_the_move_and_the_state() -> None:
    said = preflight.fault_in(with_rules(CannotAsk))
    assert said is not None
    assert re.match(r"KeyError: 'value'\nin a game of \d seats with \d+ events\nwhen seat \d made the move \{", said)
    assert '"type": "toy.ask_seat"' in said
    assert f"raised at {Path(__file__)}:" in said
