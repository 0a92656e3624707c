"""The state while a decision is worked out.

Perks that a fact triggers are heard at once. Inside a decision the agenda is a list; it comes
into the state by one fact at the end. What is scheduled while an effect is resolved comes before what was owed
already: first what perks add to the facts, then what the effect itself entails, in the order written.

The innermost action keeps an account of what its worker's tentacles will look at. A gain or a point belongs to it if
it is its own seat's, and was not brought by an ejection (R8, R21).
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import Flow, Owed, Resolving
from domain.chimera.effects import Effect, Kind, Source
from domain.chimera.evolve import evolve
from domain.chimera.material import Material
from domain.chimera.passives import triggered
from domain.chimera.state import Action, State
from domain.kernel.chance import Chance
from domain.kernel.decision import Decision
from domain.kernel.terms import Seat


class Resolution(Decision[Material, State, f.Fact]):
    """A decision, what is owed, and the actions under way."""

    __slots__ = ("_heard", "_reshuffles", "_scheduled", "actions", "agenda", "specimen")

    def __init__(self, material: Material, state: State, chance: Chance, facts: tuple[f.Fact, ...] = ()) -> None:
        super().__init__(evolve, material, state, chance, facts)
        self.agenda = list(state.agenda)
        self.actions = list(state.actions)
        self.specimen = state.specimen
        self._heard: list[Owed] = []
        self._scheduled: list[Owed] = []
        self._reshuffles = {"reshuffle": 0, "perk_reshuffle": 0}

    def emit(self, fact: f.Fact) -> None:
        """Let something happen, and hear what it triggers."""
        super().emit(fact)
        self._heard.extend(triggered(self.state, fact))

    def owe(self, *owed: Owed) -> None:
        """Schedule what the effect being resolved entails."""
        self._scheduled.extend(owed)

    def then(self, cause: Owed, *effects: Effect | Resolving | Flow) -> None:
        """Schedule effects with all that their cause knows."""
        for each in effects:
            self._scheduled.append(replace(cause, effect=each))

    def settle(self) -> None:
        """Put what has been scheduled in front of the agenda."""
        if self._heard or self._scheduled:
            self.agenda[:0] = self._heard + self._scheduled
            self._heard, self._scheduled = [], []

    def finish(self) -> tuple[f.Fact, ...]:
        """All facts, the agenda's last."""
        agenda, actions = tuple(self.agenda), tuple(self.actions)
        before = self.state
        if (before.agenda, before.actions, before.specimen) != (agenda, actions, self.specimen):
            self.emit(f.AgendaSet(agenda, actions, self.specimen))
        return tuple(self.facts)

    def reshuffle(self, purpose: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        """A drawn order, and how often this purpose has been drawn for in this decision before."""
        repeat = self._reshuffles[purpose]
        self._reshuffles[purpose] = repeat + 1
        return self.chance.shuffle(purpose, items), repeat

    def score(self, owed: Owed, points: int, source: Source | None = None, piece: str | None = None) -> None:
        """Score points from the source that `owed` names, or from another one."""
        if points <= 0:
            return
        if source is None:
            source, piece = owed.source, owed.piece
        self.emit(f.PointsScored(owed.seat, points, source, piece))
        action = self._action(owed)
        if action is not None and not action.scored:
            self.actions[-1] = replace(action, scored=True)

    def receive(self, owed: Owed, coins: int, food: int, *, barren: bool = False) -> None:
        """Gain coins and food; a barren gain brings no extra."""
        if not coins and not food:
            return
        self.emit(f.ResourcesChanged(owed.seat, coins, food))
        action = self._action(owed)
        if action is not None and not barren:
            self.actions[-1] = replace(action, coins=action.coins or coins > 0, food=action.food or food > 0)

    def pay(self, seat: Seat, coins: int, food: int) -> None:
        """Pay coins and food to the bank or to a player."""
        if coins or food:
            self.emit(f.ResourcesChanged(seat, -coins, -food))

    def component(self, owed: Owed, kind: Kind, *, barren: bool = False) -> None:
        """Gain a component of a kind; if the supply has none, two points instead, also where it was paid for."""
        if getattr(self.state.supply, kind) == 0:
            self.shortage(owed)
            return
        self.emit(f.ComponentGained(owed.seat, kind))
        self.count_kind(owed, kind, barren=barren)

    def count_kind(self, owed: Owed, kind: Kind, *, barren: bool = False) -> None:
        """Remember that a component of a kind was gained in the action."""
        action = self._action(owed)
        if action is not None and not barren and kind not in action.kinds:
            self.actions[-1] = replace(action, kinds=tuple(sorted((*action.kinds, kind))))

    def shortage(self, owed: Owed) -> None:
        """Two points for a component that the supply does not have."""
        self.score(owed, 2, "shortage", None)

    def _action(self, owed: Owed) -> Action | None:
        """The action that a gain or a point of `owed` belongs to."""
        if not self.actions or owed.outside:
            return None
        action = self.actions[-1]
        return action if action.seat == owed.seat else None
