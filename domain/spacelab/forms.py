"""What may be written in a component set: the forms of its entries, before anything that they name is looked up."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from domain.kernel.component_reading import DashedId, Form, Id, NamesForm, Ref
from domain.spacelab.material import (
    MOST_BOOSTS,
    MOST_CAPSULES,
    MOST_COST,
    MOST_LABS,
    MOST_MARKS,
    MOST_OBJECTIVES,
    MOST_PROJECTS,
    MOST_SLOTS,
    Row,
)

Few: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Entries: TypeAlias = list[dict[str, Any]]


class MarkForm(Form, frozen=True):
    """An agency or a specialty."""

    id: Id
    name: NamesForm


class SlotForm(Form, frozen=True):
    """A lab slot; capsules are known by their piles of boosts."""

    id: Id
    row: Row
    capsules: Annotated[tuple[Ref, ...], Meta(min_length=1, max_length=MOST_CAPSULES)]


class EffectForm(Form, frozen=True):
    """What a card or tile does: exactly one of these."""

    draw_labs: Few | None = None
    draw_projects: Few | None = None
    recruit: Few | None = None


class MinAgencyForm(Form, frozen=True):
    """A number of labs of an agency."""

    agency: Ref
    labs: Few


class MinSpecialtyForm(Form, frozen=True):
    """A number of labs of a specialty."""

    specialty: Ref
    labs: Few


class ScoreForm(Form, frozen=True):
    """Points as they stand, or per what one further key names."""

    points: Points
    per_agency: Ref | None = None
    per_specialty: Ref | None = None
    per_neighbor_agency: Ref | None = None
    per_neighbor_specialty: Ref | None = None
    per_project: bool | None = None
    per_boost: bool | None = None
    per_specialty_set: bool | None = None
    per_project_family: Ref | None = None
    min_agency: MinAgencyForm | None = None
    min_specialty: MinSpecialtyForm | None = None


class LabForm(Form, frozen=True):
    """A lab card: either an effect or a score."""

    id: Id
    agency: Ref
    specialty: Ref
    cost: Annotated[int, Meta(ge=0, le=MOST_COST)]
    effect: EffectForm | None = None
    score: ScoreForm | None = None


class ProjectForm(Form, frozen=True):
    """A project card; a family is whatever projects name as theirs."""

    id: Id
    name: NamesForm
    family: Id
    score: ScoreForm


class ObjectiveForm(Form, frozen=True):
    """An objective tile."""

    id: Id
    agencies: Annotated[tuple[Ref, ...], Meta(min_length=1, max_length=MOST_MARKS)]
    specialty: Ref
    effect: EffectForm


class BoostForm(Form, frozen=True):
    """A boost tile; piles and the tiles in them are in the order they are written in, the top first."""

    id: Id
    pile: Id
    points: Points
    effect: EffectForm | None = None


class SetForm(Form, frozen=True):
    """A whole component set."""

    id: DashedId
    title: Ref
    agencies: Annotated[Entries, Meta(min_length=1, max_length=MOST_MARKS)]
    specialties: Annotated[Entries, Meta(min_length=1, max_length=MOST_MARKS)]
    slots: Annotated[Entries, Meta(min_length=1, max_length=MOST_SLOTS)]
    labs: Annotated[Entries, Meta(min_length=1, max_length=MOST_LABS)]
    projects: Annotated[Entries, Meta(min_length=1, max_length=MOST_PROJECTS)]
    objectives: Annotated[Entries, Meta(min_length=1, max_length=MOST_OBJECTIVES)]
    boosts: Annotated[Entries, Meta(min_length=1, max_length=MOST_BOOSTS)]
