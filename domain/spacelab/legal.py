"""What a seat may do now.

Whether a seat is asked was settled when the agenda was set, from public facts alone (S11); what it may answer depends
on its hand, and goes to that seat only. A hand is one list in the order of its ids, so that neither offers nor answers
tell in which order cards came.
"""

from __future__ import annotations

from itertools import permutations
from typing import assert_never

from domain.kernel.legal import Case, LegalMoves, Offer, OneOf, SomeOf
from domain.kernel.terms import Seat
from domain.spacelab.effects import (
    Action,
    AgencyChoice,
    LabDraw,
    ObjectiveAssignment,
    ObjectiveCheck,
    Placement,
    ProjectChoice,
    ProjectDraw,
    Recruitment,
)
from domain.spacelab.material import FULL_HAND, Material
from domain.spacelab.moves import (
    AssignObjectives,
    ChooseAgency,
    DrawLabs,
    EndPlacing,
    KeepProject,
    Pass,
    PlaceLab,
    Recruit,
)
from domain.spacelab.state import Player, State

_DRAW_LABS = Offer(DrawLabs, ({},))
_END_PLACING = Offer(EndPlacing, ({},))
_PASS = Offer(Pass, ({},))
_NO_CARDS = SomeOf((), 0, 0)


def to_move(state: State) -> tuple[Seat, ...]:
    """The seat that the game waits for; none when it is over."""
    return (state.active,) if state.agenda else ()


def legal_moves(material: Material, state: State, seat: Seat) -> LegalMoves:
    """What a seat may do now: the answers to the question that stands first in the agenda."""
    if seat != state.active or not state.agenda:
        return LegalMoves(seat)
    return LegalMoves(seat, _answers(material, state, state.players[seat]))


def _answers(material: Material, state: State, player: Player) -> tuple[Offer, ...]:
    owed = state.agenda[0]
    match owed:
        case Action():
            return _actions(material, state, player)
        case Placement():
            # S11: asked even where no card in hand can be placed.
            cases = _placements(material, player)
            return (Offer(PlaceLab, cases), _END_PLACING) if cases else (_END_PLACING,)
        case AgencyChoice():
            return (Offer(ChooseAgency, ({"agency": OneOf(material.agencies_of(state.revealed))},)),)
        case Recruitment():
            return (Offer(ChooseAgency, ({"agency": OneOf(material.agencies_of(state.center))},)),)
        case ProjectChoice():
            return (Offer(KeepProject, ({"card": OneOf(state.drawn)},)),)
        case ObjectiveAssignment():
            return (Offer(AssignObjectives, tuple({"tiles": tiles} for tiles in permutations(player.dealt))),)
        case LabDraw() | ProjectDraw() | ObjectiveCheck():  # pragma: no cover - these wait for nobody
            return ()
        case _:
            assert_never(owed)


def _actions(material: Material, state: State, player: Player) -> tuple[Offer, ...]:
    """The action of a turn. A full hand leaves only placing; S4: who can do nothing passes."""
    offers: list[Offer] = []
    if player.hand_size < FULL_HAND:
        if state.lab_deck or state.discards:
            offers.append(_DRAW_LABS)
        if state.center:
            offers.append(Offer(Recruit, ({"agency": OneOf(material.agencies_of(state.center))},)))
    cases = _placements(material, player)
    if cases:
        offers.append(Offer(PlaceLab, cases))
    return tuple(offers) or (_PASS,)


def _placements(material: Material, player: Player) -> tuple[Case, ...]:
    """A case for each card that the rest of the hand can pay for: any free slot, any cards to pay."""
    hand = player.hand
    if not hand:
        return ()
    taken = {lab.slot for lab in player.labs}
    slots = OneOf(tuple([slot for slot in material.slots if slot not in taken]))
    most, labs = len(hand) - 1, material.labs
    cases: list[Case] = []
    for index, card in enumerate(hand):
        cost = labs[card].cost
        if cost == 0:
            cases.append({"card": card, "slot": slots, "pay": _NO_CARDS})
        elif cost <= most:
            cases.append({"card": card, "slot": slots, "pay": SomeOf(hand[:index] + hand[index + 1 :], cost, cost)})
    return tuple(cases)
