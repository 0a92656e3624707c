"""What a seat can do, and the options that a game is created with.

Lists of chosen cards are written in the order in which the legal moves offer them.
"""

from __future__ import annotations

from typing import TypeAlias

from domain.kernel.value import Hides, Value


class Options(Value, frozen=True):
    """Space Lab has no options."""


class AssignObjectives(Value, frozen=True, tag="spacelab.assign_objectives"):
    """Put the dealt tiles on the capsules: `tiles` are in the order of the capsules, left to right."""

    tiles: tuple[str, ...]


class DrawLabs(Value, frozen=True, tag="spacelab.draw_labs"):
    """The action Draw Labs: reveal cards, take one agency's."""


class Recruit(Value, frozen=True, tag="spacelab.recruit"):
    """The action Recruit: take all cards of an agency from the Recruitment Center."""

    agency: str


class PlaceLab(Value, frozen=True, tag="spacelab.place_lab"):
    """Place a card from hand in a free slot and discard `pay` for it. The first one of a turn chooses the action."""

    card: str
    slot: str
    pay: tuple[str, ...]


class EndPlacing(Value, frozen=True, tag="spacelab.end_placing"):
    """Place no other lab: the action ends."""


class ChooseAgency(Value, frozen=True, tag="spacelab.choose_agency"):
    """Answer which agency to take, of the revealed cards or by a card's effect."""

    agency: str


class KeepProject(Value, frozen=True, tag="spacelab.keep_project"):
    """Keep one of the projects just drawn. Only the seat itself sees which."""

    card: str

    hides = Hides()


class Pass(Value, frozen=True, tag="spacelab.pass"):
    """Do nothing, where no action can be taken."""


Move: TypeAlias = AssignObjectives | DrawLabs | Recruit | PlaceLab | EndPlacing | ChooseAgency | KeepProject | Pass
