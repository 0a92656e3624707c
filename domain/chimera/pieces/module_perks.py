"""The ten module perks: what their owner's worker does on them, and what they score at game end."""

from __future__ import annotations

from domain.chimera.effects import (
    Build,
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
from domain.chimera.material import Material
from domain.chimera.pieces.records import ROUND_POINTS, End, PerkRules, flat
from domain.chimera.state import State
from domain.kernel.terms import Seat

_MOST = 9
"""For having the most, also where nobody has any (R33)."""


def _beggars_alley(_material: Material, state: State, seat: Seat) -> int:
    return _MOST if all(each.food <= state.players[seat].food for each in state.players) else 0


def _mint(_material: Material, state: State, seat: Seat) -> int:
    return _MOST if all(each.coins <= state.players[seat].coins for each in state.players) else 0


def _morale_center(_material: Material, state: State, seat: Seat) -> int:
    return 3 * sum(len(worker.components) >= 2 for worker in state.players[seat].workers)


def _workshop(material: Material, state: State, _seat: Seat) -> int:
    return sum(each.space in material.beside_hubs for each in state.built)


MODULE_PERKS = (
    PerkRules(
        "beggars_alley",
        effects=(Gain("coins", 2), Gain("food", 1), Gifts()),
        en="Gain 2 coins and 1 food. Each opponent may give you 1 coin or 1 food to score 1 point.",
        ja="コイン2枚と食料1つを得る。各対戦相手はあなたにコイン1枚か食料1つを渡してもよく、渡した対戦相手は1点を得る。",
        end=End(
            points=_beggars_alley, en="9 points if nobody has more food than you.", ja="食料を最も多く持っていれば9点。"
        ),
    ),
    PerkRules(
        "conference",
        taken=ROUND_POINTS,
        effects=(Protection(), Recall()),
        en="Recall one of your placed workers. A worker here can be neither recalled nor ejected.",
        ja="配置済の自分のワーカー1体を呼び戻す。ここにいるワーカーは呼び戻せず、追い出せない。",
        end=flat(5),
    ),
    PerkRules(
        "dispatch",
        places_again=True,
        effects=(Placement(needed=True), Placement()),
        en=(
            "Immediately place two more workers. "
            "At the end of the splicing lab phase, place the worker that is here again."
        ),
        ja="直ちにさらに2体のワーカーを配置する。組み込みラボフェイズの最後に、ここにいるワーカーを再配置する。",
        end=flat(8),
    ),
    PerkRules(
        "foundry",
        effects=(ReactorDiscard(), Refill(), Build("reactor", "apply")),
        en=(
            "Discard all modules from the reactor and refill it without rewards. "
            "Then build a module from the reactor and apply its effect without moving the worker."
        ),
        ja=(
            "反応炉の全てのモジュールを捨て、報酬なしで充填する。"
            "その後、反応炉のモジュール1つを建設し、その効果を適用する（ワーカーは移動しない）。"
        ),
        end=flat(8),
    ),
    PerkRules(
        "mint",
        effects=(Gain("coins", per=1, of="gold_modules"),),
        en="Gain 1 coin for each gold-framed module in the station.",
        ja="ステーションにある金色の枠線のモジュール1つにつきコイン1枚を得る。",
        end=End(points=_mint, en="9 points if nobody has more coins than you.", ja="コインを最も多く持っていれば9点。"),
    ),
    PerkRules(
        "morale_center",
        effects=(Ejection(2), Placement()),
        en="Eject two placed workers to the Worker Lounge. Then place another of your workers.",
        ja="配置済のワーカー2体をワーカーラウンジに追い出す。その後、自分の別のワーカー1体を配置する。",
        end=End(
            points=_morale_center,
            en="3 points for each of your workers with 2 or more components.",
            ja="2つ以上のパーツが組み込まれた自分のワーカー1体につき3点。",
        ),
    ),
    PerkRules(
        "nonhuman_resources",
        effects=(Swap(),),
        en=(
            "Swap one of your workers on the board with an opponent's. "
            "Each of the two owners may then apply the effect of the module on which their worker now stands."
        ),
        ja=(
            "ボード上の自分のワーカー1体の位置を、対戦相手のワーカー1体と交換する。"
            "双方の所有者は、自分のワーカーが移った先のモジュールの効果を適用してもよい。"
        ),
        end=flat(8),
    ),
    PerkRules(
        "vendor",
        effects=(Gain("coins", 2), Gain("food", 1)),
        en="Gain 2 coins and 1 food.",
        ja="コイン2枚と食料1つを得る。",
        end=flat(9),
    ),
    PerkRules(
        "workshop",
        effects=(Gain("coins", 1), Build("discards", "apply")),
        en="Gain 1 coin. Then build any discarded module and apply its effect without moving the worker.",
        ja="コイン1枚を得る。その後、捨て札の任意のモジュール1つを建設し、その効果を適用する（ワーカーは移動しない）。",
        end=End(
            points=_workshop,
            en="1 point for each built module adjacent to a Command Hub.",
            ja="司令室に隣接する建設済モジュール1つにつき1点。",
        ),
    ),
    PerkRules(
        "zoning_board",
        effects=(Zoning(),),
        en="Gain the build bonus of any free build space.",
        ja="ボード上に見えている任意の建設ボーナス1つを得る。",
        end=flat(8),
    ),
)
