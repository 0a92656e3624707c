"""The player boards: the standard side, and the B sides with powers of their own."""

from __future__ import annotations

from domain.chimera.pieces.records import BoardRules

BOARDS = (
    BoardRules("standard", en="No special ability.", ja="固有の能力はない。"),
    BoardRules(
        "brainiacs",
        modifies=("keeps_components",),
        en="A worker with two brains need not detach a component at the Laboratory.",
        ja="頭脳を2つ持つワーカーが研究室を使用する時、パーツを外す必要がない。",
    ),
    BoardRules(
        "eco_friendlies",
        modifies=("pays_in_food", "third_food"),
        food=(2, 3),
        en=(
            "You may pay for a module entirely in food instead of coins. "
            "A worker with two leaves produces 3 food. "
            "At the end of the game, score 2 points for every 3 food instead of 1 point for every 2."
        ),
        ja=(
            "モジュールの建設コストを、コインではなく全て食料で支払ってもよい。木の葉を2つ持つワーカーは食料3つを生産する。"
            "ゲーム終了時、食料2つにつき1点の代わりに、食料3つにつき2点を得る。"
        ),
    ),
    BoardRules(
        "toughies",
        modifies=("two_claws_eject_own", "ejecting_pays"),
        coins=(1, 2),
        en=(
            "A worker with two claws may also eject your own workers, "
            "and gains 1 food or 1 coin when it ejects an opponent's worker. "
            "At the end of the game, score 1 point for every 2 coins instead of every 3."
        ),
        ja=(
            "ハサミを2つ持つワーカーは自分のワーカーも追い出すことができ、対戦相手のワーカーを追い出すと食料1つかコイン1枚を得る。"
            "ゲーム終了時、コイン3枚につき1点の代わりに、コイン2枚につき1点を得る。"
        ),
    ),
    BoardRules(
        "weirdos",
        modifies=("tentacles_bring_component",),
        en="When a worker with two tentacles commands or uses a perk module, gain 1 component of your choice.",
        ja="触手を2つ持つワーカーがモジュールの指揮を行うか、特権カードのモジュールを使用した時、任意のパーツ1つを得る。",
    ),
)
