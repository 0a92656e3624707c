"""Scoring: where each seat's points come from, and who wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.kernel.results import Result, ScoreLine, ranked
from domain.kernel.terms import Viewer
from domain.spacelab.material import (
    Material,
    MinAgency,
    MinSpecialty,
    PerAgency,
    PerBoost,
    PerNeighborAgency,
    PerNeighborSpecialty,
    PerProject,
    PerProjectFamily,
    PerSpecialty,
    PerSpecialtySet,
    Points,
    Score,
)
from domain.spacelab.state import Player, State


def result(material: Material, state: State) -> Result | None:
    """How the game ended: most points, then most projects, then a shared victory. None while it runs."""
    if not state.over:
        return None
    return ranked(
        [_lines(material, player) for player in state.players], [len(player.projects) for player in state.players]
    )


def known_points(material: Material, state: State, viewer: Viewer) -> tuple[int, ...]:
    """Each seat's points as far as a viewer may know them: what hangs on the projects of others counts at the end.

    How many projects a seat has is open, so a score per project counts at once; their families are not.
    """
    return tuple(
        sum(
            line.points
            for line in _lines(material, player)
            if state.over or seat == viewer or not _is_secret(material, line)
        )
        for seat, player in enumerate(state.players)
    )


def _is_secret(material: Material, line: ScoreLine) -> bool:
    """Whether a line's points tell something of hidden projects."""
    if line.source == "lab" and line.piece is not None:
        return isinstance(material.labs[line.piece].score, PerProjectFamily)
    return line.source == "project"


def _lines(material: Material, player: Player) -> Iterator[ScoreLine]:
    """A line for each piece that can score, also where that comes to nothing. Cards in hand score nothing."""
    for placed in player.labs:
        score = material.labs[placed.card].score
        if score is not None:
            yield ScoreLine("lab", points(material, player, score, placed.slot), placed.card)
    for objective in player.objectives:
        if objective.boost is not None:
            yield ScoreLine("boost", material.boosts[objective.boost].points, objective.boost)
    for project in player.projects:
        yield ScoreLine("project", points(material, player, material.projects[project].score), project)


def points(material: Material, player: Player, score: Score, slot: str | None = None) -> int:
    """What a score comes to; `slot` is where its card stands, None for a project, which has no neighbors."""
    labs = [material.labs[placed.card] for placed in player.labs]
    neighbors = [
        material.labs[placed.card]
        for placed in player.labs
        if slot is not None and placed.slot in material.slots[slot].neighbors
    ]
    match score:
        case Points():
            return score.points
        case PerAgency():
            return score.points * sum(lab.agency == score.agency for lab in labs)
        case PerSpecialty():
            return score.points * sum(lab.specialty == score.specialty for lab in labs)
        case PerNeighborAgency():
            # S9: a neighbor counts once, however many capsules both touch.
            return score.points * sum(lab.agency == score.agency for lab in neighbors)
        case PerNeighborSpecialty():
            return score.points * sum(lab.specialty == score.specialty for lab in neighbors)
        case PerProject():
            return score.points * len(player.projects)
        case PerBoost():
            # S7: an objective completed when its pile was empty counts as well.
            return score.points * sum(objective.completed for objective in player.objectives)
        case PerSpecialtySet():
            specialties = [lab.specialty for lab in labs]
            return score.points * min(specialties.count(specialty) for specialty in material.specialties)
        case PerProjectFamily():
            families = [material.projects[project].family for project in player.projects]
            return score.points * families.count(score.family)
        case MinAgency():
            return score.points if sum(lab.agency == score.agency for lab in labs) >= score.labs else 0
        case MinSpecialty():
            return score.points if sum(lab.specialty == score.specialty for lab in labs) >= score.labs else 0
        case _:
            assert_never(score)
