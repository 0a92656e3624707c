"""The rules of Space Lab, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from domain.kernel.chance import Chance
from domain.kernel.rules import BoundRules, Title, bound
from domain.kernel.terms import Seat
from domain.spacelab import facts, legal, score, setup, view
from domain.spacelab.check import check
from domain.spacelab.decide import decide
from domain.spacelab.describe import describe
from domain.spacelab.evolve import evolve, fold
from domain.spacelab.facts import Fact
from domain.spacelab.material import SEATS, Material
from domain.spacelab.moves import Move, Options
from domain.spacelab.pieces import component_set
from domain.spacelab.reading import read
from domain.spacelab.state import State
from domain.spacelab.view import View


class SpaceLab(BoundRules[Material, State, Move, Fact]):
    """The kernel's `Rules` for Space Lab."""

    evolve = staticmethod(evolve)
    to_move = staticmethod(legal.to_move)
    legal_moves = bound(legal.legal_moves)
    decide = bound(decide)
    result = bound(score.result)
    view = staticmethod(view.view)
    reveals = staticmethod(facts.reveals)
    points = bound(score.known_points)
    check = bound(check)
    draws = staticmethod(facts.draws)

    def begin(self, options: Options, seats: int, chance: Chance) -> tuple[Fact, ...]:
        """The facts that set a game up."""
        del options
        return setup.begin(self.material, seats, chance)

    def fold(self, state: State | None, facts: Sequence[Fact]) -> State:
        """The state after facts, faster than one by one."""
        return fold(state, facts)

    def seats(self, state: State) -> int:
        """How many play."""
        return len(state.players)

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
        del after
        return describe(self.material, seat, move, facts, names=names, language=language, before=before)


def bind(tables: Mapping[str, Any]) -> SpaceLab:
    """The rules bound to the tables of a component set; `ComponentError` names the entry that is wrong."""
    material = read(tables)
    return SpaceLab(material, component_set(material))


TITLE = Title(
    id="spacelab",
    names=MappingProxyType({"en": "Space Lab", "ja": "スペースラボ"}),
    seats=SEATS,
    package="domain.spacelab",
    rules_version="spacelab/1",
    options=Options,
    state=State,
    view=View,
    move=Move,
    fact=Fact,
    bind=bind,
)
