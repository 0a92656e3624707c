"""How a game begins."""

from __future__ import annotations

from domain.kernel.chance import Chance
from domain.spacelab.evolve import evolve
from domain.spacelab.facts import Fact, GameSetUp
from domain.spacelab.material import Material
from domain.spacelab.resolve import Resolution
from domain.spacelab.state import Pile


def begin(material: Material, seats: int, chance: Chance) -> tuple[Fact, ...]:
    """Shuffle the decks, deal a tile for each capsule to each seat, and ask the start seat to assign its tiles (S1)."""
    start = chance.pick("start", range(seats))
    tiles = chance.shuffle("objectives", material.objectives)
    each = len(material.capsules)
    set_up = GameSetUp(
        start=start,
        lab_deck=chance.shuffle("labs", material.labs),
        project_deck=chance.shuffle("projects", material.projects),
        dealt=tuple(tiles[seat * each : (seat + 1) * each] for seat in range(seats)),
        spare=tiles[seats * each :],
        # S2: all of them, with any number of players.
        piles=tuple(Pile(capsule, material.pile(capsule)) for capsule in material.capsules),
    )
    resolution = Resolution(material, evolve(None, set_up), chance, (set_up,))
    resolution.begin_turn_of(start)
    return resolution.settle()
