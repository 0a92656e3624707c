"""The rules of Space Lab, bound to a component set, and the title itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from domain.kernel.chance import Chance, Draw
from domain.kernel.legal import LegalMoves
from domain.kernel.rules import ComponentSet, Result, Title
from domain.kernel.terms import Seat, Viewer
from domain.spacelab import facts, legal, score, setup, view
from domain.spacelab.check import check
from domain.spacelab.decide import decide
from domain.spacelab.describe import describe
from domain.spacelab.evolve import evolve, fold
from domain.spacelab.facts import Fact, SeenFact
from domain.spacelab.material import SEATS, Material
from domain.spacelab.moves import Move, Options
from domain.spacelab.pieces import component_set
from domain.spacelab.reading import read
from domain.spacelab.state import State
from domain.spacelab.view import View


class SpaceLab:
    """The kernel's `Rules` for Space Lab: every method hands on to the module that is named for what it does."""

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
        """Accept: there are none."""

    def begin(self, options: Options, seats: int, chance: Chance) -> tuple[Fact, ...]:  # noqa: ARG002 - it has none
        """The facts that set a game up."""
        return setup.begin(self._material, seats, chance)

    evolve = staticmethod(evolve)
    fold = staticmethod(fold)

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
        """The state as a viewer may see it."""
        return view.view(state, viewer)

    def redact_move(self, move: Move, seat: Seat, viewer: Viewer) -> Move | None:
        """A move as a viewer may see it."""
        return facts.redact_move(move, seat, viewer)

    def redact_fact(self, fact: Fact, viewer: Viewer) -> SeenFact:
        """A fact as a viewer may see it."""
        return facts.redact(fact, viewer)

    def reveals(self, state: State, fact: Fact) -> bool:
        """Whether a fact tells anyone what was hidden from them."""
        return facts.reveals(state, fact)

    def points(self, state: State, viewer: Viewer) -> tuple[int, ...]:
        """Each seat's points as far as a viewer may know them."""
        return score.known_points(self._material, state, viewer)

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
        del after
        return describe(self._material, seat, move, facts, names=names, language=language, before=before)


def bind(tables: Mapping[str, Any]) -> SpaceLab:
    """The rules bound to the tables of a component set; `ComponentError` names the entry that is wrong."""
    return SpaceLab(read(tables))


TITLE = Title(
    id="spacelab",
    names=MappingProxyType({"en": "Space Lab", "ja": "スペースラボ"}),
    seats=SEATS,
    rules_version="spacelab/1",
    options=Options,
    state=State,
    view=View,
    move=Move,
    fact=Fact,
    seen=Move | SeenFact,
    bind=bind,
)
