"""The 11 base modules. Figures here are those that the rulebook prints in words."""

from __future__ import annotations

from typing import Literal

from domain.chimera.effects import (
    BoilerTable,
    Build,
    Choice,
    Command,
    Detachment,
    Gain,
    Kind,
    Marker,
    Option,
    Payment,
    ReactorRewards,
    Refill,
)
from domain.chimera.pieces.records import ModuleRules


def _shop(name: str, kind: Kind, kinds: str, ja: str, *, yields: Literal["food", "coins"]) -> ModuleRules:
    """One component for 2 coins, two for 5, or what each such component on this worker brings, which may be 0 (R11)."""
    return ModuleRules(
        name,
        (
            Choice(
                (
                    Option("buy_one", (Payment(2), Gain(kind, 1))),
                    Option("buy_two", (Payment(5), Gain(kind, 2))),
                    Option("per_component", (Gain(yields, per=2, of=kind),)),
                )
            ),
        ),
        en=(
            f"Choose one: pay 2 coins for 1 {kind}; pay 5 coins for 2 {kinds}; "
            f"or gain 2 {yields} for each {kind} on this worker."
        ),
        ja=(
            f"次のいずれかを行う: コイン2枚で{ja}1つを購入する、コイン5枚で{ja}2つを購入する、"
            f"このワーカーに付いている{ja}1つにつき{'食料2つ' if yields == 'food' else 'コイン2枚'}を得る。"
        ),
    )


BASE_MODULES = (
    ModuleRules(
        "command_hub_a",
        (Command(), Marker()),
        en="Command. Then take the start player marker, unless it has already changed hands this round.",
        ja="モジュールの指揮を行う。その後、このラウンドにまだ持ち主が変わっていなければスタートプレイヤーマーカーを得る。",
        on_map=True,
        article=False,
    ),
    ModuleRules(
        "command_hub_b",
        (Command(),),
        en="From round 3 on: command.",
        ja="第3ラウンド以降、モジュールの指揮を行う。",
        opens=3,
        on_map=True,
        article=False,
    ),
    ModuleRules(
        "boiler_room",
        (BoilerTable(), ReactorRewards(boiling=True), Refill()),
        en=(
            "Gain what the table gives for each component on this worker. "
            "Then gain the current reactor rewards and refill the reactor."
        ),
        ja="このワーカーに付いているパーツに応じて資源を得る。その後、現在の反応炉報酬を得て、反応炉を充填する。",
    ),
    ModuleRules("hydroponics", (Gain("food", 2),), en="Gain 2 food.", ja="食料2つを得る。", article=False),
    ModuleRules("refinery", (Gain("coins", 3),), en="Gain 3 coins.", ja="コイン3枚を得る。"),
    _shop("claw_shop", "claw", "claws", "ハサミ", yields="food"),
    _shop("genetics_vat", "tentacle", "tentacles", "触手", yields="food"),
    _shop("academy", "brain", "brains", "頭脳", yields="coins"),
    _shop("seed_repository", "leaf", "leaves", "木の葉", yields="coins"),
    ModuleRules(
        "laboratory",
        (Detachment(), Gain("research", 1)),
        en="Detach 1 component from this worker and advance 1 research step.",
        ja="このワーカーからパーツ1つを外し、研究トラックを1段階進める。",
    ),
    ModuleRules(
        "constructor",
        (Build("reactor", "move"),),
        en="Build a module from the reactor. Then you may move this worker onto it and apply its effect.",
        ja="反応炉のモジュール1つを建設する。その後、このワーカーをそのモジュールに移動し、効果を適用してもよい。",
    ),
)
"""Hub B stands on the map from the start, while its effect waits (R48)."""
