"""The reactor: its rewards and the Boiler Room's table, sliding, refilling, discarding."""

from __future__ import annotations

from msgspec.structs import replace

from domain.chimera.agenda import Owed, Slide
from domain.chimera.effects import BoilerTable, ReactorDiscard, ReactorRewards, Refill
from domain.chimera.material import Material
from domain.chimera.passives import reward_times
from domain.chimera.state import State, worker_of
from domain.chimera.station import open_spaces
from domain.chimera.verbs import decks
from domain.chimera.verbs.gains import gain_food
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import ALWAYS, Possible, Purse, consequence, effect


def _boiler_table(resolution: Resolution, owed: Owed, _effect: BoilerTable) -> None:
    """What the table gives for each component on this worker; what it gives of one resource is one gain (R21)."""
    if owed.worker is None:
        return
    total = {"points": 0, "coins": 0, "food": 0}
    for kind in worker_of(resolution.state, owed.worker).components:
        for each in resolution.material.boiler[kind]:
            total[each.what] += each.base
    # In the order of several rewards at once (R49).
    resolution.score(owed, total["points"])
    resolution.receive(owed, total["coins"], 0)
    if total["food"]:
        gain_food(resolution, owed, total["food"])


effect(BoilerTable, possible=ALWAYS, fits=None, resolve=_boiler_table)


def _has_components(_material: Material, _state: State, owed: Owed, rewards: ReactorRewards, _purse: Purse) -> bool:
    # The Tanning Salon looks at this worker's components, so without a worker it cannot be used (R30).
    return owed.worker is not None or not rewards.per_component


def _rewards(resolution: Resolution, owed: Owed, rewards: ReactorRewards) -> None:
    """The rewards of the spaces that are empty now, space by space from the left.

    A Tanning Salon gives them all once per component on this worker, counted now (R12); Engineer doubles each in its
    place. With no empty space there are none, and that is an effect all the same (R50).
    """
    reactor = resolution.state.reactor
    shown = [reward for reward, module in zip(resolution.material.reactor, reactor, strict=True) if module is None]
    times = reward_times(resolution.state, owed.seat, boiling=rewards.boiling)
    rounds = 1
    if rewards.per_component:
        rounds = 0 if owed.worker is None else len(worker_of(resolution.state, owed.worker).components)
    for _ in range(rounds):
        for reward in shown:
            for _ in range(times):
                for each in reward:
                    resolution.owe(replace(owed, effect=each, source="reactor", piece=None))


effect(ReactorRewards, possible=Possible(_has_components, certain=True), fits=None, resolve=_rewards)


def _refill(resolution: Resolution, _owed: Owed, _effect: Refill) -> None:
    decks.refill(resolution)


effect(Refill, possible=ALWAYS, fits=None, resolve=_refill)


def _slide(resolution: Resolution, _owed: Owed, _effect: Slide) -> None:
    decks.slide(resolution)


consequence(Slide, fits=None, resolve=_slide)


def _can_refill(material: Material, state: State, _owed: Owed, _effect: ReactorDiscard, _purse: Purse) -> bool:
    return bool(open_spaces(material, state)) and bool(state.deck or state.discards or any(state.reactor))


def _discard(resolution: Resolution, _owed: Owed, _effect: ReactorDiscard) -> None:
    decks.discard_reactor(resolution, tuple(module for module in resolution.state.reactor if module is not None))


# What is affordable shows only after the refill, so Foundry may be used before that is known (R41).
effect(ReactorDiscard, possible=Possible(_can_refill, blind=True), fits=None, resolve=_discard)
