"""The rules of the toy, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from domain.kernel.chance import Chance, Draw
from domain.kernel.legal import LegalMoves
from domain.kernel.rules import ComponentSet, Result, ScoreLine, SeatScore, Title
from domain.kernel.terms import Seat, Viewer
from tests.toy import decide, facts, view, words
from tests.toy.earlier import EARLIER
from tests.toy.evolve import evolve
from tests.toy.facts import Fact, SeenFact
from tests.toy.material import MOST_SEATS, Material, read
from tests.toy.moves import Move, ToyGiveCard, ToyLayCard, ToyOptions
from tests.toy.state import ToyState, check
from tests.toy.view import ToyView


class ToyRules:
    """The protocol `Rules` for the toy."""

    def __init__(self, material: Material) -> None:
        self._material = material

    @property
    def components(self) -> ComponentSet:
        return self._material.served()

    def check_options(self, options: ToyOptions, seats: int) -> None:
        """Any rounds fit any seats."""

    def begin(self, options: ToyOptions, seats: int, chance: Chance) -> tuple[Fact, ...]:
        return decide.begin(self._material, options, seats, chance)

    def evolve(self, state: ToyState | None, fact: Fact) -> ToyState:
        return evolve(state, fact)

    def fold(self, state: ToyState | None, facts: Sequence[Fact]) -> ToyState | None:
        return reduce(evolve, facts, state)

    def seats(self, state: ToyState) -> int:
        return len(state.hands)

    def to_move(self, state: ToyState) -> tuple[Seat, ...]:
        return state.waits_for()

    def legal_moves(self, state: ToyState, seat: Seat) -> LegalMoves:
        return decide.legal_moves(state, seat)

    def decide(self, state: ToyState, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
        return decide.decide(self._material, state, seat, move, chance)

    def result(self, state: ToyState) -> Result | None:
        """A kept card scores its value, a card in hand one point; equal points share a rank."""
        if not state.finished:
            return None
        lines = [
            (*(self._trophy(card) for card in kept), ScoreLine("hand", len(hand)))
            for kept, hand in zip(state.trophies, state.hands, strict=True)
        ]
        points = [sum(line.points for line in each) for each in lines]
        ranks = [1 + sum(other > own for other in points) for own in points]
        scores = tuple(SeatScore(seat, points[seat], ranks[seat], each) for seat, each in enumerate(lines))
        return Result(tuple(score.seat for score in scores if score.rank == 1), scores)

    def view(self, state: ToyState, viewer: Viewer) -> ToyView:
        return view.view(state, viewer)

    def redact_move(self, move: Move, seat: Seat, viewer: Viewer) -> Move | None:
        """A card that is laid or given is named in the move: only its seat sees that."""
        hidden = isinstance(move, ToyLayCard | ToyGiveCard)
        return None if hidden and viewer != seat else move

    def redact_fact(self, fact: Fact, viewer: Viewer) -> SeenFact | None:
        return facts.redact(fact, viewer)

    def reveals(self, state: ToyState, fact: Fact) -> bool:
        del state
        return facts.reveals(fact)

    def points(self, state: ToyState, viewer: Viewer) -> tuple[int, ...]:
        """A kept card scores its value, a card in hand one point: all can see both."""
        del viewer
        return tuple(
            sum(self._material.cards[card].value for card in kept) + len(hand)
            for kept, hand in zip(state.trophies, state.hands, strict=True)
        )

    def check(self, state: ToyState) -> None:
        check(state, self._material.cards)

    def draws(self, fact: Fact) -> tuple[Draw, ...]:
        return facts.draws(fact)

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
        return words.describe(self._material, seat, move, facts, names=names, language=language)

    def _trophy(self, card: str) -> ScoreLine:
        return ScoreLine("trophy", self._material.cards[card].value, card)


def bind(tables: Mapping[str, Any]) -> ToyRules:
    """The rules bound to the tables of a component set."""
    return ToyRules(read(tables))


TITLE = Title(
    id="toy",
    names={"en": "Toy", "ja": "おもちゃ"},
    seats=(2, MOST_SEATS),
    rules_version="toy/1",
    options=ToyOptions,
    state=ToyState,
    view=ToyView,
    move=Move,
    fact=Fact,
    seen=Move | SeenFact,
    bind=bind,
    earlier=EARLIER,
)
