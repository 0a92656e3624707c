"""The component set of the toy, read from its TOML text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import msgspec
from msgspec import Struct

from domain.kernel.rejected import ComponentError
from domain.kernel.rules import ComponentSet, Piece
from tests.toy.effects import CardEffect, Count

MOST_SEATS = 5
MOST_ROUNDS = 6


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that are alike; their ids are `ant_1`, `ant_2` ..."""

    id: str
    value: Count
    copies: Count
    names: Mapping[str, str]
    effects: tuple[CardEffect, ...]


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A component set as it is written."""

    id: str
    title: str
    hand: Count
    cards: tuple[Kind, ...]


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
                names=kind.names,
                text={"en": _words(kind), "ja": _words(kind)},
                figures={"value": kind.value, "effects": msgspec.to_builtins(kind.effects)},
            )
            for card, kind in self.cards.items()
        )
        return ComponentSet(id=self.id, title="toy", pieces=tuple(pieces))


def read(text: str) -> Material:
    """The material in a TOML text; `ComponentError` tells where it is wrong."""
    try:
        written = msgspec.toml.decode(text, type=CardSet)
    except msgspec.DecodeError as wrong:
        what, _, place = str(wrong).partition(" - at `$.")
        raise ComponentError(place.rstrip("`") or "text", what) from wrong
    if written.title != "toy":
        raise ComponentError("title", f"a set for {written.title}, not for toy")
    doubled = [kind for kind, times in Counter(kind.id for kind in written.cards).items() if times > 1]
    if doubled:
        raise ComponentError(f"cards {doubled[0]}", "written twice")
    cards = {f"{kind.id}_{copy}": kind for kind in written.cards for copy in range(1, kind.copies + 1)}
    if len(cards) < MOST_SEATS * written.hand:
        raise ComponentError("cards", f"{len(cards)} are too few for {MOST_SEATS} hands of {written.hand}")
    return Material(id=written.id, hand=written.hand, cards=MappingProxyType(cards))


def _words(kind: Kind) -> str:
    return ", ".join(msgspec.json.encode(effect).decode() for effect in kind.effects) or "-"
