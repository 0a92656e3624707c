"""Component sets read entry by entry."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from domain.kernel.component_reading import (
    DashedId,
    EntryReader,
    Form,
    Id,
    NamesForm,
    converted,
    known,
    only_key,
    read_set,
    same,
)
from domain.kernel.rejected import ComponentError


class CardForm(Form, frozen=True):
    id: Id
    cost: int = 0
    copies: int = 1


class EffectForm(Form, frozen=True):
    draw: int | None = None
    pay: int | None = None


class GameForm(Form, frozen=True):
    id: DashedId
    title: str
    cards: list[dict[str, Any]]


@contextmanager
def refused(entry: str, wrong: str) -> Generator[None]:
    with pytest.raises(ComponentError) as error:
        yield
    assert (error.value.entry, error.value.wrong) == (entry, wrong)


def read(*cards: dict[str, Any]) -> list[tuple[str, str]]:
    return [(place, card.id) for place, card in EntryReader().read("cards", cards, CardForm)]


def test_a_set_is_of_the_title_that_it_names() -> None:
    assert read_set({"id": "house-1", "title": "go", "cards": []}, GameForm, "go").id == "house-1"
    with refused("title", "is 'chess', and this title is 'go'"):
        read_set({"id": "house-1", "title": "chess", "cards": []}, GameForm, "go")


def test_what_is_wrong_in_the_whole_set_is_said_of_the_set() -> None:
    with refused("set", "Object missing required field `cards`"):
        read_set({"id": "house-1", "title": "go"}, GameForm, "go")


def test_an_entry_has_its_number_and_its_id_for_a_place() -> None:
    assert read({"id": "ant"}, {"id": "bat"}) == [("cards[0] ant", "ant"), ("cards[1] bat", "bat")]
    with refused("cards[1] bat.cost", "Expected `int`, got `str`"):
        read({"id": "ant"}, {"id": "bat", "cost": "free"})
    with refused("cards[0].id", "Expected `str`, got `int`"):
        read({"id": 3})


def test_a_key_that_nobody_reads_is_an_error() -> None:
    with refused("cards[0] ant", "Object contains unknown field `price`"):
        read({"id": "ant", "price": 3})


def test_an_id_names_one_piece_in_the_whole_set() -> None:
    entries = EntryReader()
    assert len(list(entries.read("cards", [{"id": "ant"}], CardForm))) == 1
    with refused("tiles[0] ant.id", "is taken by cards[0] ant"):
        list(entries.read("tiles", [{"id": "ant"}], CardForm))


def test_copies_have_an_id_each_which_no_other_piece_may_have() -> None:
    entries = EntryReader()
    ((_, _, ids),) = entries.read_copies("cards", [{"id": "ant", "copies": 3}], CardForm, "copies")
    assert ids == ("ant_1", "ant_2", "ant_3")
    with refused("tiles[0] ant_2.id", "is taken by cards[0] ant"):
        list(entries.read("tiles", [{"id": "ant_2"}], CardForm))


def test_a_name_is_looked_up_among_those_there_are() -> None:
    assert known("labs[0].agency", "a", "an agency", ("a", "b")) == "a"
    with refused("labs[0].agency", "'c' is not an agency: there are a, b"):
        known("labs[0].agency", "c", "an agency", ("a", "b"))


def test_a_section_may_have_to_hold_exactly_the_pieces_there_are() -> None:
    same("boards", ("b", "a"), ("a", "b"))
    with refused("boards", "b is missing"):
        same("boards", ("a",), ("a", "b"))
    with refused("boards", "c is not known"):
        same("boards", ("a", "b", "c"), ("a", "b"))


def test_exactly_one_key_may_have_to_be_written() -> None:
    assert only_key("effect", EffectForm(pay=2)) == "pay"
    for form in (EffectForm(), EffectForm(draw=1, pay=2)):
        with refused("effect", "is exactly one of draw, pay"):
            only_key("effect", form)


@pytest.mark.parametrize("name", ["", "two\nlines", "x" * 81])
def test_a_name_is_one_line_of_text(name: str) -> None:
    with pytest.raises(ComponentError, match=r"name\.en"):
        converted("name", {"en": name, "ja": "名"}, NamesForm)


def test_a_name_is_told_in_both_languages() -> None:
    assert converted("name", {"en": "Ant", "ja": "アリ"}, NamesForm).both == {"en": "Ant", "ja": "アリ"}
