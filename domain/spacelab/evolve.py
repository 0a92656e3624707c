"""The fold: a state and a fact give the next state. No card, rule or chance is asked, so no fix changes the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.spacelab.draft import Draft
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
    return fold(state, (fact,))


def fold(state: State | None, facts: Sequence[Fact]) -> State:
    """The state after facts; the first one sets the game up where there is no state yet."""
    if state is None:
        if not facts or not isinstance(facts[0], GameSetUp):
            raise TypeError(f"the first fact sets the game up, not {facts[:1]}")
        state, facts = _set_up(facts[0]), facts[1:]
    draft = Draft(state)
    folds = FOLDS
    for fact in facts:
        folds[type(fact)](draft, fact)
    return draft.state()


def _set_up(fact: GameSetUp) -> State:
    return State(
        players=tuple(Player(dealt=tiles) for tiles in fact.dealt),
        lab_deck=fact.lab_deck,
        project_deck=fact.project_deck,
        spare=fact.spare,
        piles=fact.piles,
        active=fact.start,
    )


def _agenda_set(draft: Draft, fact: AgendaSet) -> None:
    draft.active = fact.active
    draft.agenda = fact.agenda


def _labs_revealed(draft: Draft, fact: LabsRevealed) -> None:
    draft.labs_gone += len(fact.cards)
    draft.revealed += fact.cards
    draft.passes = 0


def _labs_taken(draft: Draft, fact: LabsTaken) -> None:
    draft.player(fact.seat).take(fact.cards)
    draft.center += fact.rest
    draft.revealed = ()


def _labs_recruited(draft: Draft, fact: LabsRecruited) -> None:
    draft.player(fact.seat).take(fact.cards)
    gone = fact.cards
    draft.center = tuple([card for card in draft.center if card not in gone])
    draft.passes = 0


def _labs_drawn(draft: Draft, fact: LabsDrawn) -> None:
    player = draft.player(fact.seat)
    player.unseen = tuple(sorted(player.unseen + fact.cards))
    draft.labs_gone += len(fact.cards)


def _projects_drawn(draft: Draft, fact: ProjectsDrawn) -> None:
    draft.project_deck = draft.project_deck[len(fact.cards) :]
    draft.drawn = fact.cards


def _project_kept(draft: Draft, fact: ProjectKept) -> None:
    player = draft.player(fact.seat)
    player.projects = tuple(sorted((*player.projects, fact.card)))
    draft.project_deck += fact.returned
    draft.drawn = ()


def _labs_reshuffled(draft: Draft, fact: LabsReshuffled) -> None:
    draft.lab_deck = fact.lab_deck
    draft.labs_gone = 0
    draft.discards = ()


def _objectives_assigned(draft: Draft, fact: ObjectivesAssigned) -> None:
    player = draft.player(fact.seat)
    pairs = zip(draft.piles, fact.tiles, strict=False)
    player.objectives = tuple([Objective(pile.capsule, tile) for pile, tile in pairs])
    player.dealt = ()


def _end_triggered(draft: Draft, fact: EndTriggered) -> None:
    draft.trigger = fact.seat


def _passed(draft: Draft, _fact: Passed) -> None:
    draft.passes += 1


def _lab_placed(draft: Draft, fact: LabPlaced) -> None:
    player = draft.player(fact.seat)
    known = player.known
    for card in (fact.card, *fact.paid):
        if card in known:
            known.remove(card)
        else:
            player.unseen = tuple([each for each in player.unseen if each != card])
    player.labs.append(PlacedLab(fact.slot, fact.card))
    draft.discards += fact.paid
    draft.passes = 0


def _objective_completed(draft: Draft, fact: ObjectiveCompleted) -> None:
    player = draft.player(fact.seat)
    player.objectives = tuple(
        replace(objective, completed=True, boost=fact.boost) if objective.capsule == fact.capsule else objective
        for objective in player.objectives
    )
    draft.piles = tuple(
        Pile(pile.capsule, tuple(boost for boost in pile.boosts if boost != fact.boost))
        if pile.capsule == fact.capsule
        else pile
        for pile in draft.piles
    )


def _scored(draft: Draft, fact: GameScored) -> None:
    for player, hand, kept in zip(draft.players(), fact.hands, fact.projects, strict=False):
        player.known = list(hand)
        player.unseen = ()
        player.projects = kept
    draft.over = True


FOLDS: Mapping[type[Fact], Callable[[Draft, Any], None]] = {
    AgendaSet: _agenda_set,
    EndTriggered: _end_triggered,
    GameScored: _scored,
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
