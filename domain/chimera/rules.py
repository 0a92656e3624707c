"""The rules of Chimera Station, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from domain.chimera import facts, legal, score, setup, view
from domain.chimera.check import check
from domain.chimera.component_set import component_set
from domain.chimera.decide import decide
from domain.chimera.evolve import evolve
from domain.chimera.facts import Fact
from domain.chimera.material import SEATS, Material
from domain.chimera.moves import Move, Options
from domain.chimera.reading import read
from domain.chimera.state import State
from domain.chimera.timeline.describe import describe
from domain.chimera.view import View
from domain.kernel.rules import BoundRules, Title, bound
from domain.kernel.terms import Seat, Viewer


class Chimera(BoundRules[Material, State, Move, Fact]):
    """The kernel's `Rules` for Chimera Station: every move is open, and all see the same."""

    begin = bound(setup.begin)
    evolve = staticmethod(evolve)
    to_move = staticmethod(legal.to_move)
    legal_moves = bound(legal.legal_moves)
    decide = bound(decide)
    result = bound(score.result)
    check = bound(check)
    draws = staticmethod(facts.draws)

    def check_options(self, options: Options, seats: int) -> None:
        """Refuse boards that do not fit the seats."""
        setup.check_options(options, seats)

    def seats(self, state: State) -> int:
        """How many play."""
        return len(state.players)

    def view(self, state: State, viewer: Viewer) -> View:
        """The state as a viewer may see it: the same for all."""
        del viewer
        return view.view(state)

    def reveals(self, state: State, fact: Fact) -> bool:
        """Whether a fact shows the top of a deck."""
        del state
        return facts.reveals(fact)

    def points(self, state: State, viewer: Viewer) -> tuple[int, ...]:
        """Each seat's score so far, which all can see; at the end as in the result."""
        del viewer
        return score.points(self.material, state)

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
        return describe(self.material, seat, move, facts, names=names, language=language, before=before, after=after)


def bind(tables: Mapping[str, Any]) -> Chimera:
    """The rules bound to the tables of a component set; `ComponentError` names the entry that is wrong."""
    material = read(tables)
    return Chimera(material, component_set(material))


TITLE = Title(
    id="chimera",
    names=MappingProxyType({"en": "Chimera Station", "ja": "キメラステーション"}),
    seats=SEATS,
    package="domain.chimera",
    rules_version="chimera/1",
    options=Options,
    state=State,
    view=View,
    move=Move,
    fact=Fact,
    bind=bind,
)
