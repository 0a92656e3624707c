"""The component set of the toy, read from its TOML text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.kernel.rejected import ComponentError
from domain.kernel.rules import ComponentSet, Piece
from tests.toy.effects import CardEffect, Count

MOST_SEATS = 5
MOST_ROUNDS = 6


MOST_KINDS = 40
MOST_CARDS = 9 * MOST_KINDS

Id: TypeAlias = Annotated[str, Meta(pattern=r"\A[a-z0-9]+([_-][a-z0-9]+)*\Z", max_length=40)]
Names: TypeAlias = dict[Annotated[str, Meta(max_length=8)], Annotated[str, Meta(min_length=1, max_length=80)]]


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that are alike; their ids are `ant_1`, `ant_2` ..."""

    id: Id
    value: Count
    copies: Count
    names: Annotated[Names, Meta(max_length=8)]
    effects: Annotated[tuple[CardEffect, ...], Meta(max_length=8)]


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A component set as it is written."""

    id: Id
    title: str
    hand: Count
    cards: Annotated[tuple[Kind, ...], Meta(max_length=MOST_KINDS)]


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


def read(tables: Mapping[str, Any]) -> Material:
    """The material in the tables of a component set; `ComponentError` names the entry that is wrong."""
    try:
        written = msgspec.convert(tables, type=CardSet)
    except msgspec.ValidationError as wrong:
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
