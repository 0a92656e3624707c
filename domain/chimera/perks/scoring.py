"""What each perk is worth at the end of the game, or when Union Hall scores it as at game end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.chimera.effects import Kind
from domain.chimera.material import Material
from domain.chimera.state import Player, State
from domain.kernel.terms import Seat

_FIXED: Mapping[str, int] = {
    "conference": 5,
    "dispatch": 8,
    "foundry": 8,
    "nonhuman_resources": 8,
    "vendor": 9,
    "zoning_board": 8,
    "architect": 8,
    "grappler": 5,
    "investor": 8,
    "lounge_lizard": 5,
    "overseer": 8,
}
_PER_KIND: Mapping[str, Kind] = {
    "grocer": "leaf",
    "prime_specimen": "tentacle",
    "savant": "brain",
    "thug": "claw",
}
_MOST = 9
_GENETICIST_MOST = 14


def owned(player: Player, kind: Kind | None = None) -> int:
    """How many components a player owns, in storage and attached; of a kind or in all."""
    held = (player.storage, *(worker.components for worker in player.workers))
    return sum(len(each) if kind is None else each.count(kind) for each in held)


def end_points(material: Material, state: State, seat: Seat, perk: str) -> int:
    """What a perk scores for its owner at game end."""
    if perk in _FIXED:
        return _FIXED[perk]
    if perk in _PER_KIND:
        return 2 * owned(state.players[seat], _PER_KIND[perk])
    return _VARYING[perk](material, state, seat)


def _beggars_alley(_material: Material, state: State, seat: Seat) -> int:
    """Nine if nobody has more food, also with none (R33)."""
    return _MOST if all(each.food <= state.players[seat].food for each in state.players) else 0


def _mint(_material: Material, state: State, seat: Seat) -> int:
    """Nine if nobody has more coins, also with none (R33)."""
    return _MOST if all(each.coins <= state.players[seat].coins for each in state.players) else 0


def _morale_center(_material: Material, state: State, seat: Seat) -> int:
    return 3 * sum(len(worker.components) >= 2 for worker in state.players[seat].workers)


def _workshop(material: Material, state: State, _seat: Seat) -> int:
    return sum(each.space in material.beside_hubs for each in state.built)


def _engineer(_material: Material, state: State, _seat: Seat) -> int:
    return 2 * state.reactor.count(None)


def _geneticist(_material: Material, state: State, seat: Seat) -> int:
    return min(2 * state.players[seat].research, _GENETICIST_MOST)


def _warlord(_material: Material, state: State, seat: Seat) -> int:
    return _MOST if state.start == seat else 0


_VARYING: Mapping[str, Callable[[Material, State, Seat], int]] = {
    "beggars_alley": _beggars_alley,
    "mint": _mint,
    "morale_center": _morale_center,
    "workshop": _workshop,
    "engineer": _engineer,
    "geneticist": _geneticist,
    "warlord": _warlord,
}
