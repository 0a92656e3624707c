"""The component set of the toy, read from its TOML text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.kernel.component_reading import DashedId, EntryReader, Form, Id, NamesForm, Ref, read_set
from domain.kernel.rejected import ComponentError
from domain.kernel.rules import ComponentSet, Piece
from tests.toy.effects import CardEffect, Count

MOST_SEATS = 5
MOST_ROUNDS = 6


MOST_KINDS = 40
MOST_CARDS = 9 * MOST_KINDS


class Kind(Form, frozen=True):
    """Cards that are alike; their ids are `ant_1`, `ant_2` ..."""

    id: Id
    value: Count
    copies: Count
    names: NamesForm
    effects: Annotated[tuple[CardEffect, ...], Meta(max_length=8)]


class CardSet(Form, frozen=True):
    """A component set as it is written."""

    id: DashedId
    title: Ref
    hand: Count
    cards: Annotated[list[dict[str, Any]], Meta(max_length=MOST_KINDS)]


class Material(Struct, frozen=True):
    """A component set as it is played with: every card by its id."""

    id: str
    hand: int
    cards: Mapping[str, Kind]

    def served(self) -> ComponentSet:
        """The component set as it is shown to clients."""
        pieces = (
            Piece(
                id=card,
                kind="card",
                names=kind.names.both,
                text={"en": _words(kind), "ja": _words(kind)},
                figures={"value": kind.value, "effects": msgspec.to_builtins(kind.effects)},
            )
            for card, kind in self.cards.items()
        )
        return ComponentSet(id=self.id, title="toy", pieces=tuple(pieces))


def read(tables: Mapping[str, Any]) -> Material:
    """The material in the tables of a component set; `ComponentError` names the entry that is wrong."""
    written = read_set(tables, CardSet, "toy")
    kinds = EntryReader().read_copies("cards", written.cards, Kind, copies="copies")
    cards = {card: kind for _, kind, cards in kinds for card in cards}
    if len(cards) < MOST_SEATS * written.hand:
        raise ComponentError("cards", f"{len(cards)} are too few for {MOST_SEATS} hands of {written.hand}")
    return Material(id=written.id, hand=written.hand, cards=MappingProxyType(cards))


def _words(kind: Kind) -> str:
    return ", ".join(msgspec.json.encode(effect).decode() for effect in kind.effects) or "-"
