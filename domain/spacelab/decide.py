"""What a legal move brings about."""

from __future__ import annotations

from typing import assert_never

from domain.kernel.chance import Chance
from domain.kernel.terms import Seat
from domain.spacelab.effects import Recruitment
from domain.spacelab.facts import Fact, ObjectivesAssigned, Passed
from domain.spacelab.material import Material
from domain.spacelab.moves import (
    AssignObjectives,
    ChooseAgency,
    DrawLabs,
    EndPlacing,
    KeepProject,
    Move,
    Pass,
    PlaceLab,
    Recruit,
)
from domain.spacelab.resolve import Resolution
from domain.spacelab.state import State


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """The facts of a move, up to the next question. A move answers the question that stands first in the agenda."""
    resolution = Resolution(material, state, chance)
    asked = resolution.agenda.pop(0)
    match move:
        case PlaceLab(card, slot, pay):
            resolution.place(card, slot, pay)
        case EndPlacing():
            pass
        case DrawLabs():
            resolution.reveal()
        case Recruit(agency):
            resolution.recruit(agency)
        case ChooseAgency(agency) if isinstance(asked, Recruitment):
            resolution.recruit(agency)
            if asked.times > 1:
                resolution.owe(Recruitment(asked.times - 1))
        case ChooseAgency(agency):
            resolution.take(agency)
        case KeepProject(card):
            resolution.keep(card)
        case AssignObjectives(tiles):
            resolution.emit(ObjectivesAssigned(seat, tiles))
        case Pass():
            resolution.emit(Passed(seat))
        case _:
            assert_never(move)
    return resolution.settle()
