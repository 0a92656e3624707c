"""The four kinds of component, whose powers are general rules."""

from __future__ import annotations

from domain.chimera.pieces.records import KindRules

KIND_RULES = (
    KindRules(
        "brain",
        en=(
            "When a worker with a brain is placed on a module, score points equal to the value of that module. "
            "When a worker with two brains commands, modules with your own workers count as well."
        ),
        ja=(
            "頭脳を持つワーカーを配置した時、そのモジュールの価値に等しい得点を得る。"
            "頭脳を2つ持つワーカーがモジュールを指揮する際は、自分のワーカーがいるモジュールも得点計算に含める。"
        ),
    ),
    KindRules(
        "claw",
        en=(
            "A worker with a claw may eject an opponent's worker with at most 1 component to take its place. "
            "A worker with two claws may eject any opponent's worker."
        ),
        ja=(
            "ハサミを持つワーカーは、パーツが0か1つの対戦相手のワーカーがいるモジュールに配置して、そのワーカーを追い出すことができる。"
            "ハサミを2つ持つワーカーは、対戦相手のどのワーカーでも追い出すことができる。"
        ),
    ),
    KindRules(
        "leaf",
        en="A worker with a leaf needs no food. A worker with two leaves also produces 2 food in each feeding phase.",
        ja="木の葉を持つワーカーは食料を必要としない。木の葉を2つ持つワーカーは、さらに各食料供給フェイズの開始時に食料2つを生産する。",
    ),
    KindRules(
        "tentacle",
        en=(
            "When the action of a worker with a tentacle gains food or coins, gain 1 more of each it gained. "
            "When the action of a worker with two tentacles gains components, gain 1 more of one of those kinds."
        ),
        ja=(
            "触手を持つワーカーは、アクションで食料やコインを得た時、そのアクションの終了時に同じ種類の資源を1つずつ追加で得る。"
            "触手を2つ持つワーカーは、アクションでパーツを得た時、さらに同じ種類のパーツ1つを追加で得る。"
        ),
    ),
)
