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
from domain.kernel.words import Names, both, joined
from tests.toy.effects import CardEffect, Count, ToyAsk, ToyDemand, ToyDraw, ToyDuel, ToyLook, ToySwap, ToyTrade

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
    """A component set as it is written. If it `redeals`, each round ends with all hands shown and dealt again."""

    id: DashedId
    title: Ref
    hand: Count
    cards: Annotated[list[dict[str, Any]], Meta(max_length=MOST_KINDS)]
    redeals: bool = False


class Material(Struct, frozen=True):
    """A component set as it is played with: every card by its id."""

    id: str
    hand: int
    redeals: bool
    cards: Mapping[str, Kind]

    def served(self) -> ComponentSet:
        """The component set as it is shown to clients."""
        pieces = (
            Piece(
                id=card,
                kind="card",
                names=kind.names.both,
                text=_text(kind),
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
    return Material(id=written.id, hand=written.hand, redeals=written.redeals, cards=MappingProxyType(cards))


def _text(kind: Kind) -> Names:
    """What a card does, in words."""
    return joined(*map(_of, kind.effects)) if kind.effects else both("Nothing.", "効果なし。")


def _of(effect: CardEffect) -> Names:  # noqa: PLR0911 - an arm for each effect
    match effect:
        case ToyDraw(count):
            return both(f"Draw {count}.", f"{count}枚引く。")
        case ToyDemand():
            return both("Demand a card.", "カードを1枚要求する。")
        case ToyTrade(cost):
            return both(
                f"Pay {cost} to keep it, or draw as many as you pay.", f"{cost}枚払って得るか、払った数だけ引く。"
            )
        case ToyLook():
            return both("Look at a hand.", "手札を見る。")
        case ToyAsk():
            return both("Ask for a value.", "数を尋ねる。")
        case ToySwap():
            return both("Swap hands.", "手札を交換する。")
        case ToyDuel():
            return both("Duel.", "決闘する。")
