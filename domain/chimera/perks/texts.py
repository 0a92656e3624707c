"""What perks do, in words: one entry for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from domain.chimera.texts import STAYS, Text

PERK_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "beggars_alley": (
            "Gain 2 coins and 1 food. Each opponent may give you 1 coin or 1 food to score 1 point.",
            "コイン2枚と食料1つを得る。各対戦相手はあなたにコイン1枚か食料1つを渡してもよく、渡した対戦相手は1点を得る。",
        ),
        "conference": (
            f"Recall one of your placed workers. {STAYS[0]}",
            f"配置済の自分のワーカー1体を呼び戻す。{STAYS[1]}",
        ),
        "dispatch": (
            (
                "Immediately place two more workers. "
                "At the end of the splicing lab phase, place the worker that is here again."
            ),
            "直ちにさらに2体のワーカーを配置する。組み込みラボフェイズの最後に、ここにいるワーカーを再配置する。",
        ),
        "foundry": (
            (
                "Discard all modules from the reactor and refill it without rewards. "
                "Then build a module from the reactor and apply its effect without moving the worker."
            ),
            (
                "反応炉の全てのモジュールを捨て、報酬なしで充填する。"
                "その後、反応炉のモジュール1つを建設し、その効果を適用する（ワーカーは移動しない）。"
            ),
        ),
        "mint": (
            "Gain 1 coin for each gold-framed module in the station.",
            "ステーションにある金色の枠線のモジュール1つにつきコイン1枚を得る。",
        ),
        "morale_center": (
            "Eject two placed workers to the Worker Lounge. Then place another of your workers.",
            "配置済のワーカー2体をワーカーラウンジに追い出す。その後、自分の別のワーカー1体を配置する。",
        ),
        "nonhuman_resources": (
            (
                "Swap one of your workers on the board with an opponent's. "
                "Each of the two owners may then apply the effect of the module on which their worker now stands."
            ),
            (
                "ボード上の自分のワーカー1体の位置を、対戦相手のワーカー1体と交換する。"
                "双方の所有者は、自分のワーカーが移った先のモジュールの効果を適用してもよい。"
            ),
        ),
        "vendor": ("Gain 2 coins and 1 food.", "コイン2枚と食料1つを得る。"),
        "workshop": (
            "Gain 1 coin. Then build any discarded module and apply its effect without moving the worker.",
            "コイン1枚を得る。その後、捨て札の任意のモジュール1つを建設し、その効果を適用する（ワーカーは移動しない）。",
        ),
        "zoning_board": (
            "Gain the build bonus of any free build space.",
            "ボード上に見えている任意の建設ボーナス1つを得る。",
        ),
        "architect": ("Score 1 point whenever you build a module.", "モジュールを建設するたびに1点を得る。"),
        "engineer": (
            "Whenever you use the Boiler Room, you gain each reactor reward twice.",
            "ボイラー室の効果を適用する際、得られる反応炉報酬が2倍になる。",
        ),
        "geneticist": (
            "One of your workers at a time may carry 3 components, but not 3 of the same kind.",
            "自分のワーカー1体だけに、パーツを3つ組み込むことができる。ただし、3つ全てを同じ種類にはできない。",
        ),
        "grappler": (
            "Your workers with a claw may also eject your own workers.",
            "ハサミを持つ自分のワーカーは、自分のワーカーも追い出すことができる。",
        ),
        "grocer": (
            "Whenever one of your workers with a leaf gains food, you may take that many coins plus 1 instead.",
            "木の葉を持つ自分のワーカーが食料を得る際、代わりにその数+1枚のコインを得てもよい。",
        ),
        "investor": (
            (
                "At the start of each round, gain 1 coin or 1 food for each of your workers that carries a component, "
                "in any combination."
            ),
            (
                "各ラウンドの開始時、パーツが付いている自分のワーカー1体につき、"
                "コイン1枚または食料1つを、任意の組み合わせで得る。"
            ),
        ),
        "lounge_lizard": (
            "Score 2 points whenever one of your workers goes to the Worker Lounge.",
            "自分のワーカーがワーカーラウンジに移動するたびに2点を得る。",
        ),
        "overseer": (
            "Opponents' workers with claws cannot eject your workers.",
            "自分のワーカーは、対戦相手のハサミを持つワーカーによって追い出されない。",
        ),
        "prime_specimen": (
            (
                "When the action of one of your workers with a tentacle scores points, "
                "score 1 more point at the end of the turn."
            ),
            "触手を持つ自分のワーカーのアクションで得点した場合、手番の終了時にさらに1点を得る。",
        ),
        "savant": (
            "Whenever an opponent commands, score 1 point for each of your placed workers with a brain.",
            "対戦相手がモジュールの指揮を行ったとき、頭脳を持つ配置済の自分のワーカー1体につき1点を得る。",
        ),
        "thug": (
            (
                "When one of your workers with a claw ejects a worker, "
                "you take the coin or food instead of the owner of that worker."
            ),
            (
                "ハサミを持つ自分のワーカーがワーカーを追い出すとき、"
                "そのワーカーの所有者の代わりに自分がコイン1枚か食料1つを得る。"
            ),
        ),
        "warlord": (
            (
                "Whenever you take the start player marker from an opponent, "
                "take 2 coins from one opponent or 1 coin from each opponent."
            ),
            (
                "対戦相手からスタートプレイヤーマーカーを取るたびに、"
                "対戦相手1人からコイン2枚を奪うか、各対戦相手からコイン1枚ずつを奪う。"
            ),
        ),
    }
)


def _flat(points: int) -> Text:
    return (f"{points} points.", f"{points}点。")


ENDS: Mapping[str, Text] = MappingProxyType(
    {
        "beggars_alley": ("9 points if nobody has more food than you.", "食料を最も多く持っていれば9点。"),
        "conference": _flat(5),
        "dispatch": _flat(8),
        "foundry": _flat(8),
        "mint": ("9 points if nobody has more coins than you.", "コインを最も多く持っていれば9点。"),
        "morale_center": (
            "3 points for each of your workers with 2 or more components.",
            "2つ以上のパーツが組み込まれた自分のワーカー1体につき3点。",
        ),
        "nonhuman_resources": _flat(8),
        "vendor": _flat(9),
        "workshop": (
            "1 point for each built module adjacent to a Command Hub.",
            "司令室に隣接する建設済モジュール1つにつき1点。",
        ),
        "zoning_board": _flat(8),
        "architect": _flat(8),
        "engineer": ("2 points for each empty reactor space.", "反応炉の空きスペース1つにつき2点。"),
        "geneticist": (
            "2 points for each research tier you have reached, up to 14 points.",
            "到達済の研究1段階につき2点（最大14点）。",
        ),
        "grappler": _flat(5),
        "grocer": (
            "2 points for each leaf you own, attached or not.",
            "木の葉1つにつき2点（ワーカーに付いているか否かを問わない）。",
        ),
        "investor": _flat(8),
        "lounge_lizard": _flat(5),
        "overseer": _flat(8),
        "prime_specimen": (
            "2 points for each tentacle you own, attached or not.",
            "触手1つにつき2点（ワーカーに付いているか否かを問わない）。",
        ),
        "savant": (
            "2 points for each brain you own, attached or not.",
            "頭脳1つにつき2点（ワーカーに付いているか否かを問わない）。",
        ),
        "thug": (
            "2 points for each claw you own, attached or not.",
            "ハサミ1つにつき2点（ワーカーに付いているか否かを問わない）。",
        ),
        "warlord": ("9 points if you are the start player.", "スタートプレイヤーなら9点。"),
    }
)
