"""What may be done: the answers to the question that stands first in the agenda.

Each effect that asks has a function here from state and `Owed` to offers. No offers means that there is nothing to ask
and the effect is lost (R9); exactly one answer, that it is taken without asking (R25), but for placing a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.chimera import agenda as a
from domain.chimera import effects as e
from domain.chimera import moves as m
from domain.chimera.agenda import Owed
from domain.chimera.candidates import (
    affordable,
    attachable,
    ejectable,
    implantable,
    in_supply,
    recallable,
    scorable_perks,
    some_of,
    splices,
    swappable,
)
from domain.chimera.evolve import evolve
from domain.chimera.facts import WorkerMoved
from domain.chimera.material import Material
from domain.chimera.passives import need_not_detach
from domain.chimera.placements import another_offers, turn_end_offers, turn_offers
from domain.chimera.possible import activatable, at_module, can_resolve, copyable, purse_of, zonable
from domain.chimera.state import Kinds, State, worker_of
from domain.chimera.station import amount, is_usable, open_spaces, opponents, own_workers
from domain.kernel.legal import Case, LegalMoves, Offer, OneOf
from domain.kernel.terms import Seat

Offers = tuple[Offer, ...]
_DECLINE = Offer(m.Decline, ({},))


def to_move(state: State) -> tuple[Seat, ...]:
    """The seat that the game waits for."""
    return (state.agenda[0].seat,) if state.agenda else ()


def legal_moves(material: Material, state: State, seat: Seat) -> LegalMoves:
    """What a seat may do now."""
    if not state.agenda or state.agenda[0].seat != seat:
        return LegalMoves(seat)
    return LegalMoves(seat, offers(material, state, state.agenda[0]))


def offers(material: Material, state: State, owed: Owed) -> Offers:
    """The answers to a question."""
    return QUESTIONS[type(owed.effect)](material, state, owed, owed.effect)


def _one(move: type, field: str, values: list[str] | tuple[str, ...]) -> Offers:
    return (Offer(move, ({field: OneOf(tuple(values))},)),) if values else ()


def _sets(move: type, sets: list[Kinds]) -> Offers:
    return (Offer(move, tuple({"components": each} for each in sets)),) if sets else ()


def _turn(material: Material, state: State, owed: Owed, effect: a.Turn) -> Offers:
    return turn_offers(material, state, owed, effect.again)


def _turn_end(material: Material, state: State, owed: Owed, _effect: a.TurnEnd) -> Offers:
    return turn_end_offers(material, state, owed)


def _placement(material: Material, state: State, owed: Owed, _effect: e.Placement) -> Offers:
    return another_offers(material, state, owed)


def _draft(_material: Material, _state: State, _owed: Owed, effect: a.Draft) -> Offers:
    return _one(m.TakeCard, "card", effect.cards)


def _mix(material: Material, state: State, owed: Owed, effect: e.Mix) -> Offers:
    """Every way to take so many coins and food; none of either is no question."""
    number = amount(material, state, owed, effect)
    cases: list[Case] = [{"coins": coins, "food": number - coins} for coins in range(number, -1, -1)]
    return (Offer(m.TakeCoinsAndFood, tuple(cases)),) if number else ()


def _food_exchange(_material: Material, _state: State, _owed: Owed, effect: a.FoodExchange) -> Offers:
    cases: tuple[Case, ...] = ({"coins": 0, "food": effect.food}, {"coins": effect.food + 1, "food": 0})
    return (Offer(m.TakeCoinsAndFood, cases),)


def _component_choice(_material: Material, state: State, _owed: Owed, _effect: a.ComponentChoice) -> Offers:
    return _one(m.TakeComponent, "component", in_supply(state))


def _extra_component(_material: Material, _state: State, _owed: Owed, effect: a.ExtraComponent) -> Offers:
    return _one(m.TakeComponent, "component", effect.kinds)


def _perk_choice(_material: Material, state: State, _owed: Owed, _effect: a.PerkChoice) -> Offers:
    return _one(m.TakePerk, "perk", state.display)


def _choice(material: Material, state: State, owed: Owed, effect: e.Choice) -> Offers:
    """The options that can be resolved."""
    able = [option.id for option in effect.options if can_resolve(material, state, owed, option.effects)]
    return _one(m.ChooseOption, "option", able)


def _build(material: Material, state: State, owed: Owed, effect: e.Build) -> Offers:
    """Each affordable module with each open space."""
    player = state.players[owed.seat]
    spaces = open_spaces(material, state)
    modules = state.reactor if effect.source == "reactor" else state.discards
    payable: dict[str, list[str]] = {}
    for module, pay in affordable(material, player, modules, player.coins, player.food):
        payable.setdefault(pay, []).append(module)
    if not spaces or not payable:
        return ()
    cases = tuple({"module": OneOf(tuple(each)), "space": OneOf(spaces), "pay": pay} for pay, each in payable.items())
    return (Offer(m.BuildModule, cases),)


def _space(material: Material, state: State, _owed: Owed, _effect: a.Space) -> Offers:
    return _one(m.ChooseSpace, "space", open_spaces(material, state))


def _zoning(material: Material, state: State, owed: Owed, _effect: e.Zoning) -> Offers:
    return _one(m.ChooseSpace, "space", zonable(material, state, owed))


def _copy(material: Material, state: State, owed: Owed, effect: e.Copy) -> Offers:
    return _one(m.ChooseModule, "module", copyable(material, state, owed, effect))


def _activation(material: Material, state: State, owed: Owed, effect: a.Activation) -> Offers:
    return _one(m.ChooseModule, "module", activatable(material, state, owed, effect.space))


def _recall(material: Material, state: State, owed: Owed, effect: e.Recall) -> Offers:
    return _one(m.RecallWorker, "worker", recallable(material, state, owed, bonus=effect.bonus))


def _ejection(material: Material, state: State, owed: Owed, _effect: e.Ejection) -> Offers:
    return _one(m.EjectWorker, "worker", ejectable(material, state, owed))


def _swap(material: Material, state: State, owed: Owed, _effect: e.Swap) -> Offers:
    groups = swappable(material, state, owed)
    cases = tuple({"own": OneOf(tuple(own)), "other": OneOf(tuple(others))} for own, others in groups)
    return (Offer(m.SwapWorkers, cases),) if cases else ()


def _splice(_material: Material, state: State, owed: Owed, _effect: a.Splice) -> Offers:
    return _sets(m.SpliceWorker, splices(state, owed.own))


def _detachment(_material: Material, state: State, owed: Owed, _effect: e.Detachment) -> Offers:
    """One component of this worker; Brainiacs' two-brain worker may keep them."""
    found = _sets(m.DetachComponents, some_of(worker_of(state, owed.own).components, 1, 1))
    return (*found, _DECLINE) if need_not_detach(state, owed) else found


