"""The rules of Chimera Station, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from domain.chimera import facts, legal, score, setup, view
from domain.chimera.check import check
from domain.chimera.component_set import component_set
from domain.chimera.decide import decide
from domain.chimera.evolve import evolve
from domain.chimera.facts import Fact, SeenFact
from domain.chimera.material import SEATS, Material
from domain.chimera.moves import Move, Options
from domain.chimera.reading import read
from domain.chimera.state import State
from domain.chimera.timeline.describe import describe
from domain.chimera.view import View
from domain.kernel.chance import Chance, Draw
from domain.kernel.legal import LegalMoves
from domain.kernel.rules import ComponentSet, Result, Title
from domain.kernel.terms import Seat, Viewer


class Chimera:
    """The kernel's `Rules` for Chimera Station: every method hands on to the module named for what it does."""

    __slots__ = ("_components", "_material")

    def __init__(self, material: Material) -> None:
        self._material = material
        self._components = component_set(material)

    @property
    def material(self) -> Material:
        """The component set as it is played with."""
        return self._material

    @property
    def components(self) -> ComponentSet:
        """The component set as it is served."""
        return self._components

    def check_options(self, options: Options, seats: int) -> None:
        """Refuse boards that do not fit the seats."""
        setup.check_options(options, seats)

    def begin(self, options: Options, seats: int, chance: Chance) -> tuple[Fact, ...]:
        """The facts that set a game up."""
        return setup.begin(self._material, options, seats, chance)

    evolve = staticmethod(evolve)

    def fold(self, state: State | None, facts: Sequence[Fact]) -> State | None:
        """The state after facts."""
        return reduce(evolve, facts, state)

    def seats(self, state: State) -> int:
        """How many play."""
        return len(state.players)

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """The seat that the game waits for."""
        return legal.to_move(state)

    def legal_moves(self, state: State, seat: Seat) -> LegalMoves:
        """What a seat may do now."""
        return legal.legal_moves(self._material, state, seat)

    def decide(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
        """What a legal move brings about."""
        return decide(self._material, state, seat, move, chance)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        return score.result(self._material, state)

    def view(self, state: State, viewer: Viewer) -> View:
        """The state as a viewer may see it: the same for all."""
        del viewer
        return view.view(state)

    def redact_move(self, move: Move, seat: Seat, viewer: Viewer) -> Move:
        """A move as a viewer may see it."""
        return facts.redact_move(move, seat, viewer)

    def redact_fact(self, fact: Fact, viewer: Viewer) -> SeenFact | None:
        """A fact as a viewer may see it."""
        del viewer
        return facts.redact(fact)

    def reveals(self, state: State, fact: Fact) -> bool:
        """Whether a fact tells anyone what was hidden from them."""
        del state
        return facts.reveals(fact)

    def points(self, state: State, viewer: Viewer) -> tuple[int, ...]:
        """Each seat's score so far, which all can see; at the end as in the result."""
        del viewer
        return score.points(self._material, state)

    def check(self, state: State) -> None:
        """Refuse a state that no game could be in."""
        check(self._material, state)

    def draws(self, fact: Fact) -> tuple[Draw, ...]:
        """The draws that a fact records."""
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
        return describe(self._material, seat, move, facts, names=names, language=language, before=before, after=after)


def bind(tables: Mapping[str, Any]) -> Chimera:
    """The rules bound to the tables of a component set; `ComponentError` names the entry that is wrong."""
    return Chimera(read(tables))


TITLE = Title(
    id="chimera",
    names=MappingProxyType({"en": "Chimera Station", "ja": "キメラステーション"}),
    seats=SEATS,
    rules_version="chimera/1",
    options=Options,
    state=State,
    view=View,
    move=Move,
    fact=Fact,
    seen=Move | SeenFact,
    bind=bind,
)
