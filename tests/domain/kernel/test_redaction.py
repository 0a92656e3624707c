"""What facts and moves hide from whom."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from domain.kernel.redaction import redacted, seen, unseen
from domain.kernel.terms import Seat
from domain.kernel.value import Hides, Value


class CardsDrawn(Value, frozen=True, tag="go.cards_drawn"):
    """A seat drew cards."""

    seat: Seat
    cards: tuple[str, ...]

    hides = Hides("Another seat drew cards.", counts={"cards": "count"}, unless=("seat",))


class CardGiven(Value, frozen=True, tag="go.card_given"):
    """A card went from hand to hand."""

    giver: Seat
    taker: Seat
    card: str

    hides = Hides("A card went from hand to hand.", drops=("card",), unless=("giver", "taker"))


class DeckShuffled(Value, frozen=True, tag="go.deck_shuffled"):
    """The discards became the deck."""

    deck: tuple[str, ...]
    repeat: int

    hides = Hides("The discards became the deck.", counts=("deck",), drops=("repeat",))


class CardLaid(Value, frozen=True, tag="go.card_laid"):
    """A seat laid a card face down."""

    seat: Seat
    card: str

    hides = Hides(unless=("seat",))


class AgendaSet(Value, frozen=True, tag="go.agenda_set"):
    """What is owed."""

    hides = Hides()


class Passed(Value, frozen=True, tag="go.passed"):
    """A seat passed."""

    seat: Seat


class Pass(Value, frozen=True, tag="go.pass"):
    """Do nothing."""


class LayCard(Value, frozen=True, tag="go.lay_card"):
    """Lay a card face down."""

    card: str

    hides = Hides()


DRAWN = CardsDrawn(1, ("ant", "bat"))


def written(value: msgspec.Struct | None) -> Any:
    return msgspec.to_builtins(value)


def test_what_hides_nothing_is_seen_by_all_as_it_is() -> None:
    passed = Passed(1)
    assert [redacted(passed, viewer) for viewer in (None, 0, 1)] == [passed] * 3


def test_others_see_how_many_there_are_of_what_is_counted() -> None:
    assert redacted(DRAWN, 1) is DRAWN
    for viewer in (None, 0, 2):
        assert written(redacted(DRAWN, viewer)) == {"type": "go.cards_drawn_unseen", "seat": 1, "count": 2}


def test_others_do_not_see_what_is_dropped() -> None:
    given = CardGiven(0, 2, "ant")
    assert redacted(given, 0) is redacted(given, 2) is given
    for viewer in (None, 1):
        assert written(redacted(given, viewer)) == {"type": "go.card_given_unseen", "giver": 0, "taker": 2}


def test_a_count_may_keep_the_name_of_its_field() -> None:
    for viewer in (None, 0, 1):
        shuffled = redacted(DeckShuffled(("ant", "bat"), 1), viewer)
        assert written(shuffled) == {"type": "go.deck_shuffled_unseen", "deck": 2}


def test_without_a_form_others_see_nothing_of_it() -> None:
    laid = CardLaid(0, "ant")
    assert [redacted(laid, viewer) for viewer in (None, 0, 1)] == [None, laid, None]
    assert [redacted(AgendaSet(), viewer) for viewer in (None, 0)] == [None, None]


def test_a_move_is_seen_by_the_seat_that_makes_it() -> None:
    move = LayCard("ant")
    assert [redacted(move, viewer, owner=0) for viewer in (None, 0, 1)] == [None, move, None]


def test_what_others_see_is_a_struct_with_a_name_a_docstring_and_strict_fields() -> None:
    form = unseen(CardsDrawn)
    assert (form.__name__, form.__doc__) == ("CardsDrawnUnseen", "Another seat drew cards.")
    assert redacted(DRAWN, None) == form(1, 2)
    assert msgspec.json.decode(msgspec.json.encode(form(1, 2)), type=form) == form(1, 2)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"type":"go.cards_drawn_unseen","seat":1,"count":2,"cards":["ant"]}', type=form)


def test_there_is_nothing_that_others_see_where_all_or_nothing_is_hidden() -> None:
    for struct in (Passed, AgendaSet):
        with pytest.raises(TypeError, match=f"nothing of {struct.__name__} is seen"):
            unseen(struct)


def test_everything_that_anyone_can_see_is_one_union() -> None:
    union = seen(Pass | LayCard, CardsDrawn | CardGiven | DeckShuffled | CardLaid | AgendaSet | Passed)
    assert get_args(union) == (
        Pass,
        LayCard,
        CardsDrawn,
        CardGiven,
        CardLaid,
        Passed,
        *map(unseen, (CardsDrawn, CardGiven, DeckShuffled)),
    )


def test_a_field_that_is_not_there_cannot_be_hidden() -> None:
    class Wrong(Value, frozen=True, tag="go.wrong"):
        card: str
        hides = Hides("A card.", drops=("crad",), unless=("seat",))

    with pytest.raises(TypeError, match="Wrong hides crad, seat, and has no such field"):
        unseen(Wrong)


def test_hidden_fields_need_a_form_that_others_see() -> None:
    class Wrong(Value, frozen=True, tag="go.wrong"):
        card: str
        hides = Hides(drops=("card",))

    with pytest.raises(TypeError, match="does not say what others see"):
        redacted(Wrong("ant"), None)
