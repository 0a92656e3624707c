"""What modules, boards, and components do, in words: one entry for each of them.

Figures of the component set stand in none of these; `words.py` puts those into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

Text: TypeAlias = tuple[str, str]
"""In English and in Japanese."""


def _shop(en: str, ja: str, yields_en: str, yields_ja: str) -> Text:
    plural = "leaves" if en == "leaf" else f"{en}s"
    return (
        (
            f"Choose one: pay 2 coins for 1 {en}; pay 5 coins for 2 {plural}; "
            f"or gain 2 {yields_en} for each {en} on this worker."
        ),
        (
            f"次のいずれかを行う: コイン2枚で{ja}1つを購入する、コイン5枚で{ja}2つを購入する、"
            f"このワーカーに付いている{ja}1つにつき{yields_ja}を得る。"
        ),
    )


_FOOD, _COINS = ("food", "食料2つ"), ("coins", "コイン2枚")
_NO_WORKER = ("No worker can be placed here.", "ここにはワーカーを配置できない。")
STAYS: Text = ("A worker here can be neither recalled nor ejected.", "ここにいるワーカーは呼び戻せず、追い出せない。")

MODULE_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "command_hub_a": (
            "Command. Then take the start player marker, unless it has already changed hands this round.",
            "モジュールの指揮を行う。その後、このラウンドにまだ持ち主が変わっていなければスタートプレイヤーマーカーを得る。",
        ),
        "command_hub_b": ("From round 3 on: command.", "第3ラウンド以降、モジュールの指揮を行う。"),
        "boiler_room": (
            (
                "Gain what the table gives for each component on this worker. "
                "Then gain the current reactor rewards and refill the reactor."
            ),
            "このワーカーに付いているパーツに応じて資源を得る。その後、現在の反応炉報酬を得て、反応炉を充填する。",
        ),
        "hydroponics": ("Gain 2 food.", "食料2つを得る。"),
        "refinery": ("Gain 3 coins.", "コイン3枚を得る。"),
        "claw_shop": _shop("claw", "ハサミ", *_FOOD),
        "genetics_vat": _shop("tentacle", "触手", *_FOOD),
        "academy": _shop("brain", "頭脳", *_COINS),
        "seed_repository": _shop("leaf", "木の葉", *_COINS),
        "laboratory": (
            "Detach 1 component from this worker and advance 1 research step.",
            "このワーカーからパーツ1つを外し、研究トラックを1段階進める。",
        ),
        "constructor": (
            "Build a module from the reactor. Then you may move this worker onto it and apply its effect.",
            "反応炉のモジュール1つを建設する。その後、このワーカーをそのモジュールに移動し、効果を適用してもよい。",
        ),
        "advanced_laboratory": ("Advance 1 research step.", "研究トラックを1段階進める。"),
        "aquarium": ("Gain 1 tentacle.", "触手1つを得る。"),
        "autosurgeon": (
            "Pay 2 coins to attach any component from the supply directly to this worker.",
            "コイン2枚を支払い、サプライの任意のパーツ1つをこのワーカーに直接組み込む。",
        ),
        "biofuel_refinery": (
            "Remove any number of components from this worker and score 7 points for each.",
            "このワーカーに付いているパーツを任意の数だけ除去し、1つにつき7点を得る。",
        ),
        "break_room": (
            "Gain 1 food, plus food equal to the round number.",
            "食料1つと、さらに現在のラウンド数に等しい数の食料を得る。",
        ),
        "cargo_bay": ("Gain 2 coins and 2 food.", "コイン2枚と食料2つを得る。"),
        "catering_service": (
            (
                "Choose another board module that has a worker on it. "
                "Pay food equal to its value and apply its effect with this worker."
            ),
            (
                "ボード上の、ワーカーのいる別のモジュール1つを選ぶ。"
                "その価値に等しい数の食料を支払い、その効果をこのワーカーで適用する。"
            ),
        ),
        "commissary": ("Score 1 point and gain 1 coin and 1 food.", "1点とコイン1枚、食料1つを得る。"),
        "covert_cloning": (
            "Gain 1 component of your choice for each worker in the Worker Lounge.",
            "ワーカーラウンジにいるワーカー1体につき、任意のパーツ1つを得る。",
        ),
        "cryogenics": (
            "Return 1 component from your storage to the supply to gain 6 coins.",
            "自分のパーツ置き場のパーツ1つをサプライに戻し、コイン6枚を得る。",
        ),
        "dispatch_station": (
            f"Recall one of your workers. {STAYS[0]}",
            f"自分のワーカー1体を呼び戻す。{STAYS[1]}",
        ),
        "dispensary": (
            "Gain 1 coin or 1 food for each of your placed workers, in any combination.",
            "配置済の自分のワーカー1体につき、コイン1枚または食料1つを、任意の組み合わせで得る。",
        ),
        "farmers_market": (
            "Pay 1 coin for 5 food, or 1 food for 5 coins.",
            "コイン1枚を食料5つに、または食料1つをコイン5枚に交換する。",
        ),
        "freelancer_dormitories": (
            "Apply the effect of an adjacent module with this worker, as if it were printed here.",
            "隣接するモジュール1つの効果を、この場所で、このワーカーで適用する。",
        ),
        "gardens": ("Gain 1 leaf.", "木の葉1つを得る。"),
        "generic_genetics": (
            "Pay 1 coin to gain 1 component of your choice.",
            "コイン1枚を支払い、任意のパーツ1つを得る。",
        ),
        "giant_statue": _NO_WORKER,
        "grant_office": (
            "Gain 2 coins, plus 1 coin for every 2 research tiers you have reached.",
            "コイン2枚と、さらに到達済の研究2段階につきコイン1枚を得る。",
        ),
        "hunting_park": (
            "Gain 3 food, plus 1 food for each claw on this worker.",
            "食料3つと、さらにこのワーカーに付いているハサミ1つにつき食料1つを得る。",
        ),
        "inspection_station": (
            "Score 1 point for each built module adjacent to a Command Hub.",
            "司令室に隣接する建設済モジュール1つにつき1点を得る。",
        ),
        "integrated_constructor": (
            "Gain 2 coins, then build a module from the reactor.",
            "コイン2枚を得る。その後、反応炉のモジュール1つを建設する。",
        ),
        "life_support": (
            "Score 2 points for each component on workers on adjacent modules.",
            "隣接するモジュールにいるワーカーに付いているパーツ1つにつき2点を得る。",
        ),
        "medical_bay": (
            "Return 2 components from your storage to the supply, then gain any 2 components.",
            "自分のパーツ置き場のパーツ2つをサプライに戻し、任意のパーツ2つを得る。",
        ),
        "mercenary_outpost": (
            "Gain 4 coins, plus 1 coin for each claw on this worker.",
            "コイン4枚と、さらにこのワーカーに付いているハサミ1つにつきコイン1枚を得る。",
        ),
        "monolith": _NO_WORKER,
        "newsroom": (
            "Score 2 points for each of your placed workers.",
            "配置済の自分のワーカー1体につき2点を得る。",
        ),
        "periphery_command": ("Command.", "モジュールの指揮を行う。"),
        "petty_cash": (
            "Gain 1 coin, plus coins equal to the round number.",
            "コイン1枚と、さらに現在のラウンド数に等しい数のコインを得る。",
        ),
        "predatorium": ("Gain 1 claw.", "ハサミ1つを得る。"),
        "quantum_constructor": (
            "Pay 2 coins to draw the top module of the deck and build it at no further cost.",
            "コイン2枚を支払い、山札の一番上のモジュールを、それ以上のコストを支払わずに建設する。",
        ),
        "science_fair": (
            "Attach any number of components from your storage to this worker and score 3 points for each.",
            "自分のパーツ置き場のパーツを任意の数だけこのワーカーに付け、1つにつき3点を得る。",
        ),
        "scientific_display": (
            "Score 1 point for each research tier you have reached.",
            "到達済の研究1段階につき1点を得る。",
        ),
        "shady_restaurants": (
            "Return 1 component from your storage to the supply to gain 6 food.",
            "自分のパーツ置き場のパーツ1つをサプライに戻し、食料6つを得る。",
        ),
        "shopping_center": (
            "Gain 2 coins for each worker on adjacent modules.",
            "隣接するモジュールにいるワーカー1体につきコイン2枚を得る。",
        ),
        "symposium": (
            "Gain 1 food, plus 1 food for every 2 research tiers you have reached.",
            "食料1つと、さらに到達済の研究2段階につき食料1つを得る。",
        ),
        "tanning_salon": (
            "Gain the current reactor rewards once for each component on this worker. Do not refill the reactor.",
            "このワーカーに付いているパーツ1つにつき1回、現在の反応炉報酬を得る。反応炉の充填は行わない。",
        ),
        "think_tank": ("Gain 1 brain.", "頭脳1つを得る。"),
        "underground_lab": (
            "Detach any number of components from this worker and advance 1 research step for each.",
            "このワーカーからパーツを任意の数だけ外し、1つにつき研究トラックを1段階進める。",
        ),
        "union_hall": (
            "Score one of your perks as at the end of the game and discard it. Then take a perk.",
            "自分の特権カード1枚をゲーム終了時のように得点計算して捨て札にする。その後、特権カード1枚を得る。",
        ),
        "vineyard": ("Gain 1 food for each adjacent module.", "隣接するモジュール1つにつき食料1つを得る。"),
    }
)

BOARD_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "standard": ("No special ability.", "固有の能力はない。"),
        "brainiacs": (
            "A worker with two brains need not detach a component at the Laboratory.",
            "頭脳を2つ持つワーカーが研究室を使用する時、パーツを外す必要がない。",
        ),
        "eco_friendlies": (
            (
                "You may pay for a module entirely in food instead of coins. "
                "A worker with two leaves produces 3 food. "
                "At the end of the game, score 2 points for every 3 food instead of 1 point for every 2."
            ),
            (
                "モジュールの建設コストを、コインではなく全て食料で支払ってもよい。木の葉を2つ持つワーカーは食料3つを生産する。"
                "ゲーム終了時、食料2つにつき1点の代わりに、食料3つにつき2点を得る。"
            ),
        ),
        "toughies": (
            (
                "A worker with two claws may also eject your own workers, "
                "and gains 1 food or 1 coin when it ejects an opponent's worker. "
                "At the end of the game, score 1 point for every 2 coins instead of every 3."
            ),
            (
                "ハサミを2つ持つワーカーは自分のワーカーも追い出すことができ、対戦相手のワーカーを追い出すと食料1つかコイン1枚を得る。"
                "ゲーム終了時、コイン3枚につき1点の代わりに、コイン2枚につき1点を得る。"
            ),
        ),
        "weirdos": (
            "When a worker with two tentacles commands or uses a perk module, gain 1 component of your choice.",
            "触手を2つ持つワーカーがモジュールの指揮を行うか、特権カードのモジュールを使用した時、任意のパーツ1つを得る。",
        ),
    }
)

COMPONENT_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "brain": (
            (
                "When a worker with a brain is placed on a module, score points equal to the value of that module. "
                "When a worker with two brains commands, modules with your own workers count as well."
            ),
            (
                "頭脳を持つワーカーを配置した時、そのモジュールの価値に等しい得点を得る。"
                "頭脳を2つ持つワーカーがモジュールを指揮する際は、自分のワーカーがいるモジュールも得点計算に含める。"
            ),
        ),
        "claw": (
            (
                "A worker with a claw may eject an opponent's worker with at most 1 component to take its place. "
                "A worker with two claws may eject any opponent's worker."
            ),
            (
                "ハサミを持つワーカーは、パーツが0か1つの対戦相手のワーカーがいるモジュールに配置して、そのワーカーを追い出すことができる。"
                "ハサミを2つ持つワーカーは、対戦相手のどのワーカーでも追い出すことができる。"
            ),
        ),
        "leaf": (
            "A worker with a leaf needs no food. A worker with two leaves also produces 2 food in each feeding phase.",
            "木の葉を持つワーカーは食料を必要としない。木の葉を2つ持つワーカーは、さらに各食料供給フェイズの開始時に食料2つを生産する。",
        ),
        "tentacle": (
            (
                "When the action of a worker with a tentacle gains food or coins, gain 1 more of each it gained. "
                "When the action of a worker with two tentacles gains components, gain 1 more of one of those kinds."
            ),
            (
                "触手を持つワーカーは、アクションで食料やコインを得た時、そのアクションの終了時に同じ種類の資源を1つずつ追加で得る。"
                "触手を2つ持つワーカーは、アクションでパーツを得た時、さらに同じ種類のパーツ1つを追加で得る。"
            ),
        ),
    }
)

PROPER_NAMES = frozenset(
    {
        *("command_hub_a", "command_hub_b", "hydroponics", "catering_service", "covert_cloning", "cryogenics"),
        *("generic_genetics", "life_support", "periphery_command", "petty_cash"),
    }
)
"""Modules whose English names take no article in a sentence."""

PLACE_NAMES: Mapping[str, Text] = MappingProxyType(
    {"pool": ("pool", "ワーカー置き場"), "reserve": ("reserve", "予備のワーカー")}
)
"""Where workers are that stand nowhere."""
