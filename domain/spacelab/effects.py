"""Effects as data: what a card or tile does, and what a seat still owes the game.

The struct that a card is written in is the struct that waits: the state's *agenda* is a tuple of these values, the next
one first, all of them owed by the active seat. Resolving takes the first, emits facts, and puts in front what it
entails, until the first is a question that only the seat can answer. So a game can wait in the middle of any effect and
be stored as it stands. Effects are nouns, as moves are imperatives and facts are past tense.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.kernel.value import Value

Times: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class LabDraw(Value, frozen=True, tag="spacelab.lab_draw"):
    """Draw lab cards from the deck, unseen by the others."""

    count: Times


class ProjectDraw(Value, frozen=True, tag="spacelab.project_draw"):
    """Draw project cards, keep one, put the rest under the deck."""

    count: Times


class Recruitment(Value, frozen=True, tag="spacelab.recruitment"):
    """Take all cards of an agency from the Recruitment Center, a number of times; a question if agencies differ."""

    times: Times


class ObjectiveCheck(Value, frozen=True, tag="spacelab.objective_check"):
    """Complete a capsule's objective if the labs around it now contain the agencies that it wants."""

    capsule: str


class ObjectiveAssignment(Value, frozen=True, tag="spacelab.objective_assignment"):
    """A question: which of the tiles dealt goes on which capsule."""


class Action(Value, frozen=True, tag="spacelab.action"):
    """A question: the one action of a turn."""


class AgencyChoice(Value, frozen=True, tag="spacelab.agency_choice"):
    """A question: the agency to take of the cards just revealed."""


class ProjectChoice(Value, frozen=True, tag="spacelab.project_choice"):
    """A question: the project to keep of those just drawn."""


class Placement(Value, frozen=True, tag="spacelab.placement"):
    """A question: another lab, or the end of the action. It is also the whole of a last action."""


Effect: TypeAlias = LabDraw | ProjectDraw | Recruitment
"""What can be written on a card or tile."""

Owed: TypeAlias = Effect | ObjectiveCheck | ObjectiveAssignment | Action | AgencyChoice | ProjectChoice | Placement
"""What can wait in the agenda."""
