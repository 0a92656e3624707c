"""What the ten module perks do when their owner's worker is placed on them, as data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domain.chimera.effects import (
    Build,
    Effect,
    Ejection,
    Gain,
    Gifts,
    Placement,
    Protection,
    ReactorDiscard,
    Recall,
    Refill,
    Swap,
    Zoning,
)

MODULE_PERKS: Mapping[str, tuple[Effect, ...]] = MappingProxyType(
    {
        "beggars_alley": (Gain("coins", 2), Gain("food", 1), Gifts()),
        "conference": (Protection(), Recall()),
        "dispatch": (Placement(needed=True), Placement()),
        "foundry": (ReactorDiscard(), Refill(), Build("reactor", "apply")),
        "mint": (Gain("coins", per=1, of="gold_modules"),),
        "morale_center": (Ejection(2), Placement()),
        "nonhuman_resources": (Swap(),),
        "vendor": (Gain("coins", 2), Gain("food", 1)),
        "workshop": (Gain("coins", 1), Build("discards", "apply")),
        "zoning_board": (Zoning(),),
    }
)

PASSIVE_PERKS = (
    "architect",
    "engineer",
    "geneticist",
    "grappler",
    "grocer",
    "investor",
    "lounge_lizard",
    "overseer",
    "prime_specimen",
    "savant",
    "thug",
    "warlord",
)
