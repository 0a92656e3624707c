"""A decision while it is worked out: the facts so far, and the state that they lead to.

It is the one mutable object of a title's `decide` and `begin`. Every fact is folded as soon as it is emitted, so what
comes next is decided by the state that the facts before it made, and the fold of a decision's facts is that state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from domain.kernel.chance import Chance

Material = TypeVar("Material")
State = TypeVar("State")
Fact = TypeVar("Fact")


class Decision(Generic[Material, State, Fact]):
    """What a title derives its own from, with what is owed and a method for each thing that can happen.

    `facts` are those that `state` includes already: in a beginning, the one that made the state.
    """

    __slots__ = ("_evolve", "chance", "facts", "material", "state")

    def __init__(
        self,
        evolve: Callable[[State | None, Fact], State],
        material: Material,
        state: State,
        chance: Chance,
        facts: Iterable[Fact] = (),
    ) -> None:
        self._evolve = evolve
        self.material = material
        self.state = state
        self.chance = chance
        self.facts = list(facts)

    def emit(self, fact: Fact) -> None:
        """Let something happen."""
        self.state = self._evolve(self.state, fact)
        self.facts.append(fact)
