"""The kinds of bonus that can be printed on a build space; the figures and components come from the set."""

from __future__ import annotations

from collections.abc import Callable

from domain.chimera.agenda import Activation
from domain.chimera.effects import Gain, ReactorRewards, Recall, Reward
from domain.chimera.pieces.records import BonusRules
from domain.kernel.words import both


def _number_of(what: Reward) -> Callable[[int], Gain]:
    return lambda number: Gain(what, number)


def _per_round(what: Reward) -> Callable[[bool], Gain]:
    return lambda _: Gain(what, per=1, of="round")


BONUSES = (
    BonusRules("points", _number_of("points")),
    BonusRules("coins", _number_of("coins")),
    BonusRules("food", _number_of("food")),
    BonusRules("component", lambda kind: Gain(kind, 1)),
    BonusRules("any_components", _number_of("any_components")),
    BonusRules("research", _number_of("research")),
    BonusRules("coins_per_round", _per_round("coins")),
    BonusRules("food_per_round", _per_round("food")),
    BonusRules("points_per_round", _per_round("points")),
    BonusRules(
        "reactor",
        effect=lambda _space, _built: ReactorRewards(),
        text=both("Gain the current reactor rewards.", "現在の反応炉報酬を得る。"),
    ),
    # Only on a build is its recall the bonus of a build (R32).
    BonusRules(
        "recall",
        effect=lambda _space, built: Recall(bonus=built),
        text=both("Recall one of your placed workers.", "配置済の自分のワーカー1体を呼び戻す。"),
    ),
    BonusRules(
        "adjacent_module",
        effect=lambda space, _built: Activation(space),
        text=both(
            "Apply the effect of an adjacent module without a worker.",
            "隣接するモジュール1つの効果を、ワーカーなしで適用する。",
        ),
    ),
)
