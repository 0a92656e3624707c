"""What the game is made of: cards, moves, facts, the state that facts are folded into, and what is seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.kernel.component_reading import DashedId, EntryReader, Form, Id, NamesForm, Ref, read_set
from domain.kernel.rejected import ComponentError
from domain.kernel.rules import ComponentSet, Piece
from domain.kernel.terms import Seat, Viewer
from domain.kernel.value import Hides, Value
from domain.kernel.words import both

SEATS = (2, 4)
MOST_CARDS = 100

Cards: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)]


class CardForm(Form, frozen=True):
    """Cards that are alike, as they are written: their ids are `one_1`, `one_2` ..."""

    id: Id
    value: Annotated[int, Meta(ge=0, le=99)]
    copies: Annotated[int, Meta(ge=1, le=9)]
    names: NamesForm


class SetForm(Form, frozen=True):
    """A component set as it is written."""

    id: DashedId
    title: Ref
    row: Annotated[int, Meta(ge=1, le=9)]
    cards: Annotated[list[dict[str, Any]], Meta(max_length=MOST_CARDS)]


class Material(Struct, frozen=True):
    """A component set as it is played with: each card by its id."""

    id: str
    row: int
    cards: Mapping[str, CardForm]


def read(tables: Mapping[str, Any]) -> Material:
    """The material in the tables of a component set; `ComponentError` names the entry that is wrong."""
    written = read_set(tables, SetForm, "template")
    kinds = EntryReader().read_copies("cards", written.cards, CardForm, copies="copies")
    cards = {card: kind for _, kind, copies in kinds for card in copies}
    if not written.row <= len(cards) <= MOST_CARDS:
        raise ComponentError("cards", f"there are {len(cards)}: expected {written.row} to {MOST_CARDS}")
    return Material(written.id, written.row, cards)


def components(material: Material) -> ComponentSet:
    """The component set as it is served."""
    pieces = (
        Piece(
            id=card,
            kind="card",
            names=kind.names.both,
            text=both(f"Worth {kind.value}.", f"{kind.value}点。"),
            figures={"value": kind.value},
        )
        for card, kind in material.cards.items()
    )
    return ComponentSet(material.id, "template", tuple(pieces))


class Options(Value, frozen=True):
    """What can be chosen when a game is created: nothing."""


class TakeCard(Value, frozen=True, tag="template.take_card"):
    """Take a card of the row."""

    card: str


Move: TypeAlias = TakeCard


class GameSetUp(Value, frozen=True, tag="template.game_set_up"):
    """The deck was shuffled: its top card is the first."""

    seats: int
    deck: tuple[str, ...]

    hides = Hides("The set-up without the order of the deck.", counts=("deck",))


class RowFilled(Value, frozen=True, tag="template.row_filled"):
    """The top cards of the deck went into the row, open."""

    cards: tuple[str, ...]


class CardTaken(Value, frozen=True, tag="template.card_taken"):
    """A seat took a card of the row, and its turn ended."""

    seat: Seat
    card: str


Fact: TypeAlias = GameSetUp | RowFilled | CardTaken


class State(Value, frozen=True):
    """Everything, hidden things included: nothing but this is known when a view is made."""

    deck: Cards
    taken: Annotated[tuple[Cards, ...], Meta(max_length=SEATS[1])]
    row: Cards = ()
    turn: Annotated[Seat, Meta(ge=0, lt=SEATS[1])] = 0

    @property
    def is_over(self) -> bool:
        """Whether all cards are taken."""
        return not self.row and not self.deck


class View(Value, frozen=True, tag="template.view"):
    """What a viewer sees of the state. The deck is a count."""

    deck: int
    row: tuple[str, ...]
    taken: tuple[tuple[str, ...], ...]
    turn: Seat


def view(state: State, viewer: Viewer) -> View:
    """The state as a viewer may see it; here all see the same."""
    del viewer
    return View(len(state.deck), state.row, state.taken, state.turn)


def evolve(state: State | None, fact: Fact) -> State:
    """The state after a fact: no rule and no card is asked, so that a later fix changes nothing that has happened."""
    if isinstance(fact, GameSetUp):
        return State(deck=fact.deck, taken=((),) * fact.seats)
    if state is None:
        raise TypeError(f"the first fact sets the game up, not {fact}")
    match fact:
        case RowFilled(cards):
            return replace(state, deck=state.deck[len(cards) :], row=state.row + cards)
        case CardTaken(seat, card):
            row = tuple(each for each in state.row if each != card)
            taken = (*state.taken[:seat], (*state.taken[seat], card), *state.taken[seat + 1 :])
            return replace(state, row=row, taken=taken, turn=(seat + 1) % len(taken))
        case _:
            assert_never(fact)
