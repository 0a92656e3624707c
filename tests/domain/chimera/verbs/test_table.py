"""Every effect that can be owed has one declaration that is whole, or the game cannot be imported."""

from __future__ import annotations

import importlib
from typing import Any, get_args

import pytest

from domain.chimera import agenda as a
from domain.chimera import effects as e
from domain.chimera.agenda import Owed
from domain.chimera.legal import answers
from domain.chimera.verbs import table, verb
from domain.chimera.verbs.possible import can_resolve
from domain.chimera.verbs.table import VERBS
from tests.domain.chimera.table import RULES, Has
from tests.domain.chimera.table import table as table_of

OWED = (*get_args(e.Effect), *get_args(a.Resolving), *get_args(a.Flow))


def test_the_verbs_are_the_effects_that_can_be_owed() -> None:
    assert set(VERBS) == set(OWED)
    assert len(OWED) == 58


@pytest.mark.parametrize("owed", OWED, ids=lambda each: each.__name__)
def test_an_import_without_the_declaration_of_a_verb_fails(owed: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(verb.VERBS, owed)
    with pytest.raises(TypeError, match=f"not at all: {owed.__name__}"):
        importlib.reload(table)


def test_a_verb_declared_as_one_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(verb.VERBS, a.Slide)
    verb.phase(a.Slide, fits=None, resolve=lambda _resolution, _owed, _effect: None)
    with pytest.raises(TypeError, match="declared as another kind of verb than consequence"):
        table.complete(verb.VERBS)


def test_two_declarations_of_one_verb_are_refused() -> None:
    with pytest.raises(TypeError, match="Refill is declared twice"):
        verb.effect(e.Refill, possible=verb.ALWAYS, fits=None, resolve=lambda _resolution, _owed, _effect: None)


def test_a_declaration_that_does_not_say_how_the_verb_is_resolved_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(verb.VERBS, e.Refill)
    with pytest.raises(TypeError, match="Refill is resolved at once or asks"):
        verb.effect(e.Refill, possible=verb.ALWAYS, fits=None)


def test_an_effect_that_does_not_say_whether_it_is_possible_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    declare: Any = verb.effect
    of_refill = VERBS[e.Refill]
    monkeypatch.delitem(verb.VERBS, e.Refill)
    with pytest.raises(TypeError, match="possible"):
        declare(e.Refill, fits=None, resolve=of_refill.resolve)


def test_a_verb_that_asks_nothing_has_no_answers() -> None:
    state = table_of(Has(), Has()).state
    with pytest.raises(TypeError, match="asks nothing"):
        answers(RULES.material, state, Owed(0, e.Refill()))


def test_what_is_owed_only_when_it_is_possible_is_not_judged() -> None:
    state = table_of(Has(), Has()).state
    unjudged: Any = a.Slide()
    with pytest.raises(TypeError, match="only once it is known to be possible"):
        can_resolve(RULES.material, state, Owed(0, unjudged), (unjudged,))


def test_everything_printed_on_a_piece_says_whether_it_is_possible() -> None:
    for place in RULES.material.places.values():
        for effect in place.effects:
            assert VERBS[type(effect)].possible is not None
    assert all(VERBS[each].possible is not None for each in get_args(e.Effect))
