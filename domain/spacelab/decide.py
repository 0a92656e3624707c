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
from domain.spacelab.resolve import Working
from domain.spacelab.state import State


def decide(material: Material, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """The facts of a move, up to the next question. A move answers the question that stands first in the agenda."""
    working = Working(material, state, chance)
    asked = working.agenda.pop(0)
    match move:
        case PlaceLab(card, slot, pay):
            working.place(card, slot, pay)
        case EndPlacing():
            pass
        case DrawLabs():
            working.reveal()
        case Recruit(agency):
            working.recruit(agency)
        case ChooseAgency(agency) if isinstance(asked, Recruitment):
            working.recruit(agency)
            if asked.times > 1:
                working.owe(Recruitment(asked.times - 1))
        case ChooseAgency(agency):
            working.take(agency)
        case KeepProject(card):
            working.keep(card)
        case AssignObjectives(tiles):
            working.emit(ObjectivesAssigned(seat, tiles))
        case Pass():
            working.emit(Passed(seat))
        case _:
            assert_never(move)
    return working.settle()
