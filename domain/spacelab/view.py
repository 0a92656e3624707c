"""The state as a viewer may see it: types of their own, with counts where cards are hidden."""

from __future__ import annotations

from domain.kernel.terms import Seat, Viewer
from domain.kernel.value import Value
from domain.spacelab.effects import Owed
from domain.spacelab.state import Objective, Pile, PlacedLab, Player, State


class PlayerView(Value, frozen=True):
    """What a viewer sees of a seat.

    `hand` counts all lab cards in hand: those that all know it holds (`known`, S10) and those that came unseen
    (`unseen`, visible to the seat only). Sets of cards are in the order of their ids.
    """

    hand: int
    known: tuple[str, ...]
    unseen: tuple[str, ...] | None
    project_count: int
    projects: tuple[str, ...] | None
    dealt: tuple[str, ...]
    objectives: tuple[Objective, ...]
    labs: tuple[PlacedLab, ...]


class View(Value, frozen=True, tag="spacelab.view"):
    """What a viewer sees of the game. Decks are counts; `drawn` is visible to the seat that drew."""

    players: tuple[PlayerView, ...]
    lab_deck: int
    project_deck: int
    piles: tuple[Pile, ...]
    center: tuple[str, ...]
    discards: tuple[str, ...]
    revealed: tuple[str, ...]
    drawn_count: int
    drawn: tuple[str, ...] | None
    active: Seat
    agenda: tuple[Owed, ...]
    passes: int
    trigger: Seat | None
    over: bool


def view(state: State, viewer: Viewer) -> View:
    """The state as a viewer may see it. When the game is over all cards but the decks lie open."""
    return View(
        players=tuple(_player(player, state.over or seat == viewer) for seat, player in enumerate(state.players)),
        lab_deck=len(state.lab_deck),
        project_deck=len(state.project_deck),
        piles=state.piles,
        center=state.center,
        discards=state.discards,
        revealed=state.revealed,
        drawn_count=len(state.drawn),
        drawn=state.drawn if state.active == viewer else None,
        active=state.active,
        agenda=state.agenda,
        passes=state.passes,
        trigger=state.trigger,
        over=state.over,
    )


def _player(player: Player, is_open: bool) -> PlayerView:  # noqa: FBT001 - whether all of it is seen
    return PlayerView(
        hand=player.hand_size,
        known=player.known,
        unseen=player.unseen if is_open else None,
        project_count=len(player.projects),
        projects=player.projects if is_open else None,
        dealt=player.dealt,
        objectives=player.objectives,
        labs=player.labs,
    )
