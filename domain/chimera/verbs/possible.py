"""Whether effects can be resolved (R2).

They can if every mandatory payment can be made and every mandatory choice has a candidate. A yield of zero is fine, and
so is a gain that meets an empty supply. Candidates are judged in a state in which the acting worker already stands
where it is to be placed and the ejected one lies in the lounge (`as_if_placed`); payments from what the seat has now,
with what the effect itself gives before (the two coins of the Integrated Constructor, the one of the Workshop), but
without anything that the ejection brings: hence the purse, which is filled from the seat's own coins and food and not
from what the agenda still owes it.

Copying asks the same question of the module to be copied, with one link more in the chain; a module in the chain is no
candidate again, so this comes to an end (R16).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from domain.chimera.agenda import Activation, Owed
from domain.chimera.effects import Choice, Effect
from domain.chimera.evolve import evolve
from domain.chimera.facts import WorkerEjected, WorkerPlaced
from domain.chimera.material import Material
from domain.chimera.state import State
from domain.chimera.verbs.verb import VERBS, Possible, Purse


def purse_of(state: State, owed: Owed) -> Purse:
    """All that a seat has."""
    player = state.players[owed.seat]
    return Purse(player.coins, player.food)


def can_resolve(
    material: Material, state: State, owed: Owed, effects: Sequence[Effect | Activation], purse: Purse | None = None
) -> bool:
    """Whether effects can be resolved one after the other, for the seat, worker and place that `owed` names."""
    purse = purse or purse_of(state, owed)
    for effect in effects:
        verb = VERBS[type(effect)]
        possible = verb.possible or _unjudged(effect)
        if owed.worker is None and verb.needs_worker:
            return False
        if possible.judge is not None and not possible.judge(material, state, owed, effect, purse):
            return False
        if possible.blind:
            return True
    return True


def is_certain(effects: Sequence[Effect]) -> bool:
    """Whether every worker that has just been placed can resolve these effects."""
    return all(
        any(is_certain(option.effects) for option in each.options)
        if isinstance(each, Choice)
        else _possible(each).certain
        for each in effects
    )


def is_positional(effects: Sequence[Effect]) -> bool:
    """Whether it depends on where workers stand that these effects can be resolved."""
    return any(_possible(each).positional for each in effects)


def _possible(effect: Effect) -> Possible[Effect]:
    return VERBS[type(effect)].possible or _unjudged(effect)


def _unjudged(effect: object) -> NoReturn:
    raise TypeError(f"{effect} is owed only once it is known to be possible")


def as_if_placed(state: State, worker: str, to: str, victim: str | None) -> State:
    """The state in which a worker already stands there and the ejected one lies in the lounge."""
    if victim is not None:
        state = evolve(state, WorkerEjected(victim, worker))
    return evolve(state, WorkerPlaced(worker, to))
