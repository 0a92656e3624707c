"""What modules and perks do, in words: beside the data of `modules.py` and `perks/`, one entry for each of theirs.

Figures of the component set stand in none of these; `words.py` puts those into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

Text: TypeAlias = tuple[str, str]
"""In English and in Japanese."""


def _shop(en: str, ja: str, yields_en: str, yields_ja: str) -> Text:
    return (
        f"one of: pay 2 coins for 1 {en}; pay 5 coins for 2; or {yields_en} for each {en} on this worker",
        f"次の1つ: コイン2枚で{ja}1個; コイン5枚で2個; このワーカーの{ja}1個につき{yields_ja}",
    )


MODULE_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "command_hub_a": (
            "command; then take the start player marker, unless it has changed hands in this round",
            "指揮する。その後、このラウンドに持ち主が変わっていなければスタートプレイヤーマーカーを得る",
        ),
        "command_hub_b": ("from round 3 on: command", "第3ラウンドから: 指揮する"),
        "boiler_room": (
            "what the table gives for each component on this worker; then the current reactor rewards; then refill",
            "このワーカーのパーツごとに表の分を得る。その後、現在の反応炉報酬を得て、反応炉を充填する",
        ),
        "hydroponics": ("2 food", "食料2"),
        "refinery": ("3 coins", "コイン3"),
        "claw_shop": _shop("claw", "ハサミ", "2 food", "食料2"),
        "genetics_vat": _shop("tentacle", "触手", "2 food", "食料2"),
        "academy": _shop("brain", "頭脳", "2 coins", "コイン2"),
        "seed_repository": _shop("leaf", "木の葉", "2 coins", "コイン2"),
        "laboratory": (
            "detach a component of this worker; research 1 step",
            "このワーカーからパーツを1個外す。研究1段階",
        ),
        "constructor": (
            "build from the reactor; then this worker may move onto the module built and apply its effect",
            "反応炉のモジュールを建設する。その後、このワーカーをそこへ移して効果を適用してもよい",
        ),
        "advanced_laboratory": ("research 1 step", "研究1段階"),
        "aquarium": ("1 tentacle", "触手1個"),
        "autosurgeon": (
            "pay 2 coins; attach any component straight from the supply to this worker",
            "コイン2枚を払い、サプライの任意のパーツ1個をこのワーカーに直接付ける",
        ),
        "biofuel_refinery": (
            "remove any number of this worker's components; 7 points each",
            "このワーカーのパーツを好きな数だけ除去し、1個につき7点",
        ),
        "break_room": ("1 food, and as much as the number of the round", "食料1、さらにラウンド数と同じ数の食料"),
        "cargo_bay": ("2 coins and 2 food", "コイン2と食料2"),
        "catering_service": (
            "pay the value of another board module with a worker on it in food; apply its effect with this worker",
            "ワーカーのいる別のボード上のモジュールの価値を食料で払い、その効果をこのワーカーで適用する",
        ),
        "commissary": ("1 point, 1 coin, 1 food", "1点、コイン1、食料1"),
        "covert_cloning": ("any component for each worker in the lounge", "ラウンジのワーカー1体につき任意のパーツ1個"),
        "cryogenics": ("a component from storage to the supply: 6 coins", "置き場のパーツ1個をサプライに戻し、コイン6"),
        "dispatch_station": (
            "recall an own worker; a worker here is neither recalled nor ejected",
            "自分のワーカー1体を呼び戻す。ここのワーカーは呼び戻されず、追い出されない",
        ),
        "dispensary": (
            "a coin or a food for each own placed worker, in any mix",
            "配置済の自分のワーカー1体につきコイン1か食料1を、好きな組み合わせで",
        ),
        "farmers_market": ("1 coin for 5 food, or 1 food for 5 coins", "コイン1を食料5に、または食料1をコイン5に"),
        "freelancer_dormitories": (
            "apply the effect of an adjacent module with this worker, from this place",
            "隣接するモジュール1つの効果を、このワーカーとこの場所で適用する",
        ),
        "gardens": ("1 leaf", "木の葉1個"),
        "generic_genetics": ("pay 1 coin; any component", "コイン1枚を払い、任意のパーツ1個"),
        "giant_statue": ("no worker can be placed here", "ワーカーを置けない"),
        "grant_office": ("2 coins, and 1 for every 2 tiers of research", "コイン2、さらに研究2段階につきコイン1"),
        "hunting_park": (
            "3 food, and 1 for each claw on this worker",
            "食料3、さらにこのワーカーのハサミ1個につき食料1",
        ),
        "inspection_station": (
            "1 point for each built module next to a hub",
            "司令室に隣接する建設済モジュール1つにつき1点",
        ),
        "integrated_constructor": (
            "2 coins; then build from the reactor",
            "コイン2を得て、反応炉のモジュールを建設する",
        ),
        "life_support": (
            "2 points for each component on workers on adjacent modules",
            "隣接するモジュールにいるワーカーのパーツ1個につき2点",
        ),
        "medical_bay": (
            "2 components from storage to the supply; then any 2 from the supply",
            "置き場のパーツ2個をサプライに戻し、任意のパーツ2個",
        ),
        "mercenary_outpost": (
            "4 coins, and 1 for each claw on this worker",
            "コイン4、さらにこのワーカーのハサミ1個につきコイン1",
        ),
        "monolith": ("no worker can be placed here", "ワーカーを置けない"),
        "newsroom": ("2 points for each own placed worker", "配置済の自分のワーカー1体につき2点"),
        "periphery_command": ("command", "指揮する"),
        "petty_cash": ("1 coin, and as many as the number of the round", "コイン1、さらにラウンド数と同じ数のコイン"),
        "predatorium": ("1 claw", "ハサミ1個"),
        "quantum_constructor": (
            "pay 2 coins; build the top module of the deck at no further cost",
            "コイン2枚を払い、山札の一番上のモジュールを、他のコストなしで建設する",
        ),
        "science_fair": (
            "attach any number of components from storage to this worker; 3 points each",
            "置き場のパーツを好きな数だけこのワーカーに付け、1個につき3点",
        ),
        "scientific_display": ("1 point for each tier of research", "研究1段階につき1点"),
        "shady_restaurants": (
            "a component from storage to the supply: 6 food",
            "置き場のパーツ1個をサプライに戻し、食料6",
        ),
        "shopping_center": (
            "2 coins for each worker on adjacent modules",
            "隣接するモジュールにいるワーカー1体につきコイン2",
        ),
        "symposium": ("1 food, and 1 for every 2 tiers of research", "食料1、さらに研究2段階につき食料1"),
        "tanning_salon": (
            "the current reactor rewards once for each component on this worker; no refill",
            "このワーカーのパーツ1個につき現在の反応炉報酬を1回得る。充填はしない",
        ),
        "think_tank": ("1 brain", "頭脳1個"),
        "underground_lab": (
            "detach any number of this worker's components; research 1 step each",
            "このワーカーのパーツを好きな数だけ外し、1個につき研究1段階",
        ),
        "union_hall": (
            "score an own perk as at game end and discard it; then take a perk",
            "自分の特権1枚をゲーム終了時のように得点して捨て、特権を1枚得る",
        ),
        "vineyard": ("1 food for each adjacent module", "隣接するモジュール1つにつき食料1"),
    }
)

PERK_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "beggars_alley": (
            "2 coins, 1 food; each opponent may give 1 coin or 1 food and then scores 1",
            "コイン2、食料1。各対戦相手はコイン1か食料1を渡して1点を得てもよい",
        ),
        "conference": (
            "recall an own placed worker; a worker here is neither recalled nor ejected",
            "配置済の自分のワーカー1体を呼び戻す。ここのワーカーは呼び戻されず、追い出されない",
        ),
        "dispatch": (
            "place two more workers at once; at the end of the splicing lab phase the worker here is re-placed",
            "直ちにさらに2体を配置する。組み込みラボフェイズの最後に、ここのワーカーを再配置する",
        ),
        "foundry": (
            "discard the whole reactor and refill it without rewards; build from it and apply the effect of the module",
            "反応炉をすべて捨てて報酬なしで充填し、そこから建設して、その効果を適用する",
        ),
        "mint": ("1 coin for each gold module in the station", "ステーションの金色のモジュール1つにつきコイン1"),
        "morale_center": (
            "eject two placed workers into the lounge; then place another own worker",
            "配置済のワーカー2体をラウンジに追い出し、自分の別のワーカー1体を配置する",
        ),
        "nonhuman_resources": (
            "swap an own worker on the board with an opponent's; both may apply the module that theirs now stands on",
            "ボード上の自分のワーカー1体と対戦相手の1体を入れ替える。双方は移った先のモジュールの効果を適用してもよい",
        ),
        "vendor": ("2 coins, 1 food", "コイン2、食料1"),
        "workshop": (
            "1 coin; build any discarded module and apply its effect",
            "コイン1を得て、捨て札の任意のモジュールを建設し、その効果を適用する",
        ),
        "zoning_board": (
            "gain the bonus of any free build space",
            "空いている任意の建設スペースのボーナスを得る",
        ),
        "architect": ("1 point for each module that you build", "モジュールを建設するたびに1点"),
        "engineer": (
            "in the Boiler Room each reactor reward comes twice",
            "ボイラー室の効果では反応炉報酬がそれぞれ2回得られる",
        ),
        "geneticist": (
            "one worker at a time may carry 3 components, not all of one kind",
            "一度に1体だけパーツを3個付けられる。3個すべて同じ種類にはできない",
        ),
        "grappler": ("claw workers may eject own workers too", "ハサミワーカーは自分のワーカーも追い出せる"),
        "grocer": (
            "when an own leaf worker gains food, take that many coins and 1 more instead, if you like",
            "自分の木の葉ワーカーが食料を得るとき、代わりにその数+1枚のコインを得てもよい",
        ),
        "investor": (
            "at the start of every round a coin or a food for each own worker with a component, in any mix",
            "各ラウンドの開始時、パーツの付いた自分のワーカー1体につきコイン1か食料1",
        ),
        "lounge_lizard": (
            "2 points whenever an own worker comes to the lounge",
            "自分のワーカーがラウンジに移るたびに2点",
        ),
        "overseer": (
            "own workers are not ejected by opponents' claw workers",
            "自分のワーカーは対戦相手のハサミワーカーに追い出されない",
        ),
        "prime_specimen": (
            "when an own tentacle worker's action scored points, 1 more at the end of the turn",
            "触手を持つ自分のワーカーのアクションで得点したら、手番の終了時にさらに1点",
        ),
        "savant": (
            "when an opponent commands, 1 point for each own placed worker with a brain",
            "対戦相手が指揮したとき、頭脳を持つ配置済の自分のワーカー1体につき1点",
        ),
        "thug": (
            "when an own claw worker ejects, you take the coin or food in the place of the ejected worker's owner",
            "自分のハサミワーカーが追い出すとき、持ち主の代わりにコインか食料を得る",
        ),
        "warlord": (
            "on taking the marker from an opponent: take 2 coins from one opponent, or 1 from each",
            "対戦相手からスタートプレイヤーマーカーを取るたびに、1人からコイン2枚、または全員からコイン1枚ずつを奪う",
        ),
    }
)

ENDS: Mapping[str, Text] = MappingProxyType(
    {
        "beggars_alley": ("9 if nobody has more food", "食料が最も多ければ9点"),
        "conference": ("5", "5点"),
        "dispatch": ("8", "8点"),
        "foundry": ("8", "8点"),
        "mint": ("9 if nobody has more coins", "コインが最も多ければ9点"),
        "morale_center": (
            "3 for each own worker with 2 or more components",
            "パーツが2個以上の自分のワーカー1体につき3点",
        ),
        "nonhuman_resources": ("8", "8点"),
        "vendor": ("9", "9点"),
        "workshop": ("1 for each built module next to a hub", "司令室に隣接する建設済モジュール1つにつき1点"),
        "zoning_board": ("8", "8点"),
        "architect": ("8", "8点"),
        "engineer": ("2 for each empty reactor space", "反応炉の空きスペース1つにつき2点"),
        "geneticist": ("2 for each tier, at most 14", "研究1段階につき2点、最大14点"),
        "grappler": ("5", "5点"),
        "grocer": ("2 for each leaf owned", "所有する木の葉1個につき2点"),
        "investor": ("8", "8点"),
        "lounge_lizard": ("5", "5点"),
        "overseer": ("8", "8点"),
        "prime_specimen": ("2 for each tentacle owned", "所有する触手1個につき2点"),
        "savant": ("2 for each brain owned", "所有する頭脳1個につき2点"),
        "thug": ("2 for each claw owned", "所有するハサミ1個につき2点"),
        "warlord": ("9 for the start player", "スタートプレイヤーなら9点"),
    }
)

BOARD_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "standard": ("no power of its own", "固有の能力はない"),
        "brainiacs": (
            "a worker with two brains need not detach at the Laboratory",
            "頭脳2個のワーカーは研究室でパーツを外さなくてよい",
        ),
        "eco_friendlies": (
            (
                "builds may be paid wholly in food; a worker with two leaves produces 3 food; "
                "at the end 2 points for 3 food instead of 1 for 2"
            ),
            "建設は全額を食料で払える。木の葉2個のワーカーは食料3を生産する。終了時は食料2つ1点の代わりに3つで2点",
        ),
        "toughies": (
            (
                "a worker with two claws may eject own workers, and ejecting an opponent's brings 1 food or 1 coin; "
                "at the end 1 point for 2 coins instead of 3"
            ),
            (
                "ハサミ2個のワーカーは自分のワーカーも追い出せ、相手のを追い出すと食料1かコイン1。"
                "終了時はコイン3枚の代わりに2枚で1点"
            ),
        ),
        "weirdos": (
            "a worker with two tentacles that commands or uses a perk module brings any component",
            "触手2個のワーカーが指揮するか特権のモジュールを使うと、任意のパーツ1個",
        ),
    }
)

COMPONENT_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "brain": (
            "placing it scores the module's value; with two, own workers count too when it commands",
            "配置するとモジュールの価値を得点する。2個なら、指揮のとき自分のワーカーも数える",
        ),
        "claw": (
            "may eject an opponent's worker with 0 or 1 components; with two, any opponent's worker",
            "パーツ0か1個の相手のワーカーを追い出せる。2個なら相手のどのワーカーでも",
        ),
        "leaf": (
            "needs no food; with two, it produces 2 food before feeding",
            "食料を必要としない。2個なら食料供給の前に食料2を生産する",
        ),
        "tentacle": (
            "an action that gained food or coins gains 1 more of each; with two, one that gained components 1 more",
            "アクションで食料かコインを得たらそれぞれもう1つ。2個なら、得たパーツももう1個",
        ),
    }
)

OPTION_TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "buy_one": ("buys one component", "パーツを1個買う"),
        "buy_two": ("buys two components", "パーツを2個買う"),
        "per_component": ("takes what the worker's components bring", "ワーカーのパーツの分を得る"),
        "food_for_coin": ("trades a coin for food", "コインを食料に換える"),
        "coins_for_food": ("trades a food for coins", "食料をコインに換える"),
    }
)
"""What a seat does that chooses one of the things that a module offers."""

PLACE_NAMES: Mapping[str, Text] = MappingProxyType({"pool": ("pool", "プール"), "reserve": ("reserve", "予備")})
"""Where workers are that stand nowhere."""
