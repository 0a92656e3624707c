"""What follows from the labs in a station: slot bonuses, objectives, and whether the station is finished."""

from __future__ import annotations

from domain.spacelab.effects import Effect, ProjectDraw
from domain.spacelab.material import Material
from domain.spacelab.state import Objective, Player


def slot_bonus(material: Material, player: Player, card: str, slot: str) -> tuple[Effect, ...]:
    """What a slot gives for the lab placed in it (S5).

    It is worked out when the lab is placed: the lab's own effect, which comes first, moves cards only and so changes
    neither the cost nor the tile.
    """
    lab, place = material.labs[card], material.slots[slot]
    if place.row == "top":
        return (ProjectDraw(lab.cost),) if lab.cost else ()
    if place.row == "side":
        return ()
    # S6: a completed objective is covered and has no effect any more.
    tiles = [material.objectives[each.tile] for each in player.objectives if below(each, place.capsules)]
    return tuple([tile.effect for tile in tiles if tile.specialty == lab.specialty])


def below(objective: Objective, capsules: tuple[str, ...]) -> bool:
    """Whether a lab below these capsules is below this objective, and it is not yet completed."""
    return objective.capsule in capsules and not objective.completed


def is_satisfied(material: Material, player: Player, objective: Objective) -> bool:
    """Whether the labs around an objective's capsule contain the agencies that it wants, each as often as it does."""
    slots, labs = material.slots, material.labs
    around = [labs[lab.card].agency for lab in player.labs if objective.capsule in slots[lab.slot].capsules]
    wanted = material.objectives[objective.tile].agencies
    return all(around.count(agency) >= wanted.count(agency) for agency in wanted)


def is_finished(material: Material, player: Player) -> bool:
    """Whether a station triggers the end: its last objective is completed or its last slot is filled."""
    if len(player.labs) == len(material.slots):
        return True
    return bool(player.objectives) and all(objective.completed for objective in player.objectives)
