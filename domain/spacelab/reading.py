"""Component sets from the tables of their TOML, checked entry by entry: what they name must be there, and be right.

Everything wrong is a `ComponentError` that names the entry, as in `labs[3] gp_04.cost`. `forms.py` has what may be
written, `material.py` what is played with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.kernel.component_reading import EntryReader, known, only_key, read_set
from domain.kernel.rejected import ComponentError
from domain.spacelab import material as played
from domain.spacelab.effects import Effect, LabDraw, ProjectDraw, Recruitment
from domain.spacelab.forms import (
    BoostForm,
    EffectForm,
    Entries,
    LabForm,
    MarkForm,
    ObjectiveForm,
    ProjectForm,
    ScoreForm,
    SetForm,
    SlotForm,
)
from domain.spacelab.material import MOST_CAPSULES, SEATS, Mark, Material, Row, Score, Slot


def read(tables: Mapping[str, Any]) -> Material:
    """The component set in the tables of a TOML text; `ComponentError` names the entry that is wrong."""
    return _Reader(read_set(tables, SetForm, "spacelab")).material()


class _Reader:
    """Goes through a set in an order in which everything named has been read before."""

    def __init__(self, written: SetForm) -> None:
        self._written = written
        self._entries = EntryReader()
        self._agencies: Mapping[str, Mark] = {}
        self._specialties: Mapping[str, Mark] = {}
        self._families: tuple[str, ...] = ()

    def material(self) -> Material:
        written = self._written
        self._agencies = self._marks("agencies", written.agencies)
        self._specialties = self._marks("specialties", written.specialties)
        boosts = self._boosts()
        capsules = tuple(dict.fromkeys(boost.pile for boost in boosts.values()))
        slots = self._slots(capsules)
        projects = self._projects()
        labs = {lab.id: self._lab(place, lab) for place, lab in self._entries.read("labs", written.labs, LabForm)}
        tiles = self._entries.read("objectives", written.objectives, ObjectiveForm)
        objectives = {tile.id: self._objective(place, tile) for place, tile in tiles}
        wanted = SEATS[1] * len(capsules)
        if len(objectives) < wanted:
            raise ComponentError("objectives", f"{len(objectives)} are too few for {SEATS[1]} seats: {wanted} needed")
        return Material(
            written.id, self._agencies, self._specialties, capsules, slots, labs, projects, objectives, boosts
        )

    def _marks(self, section: str, entries: Entries) -> Mapping[str, Mark]:
        return {mark.id: Mark(mark.id, mark.name.both) for _, mark in self._entries.read(section, entries, MarkForm)}

    def _boosts(self) -> Mapping[str, played.Boost]:
        boosts: dict[str, played.Boost] = {}
        tops: dict[str, int] = {}
        for place, boost in self._entries.read("boosts", self._written.boosts, BoostForm):
            if boost.points > tops.get(boost.pile, boost.points):
                raise ComponentError(
                    f"{place}.points", f"are more than those above in the pile {boost.pile}: the highest is on top"
                )
            tops[boost.pile] = boost.points
            effect = None if boost.effect is None else _effect(f"{place}.effect", boost.effect)
            boosts[boost.id] = played.Boost(boost.id, boost.pile, boost.points, effect)
        if len(tops) > MOST_CAPSULES:
            raise ComponentError("boosts", f"are {len(tops)} piles, and a station has {MOST_CAPSULES} capsules at most")
        return boosts

    def _slots(self, capsules: tuple[str, ...]) -> Mapping[str, Slot]:
        rows: dict[str, Row] = {}
        touched: dict[str, tuple[str, ...]] = {}
        for place, slot in self._entries.read("slots", self._written.slots, SlotForm):
            for index, capsule in enumerate(slot.capsules):
                known(f"{place}.capsules[{index}]", capsule, "a capsule with a pile of boosts", capsules)
                if capsule in slot.capsules[:index]:
                    raise ComponentError(f"{place}.capsules[{index}]", f"names {capsule} twice")
            rows[slot.id] = slot.row
            touched[slot.id] = tuple(capsule for capsule in capsules if capsule in slot.capsules)
        for capsule in capsules:
            if not any(capsule in touching for touching in touched.values()):
                raise ComponentError("slots", f"none touches the capsule {capsule}")
        neighbors = _neighbors(touched)
        return {slot: Slot(slot, row, touched[slot], neighbors[slot]) for slot, row in rows.items()}

    def _lab(self, place: str, lab: LabForm) -> played.Lab:
        self._agency(f"{place}.agency", lab.agency)
        self._specialty(f"{place}.specialty", lab.specialty)
        if (lab.effect is None) == (lab.score is None):
            raise ComponentError(place, "has both effect and score" if lab.effect else "has neither effect nor score")
        effect = None if lab.effect is None else _effect(f"{place}.effect", lab.effect)
        score = None if lab.score is None else self._score(f"{place}.score", lab.score)
        return played.Lab(lab.id, lab.agency, lab.specialty, lab.cost, effect, score)

    def _projects(self) -> Mapping[str, played.Project]:
        written = tuple(self._entries.read("projects", self._written.projects, ProjectForm))
        self._families = tuple(dict.fromkeys(project.family for _, project in written))
        return {
            project.id: played.Project(
                project.id, project.name.both, project.family, self._score(f"{place}.score", project.score)
            )
            for place, project in written
        }

    def _objective(self, place: str, tile: ObjectiveForm) -> played.ObjectiveTile:
        for index, agency in enumerate(tile.agencies):
            self._agency(f"{place}.agencies[{index}]", agency)
        self._specialty(f"{place}.specialty", tile.specialty)
        effect = _effect(f"{place}.effect", tile.effect)
        return played.ObjectiveTile(tile.id, tile.agencies, tile.specialty, effect)

    def _score(self, place: str, score: ScoreForm) -> Score:
        kinds = [kind for kind in ScoreForm.__struct_fields__ if kind != "points" and getattr(score, kind) is not None]
        if len(kinds) > 1:
            raise ComponentError(place, f"has both {kinds[0]} and {kinds[1]}")
        points = score.points
        if not kinds:
            return played.Points(points)
        kind, place = kinds[0], f"{place}.{kinds[0]}"
        if getattr(score, kind) is False:
            raise ComponentError(place, "is true, or is left out")
        if score.per_agency is not None:
            return played.PerAgency(points, self._agency(place, score.per_agency))
        if score.per_specialty is not None:
            return played.PerSpecialty(points, self._specialty(place, score.per_specialty))
        if score.per_neighbor_agency is not None:
            return played.PerNeighborAgency(points, self._agency(place, score.per_neighbor_agency))
        if score.per_neighbor_specialty is not None:
            return played.PerNeighborSpecialty(points, self._specialty(place, score.per_neighbor_specialty))
        if score.per_project_family is not None:
            family = known(place, score.per_project_family, "the family of any project", self._families)
            return played.PerProjectFamily(points, family)
        if score.min_agency is not None:
            agency = self._agency(f"{place}.agency", score.min_agency.agency)
            return played.MinAgency(points, agency, score.min_agency.labs)
        if score.min_specialty is not None:
            specialty = self._specialty(f"{place}.specialty", score.min_specialty.specialty)
            return played.MinSpecialty(points, specialty, score.min_specialty.labs)
        if score.per_project:
            return played.PerProject(points)
        return played.PerBoost(points) if score.per_boost else played.PerSpecialtySet(points)

    def _agency(self, place: str, name: str) -> str:
        return known(place, name, "an agency", self._agencies)

    def _specialty(self, place: str, name: str) -> str:
        return known(place, name, "a specialty", self._specialties)


def _effect(place: str, effect: EffectForm) -> Effect:
    only_key(place, effect)
    if effect.draw_labs is not None:
        return LabDraw(effect.draw_labs)
    if effect.draw_projects is not None:
        return ProjectDraw(effect.draw_projects)
    return Recruitment(effect.recruit or 0)


def _neighbors(touched: Mapping[str, tuple[str, ...]]) -> Mapping[str, frozenset[str]]:
    """The slots that share a capsule with each slot; a lab is not its own neighbor (S9)."""
    around: dict[str, set[str]] = {}
    for slot, capsules in touched.items():
        for capsule in capsules:
            around.setdefault(capsule, set()).add(slot)
    return {
        slot: frozenset[str]().union(*(around[capsule] for capsule in capsules)) - {slot}
        for slot, capsules in touched.items()
    }
