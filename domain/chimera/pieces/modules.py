"""The 40 module tiles. Figures here are those that the rulebook prints in words."""

from __future__ import annotations

from domain.chimera.effects import (
    Build,
    Choice,
    Command,
    Copy,
    Gain,
    Implant,
    Mix,
    ModuleDraw,
    Option,
    Payment,
    PerkScoring,
    Protection,
    ReactorRewards,
    Recall,
    Return,
    Rework,
)
from domain.chimera.pieces.records import ModuleRules

MODULES = (
    ModuleRules(
        "advanced_laboratory", (Gain("research", 1),), en="Advance 1 research step.", ja="研究トラックを1段階進める。"
    ),
    ModuleRules("aquarium", (Gain("tentacle", 1),), en="Gain 1 tentacle.", ja="触手1つを得る。"),
    ModuleRules(
        "autosurgeon",
        (Payment(2), Implant()),
        en="Pay 2 coins to attach any component from the supply directly to this worker.",
        ja="コイン2枚を支払い、サプライの任意のパーツ1つをこのワーカーに直接組み込む。",
    ),
    ModuleRules(
        "biofuel_refinery",
        (Rework("remove", Gain("points", 7)),),
        en="Remove any number of components from this worker and score 7 points for each.",
        ja="このワーカーに付いているパーツを任意の数だけ除去し、1つにつき7点を得る。",
    ),
    ModuleRules(
        "break_room",
        (Gain("food", 1, per=1, of="round"),),
        en="Gain 1 food, plus food equal to the round number.",
        ja="食料1つと、さらに現在のラウンド数に等しい数の食料を得る。",
    ),
    ModuleRules(
        "cargo_bay", (Gain("coins", 2), Gain("food", 2)), en="Gain 2 coins and 2 food.", ja="コイン2枚と食料2つを得る。"
    ),
    ModuleRules(
        "catering_service",
        (Copy("occupied"),),
        en=(
            "Choose another board module that has a worker on it. "
            "Pay food equal to its value and apply its effect with this worker."
        ),
        ja=(
            "ボード上の、ワーカーのいる別のモジュール1つを選ぶ。"
            "その価値に等しい数の食料を支払い、その効果をこのワーカーで適用する。"
        ),
        article=False,
    ),
    ModuleRules(
        "commissary",
        (Gain("points", 1), Gain("coins", 1), Gain("food", 1)),
        en="Score 1 point and gain 1 coin and 1 food.",
        ja="1点とコイン1枚、食料1つを得る。",
    ),
    ModuleRules(
        "covert_cloning",
        (Gain("any_components", per=1, of="lounge"),),
        en="Gain 1 component of your choice for each worker in the Worker Lounge.",
        ja="ワーカーラウンジにいるワーカー1体につき、任意のパーツ1つを得る。",
        article=False,
    ),
    ModuleRules(
        "cryogenics",
        (Return(1), Gain("coins", 6)),
        en="Return 1 component from your storage to the supply to gain 6 coins.",
        ja="自分のパーツ置き場のパーツ1つをサプライに戻し、コイン6枚を得る。",
        article=False,
    ),
    ModuleRules(
        "dispatch_station",
        (Protection(), Recall()),
        en="Recall one of your workers. A worker here can be neither recalled nor ejected.",
        ja="自分のワーカー1体を呼び戻す。ここにいるワーカーは呼び戻せず、追い出せない。",
    ),
    ModuleRules(
        "dispensary",
        (Mix(per=1, of="placed"),),
        en="Gain 1 coin or 1 food for each of your placed workers, in any combination.",
        ja="配置済の自分のワーカー1体につき、コイン1枚または食料1つを、任意の組み合わせで得る。",
    ),
    ModuleRules(
        "farmers_market",
        (
            Choice(
                (
                    Option("food_for_coin", (Payment(1), Gain("food", 5))),
                    Option("coins_for_food", (Payment(0, 1), Gain("coins", 5))),
                )
            ),
        ),
        en="Pay 1 coin for 5 food, or 1 food for 5 coins.",
        ja="コイン1枚を食料5つに、または食料1つをコイン5枚に交換する。",
    ),
    ModuleRules(
        "freelancer_dormitories",
        (Copy("adjacent"),),
        en="Apply the effect of an adjacent module with this worker, as if it were printed here.",
        ja="隣接するモジュール1つの効果を、この場所で、このワーカーで適用する。",
    ),
    ModuleRules("gardens", (Gain("leaf", 1),), en="Gain 1 leaf.", ja="木の葉1つを得る。"),
    ModuleRules(
        "generic_genetics",
        (Payment(1), Gain("any_components", 1)),
        en="Pay 1 coin to gain 1 component of your choice.",
        ja="コイン1枚を支払い、任意のパーツ1つを得る。",
        article=False,
    ),
    ModuleRules("giant_statue", (), en="No worker can be placed here.", ja="ここにはワーカーを配置できない。"),
    ModuleRules(
        "grant_office",
        (Gain("coins", 2, per=1, of="tier", every=2),),
        en="Gain 2 coins, plus 1 coin for every 2 research tiers you have reached.",
        ja="コイン2枚と、さらに到達済の研究2段階につきコイン1枚を得る。",
    ),
    ModuleRules(
        "hunting_park",
        (Gain("food", 3, per=1, of="claw"),),
        en="Gain 3 food, plus 1 food for each claw on this worker.",
        ja="食料3つと、さらにこのワーカーに付いているハサミ1つにつき食料1つを得る。",
    ),
    ModuleRules(
        "inspection_station",
        (Gain("points", per=1, of="hub_neighbours"),),
        en="Score 1 point for each built module adjacent to a Command Hub.",
        ja="司令室に隣接する建設済モジュール1つにつき1点を得る。",
    ),
    ModuleRules(
        "integrated_constructor",
        (Gain("coins", 2), Build("reactor")),
        en="Gain 2 coins, then build a module from the reactor.",
        ja="コイン2枚を得る。その後、反応炉のモジュール1つを建設する。",
    ),
    ModuleRules(
        "life_support",
        (Gain("points", per=2, of="adjacent_components"),),
        en="Score 2 points for each component on workers on adjacent modules.",
        ja="隣接するモジュールにいるワーカーに付いているパーツ1つにつき2点を得る。",
        article=False,
    ),
    ModuleRules(
        "medical_bay",
        (Return(2), Gain("any_components", 2)),
        en="Return 2 components from your storage to the supply, then gain any 2 components.",
        ja="自分のパーツ置き場のパーツ2つをサプライに戻し、任意のパーツ2つを得る。",
    ),
    ModuleRules(
        "mercenary_outpost",
        (Gain("coins", 4, per=1, of="claw"),),
        en="Gain 4 coins, plus 1 coin for each claw on this worker.",
        ja="コイン4枚と、さらにこのワーカーに付いているハサミ1つにつきコイン1枚を得る。",
    ),
    ModuleRules("monolith", (), en="No worker can be placed here.", ja="ここにはワーカーを配置できない。"),
    ModuleRules(
        "newsroom",
        (Gain("points", per=2, of="placed"),),
        en="Score 2 points for each of your placed workers.",
        ja="配置済の自分のワーカー1体につき2点を得る。",
    ),
    ModuleRules("periphery_command", (Command(),), en="Command.", ja="モジュールの指揮を行う。", article=False),
    ModuleRules(
        "petty_cash",
        (Gain("coins", 1, per=1, of="round"),),
        en="Gain 1 coin, plus coins equal to the round number.",
        ja="コイン1枚と、さらに現在のラウンド数に等しい数のコインを得る。",
        article=False,
    ),
    ModuleRules("predatorium", (Gain("claw", 1),), en="Gain 1 claw.", ja="ハサミ1つを得る。"),
    ModuleRules(
        "quantum_constructor",
        (Payment(2), ModuleDraw()),
        en="Pay 2 coins to draw the top module of the deck and build it at no further cost.",
        ja="コイン2枚を支払い、山札の一番上のモジュールを、それ以上のコストを支払わずに建設する。",
    ),
    ModuleRules(
        "science_fair",
        (Rework("attach", Gain("points", 3)),),
        en="Attach any number of components from your storage to this worker and score 3 points for each.",
        ja="自分のパーツ置き場のパーツを任意の数だけこのワーカーに付け、1つにつき3点を得る。",
    ),
    ModuleRules(
        "scientific_display",
        (Gain("points", per=1, of="tier"),),
        en="Score 1 point for each research tier you have reached.",
        ja="到達済の研究1段階につき1点を得る。",
    ),
    ModuleRules(
        "shady_restaurants",
        (Return(1), Gain("food", 6)),
        en="Return 1 component from your storage to the supply to gain 6 food.",
        ja="自分のパーツ置き場のパーツ1つをサプライに戻し、食料6つを得る。",
    ),
    ModuleRules(
        "shopping_center",
        (Gain("coins", per=2, of="adjacent_workers"),),
        en="Gain 2 coins for each worker on adjacent modules.",
        ja="隣接するモジュールにいるワーカー1体につきコイン2枚を得る。",
    ),
    ModuleRules(
        "symposium",
        (Gain("food", 1, per=1, of="tier", every=2),),
        en="Gain 1 food, plus 1 food for every 2 research tiers you have reached.",
        ja="食料1つと、さらに到達済の研究2段階につき食料1つを得る。",
    ),
    ModuleRules(
        "tanning_salon",
        (ReactorRewards(per_component=True),),
        en="Gain the current reactor rewards once for each component on this worker. Do not refill the reactor.",
        ja="このワーカーに付いているパーツ1つにつき1回、現在の反応炉報酬を得る。反応炉の充填は行わない。",
    ),
    ModuleRules("think_tank", (Gain("brain", 1),), en="Gain 1 brain.", ja="頭脳1つを得る。"),
    ModuleRules(
        "underground_lab",
        (Rework("detach", Gain("research", 1)),),
        en="Detach any number of components from this worker and advance 1 research step for each.",
        ja="このワーカーからパーツを任意の数だけ外し、1つにつき研究トラックを1段階進める。",
    ),
    ModuleRules(
        "union_hall",
        (PerkScoring(), Gain("perks", 1)),
        en="Score one of your perks as at the end of the game and discard it. Then take a perk.",
        ja="自分の特権カード1枚をゲーム終了時のように得点計算して捨て札にする。その後、特権カード1枚を得る。",
    ),
    ModuleRules(
        "vineyard",
        (Gain("food", per=1, of="adjacent_modules"),),
        en="Gain 1 food for each adjacent module.",
        ja="隣接するモジュール1つにつき食料1つを得る。",
    ),
)
