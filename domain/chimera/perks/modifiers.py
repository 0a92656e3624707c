"""What passive perks and player boards change about the general rules: questions with an answer each.

They act from the moment when the perk is taken until it is discarded (R47).
"""

from __future__ import annotations

from typing import Literal

from domain.chimera.agenda import Owed
from domain.chimera.material import Material
from domain.chimera.state import Kinds, Player, State, Worker, seat_of, worker_of
from domain.chimera.station import is_board, is_protected, own_workers
from domain.kernel.terms import Seat


def most_components(state: State, worker: str) -> int:
    """How many components a worker may carry: with Geneticist one worker at a time may carry three (R20)."""
    seat = seat_of(worker)
    if "geneticist" not in state.players[seat].perks:
        return 2
    others = (each for name, each in own_workers(state, seat) if name != worker)
    return 2 if any(len(each.components) > 2 for each in others) else 3


def may_carry(most: int, components: Kinds) -> bool:
    """Whether a worker that may carry so many may carry these: three are never all of one kind (R20)."""
    return len(components) <= most and (len(components) < 3 or len(set(components)) > 1)


def may_claw(material: Material, state: State, seat: Seat, worker: Worker, victim: str) -> bool:
    """Whether a worker that is placed there may eject the one that stands there."""
    claws = worker.components.count("claw")
    if not claws:
        return False
    target = worker_of(state, victim)
    if is_protected(material, target):
        return False
    owner = seat_of(victim)
    if owner != seat:
        # Overseer keeps opponents' claws away; nobody is ejected from another player's perk module.
        if "overseer" in state.players[owner].perks or not is_board(material, target.place):
            return False
        return claws > 1 or len(target.components) < 2
    if is_grappler(state.players[seat]):
        return claws > 1 or len(target.components) < 2  # by the same limits (R42)
    return claws > 1 and state.players[seat].board == "toughies"


def is_grappler(player: Player) -> bool:
    """Grappler: claw workers may eject own workers too (R42)."""
    return "grappler" in player.perks


def compensated(state: State, seat: Seat, victim: str) -> Seat:
    """Who takes the coin or food when a seat's claw ejects a worker: Thug does, in its owner's place (R44)."""
    return seat if "thug" in state.players[seat].perks else seat_of(victim)


def reward_times(state: State, seat: Seat, *, boiling: bool) -> int:
    """How often each reactor reward comes: twice for Engineer in the Boiler Room, not in a Tanning Salon (R12)."""
    return 2 if boiling and "engineer" in state.players[seat].perks else 1


def exchanges_food(state: State, owed: Owed) -> bool:
    """Whether food gained may be taken as coins: Grocer, in the action of an own worker with a leaf (R21).

    What an ejection brings to the acting player is owed without a worker, so it never is.
    """
    if owed.acting is None or seat_of(owed.acting) != owed.seat:
        return False
    return "grocer" in state.players[owed.seat].perks and "leaf" in worker_of(state, owed.acting).components


def has_two(state: State, worker: str | None, kind: Literal["brain", "claw", "leaf", "tentacle"]) -> bool:
    """Whether a worker has two components of a kind."""
    return worker is not None and worker_of(state, worker).components.count(kind) > 1


def need_not_detach(state: State, owed: Owed) -> bool:
    """Brainiacs: a worker with two brains need not detach at the Laboratory, nor at a copy of it."""
    return state.players[owed.seat].board == "brainiacs" and has_two(state, owed.worker, "brain")


def pays_in_food(player: Player) -> bool:
    """Eco-Friendlies: a build that has a cost may be paid wholly in food."""
    return player.board == "eco_friendlies"


def produce(player: Player) -> int:
    """The food that a worker with two leaves produces."""
    return 3 if player.board == "eco_friendlies" else 2


def is_weird(state: State, seat: Seat, worker: str | None) -> bool:
    """Weirdos: a worker with two tentacles that commands or uses a perk module brings a component (R45)."""
    return state.players[seat].board == "weirdos" and has_two(state, worker, "tentacle")


def is_tough(state: State, seat: Seat, worker: str, victim: str) -> bool:
    """Toughies: a two-claw worker that ejects an opponent's on being placed brings a food or a coin (R44)."""
    return state.players[seat].board == "toughies" and has_two(state, worker, "claw") and seat_of(victim) != seat
