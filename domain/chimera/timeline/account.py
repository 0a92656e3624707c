"""The clauses of one event, as they come about fact by fact."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.haul import Haul
from domain.chimera.timeline.scene import Scene
from domain.kernel.sentences import Clause
from domain.kernel.terms import Seat
from domain.kernel.words import Names

AnyFact = TypeVar("AnyFact", bound=Struct)


class Account:
    """The clauses of one event, as they come about fact by fact."""

    def __init__(self, scene: Scene, facts: Sequence[Struct]) -> None:
        self.scene = scene
        self.material = scene.material
        self.crew = Crew(scene.before)
        self.feeding = scene.before is not None and scene.before.phase == "feeding"
        self.ejected: Names | None = None
        """The worker that the next placing ejects."""
        self.last: str | None = None
        """The worker that the last clause is about."""
        self.here: str | None = None
        """Where a worker was placed last in this event."""
        self._left = deque(facts)
        self._haul: Haul | None = None
        self._clauses: list[Clause] = []
        self._end: int | None = None

    def next(self) -> Struct | None:
        """The next fact, taken; None after the last one."""
        return self._left.popleft() if self._left else None

    def clauses(self) -> list[Clause]:
        """All clauses so far."""
        self._flush()
        return self._clauses

    @property
    def effect_end(self) -> int:
        """The number of clauses before the first phase that begins: those that describe an action."""
        return len(self._clauses) if self._end is None else self._end

    def say(self, seat: Seat | None, words: Names) -> None:
        """Add a clause after what was gained before."""
        self._flush()
        self._clauses.append(Clause(seat, words))
        self.last = None

    def take(self, kind: type[AnyFact], *, where: Callable[[AnyFact], bool] = lambda _: True) -> AnyFact | None:
        """The next fact, taken, if it is of a kind."""
        fact = self._left[0] if self._left else None
        if not isinstance(fact, kind) or not where(fact):
            return None
        self._left.popleft()
        self.crew.follow(fact)
        return fact

    def is_next(self, kind: type[Struct]) -> bool:
        """Whether the next fact is of a kind."""
        return bool(self._left) and isinstance(self._left[0], kind)

    def haul(self, seat: Seat) -> Haul:
        """What a seat is gaining."""
        if self._haul is None or self._haul.seat != seat:
            self._flush()
            self._haul = Haul(seat)
        return self._haul

    def end_action(self) -> None:
        """What follows is no part of the action: a phase begins."""
        self._flush()
        if self._end is None:
            self._end = len(self._clauses)

    def pay(self, seat: Seat, coins: int, food: int) -> None:
        """Let a seat pay: what it gained before belongs to something else."""
        if self.haul(seat).has_gained():
            self._flush()
        self.haul(seat).pay(coins, food)

    def _flush(self) -> None:
        haul, self._haul = self._haul, None
        if haul is not None:
            self._clauses += [Clause(haul.seat, words) for words in haul.clauses(self.material, self.here)]
