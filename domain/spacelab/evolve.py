"""The fold: a state and a fact give the next state. No card, rule or chance is asked, so no fix changes the past."""

from __future__ import annotations

from typing import assert_never

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
    """The state after a fact. The arms are in the order of how often each fact happens."""
    if state is None:
        if isinstance(fact, GameSetUp):
            return _set_up(fact)
        raise TypeError(f"the first fact sets the game up, not {fact}")
    match fact:
        case AgendaSet():
            return replace(state, active=fact.active, agenda=fact.agenda)
        case LabPlaced():
            return _lab_placed(state, fact)
        case LabsRevealed():
            deck = state.lab_deck[len(fact.cards) :]
            return replace(state, lab_deck=deck, revealed=state.revealed + fact.cards, passes=0)
        case LabsTaken():
            player = _with_known(state.players[fact.seat], fact.cards)
            players = _set(state.players, fact.seat, player)
            return replace(state, players=players, center=state.center + fact.rest, revealed=())
        case LabsRecruited():
            player = _with_known(state.players[fact.seat], fact.cards)
            players = _set(state.players, fact.seat, player)
            return replace(state, players=players, center=_without(state.center, fact.cards), passes=0)
        case LabsDrawn():
            player = state.players[fact.seat]
            player = replace(player, unseen=tuple(sorted(player.unseen + fact.cards)))
            players = _set(state.players, fact.seat, player)
            return replace(state, players=players, lab_deck=state.lab_deck[len(fact.cards) :])
        case ProjectsDrawn():
            return replace(state, project_deck=state.project_deck[len(fact.cards) :], drawn=fact.cards)
        case ProjectKept():
            player = state.players[fact.seat]
            player = replace(player, projects=tuple(sorted((*player.projects, fact.card))))
            players = _set(state.players, fact.seat, player)
            return replace(state, players=players, project_deck=state.project_deck + fact.returned, drawn=())
        case ObjectiveCompleted():
            return _objective_completed(state, fact)
        case LabsReshuffled():
            return replace(state, lab_deck=fact.lab_deck, discards=())
        case ObjectivesAssigned():
            pairs = zip(state.piles, fact.tiles, strict=False)
            objectives = tuple(Objective(pile.capsule, tile) for pile, tile in pairs)
            player = replace(state.players[fact.seat], dealt=(), objectives=objectives)
            return replace(state, players=_set(state.players, fact.seat, player))
        case EndTriggered():
            return replace(state, trigger=fact.seat)
        case Passed():
            return replace(state, passes=state.passes + 1)
        case GameScored():
            return _scored(state, fact)
        case GameSetUp():
            return _set_up(fact)
        case _:
            assert_never(fact)


def _set_up(fact: GameSetUp) -> State:
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
    player = replace(player, known=_without(player.known, gone), unseen=_without(player.unseen, gone), labs=labs)
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
    return tuple([card for card in cards if card not in gone])


def _set(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])
