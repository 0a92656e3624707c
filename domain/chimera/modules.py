"""What the 11 base modules and the 40 modules do, as data. Costs, values and places come from the component set.

Figures here are those that the rulebook prints in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domain.chimera.effects import (
    BoilerTable,
    Build,
    Choice,
    Command,
    Copy,
    Detachment,
    Effect,
    Gain,
    Implant,
    Kind,
    Marker,
    Mix,
    ModuleDraw,
    Option,
    Payment,
    PerkScoring,
    Protection,
    ReactorRewards,
    Recall,
    Refill,
    Return,
    Reward,
    Rework,
)

FARMERS_MARKET = (
    Choice(
        (
            Option("food_for_coin", (Payment(1), Gain("food", 5))),
            Option("coins_for_food", (Payment(0, 1), Gain("coins", 5))),
        )
    ),
)


def _shop(kind: Kind, yields: Reward) -> tuple[Effect, ...]:
    """One component for 2 coins, two for 5, or what each such component on this worker brings, which may be 0 (R11)."""
    return (
        Choice(
            (
                Option("buy_one", (Payment(2), Gain(kind, 1))),
                Option("buy_two", (Payment(5), Gain(kind, 2))),
                Option("per_component", (Gain(yields, per=2, of=kind),)),
            )
        ),
    )


BASE_MODULES: Mapping[str, tuple[Effect, ...]] = MappingProxyType(
    {
        "command_hub_a": (Command(), Marker()),
        "command_hub_b": (Command(),),
        "boiler_room": (BoilerTable(), ReactorRewards(boiling=True), Refill()),
        "hydroponics": (Gain("food", 2),),
        "refinery": (Gain("coins", 3),),
        "claw_shop": _shop("claw", "food"),
        "genetics_vat": _shop("tentacle", "food"),
        "academy": _shop("brain", "coins"),
        "seed_repository": _shop("leaf", "coins"),
        "laboratory": (Detachment(), Gain("research", 1)),
        "constructor": (Build("reactor", "move"),),
    }
)

MODULES: Mapping[str, tuple[Effect, ...]] = MappingProxyType(
    {
        "advanced_laboratory": (Gain("research", 1),),
        "aquarium": (Gain("tentacle", 1),),
        "autosurgeon": (Payment(2), Implant()),
        "biofuel_refinery": (Rework("remove", Gain("points", 7)),),
        "break_room": (Gain("food", 1, per=1, of="round"),),
        "cargo_bay": (Gain("coins", 2), Gain("food", 2)),
        "catering_service": (Copy("occupied"),),
        "commissary": (Gain("points", 1), Gain("coins", 1), Gain("food", 1)),
        "covert_cloning": (Gain("any_components", per=1, of="lounge"),),
        "cryogenics": (Return(1), Gain("coins", 6)),
        "dispatch_station": (Protection(), Recall()),
        "dispensary": (Mix(per=1, of="placed"),),
        "farmers_market": FARMERS_MARKET,
        "freelancer_dormitories": (Copy("adjacent"),),
        "gardens": (Gain("leaf", 1),),
        "generic_genetics": (Payment(1), Gain("any_components", 1)),
        "giant_statue": (),
        "grant_office": (Gain("coins", 2, per=1, of="tier", every=2),),
        "hunting_park": (Gain("food", 3, per=1, of="claw"),),
        "inspection_station": (Gain("points", per=1, of="hub_neighbours"),),
        "integrated_constructor": (Gain("coins", 2), Build("reactor")),
        "life_support": (Gain("points", per=2, of="adjacent_components"),),
        "medical_bay": (Return(2), Gain("any_components", 2)),
        "mercenary_outpost": (Gain("coins", 4, per=1, of="claw"),),
        "monolith": (),
        "newsroom": (Gain("points", per=2, of="placed"),),
        "periphery_command": (Command(),),
        "petty_cash": (Gain("coins", 1, per=1, of="round"),),
        "predatorium": (Gain("claw", 1),),
        "quantum_constructor": (Payment(2), ModuleDraw()),
        "science_fair": (Rework("attach", Gain("points", 3)),),
        "scientific_display": (Gain("points", per=1, of="tier"),),
        "shady_restaurants": (Return(1), Gain("food", 6)),
        "shopping_center": (Gain("coins", per=2, of="adjacent_workers"),),
        "symposium": (Gain("food", 1, per=1, of="tier", every=2),),
        "tanning_salon": (ReactorRewards(per_component=True),),
        "think_tank": (Gain("brain", 1),),
        "underground_lab": (Rework("detach", Gain("research", 1)),),
        "union_hall": (PerkScoring(), Gain("perks", 1)),
        "vineyard": (Gain("food", per=1, of="adjacent_modules"),),
    }
)

OPENS_IN_ROUND: Mapping[str, int] = MappingProxyType({"command_hub_b": 3})
"""Modules that stand on the map from the start, while their effect waits (R48)."""
