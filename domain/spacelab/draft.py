"""A state while facts are folded into it: it is changed in place, so that many facts cost little.

Whole games are folded by the thousand, and a new state for each fact would be most of the work. A `Draft` is made of a
state, changed by one call of `evolve.fold`, and read as a state again at its end; it never leaves that call.
"""

from __future__ import annotations

from domain.kernel.terms import Seat
from domain.spacelab.state import Player, State


class PlayerDraft:
    """What a seat has, to be changed: the members of `Player`, with lists of what is changed often."""

    __slots__ = ("dealt", "known", "labs", "objectives", "projects", "unseen")

    def __init__(self, player: Player) -> None:
        self.known = list(player.known)
        self.unseen = player.unseen
        self.projects = player.projects
        self.dealt = player.dealt
        self.objectives = player.objectives
        self.labs = list(player.labs)

    def take(self, cards: tuple[str, ...]) -> None:
        """Take cards that all know of into the hand, which is kept in the order of its ids."""
        self.known += cards
        self.known.sort()

    def player(self) -> Player:
        """What it has come to."""
        return Player(tuple(self.known), self.unseen, self.projects, self.dealt, self.objectives, tuple(self.labs))


class Draft:
    """A state to be changed: the members of `State`, whose players become drafts when they are asked for.

    The first `labs_gone` cards of `lab_deck` are there no more.
    """

    __slots__ = (
        "_drafts",
        "_players",
        "active",
        "agenda",
        "center",
        "discards",
        "drawn",
        "lab_deck",
        "labs_gone",
        "over",
        "passes",
        "piles",
        "project_deck",
        "revealed",
        "spare",
        "trigger",
    )

    def __init__(self, state: State) -> None:
        self._players = state.players
        self._drafts: dict[Seat, PlayerDraft] = {}
        self.lab_deck = state.lab_deck
        self.labs_gone = 0
        self.project_deck = state.project_deck
        self.spare = state.spare
        self.piles = state.piles
        self.center = state.center
        self.discards = state.discards
        self.revealed = state.revealed
        self.drawn = state.drawn
        self.active = state.active
        self.agenda = state.agenda
        self.passes = state.passes
        self.trigger = state.trigger
        self.over = state.over

    def player(self, seat: Seat) -> PlayerDraft:
        """What a seat has."""
        draft = self._drafts.get(seat)
        if draft is None:
            draft = self._drafts[seat] = PlayerDraft(self._players[seat])
        return draft

    def players(self) -> list[PlayerDraft]:
        """What each seat has."""
        return [self.player(seat) for seat in range(len(self._players))]

    def state(self) -> State:
        """What it has come to."""
        players = self._players
        if self._drafts:
            changed = list(players)
            for seat, draft in self._drafts.items():
                changed[seat] = draft.player()
            players = tuple(changed)
        # By place, in the order of the fields: by name it takes twice as long.
        return State(
            players,
            self.lab_deck[self.labs_gone :] if self.labs_gone else self.lab_deck,
            self.project_deck,
            self.spare,
            self.piles,
            self.center,
            self.discards,
            self.revealed,
            self.drawn,
            self.active,
            self.agenda,
            self.passes,
            self.trigger,
            self.over,
        )
