"""The fold: a state and a fact give the next state. No card, rule or chance is asked, so no fix changes the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.spacelab.facts import (
    AgendaSet,
    EndTriggered,
    Fact,
    GameScored,
    GameSetUp,
    LabPlaced,
    LabsDrawn,
    LabsRecruited,
    LabsReshuffled,
    LabsRevealed,
    LabsTaken,
    ObjectiveCompleted,
    ObjectivesAssigned,
    Passed,
    ProjectKept,
    ProjectsDrawn,
)
from domain.spacelab.state import Objective, Pile, PlacedLab, Player, State


def evolve(state: State | None, fact: Fact) -> State:
    """The state after a fact."""
    if state is None:
        if isinstance(fact, GameSetUp):
            return _set_up(None, fact)
        raise TypeError(f"the first fact sets the game up, not {fact}")
    return FOLDS[type(fact)](state, fact)


def _agenda_set(state: State, fact: AgendaSet) -> State:
    return replace(state, active=fact.active, agenda=fact.agenda)


def _labs_revealed(state: State, fact: LabsRevealed) -> State:
    deck = state.lab_deck[len(fact.cards) :]
    return replace(state, lab_deck=deck, revealed=state.revealed + fact.cards, passes=0)


def _labs_taken(state: State, fact: LabsTaken) -> State:
    players = _set(state.players, fact.seat, _with_known(state.players[fact.seat], fact.cards))
    return replace(state, players=players, center=state.center + fact.rest, revealed=())


def _labs_recruited(state: State, fact: LabsRecruited) -> State:
    players = _set(state.players, fact.seat, _with_known(state.players[fact.seat], fact.cards))
    return replace(state, players=players, center=_without(state.center, fact.cards), passes=0)


def _labs_drawn(state: State, fact: LabsDrawn) -> State:
    player = state.players[fact.seat]
    player = replace(player, unseen=tuple(sorted(player.unseen + fact.cards)))
    return replace(state, players=_set(state.players, fact.seat, player), lab_deck=state.lab_deck[len(fact.cards) :])


def _projects_drawn(state: State, fact: ProjectsDrawn) -> State:
    return replace(state, project_deck=state.project_deck[len(fact.cards) :], drawn=fact.cards)


def _project_kept(state: State, fact: ProjectKept) -> State:
    player = state.players[fact.seat]
    player = replace(player, projects=tuple(sorted((*player.projects, fact.card))))
    deck = state.project_deck + fact.returned
    return replace(state, players=_set(state.players, fact.seat, player), project_deck=deck, drawn=())


def _labs_reshuffled(state: State, fact: LabsReshuffled) -> State:
    return replace(state, lab_deck=fact.lab_deck, discards=())


def _objectives_assigned(state: State, fact: ObjectivesAssigned) -> State:
    pairs = zip(state.piles, fact.tiles, strict=False)
    objectives = tuple(Objective(pile.capsule, tile) for pile, tile in pairs)
    player = replace(state.players[fact.seat], dealt=(), objectives=objectives)
    return replace(state, players=_set(state.players, fact.seat, player))


def _end_triggered(state: State, fact: EndTriggered) -> State:
    return replace(state, trigger=fact.seat)


def _passed(state: State, _fact: Passed) -> State:
    return replace(state, passes=state.passes + 1)


def _set_up(_state: State | None, fact: GameSetUp) -> State:
    return State(
        players=tuple(Player(dealt=tiles) for tiles in fact.dealt),
        lab_deck=fact.lab_deck,
        project_deck=fact.project_deck,
        spare=fact.spare,
        piles=fact.piles,
        active=fact.start,
    )


def _lab_placed(state: State, fact: LabPlaced) -> State:
    player = state.players[fact.seat]
    gone = (fact.card, *fact.paid)
    labs = (*player.labs, PlacedLab(fact.slot, fact.card))
    unseen = _without(player.unseen, gone) if player.unseen else ()
    player = replace(player, known=_without(player.known, gone), unseen=unseen, labs=labs)
    discards = state.discards + fact.paid
    return replace(state, players=_set(state.players, fact.seat, player), discards=discards, passes=0)


def _objective_completed(state: State, fact: ObjectiveCompleted) -> State:
    player = state.players[fact.seat]
    objectives = tuple(
        replace(objective, completed=True, boost=fact.boost) if objective.capsule == fact.capsule else objective
        for objective in player.objectives
    )
    piles = tuple(
        Pile(pile.capsule, tuple(boost for boost in pile.boosts if boost != fact.boost))
        if pile.capsule == fact.capsule
        else pile
        for pile in state.piles
    )
    players = _set(state.players, fact.seat, replace(player, objectives=objectives))
    return replace(state, players=players, piles=piles)


def _scored(state: State, fact: GameScored) -> State:
    laid_open = zip(state.players, fact.hands, fact.projects, strict=False)
    players = tuple(replace(player, known=hand, unseen=(), projects=kept) for player, hand, kept in laid_open)
    return replace(state, players=players, over=True)


def _with_known(player: Player, cards: tuple[str, ...]) -> Player:
    return replace(player, known=tuple(sorted(player.known + cards)))


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    for card in gone:
        if card in cards:
            at = cards.index(card)
            cards = cards[:at] + cards[at + 1 :]
    return cards


def _set(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return players[:seat] + (player,) + players[seat + 1 :]  # noqa: RUF005 - half the time of unpacking


FOLDS: Mapping[type[Fact], Callable[[State, Any], State]] = {
    AgendaSet: _agenda_set,
    EndTriggered: _end_triggered,
    GameScored: _scored,
    GameSetUp: _set_up,
    LabPlaced: _lab_placed,
    LabsDrawn: _labs_drawn,
    LabsRecruited: _labs_recruited,
    LabsReshuffled: _labs_reshuffled,
    LabsRevealed: _labs_revealed,
    LabsTaken: _labs_taken,
    ObjectiveCompleted: _objective_completed,
    ObjectivesAssigned: _objectives_assigned,
    Passed: _passed,
    ProjectKept: _project_kept,
    ProjectsDrawn: _projects_drawn,
}
"""By type rather than by `match`: whole games are folded by the thousand, and a miss costs a tenth of a fold.
tests/domain/spacelab/test_evolve.py sees to it that no fact is missing."""
