"""What may be written in a component set: the forms of its entries, before anything that they name is looked up."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

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

Id: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[a-z0-9]+(_[a-z0-9]+)*\Z", max_length=40, description="Small letters, digits, single _.")
]
Word: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]+\Z", max_length=80, description="One line of text.")
]
"""A name is one line: it becomes part of lines that are read."""
Ref: TypeAlias = Annotated[str, Meta(max_length=40)]
"""The name of something else in the set, which reading looks up; short, as a refusal repeats it."""
Few: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Entries: TypeAlias = list[dict[str, Any]]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A form in which a key that nobody reads is a fault."""


class NamesForm(Form, frozen=True):
    """A name in each language."""

    en: Word
    ja: Word


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
    """So many labs of an agency."""

    agency: Ref
    labs: Few


class MinSpecialtyForm(Form, frozen=True):
    """So many labs of a specialty."""

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

    id: Annotated[
        str,
        Meta(
            pattern=r"\A[a-z0-9]+([_-][a-z0-9]+)*\Z", max_length=40, description="Small letters, digits, single - or _."
        ),
    ]
    title: Ref
    agencies: Annotated[Entries, Meta(min_length=1, max_length=MOST_MARKS)]
    specialties: Annotated[Entries, Meta(min_length=1, max_length=MOST_MARKS)]
    slots: Annotated[Entries, Meta(min_length=1, max_length=MOST_SLOTS)]
    labs: Annotated[Entries, Meta(min_length=1, max_length=MOST_LABS)]
    projects: Annotated[Entries, Meta(min_length=1, max_length=MOST_PROJECTS)]
    objectives: Annotated[Entries, Meta(min_length=1, max_length=MOST_OBJECTIVES)]
    boosts: Annotated[Entries, Meta(min_length=1, max_length=MOST_BOOSTS)]