def _overload(_material: Material, state: State, owed: Owed, _effect: a.Overload) -> Offers:
    """Which component comes off; with a third Geneticist's rule gone, two of any kind may stay (R20)."""
    return _sets(m.DetachComponents, some_of(worker_of(state, owed.own).components, 1, 1))


def _implant(_material: Material, state: State, owed: Owed, _effect: e.Implant) -> Offers:
    return _one(m.TakeComponent, "component", implantable(state, owed.own))


def _rework(_material: Material, state: State, owed: Owed, effect: e.Rework) -> Offers:
    """Any number, none included (R28)."""
    if effect.how == "attach":
        return _sets(m.AttachComponents, attachable(state, owed.own))
    components = worker_of(state, owed.own).components
    sets = some_of(components, 0, len(components))
    if effect.how == "detach":
        return _sets(m.DetachComponents, sets)
    return (Offer(m.RemoveComponents, tuple({"worker": owed.own, "components": each} for each in sets)),)


def _return(_material: Material, state: State, owed: Owed, effect: e.Return) -> Offers:
    return _sets(m.ReturnComponents, some_of(state.players[owed.seat].storage, effect.count, effect.count))


def _perk_scoring(_material: Material, state: State, owed: Owed, _effect: e.PerkScoring) -> Offers:
    return _one(m.DiscardPerk, "perk", scorable_perks(state, owed))


