"""Whether a state could have come about in a game: the guard for positions from outside.

Later checks rely on earlier ones: once every piece is known and in one place, stations can be looked at, and once they
are sound, so can what is owed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from domain.kernel.rejected import Rejected
from domain.kernel.terms import Seat
from domain.spacelab.effects import (
    Action,
    AgencyChoice,
    ObjectiveAssignment,
    ObjectiveCheck,
    Owed,
    Placement,
    ProjectChoice,
    ProjectDraw,
    Recruitment,
)
from domain.spacelab.material import FULL_HAND, REVEALED, SEATS, Material
from domain.spacelab.resolve import waits
from domain.spacelab.state import Objective, Player, State
from domain.spacelab.station import is_finished, is_satisfied, slot_bonus

Found: TypeAlias = list[tuple[str, Sequence[str]]]
"""Pieces by the member of the state that holds them."""


def check(material: Material, state: State) -> None:
    """Raise `Rejected("impossible-position")`, with the member that is wrong, for a state that no game could be in."""
    _seats(state)
    _pieces(material, state)
    for seat, player in enumerate(state.players):
        _player(material, state, f"players[{seat}]", player)
    _boosts(material, state)
    for seat in range(len(state.players)):
        _objectives(material, state, seat)
    _progress(material, state)
    if state.over:
        _ended(state)
    elif any(not player.objectives for player in state.players):
        _set_up(material, state)
    else:
        _agenda(material, state)


def _require(possible: bool, field: str, detail: str) -> None:  # noqa: FBT001 - the condition is what it is about
    if not possible:
        _refuse(field, f"{field} {detail}")


def _refuse(field: str, detail: str) -> None:
    raise Rejected("impossible-position", detail, field=field)


def _seats(state: State) -> None:
    seats = len(state.players)
    _require(SEATS[0] <= seats <= SEATS[1], "players", f"are {seats}, and {SEATS[0]} to {SEATS[1]} can play")
    _require(0 <= state.active < seats, "active", "is no seat")
    _require(state.trigger is None or 0 <= state.trigger < seats, "trigger", "is no seat")
    _require(0 <= state.passes <= seats, "passes", "are not a number of seats")


def _pieces(material: Material, state: State) -> None:
    """Every card and tile is in exactly one place."""
    labs: Found = [(name, getattr(state, name)) for name in ("lab_deck", "center", "discards", "revealed")]
    projects: Found = [("project_deck", state.project_deck), ("drawn", state.drawn)]
    objectives: Found = [("spare", state.spare)]
    boosts: Found = [(f"piles[{index}].boosts", pile.boosts) for index, pile in enumerate(state.piles)]
    for seat, player in enumerate(state.players):
        place = f"players[{seat}]"
        labs += [(f"{place}.known", player.known), (f"{place}.unseen", player.unseen)]
        labs.append((f"{place}.labs", [lab.card for lab in player.labs]))
        projects.append((f"{place}.projects", player.projects))
        objectives.append((f"{place}.dealt", player.dealt))
        objectives.append((f"{place}.objectives", [each.tile for each in player.objectives]))
        boosts.append((f"{place}.objectives", [each.boost for each in player.objectives if each.boost is not None]))
    _once("labs", labs, material.labs)
    _once("projects", projects, material.projects)
    _once("objectives", objectives, material.objectives)
    _once("boosts", boosts, material.boosts)


def _once(what: str, found: Found, wanted: Collection[str]) -> None:
    """Each piece is in one place: an unknown or doubled one is reported with its place, a lost one with the first."""
    seen: set[str] = set()
    for place, pieces in found:
        unknown = [piece for piece in pieces if piece not in wanted]
        if unknown:
            _refuse(place, f"{what} are not all of this set: {', '.join(map(repr, unknown[:3]))}")
        doubled = [piece for piece, number in Counter(pieces).items() if number > 1 or piece in seen]
        if doubled:
            _refuse(place, f"{what} are in two places: {', '.join(doubled)}")
        seen.update(pieces)
    lost = [piece for piece in wanted if piece not in seen]
    if lost:
        _refuse(found[0][0] if found else what, f"{what} are missing: {', '.join(lost)}")


def _player(material: Material, state: State, place: str, player: Player) -> None:
    slots = [lab.slot for lab in player.labs]
    _require(set(slots) <= set(material.slots), f"{place}.labs", "are in slots that no station has")
    _require(len(set(slots)) == len(slots), f"{place}.labs", "are in one slot together")
    capsules = tuple(objective.capsule for objective in player.objectives)
    if not capsules:
        _require(len(player.dealt) == len(material.capsules), f"{place}.dealt", "is not a tile for each capsule")
        return
    _require(not player.dealt, f"{place}.dealt", "are left although all are assigned")
    _require(capsules == material.capsules, f"{place}.objectives", "are not one for each capsule, left to right")
    for index, objective in enumerate(player.objectives):
        field = f"{place}.objectives[{index}]"
        if objective.boost is not None:
            fits = objective.completed and material.boosts[objective.boost].pile == objective.capsule
            _require(fits, field, "has a boost that it cannot have")
        elif objective.completed:
            # S7: only an empty pile gives none.
            empty = all(not pile.boosts for pile in state.piles if pile.capsule == objective.capsule)
            _require(empty, field, "has no boost although there are some left")


def _boosts(material: Material, state: State) -> None:
    """Boosts are taken from the top, so what is left of a pile is its end."""
    _require(tuple(pile.capsule for pile in state.piles) == material.capsules, "piles", "are not those of the capsules")
    for index, pile in enumerate(state.piles):
        whole = material.pile(pile.capsule)
        _require(pile.boosts == whole[len(whole) - len(pile.boosts) :], f"piles[{index}]", "is not the end of its pile")


def _objectives(material: Material, state: State, seat: Seat) -> None:
    """An objective is completed as soon as it can be, when the lab that brings it about is resolved."""
    player = state.players[seat]
    for index, objective in enumerate(player.objectives):
        field = f"players[{seat}].objectives[{index}]"
        if objective.completed:
            _require(is_satisfied(material, player, objective), field, "is completed without the labs for it")
        elif is_satisfied(material, player, objective):
            pending = seat == state.active and ObjectiveCheck(objective.capsule) in state.agenda
            _require(
                pending and _by_last_lab(material, player, objective), field, "is not completed although it could be"
            )


def _progress(material: Material, state: State) -> None:
    """The end is triggered by the first finished station; passing in a row needs a table without cards to take."""
    finished = [seat for seat, player in enumerate(state.players) if is_finished(material, player)]
    if state.trigger is None:
        _require(not finished, "trigger", "is missing although a station is finished")
    else:
        _require(state.trigger in finished, "trigger", "is a seat whose station is not finished")
    if state.passes:
        _require(state.trigger is None, "passes", "cannot be once the end is triggered")
        _require(not (state.lab_deck or state.discards or state.center), "passes", "cannot be with labs left to take")


def _ended(state: State) -> None:
    seats = len(state.players)
    _require(not state.agenda, "agenda", "is not empty although the game is over")
    _require(not state.revealed and not state.drawn, "over", "cannot be with cards left to choose from")
    _require(not any(player.unseen for player in state.players), "over", "cannot be with cards unseen")
    if state.trigger is None:
        _require(state.passes == seats, "over", "cannot be before the end is triggered or all have passed")
    else:
        last = (state.active + 1) % seats == state.trigger
        _require(last, "over", "cannot be before every other seat has had its last action")


def _set_up(material: Material, state: State) -> None:
    """Objectives are assigned clockwise, before anything else happens: those who still have to are in one run (S1)."""
    seats = len(state.players)
    clockwise = [state.players[(state.active + step) % seats] for step in range(seats)]
    left = sum(not player.objectives for player in clockwise)
    _require(
        not any(player.objectives for player in clockwise[:left]), "active", "is not the next to assign objectives"
    )
    untouched = replace(
        state,
        players=tuple(Player(dealt=player.dealt, objectives=player.objectives) for player in state.players),
        center=(),
        discards=(),
        revealed=(),
        drawn=(),
    )
    _require(state == untouched, "players", "cannot have begun before all objectives are assigned")
    asked = state.agenda == (ObjectiveAssignment(),) and len(material.capsules) > 1
    _require(asked, "agenda", "is not the assignment of objectives")


def _agenda(material: Material, state: State) -> None:
    """The first thing owed waits for an answer, and the rest is what the last lab left to resolve."""
    _require(state.agenda in _agendas(material, state), "agenda", "is nothing that could be owed now")
    first = state.agenda[0]
    _require(waits(material, state, state.active, first), "agenda", "does not wait for an answer")
    _require(bool(state.revealed) == isinstance(first, AgencyChoice), "revealed", "is not what is asked about")
    _require(bool(state.drawn) == isinstance(first, ProjectChoice), "drawn", "is not what is asked about")
    _require(not state.passes or isinstance(first, Action), "passes", "cannot be in the middle of an action")
    _require(state.passes < len(state.players), "passes", "cannot be all while the game goes on")
    if state.revealed:
        few = not state.lab_deck and not state.discards
        number = len(state.revealed) == REVEALED or (few and len(state.revealed) < REVEALED)
        _require(number, "revealed", "are not as many as are turned up")
        _require(state.players[state.active].hand_size < FULL_HAND, "revealed", "cannot be with a full hand")


def _agendas(material: Material, state: State) -> Iterator[tuple[Owed, ...]]:
    """Every agenda that could be, a question first."""
    player = state.players[state.active]
    if state.trigger is None:
        yield (Action(),)
        yield (AgencyChoice(),)
    else:
        yield (Placement(),)
    if not player.labs:
        return
    last = player.labs[-1]
    effect = material.labs[last.card].effect
    owed: tuple[Owed, ...] = (
        *(() if effect is None else (effect,)),
        # As long as the bonus is owed no check has been made, so it is still the one that the lab came with.
        *slot_bonus(material, player, last.card, last.slot),
        *(ObjectiveCheck(capsule) for capsule in material.slots[last.slot].capsules),
        Placement(),
    )
    for index, each in enumerate(owed):
        for question in _questions(material, state, each):
            yield (question, *owed[index + 1 :])


def _questions(material: Material, state: State, owed: Owed) -> Iterator[Owed]:
    """The questions that resolving something can come to."""
    player = state.players[state.active]
    match owed:
        case ProjectDraw(count):
            if len(state.drawn) == count or (len(state.drawn) < count and not state.project_deck):
                yield ProjectChoice()
        case Recruitment(times):
            yield from (Recruitment(left) for left in range(1, times + 1))
        case ObjectiveCheck(capsule):
            objective = next(each for each in player.objectives if each.capsule == capsule)
            if objective.boost is not None and _by_last_lab(material, player, objective):
                effect = material.boosts[objective.boost].effect
                if effect is not None:
                    yield from _questions(material, state, effect)
        case Placement():
            yield owed
        case _:
            return


def _by_last_lab(material: Material, player: Player, objective: Objective) -> bool:
    """Whether it was the last lab placed that satisfied an objective."""
    return not is_satisfied(material, replace(player, labs=player.labs[:-1]), objective)
