"""Gaining: points, coins, food, components, workers, research, perks, and the reactor's rewards."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import ComponentChoice, ExtraComponent, FoodExchange, Owed, PerkChoice
from domain.chimera.candidates import in_supply
from domain.chimera.effects import BoilerTable, Gain, Kind, Mix, Payment, ReactorRewards, Refill
from domain.chimera.material import KINDS
from domain.chimera.moves import TakeCoinsAndFood, TakeComponent, TakePerk
from domain.chimera.passives import exchanges_food, reward_times
from domain.chimera.resolve import decks
from domain.chimera.resolve.working import Working
from domain.chimera.state import RESERVE, worker_id, worker_of
from domain.chimera.station import amount


def gain(working: Working, owed: Owed, effect: Gain) -> None:
    """Gain so much of something."""
    number = amount(working.material, working.state, owed, effect)
    if number <= 0:
        return
    match effect.what:
        case "points":
            working.score(owed, number)
        case "coins":
            working.receive(owed, number, 0, barren=effect.barren)
        case "food":
            _food(working, owed, number, barren=effect.barren)
        case "any_components":
            _any_components(working, owed, number, barren=effect.barren)
        case "workers":
            _join(working, owed, number)
        case "research":
            _research(working, owed, number)
        case "perks":
            _perks(working, owed, number)
        case "brain" | "claw" | "leaf" | "tentacle":
            # Each component of a gain is settled by itself.
            for _ in range(number):
                working.component(owed, effect.what, barren=effect.barren)
        case _:
            assert_never(effect.what)


def _food(working: Working, owed: Owed, number: int, *, barren: bool) -> None:
    """Gain food, or be asked first whether to take it as coins (R21)."""
    if exchanges_food(working.state, owed):
        working.then(owed, FoodExchange(number, barren))
    else:
        working.receive(owed, 0, number, barren=barren)


def _any_components(working: Working, owed: Owed, number: int, *, barren: bool) -> None:
    """A kind that the supply has, or two points if it has none of any; one after the other."""
    if in_supply(working.state):
        working.then(owed, ComponentChoice(barren))
    else:
        working.shortage(owed)
    if number > 1:
        working.then(owed, Gain("any_components", number - 1, barren=barren))


def _join(working: Working, owed: Owed, number: int) -> None:
    """Workers from the reserve to the pool; none left: nothing."""
    waiting = [n for n, worker in enumerate(working.state.players[owed.seat].workers) if worker.place == RESERVE]
    for name in waiting[:number]:
        working.emit(f.WorkerJoined(worker_id(owed.seat, name)))


def _research(working: Working, owed: Owed, number: int) -> None:
    """Steps up the track, the reward of each at once; past the end the last reward comes again."""
    player = working.state.players[owed.seat]
    board = working.material.boards[player.board]
    tier = min(player.research + 1, board.top)
    working.emit(f.ResearchAdvanced(owed.seat, tier))
    for each in board.tiers[tier]:
        working.owe(replace(owed, effect=each, source="research", piece=None))
    if number > 1:
        working.then(owed, Gain("research", number - 1))


def _perks(working: Working, owed: Owed, number: int) -> None:
    """Perks from the display; taking with an empty one gives nothing, but it is filled up all the same."""
    if working.state.display:
        working.then(owed, PerkChoice())
    else:
        decks.fill_display(working)
    if number > 1:
        working.then(owed, Gain("perks", number - 1))


def pay(working: Working, owed: Owed, effect: Payment) -> None:
    """Pay what must be paid."""
    working.pay(owed.seat, effect.coins, effect.food)


def boiler_table(working: Working, owed: Owed, _effect: BoilerTable) -> None:
    """What the table gives for each component on this worker; what it gives of one resource is one gain (R21)."""
    if owed.worker is None:
        return
    total = {"points": 0, "coins": 0, "food": 0}
    for kind in worker_of(working.state, owed.worker).components:
        for each in working.material.boiler[kind]:
            total[each.what] += each.base
    # In the order of several rewards at once (R49).
    working.score(owed, total["points"])
    working.receive(owed, total["coins"], 0)
    if total["food"]:
        _food(working, owed, total["food"], barren=False)


def reactor_rewards(working: Working, owed: Owed, effect: ReactorRewards) -> None:
    """The rewards of the spaces that are empty now, space by space from the left.

    A Tanning Salon gives them all once per component on this worker, counted now (R12); Engineer doubles each in its
    place. With no empty space there are none, and that is an effect all the same (R50).
    """
    reactor = working.state.reactor
    shown = [reward for reward, module in zip(working.material.reactor, reactor, strict=True) if module is None]
    times = reward_times(working.state, owed.seat, boiling=effect.boiling)
    rounds = 1
    if effect.per_component:
        rounds = 0 if owed.worker is None else len(worker_of(working.state, owed.worker).components)
    for _ in range(rounds):
        for reward in shown:
            for _ in range(times):
                for each in reward:
                    working.owe(replace(owed, effect=each, source="reactor", piece=None))


def refill(working: Working, _owed: Owed, _effect: Refill) -> None:
    """Refill the reactor, without rewards."""
    decks.refill(working)


def take_mix(working: Working, owed: Owed, move: TakeCoinsAndFood, _effect: Mix) -> None:
    """Take coins and food; the food of one effect is one gain (R21)."""
    working.receive(owed, move.coins, 0)
    if move.food:
        _food(working, owed, move.food, barren=False)


def exchange_food(working: Working, owed: Owed, move: TakeCoinsAndFood, effect: FoodExchange) -> None:
    """Grocer has chosen: taking coins instead is a gain of coins."""
    working.receive(owed, move.coins, move.food, barren=effect.barren)


def take_component(working: Working, owed: Owed, move: TakeComponent, effect: ComponentChoice | ExtraComponent) -> None:
    """A component of the kind chosen. The extra of two tentacles brings no further one."""
    barren = isinstance(effect, ExtraComponent) or effect.barren
    working.component(owed, kind_of(move.component), barren=barren)


def take_perk(working: Working, owed: Owed, move: TakePerk, _effect: PerkChoice) -> None:
    """Take a perk; then the display is filled up."""
    working.emit(f.PerkTaken(owed.seat, move.perk, drawn=False))
    decks.fill_display(working)


def kind_of(word: str) -> Kind:
    """A kind of component by its name in a legal move."""
    return next(kind for kind in KINDS if kind == word)
