"""A state while facts are folded into it: with lists for what facts change a little of, so that many cost little.

Whole games are folded by the thousand, and a new state for each fact would be most of the work. A `Draft` is made of a
state, changed in place by one call of `evolve.fold`, and read as a state again at its end; it never leaves that call.
"""

from __future__ import annotations

from domain.kernel.terms import Seat
from domain.spacelab.effects import Owed
from domain.spacelab.state import Pile, Player, State


class PlayerDraft:
    """What a seat has, to be changed in place; members as of `Player`."""

    __slots__ = ("dealt", "known", "labs", "objectives", "projects", "unseen")

    def __init__(self, player: Player) -> None:
        self.known = list(player.known)
        self.unseen = list(player.unseen)
        self.projects = list(player.projects)
        self.dealt = player.dealt
        self.objectives = player.objectives
        self.labs = list(player.labs)

    def player(self) -> Player:
        """What it has come to."""
        return Player(
            known=tuple(self.known),
            unseen=tuple(self.unseen),
            projects=tuple(self.projects),
            dealt=self.dealt,
            objectives=self.objectives,
            labs=tuple(self.labs),
        )


class Draft:
    """A state to be changed in place; members as of `State`, but that players become drafts when they are asked for."""

    __slots__ = (
        "_players",
        "active",
        "agenda",
        "center",
        "discards",
        "drawn",
        "lab_deck",
        "over",
        "passes",
        "piles",
        "project_deck",
        "revealed",
        "spare",
        "trigger",
    )

    _players: list[Player | PlayerDraft]
    lab_deck: list[str]
    project_deck: list[str]
    spare: tuple[str, ...]
    piles: tuple[Pile, ...]
    center: list[str]
    discards: list[str]
    revealed: tuple[str, ...]
    drawn: tuple[str, ...]
    active: Seat
    agenda: tuple[Owed, ...]
    passes: int
    trigger: Seat | None
    over: bool

    def __init__(self, state: State) -> None:
        self.take(state)

    def take(self, state: State) -> None:
        """Begin with a state, whatever was before."""
        self._players = list(state.players)
        self.lab_deck = list(state.lab_deck)
        self.project_deck = list(state.project_deck)
        self.spare = state.spare
        self.piles = state.piles
        self.center = list(state.center)
        self.discards = list(state.discards)
        self.revealed = state.revealed
        self.drawn = state.drawn
        self.active = state.active
        self.agenda = state.agenda
        self.passes = state.passes
        self.trigger = state.trigger
        self.over = state.over

    def player(self, seat: Seat) -> PlayerDraft:
        """What a seat has."""
        player = self._players[seat]
        if isinstance(player, PlayerDraft):
            return player
        self._players[seat] = draft = PlayerDraft(player)
        return draft

    def players(self) -> list[PlayerDraft]:
        """What each seat has."""
        return [self.player(seat) for seat in range(len(self._players))]

    def state(self) -> State:
        """What it has come to."""
        return State(
            players=tuple([each.player() if isinstance(each, PlayerDraft) else each for each in self._players]),
            lab_deck=tuple(self.lab_deck),
            project_deck=tuple(self.project_deck),
            spare=self.spare,
            piles=self.piles,
            center=tuple(self.center),
            discards=tuple(self.discards),
            revealed=self.revealed,
            drawn=self.drawn,
            active=self.active,
            agenda=self.agenda,
            passes=self.passes,
            trigger=self.trigger,
            over=self.over,
        )
