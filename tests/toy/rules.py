"""The rules of the toy, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.results import Result, ScoreLine, ranked
from domain.kernel.rules import BoundRules, Title, bound
from domain.kernel.terms import Seat, Viewer
from tests.toy import decide, facts, view, words
from tests.toy.earlier import EARLIER
from tests.toy.evolve import evolve
from tests.toy.facts import Fact
from tests.toy.material import MOST_SEATS, Material, read
from tests.toy.moves import Move, ToyOptions
from tests.toy.state import ToyState, check
from tests.toy.view import ToyView


class ToyRules(BoundRules[Material, ToyState, Move, Fact]):
    """The kernel's `Rules` for the toy. Any rounds fit any seats, so no options are refused."""

    begin = bound(decide.begin)
    evolve = staticmethod(evolve)
    legal_moves = bound(decide.legal_moves)
    decide = bound(decide.decide)
    view = staticmethod(view.view)
    draws = staticmethod(facts.draws)

    def seats(self, state: ToyState) -> int:
        return len(state.hands)

    def to_move(self, state: ToyState) -> tuple[Seat, ...]:
        return state.waits_for()

    def result(self, state: ToyState) -> Result | None:
        """A kept card scores its value, a card in hand one point; equal points share a rank."""
        if not state.finished:
            return None
        pairs = zip(state.trophies, state.hands, strict=True)
        return ranked((*map(self._trophy, kept), ScoreLine("hand", len(hand))) for kept, hand in pairs)

    def reveals(self, state: ToyState, fact: Fact) -> bool:
        return facts.reveals(state, fact)

    def points(self, state: ToyState, viewer: Viewer) -> tuple[int, ...]:
        """A kept card scores its value, a card in hand one point: all can see both."""
        del viewer
        return tuple(
            sum(self.material.cards[card].value for card in kept) + len(hand)
            for kept, hand in zip(state.trophies, state.hands, strict=True)
        )

    def check(self, state: ToyState) -> None:
        check(state, self.material.cards)

    def describe(
        self,
        seat: Seat,
        move: Struct | None,
        facts: Sequence[Struct],
        names: Sequence[str],
        language: str,
        *,
        before: Struct | None = None,
        after: Struct | None = None,
    ) -> str:
        """Sentences in one line for an event as some viewer sees it."""
        del before, after
        return words.describe(self.material, seat, move, facts, names=names, language=language)

    def _trophy(self, card: str) -> ScoreLine:
        return ScoreLine("trophy", self.material.cards[card].value, card)


def bind(tables: Mapping[str, Any]) -> ToyRules:
    """The rules bound to the tables of a component set."""
    material = read(tables)
    return ToyRules(material, material.served())


TITLE = Title(
    id="toy",
    names={"en": "Toy", "ja": "おもちゃ"},
    seats=(2, MOST_SEATS),
    package="tests.toy",
    rules_version="toy/2",
    options=ToyOptions,
    state=ToyState,
    view=ToyView,
    move=Move,
    fact=Fact,
    bind=bind,
    earlier=EARLIER,
)
