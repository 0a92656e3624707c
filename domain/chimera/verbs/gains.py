"""Gaining and paying: points, coins, food, components, workers, research and perks."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import ComponentChoice, ExtraComponent, FoodExchange, Owed, PerkChoice
from domain.chimera.effects import Gain, Kind, Mix, Payment
from domain.chimera.impossible import require
from domain.chimera.material import KINDS, Material
from domain.chimera.moves import TakeCoinsAndFood, TakeComponent, TakePerk
from domain.chimera.passives import exchanges_food
from domain.chimera.state import RESERVE, Kinds, State, worker_id
from domain.chimera.station import amount
from domain.chimera.verbs import decks
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import (
    ALWAYS,
    Offers,
    Possible,
    Purse,
    Question,
    consequence,
    effect,
    offer_one,
    require_printed,
)
from domain.kernel.legal import Case, Offer

_MOST = 100
"""Nothing comes in larger amounts."""


def _is_amount(_material: Material, _state: State, _owed: Owed, of: Gain | Mix) -> None:
    require(of.base <= _MOST and of.per <= _MOST, "agenda", "more than there is")
    require(of.per == 0 or of.of is not None, "agenda", "an amount that counts nothing")


def _fills_purse(material: Material, state: State, owed: Owed, of: Gain, purse: Purse) -> bool:
    if of.what == "coins":
        purse.coins += amount(material, state, owed, of)
    elif of.what == "food":
        purse.food += amount(material, state, owed, of)
    return True


def _gain(resolution: Resolution, owed: Owed, of: Gain) -> None:
    number = amount(resolution.material, resolution.state, owed, of)
    if number <= 0:
        return
    match of.what:
        case "points":
            resolution.score(owed, number)
        case "coins":
            resolution.receive(owed, number, 0, barren=of.barren)
        case "food":
            gain_food(resolution, owed, number, barren=of.barren)
        case "any_components":
            _any_components(resolution, owed, number, barren=of.barren)
        case "workers":
            _join(resolution, owed, number)
        case "research":
            _research(resolution, owed, number)
        case "perks":
            _perks(resolution, owed, number)
        case "brain" | "claw" | "leaf" | "tentacle":
            # Each component of a gain is settled by itself.
            for _ in range(number):
                resolution.component(owed, of.what, barren=of.barren)
        case _:
            assert_never(of.what)


def gain_food(resolution: Resolution, owed: Owed, number: int, *, barren: bool = False) -> None:
    """Gain food, or be asked first whether to take it as coins (R21)."""
    if exchanges_food(resolution.state, owed):
        resolution.then(owed, FoodExchange(number, barren))
    else:
        resolution.receive(owed, 0, number, barren=barren)


def _any_components(resolution: Resolution, owed: Owed, number: int, *, barren: bool) -> None:
    """A kind that the supply has, or two points if it has none of any; one after the other."""
    if in_supply(resolution.state):
        resolution.then(owed, ComponentChoice(barren))
    else:
        resolution.shortage(owed)
    if number > 1:
        resolution.then(owed, Gain("any_components", number - 1, barren=barren))


def _join(resolution: Resolution, owed: Owed, number: int) -> None:
    """Workers from the reserve to the pool; none left: nothing."""
    waiting = [n for n, worker in enumerate(resolution.state.players[owed.seat].workers) if worker.place == RESERVE]
    for name in waiting[:number]:
        resolution.emit(f.WorkerJoined(worker_id(owed.seat, name)))


def _research(resolution: Resolution, owed: Owed, number: int) -> None:
    """Steps up the track, the reward of each at once; past the end the last reward comes again."""
    player = resolution.state.players[owed.seat]
    board = resolution.material.boards[player.board]
    tier = min(player.research + 1, board.top)
    resolution.emit(f.ResearchAdvanced(owed.seat, tier))
    for each in board.tiers[tier]:
        resolution.owe(replace(owed, effect=each, source="research", piece=None))
    if number > 1:
        resolution.then(owed, Gain("research", number - 1))


def _perks(resolution: Resolution, owed: Owed, number: int) -> None:
    """Perks from the display; taking with an empty one gives nothing, but it is filled up all the same."""
    if resolution.state.display:
        resolution.then(owed, PerkChoice())
    else:
        decks.fill_display(resolution)
    if number > 1:
        resolution.then(owed, Gain("perks", number - 1))


effect(Gain, possible=Possible(_fills_purse, certain=True), fits=_is_amount, resolve=_gain)


def _is_paid_from(_material: Material, _state: State, _owed: Owed, payment: Payment, purse: Purse) -> bool:
    purse.coins -= payment.coins
    purse.food -= payment.food
    return purse.coins >= 0 and purse.food >= 0


def _is_payable(material: Material, state: State, owed: Owed, payment: Payment) -> None:
    require_printed(material, state, owed, payment)
    # It has been judged before, but not against another purse.
    player = state.players[owed.seat]
    require(payment.coins <= player.coins and payment.food <= player.food, "agenda", "a payment too high")


def _pay(resolution: Resolution, owed: Owed, payment: Payment) -> None:
    resolution.pay(owed.seat, payment.coins, payment.food)


effect(Payment, possible=Possible(_is_paid_from), fits=_is_payable, resolve=_pay)


def _mixes(material: Material, state: State, owed: Owed, mix: Mix) -> Offers:
    """Every split of the amount into coins and food; an amount of zero asks nothing."""
    number = amount(material, state, owed, mix)
    cases: list[Case] = [{"coins": coins, "food": number - coins} for coins in range(number, -1, -1)]
    return (Offer(TakeCoinsAndFood, tuple(cases)),) if number else ()


def _take_mix(resolution: Resolution, owed: Owed, move: TakeCoinsAndFood, _effect: Mix) -> None:
    """The food of one effect is one gain (R21)."""
    resolution.receive(owed, move.coins, 0)
    if move.food:
        gain_food(resolution, owed, move.food)


effect(Mix, possible=ALWAYS, fits=_is_amount, asks=Question(_mixes, _take_mix))


def _has_food(_material: Material, _state: State, _owed: Owed, gained: FoodExchange) -> None:
    require(0 < gained.food <= _MOST, "agenda", "no food to exchange")


def _food_or_coins(_material: Material, _state: State, _owed: Owed, gained: FoodExchange) -> Offers:
    cases: tuple[Case, ...] = ({"coins": 0, "food": gained.food}, {"coins": gained.food + 1, "food": 0})
    return (Offer(TakeCoinsAndFood, cases),)


def _exchange(resolution: Resolution, owed: Owed, move: TakeCoinsAndFood, gained: FoodExchange) -> None:
    """Taking coins instead is a gain of coins."""
    resolution.receive(owed, move.coins, move.food, barren=gained.barren)


consequence(FoodExchange, fits=_has_food, asks=Question(_food_or_coins, _exchange))


def in_supply(state: State) -> Kinds:
    """The kinds that the supply has."""
    supply = state.supply
    return tuple(kind for kind in KINDS if getattr(supply, kind) > 0)


def _supplied(_material: Material, state: State, _owed: Owed, _effect: ComponentChoice) -> Offers:
    return offer_one(TakeComponent, "component", in_supply(state))


def _take(resolution: Resolution, owed: Owed, move: TakeComponent, choice: ComponentChoice) -> None:
    resolution.component(owed, kind_of(move.component), barren=choice.barren)


consequence(ComponentChoice, fits=None, asks=Question(_supplied, _take))


def _has_kinds(_material: Material, _state: State, _owed: Owed, extra: ExtraComponent) -> None:
    require(extra.kinds and extra.kinds == tuple(sorted(set(extra.kinds))), "agenda", "kinds in disorder")


def _kinds_gained(_material: Material, _state: State, _owed: Owed, extra: ExtraComponent) -> Offers:
    return offer_one(TakeComponent, "component", extra.kinds)


def _take_extra(resolution: Resolution, owed: Owed, move: TakeComponent, _effect: ExtraComponent) -> None:
    """The extra of two tentacles brings no further one."""
    resolution.component(owed, kind_of(move.component), barren=True)


consequence(ExtraComponent, fits=_has_kinds, asks=Question(_kinds_gained, _take_extra))


def _displayed(_material: Material, state: State, _owed: Owed, _effect: PerkChoice) -> Offers:
    return offer_one(TakePerk, "perk", state.display)


def _take_perk(resolution: Resolution, owed: Owed, move: TakePerk, _effect: PerkChoice) -> None:
    resolution.emit(f.PerkTaken(owed.seat, move.perk, drawn=False))
    decks.fill_display(resolution)


consequence(PerkChoice, fits=None, asks=Question(_displayed, _take_perk))


def kind_of(word: str) -> Kind:
    """A kind of component by its name in a legal move."""
    return next(kind for kind in KINDS if kind == word)