def _onward(material: Material, state: State, owed: Owed, effect: a.Onward) -> Offers:
    """Offered if this worker still stands where the effect takes place, and could resolve what it would move onto."""
    module = effect.module
    if not _can_move_onward(material, state, owed, module):
        return ()
    return (Offer(m.ApplyEffect, ({},)), _DECLINE)


def _can_move_onward(material: Material, state: State, owed: Owed, module: str) -> bool:
    if owed.worker is None or not is_usable(material, state, module):
        return False
    if worker_of(state, owed.worker).place != owed.place:
        return False
    moved = evolve(state, WorkerMoved(owed.worker, module))
    there = at_module(owed, module, owed.worker)
    return can_resolve(material, moved, there, material.modules[module].effects, purse_of(moved, owed))


def _swapped_use(material: Material, state: State, owed: Owed, _effect: a.SwappedUse) -> Offers:
    """Judged when its player's turn to decide comes (R19)."""
    module = worker_of(state, owed.own).place
    if module not in material.modules or not is_usable(material, state, module):
        return ()
    there = at_module(owed, module, owed.own)
    if not can_resolve(material, state, there, material.modules[module].effects):
        return ()
    return (Offer(m.ApplyEffect, ({},)), _DECLINE)


def _gift(_material: Material, state: State, owed: Owed, _effect: a.Gift) -> Offers:
    player = state.players[owed.seat]
    held = [what for what, number in (("coin", player.coins), ("food", player.food)) if number]
    return (*_one(m.Give, "resource", held), _DECLINE) if held else ()


def _tribute(_material: Material, state: State, owed: Owed, _effect: a.Tribute) -> Offers:
    """Two coins of one opponent or one of each, as far as they have them; with none, nothing is asked (R39)."""
    rich = tuple(seat for seat in opponents(state, owed.seat) if state.players[seat].coins)
    ways: dict[tuple[tuple[Seat, ...], int], None] = {
        ((seat,), min(2, state.players[seat].coins)): None for seat in rich
    }
    if rich:
        ways[rich, 1] = None
    cases = tuple({"seats": seats, "coins": coins} for seats, coins in ways)
    return (Offer(m.TakeTribute, cases),) if cases else ()


def _hunger(_material: Material, state: State, owed: Owed, _effect: a.Hunger) -> Offers:
    """A component of an own worker, for each food that is missing."""
    cases: list[Case] = []
    for name, worker in own_workers(state, owed.seat):
        cases += [{"worker": name, "components": each} for each in some_of(worker.components, 1, 1)]
    return (Offer(m.RemoveComponents, tuple(cases)),) if cases else ()


QUESTIONS: Mapping[type, Callable[[Material, State, Owed, Any], Offers]] = {
    a.Turn: _turn,
    a.TurnEnd: _turn_end,
    e.Placement: _placement,
    a.Draft: _draft,
    e.Mix: _mix,
    a.FoodExchange: _food_exchange,
    a.ComponentChoice: _component_choice,
    a.ExtraComponent: _extra_component,
    a.PerkChoice: _perk_choice,
    e.Choice: _choice,
    e.Build: _build,
    a.Space: _space,
    e.Zoning: _zoning,
    e.Copy: _copy,
    a.Activation: _activation,
    e.Recall: _recall,
    e.Ejection: _ejection,
    e.Swap: _swap,
    a.Splice: _splice,
    e.Detachment: _detachment,
    a.Overload: _overload,
    e.Implant: _implant,
    e.Rework: _rework,
    e.Return: _return,
    e.PerkScoring: _perk_scoring,
    a.Onward: _onward,
    a.SwappedUse: _swapped_use,
    a.Gift: _gift,
    a.Tribute: _tribute,
    a.Hunger: _hunger,
}
"""The effects that ask."""

ALWAYS_ASKED = (a.Turn, e.Placement)
"""Placing a worker is asked even where there is one answer (R25)."""
