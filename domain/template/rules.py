"""The rules: what may be done and what it brings about, the score, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.kernel.chance import Chance, Draw
from domain.kernel.decision import Decision
from domain.kernel.legal import LegalMoves, Offer, OneOf
from domain.kernel.rejected import Rejected
from domain.kernel.results import Result, ScoreLine, ranked
from domain.kernel.rules import BoundRules, Title, bound
from domain.kernel.terms import Seat, Viewer
from domain.template import game
from domain.template.game import (
    SEATS,
    CardTaken,
    Fact,
    GameSetUp,
    Material,
    Move,
    Options,
    RowFilled,
    State,
    TakeCard,
    View,
    components,
    evolve,
    read,
)
from domain.template.words import describe


def to_move(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is."""
    return () if state.is_over else (state.turn,)


def legal_moves(state: State, seat: Seat) -> LegalMoves:
    """What a seat may do now."""
    if seat not in to_move(state):
        return LegalMoves(seat)
    return LegalMoves(seat, (Offer(TakeCard, ({"card": OneOf(state.row)},)),))


def begin(material: Material, options: Options, seats: int, chance: Chance) -> tuple[Fact, ...]:
    """Shuffle, and fill the row."""
    del options
    first = GameSetUp(seats, chance.shuffle("deck", material.cards))
    decision = Decision[Material, State, Fact](evolve, material, evolve(None, first), chance, (first,))
    decision.emit(RowFilled(decision.state.deck[: material.row]))
    return tuple(decision.facts)


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """What a legal move brings about."""
    decision = Decision[Material, State, Fact](evolve, material, state, chance)
    decision.emit(CardTaken(seat, move.card))
    if decision.state.deck:
        decision.emit(RowFilled(decision.state.deck[:1]))
    return tuple(decision.facts)


def draws(fact: Fact) -> tuple[Draw, ...]:
    """The draws that a fact records: everything that came from `chance`, so that anyone can repeat it."""
    return (Draw("deck", tuple(sorted(fact.deck)), fact.deck),) if isinstance(fact, GameSetUp) else ()


def reveals(state: State, fact: Fact) -> bool:
    """Whether a fact tells anyone what was hidden from them, or part of it: then its move cannot be taken back."""
    del state
    return isinstance(fact, RowFilled)


def points(material: Material, state: State, viewer: Viewer) -> tuple[int, ...]:
    """Each seat's points so far."""
    del viewer
    return tuple(sum(material.cards[card].value for card in cards) for cards in state.taken)


def result(material: Material, state: State) -> Result | None:
    """How the game ended, or None while it runs."""
    if not state.is_over:
        return None
    return ranked((ScoreLine("card", material.cards[card].value, card) for card in cards) for cards in state.taken)


def check(material: Material, state: State) -> None:
    """Refuse a state that no game could be in: it may come from outside."""
    cards = [*state.deck, *state.row, *(card for taken in state.taken for card in taken)]
    _require("deck", sorted(cards) == sorted(material.cards))
    _require("taken", SEATS[0] <= len(state.taken) <= SEATS[1])
    _require("turn", state.turn < len(state.taken))
    _require("row", len(state.row) == material.row or (len(state.row) < material.row and not state.deck))


def _require(field: str, possible: bool) -> None:  # noqa: FBT001 - what the field is judged by
    if not possible:
        raise Rejected("impossible-position", f"{field} cannot be like this", field=field)


class TemplateRules(BoundRules[Material, State, Move, Fact]):
    """The kernel's `Rules`: the functions above, bound to a component set."""

    begin = bound(begin)
    evolve = staticmethod(evolve)
    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    decide = bound(decide)
    result = bound(result)
    view = staticmethod(game.view)
    reveals = staticmethod(reveals)
    points = bound(points)
    check = bound(check)
    draws = staticmethod(draws)
    describe = bound(describe)

    def seats(self, state: State) -> int:
        """How many play."""
        return len(state.taken)


def bind(tables: Mapping[str, Any]) -> TemplateRules:
    """The rules bound to the tables of a component set."""
    material = read(tables)
    return TemplateRules(material, components(material))


TITLE = Title(
    id="template",
    names={"en": "Template", "ja": "ひな形"},
    seats=SEATS,
    package="domain.template",
    rules_version="template/1",
    options=Options,
    state=State,
    view=View,
    move=Move,
    fact=Fact,
    bind=bind,
)
