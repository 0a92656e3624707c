"""Resolving what is owed, until a seat must answer or the game is over.

A `Resolution` takes what is owed from the front of its agenda, puts in front what that entails, and records the agenda
that is left in one last fact.

The order of play lives here as well: when a seat owes nothing more its turn is over, and `_hand_over` says who owes
what next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from domain.kernel.chance import Chance
from domain.kernel.decision import Decision
from domain.kernel.terms import Seat
from domain.spacelab.effects import (
    Action,
    AgencyChoice,
    LabDraw,
    ObjectiveAssignment,
    ObjectiveCheck,
    Owed,
    Placement,
    ProjectChoice,
    ProjectDraw,
    Recruitment,
)
from domain.spacelab.evolve import evolve
from domain.spacelab.facts import (
    AgendaSet,
    EndTriggered,
    Fact,
    GameScored,
    LabPlaced,
    LabsDrawn,
    LabsRecruited,
    LabsReshuffled,
    LabsRevealed,
    LabsTaken,
    ObjectiveCompleted,
    ObjectivesAssigned,
    ProjectKept,
    ProjectsDrawn,
)
from domain.spacelab.material import REVEALED, Material
from domain.spacelab.state import Player, State
from domain.spacelab.station import is_finished, is_satisfied, slot_bonus

_ACTION = Action()
_AGENCY_CHOICE = AgencyChoice()
_OBJECTIVE_ASSIGNMENT = ObjectiveAssignment()
_PLACEMENT = Placement()
_PROJECT_CHOICE = ProjectChoice()


def waits(material: Material, state: State, active: Seat, owed: Owed) -> bool:
    """Whether what the active seat owes needs an answer: decided by what all can see (S11)."""
    match owed:
        case Action():
            return True
        case Placement():
            # S8: the lab that triggers the end is the last of its action. No later action is cut short.
            player = state.players[active]
            open_slots = len(player.labs) < len(material.slots)
            return state.trigger != active and open_slots and player.hand_size > 0
        case AgencyChoice():
            return len(material.agencies_of(state.revealed)) > 1
        case Recruitment():
            return len(material.agencies_of(state.center)) > 1
        case ProjectChoice():
            return len(state.drawn) > 1
        case ObjectiveAssignment():
            return len(state.players[active].dealt) > 1
        case LabDraw() | ProjectDraw() | ObjectiveCheck():
            return False
        case _:
            assert_never(owed)


class Resolution(Decision[Material, State, Fact]):
    """A decision, what the active seat owes, and how that is resolved."""

    __slots__ = ("active", "agenda")

    def __init__(self, material: Material, state: State, chance: Chance, facts: tuple[Fact, ...] = ()) -> None:
        super().__init__(evolve, material, state, chance, facts)
        self.active = state.active
        self.agenda = list(state.agenda)

    @property
    def player(self) -> Player:
        """What the active seat has."""
        return self.state.players[self.active]

    def owe(self, *owed: Owed) -> None:
        """Put in front what must be resolved before all else."""
        self.agenda[:0] = owed

    def settle(self) -> tuple[Fact, ...]:
        """Resolve what is owed until the first is a question or the game is over; all facts of the decision."""
        while not self.state.over:
            if not self.agenda:
                self._hand_over()
            elif waits(self.material, self.state, self.active, self.agenda[0]):
                break
            else:
                self._resolve(self.agenda.pop(0))
        # Nobody looks at the state any more, so it need not be folded.
        return (*self.facts, AgendaSet(self.active, tuple(self.agenda)))

    def begin_turn_of(self, seat: Seat) -> None:
        """Make a seat the active one: it assigns its objectives, takes its turn, or has its last action."""
        self.active = seat
        if not self.player.objectives:
            self.owe(_OBJECTIVE_ASSIGNMENT)
        elif self.state.trigger is None:
            self.owe(_ACTION)
        else:
            self.owe(_PLACEMENT)

    def reveal(self) -> None:
        """The action Draw Labs: turn up cards, then take an agency of these (S12)."""
        self._draw(REVEALED, LabsRevealed)
        self.owe(_AGENCY_CHOICE)

    def take(self, agency: str) -> None:
        """Take an agency of the revealed cards; the rest goes to the Recruitment Center."""
        own, rest = self.material.split(self.state.revealed, agency)
        self.emit(LabsTaken(self.active, agency, own, rest))

    def recruit(self, agency: str) -> None:
        """Take an agency from the Recruitment Center."""
        own, _ = self.material.split(self.state.center, agency)
        self.emit(LabsRecruited(self.active, agency, own))

    def keep(self, card: str) -> None:
        """Keep one of the projects drawn; the rest goes under the deck in the order drawn."""
        self.emit(ProjectKept(self.active, card, tuple([each for each in self.state.drawn if each != card])))

    def place(self, card: str, slot: str, paid: tuple[str, ...]) -> None:
        """Place a lab and owe all that follows from it, in the order of S5."""
        self.emit(LabPlaced(self.active, card, slot, paid))
        self._trigger_end()
        effect = self.material.labs[card].effect
        bonus = slot_bonus(self.material, self.player, card, slot)
        checks = [ObjectiveCheck(capsule) for capsule in self.material.slots[slot].capsules]
        self.owe(*(() if effect is None else (effect,)), *bonus, *checks, _PLACEMENT)

    def _resolve(self, owed: Owed) -> None:
        """Resolve what needs no answer, or has only one."""
        match owed:
            case ObjectiveCheck(capsule):
                self._check_objective(capsule)
            case ProjectDraw(count):
                cards = self.state.project_deck[:count]
                if cards:
                    self.emit(ProjectsDrawn(self.active, cards))
                    self.owe(_PROJECT_CHOICE)
            case ProjectChoice():
                self.keep(self.state.drawn[0])
            case LabDraw(count):
                self._draw(count, lambda cards: LabsDrawn(self.active, cards))
            case AgencyChoice():
                self.take(self.material.labs[self.state.revealed[0]].agency)
            case Recruitment():
                self._recruit_only()
            case ObjectiveAssignment():
                self.emit(ObjectivesAssigned(self.active, self.player.dealt))
            case Placement():
                pass
            case Action():  # pragma: no cover - always a question
                pass
            case _:
                assert_never(owed)

    def _draw(self, count: int, drawn: Callable[[tuple[str, ...]], Fact]) -> None:
        """Take lab cards from the deck. S3: the shuffled discards replace an empty deck, also midway; or fewer come."""
        cards = self.state.lab_deck[:count]
        if cards:
            self.emit(drawn(cards))
        short = count - len(cards)
        if short and self.state.discards:
            self.emit(LabsReshuffled(self.chance.shuffle("labs", self.state.discards)))
            self.emit(drawn(self.state.lab_deck[:short]))

    def _recruit_only(self) -> None:
        """Take the one agency in the Recruitment Center, or nothing where it is empty; nothing is left for a repeat."""
        for agency in self.material.agencies_of(self.state.center):
            self.recruit(agency)

    def _check_objective(self, capsule: str) -> None:
        """Complete an objective that is now satisfied, take the top boost, and owe what that does (S7)."""
        objective = next(each for each in self.player.objectives if each.capsule == capsule)
        if objective.completed or not is_satisfied(self.material, self.player, objective):
            return
        pile = next(each for each in self.state.piles if each.capsule == capsule)
        boost = pile.boosts[0] if pile.boosts else None
        self.emit(ObjectiveCompleted(self.active, capsule, boost))
        self._trigger_end()
        effect = None if boost is None else self.material.boosts[boost].effect
        if effect is not None:
            self.owe(effect)

    def _trigger_end(self) -> None:
        """Trigger the end of the game if this finished the station; what triggers later changes nothing (S8)."""
        if self.state.trigger is None and is_finished(self.material, self.player):
            self.emit(EndTriggered(self.active))

    def _hand_over(self) -> None:
        """The active seat owes nothing more: the next one clockwise follows, or the game is scored (S4, S8)."""
        players = self.state.players
        following = (self.active + 1) % len(players)
        if self.state.passes < len(players) and self.state.trigger != following:
            self.begin_turn_of(following)
            return
        hands = tuple(player.hand for player in players)
        self.emit(GameScored(hands, tuple(player.projects for player in players)))
