"""The twelve passive perks: what they bring, when something happens or always, and what they score at game end."""

from __future__ import annotations

from collections.abc import Iterator

from domain.chimera import facts as f
from domain.chimera.agenda import Overload, Owed, Resolving, Tribute
from domain.chimera.effects import Effect, Gain, Mix
from domain.chimera.material import Material
from domain.chimera.pieces.records import ROUND_POINTS, End, PerkRules, flat, two_per
from domain.chimera.state import LOUNGE, State, is_placed, seat_of
from domain.chimera.station import own_workers
from domain.kernel.terms import Seat

_GENETICIST_MOST = 14
_WARLORD_END = 9


def _owed(owner: Seat, effect: Effect | Resolving, perk: str, *, outside: bool = False) -> Owed:
    return Owed(owner, effect, source="perk", piece=perk, outside=outside)


def _architect(_state: State, owner: Seat, fact: f.ModuleBuilt) -> Iterator[Owed]:
    """A point per module, not multiplied."""
    if fact.seat == owner:
        yield _owed(owner, Gain("points", 1), "architect")


def _engineer_end(_material: Material, state: State, _seat: Seat) -> int:
    return 2 * state.reactor.count(None)


def _geneticist_lost(state: State, owner: Seat) -> Iterator[Owed]:
    """The third component comes off at once (R20)."""
    for name, worker in own_workers(state, owner):
        if len(worker.components) > 2:
            yield Owed(owner, Overload(), worker=name)


def _geneticist_end(_material: Material, state: State, seat: Seat) -> int:
    return min(2 * state.players[seat].research, _GENETICIST_MOST)


def _lounging(owner: Seat, worker: str, place: str, *, outside: bool = False) -> Iterator[Owed]:
    if seat_of(worker) == owner and place == LOUNGE:
        yield _owed(owner, Gain("points", 2), "lounge_lizard", outside=outside)


def _lizard_placed(_state: State, owner: Seat, fact: f.WorkerPlaced) -> Iterator[Owed]:
    return _lounging(owner, fact.worker, fact.to)


def _lizard_ejected(_state: State, owner: Seat, fact: f.WorkerEjected) -> Iterator[Owed]:
    """What an ejection brings is part of no action (R22)."""
    return _lounging(owner, fact.worker, LOUNGE, outside=True)


def _lizard_swapped(_state: State, owner: Seat, fact: f.WorkersSwapped) -> Iterator[Owed]:
    yield from _lounging(owner, fact.own, fact.own_to)
    yield from _lounging(owner, fact.other, fact.other_to)


def _savant(state: State, owner: Seat, fact: f.Commanded) -> Iterator[Owed]:
    if fact.seat != owner:
        brains = sum("brain" in each.components and is_placed(each) for each in state.players[owner].workers)
        yield _owed(owner, Gain("points", brains), "savant")


def _warlord(_state: State, owner: Seat, fact: f.MarkerTaken) -> Iterator[Owed]:
    if fact.seat == owner:
        yield _owed(owner, Tribute(), "warlord")


def _warlord_end(_material: Material, state: State, seat: Seat) -> int:
    return _WARLORD_END if state.start == seat else 0


PASSIVE_PERKS = (
    PerkRules(
        "architect",
        triggers={f.ModuleBuilt: _architect},
        en="Score 1 point whenever you build a module.",
        ja="モジュールを建設するたびに1点を得る。",
        end=flat(8),
    ),
    PerkRules(
        "engineer",
        modifies=("boiler_twice",),
        taken=ROUND_POINTS,
        en="Whenever you use the Boiler Room, you gain each reactor reward twice.",
        ja="ボイラー室の効果を適用する際、得られる反応炉報酬が2倍になる。",
        end=End(
            points=_engineer_end, en="2 points for each empty reactor space.", ja="反応炉の空きスペース1つにつき2点。"
        ),
    ),
    PerkRules(
        "geneticist",
        lost=_geneticist_lost,
        modifies=("third_component",),
        en="One of your workers at a time may carry 3 components, but not 3 of the same kind.",
        ja="自分のワーカー1体だけに、パーツを3つ組み込むことができる。ただし、3つ全てを同じ種類にはできない。",
        end=End(
            points=_geneticist_end,
            en="2 points for each research tier you have reached, up to 14 points.",
            ja="到達済の研究1段階につき2点（最大14点）。",
        ),
    ),
    PerkRules(
        "grappler",
        modifies=("claws_eject_own",),
        taken=ROUND_POINTS,
        en="Your workers with a claw may also eject your own workers.",
        ja="ハサミを持つ自分のワーカーは、自分のワーカーも追い出すことができる。",
        end=flat(5),
    ),
    PerkRules(
        "grocer",
        modifies=("food_as_coins",),
        en="Whenever one of your workers with a leaf gains food, you may take that many coins plus 1 instead.",
        ja="木の葉を持つ自分のワーカーが食料を得る際、代わりにその数+1枚のコインを得てもよい。",
        end=two_per("leaf", "木の葉"),
    ),
    PerkRules(
        "investor",
        income=Mix(per=1, of="equipped"),
        en=(
            "At the start of each round, gain 1 coin or 1 food for each of your workers that carries a component, "
            "in any combination."
        ),
        ja=(
            "各ラウンドの開始時、パーツが付いている自分のワーカー1体につき、"
            "コイン1枚または食料1つを、任意の組み合わせで得る。"
        ),
        end=flat(8),
    ),
    PerkRules(
        "lounge_lizard",
        taken=ROUND_POINTS,
        triggers={f.WorkerPlaced: _lizard_placed, f.WorkerEjected: _lizard_ejected, f.WorkersSwapped: _lizard_swapped},
        en="Score 2 points whenever one of your workers goes to the Worker Lounge.",
        ja="自分のワーカーがワーカーラウンジに移動するたびに2点を得る。",
        end=flat(5),
    ),
    PerkRules(
        "overseer",
        modifies=("claw_proof",),
        taken=ROUND_POINTS,
        en="Opponents' workers with claws cannot eject your workers.",
        ja="自分のワーカーは、対戦相手のハサミを持つワーカーによって追い出されない。",
        end=flat(8),
    ),
    PerkRules(
        "prime_specimen",
        modifies=("point_for_scoring",),
        en=(
            "When the action of one of your workers with a tentacle scores points, "
            "score 1 more point at the end of the turn."
        ),
        ja="触手を持つ自分のワーカーのアクションで得点した場合、手番の終了時にさらに1点を得る。",
        end=two_per("tentacle", "触手"),
    ),
    PerkRules(
        "savant",
        triggers={f.Commanded: _savant},
        en="Whenever an opponent commands, score 1 point for each of your placed workers with a brain.",
        ja="対戦相手がモジュールの指揮を行ったとき、頭脳を持つ配置済の自分のワーカー1体につき1点を得る。",
        end=two_per("brain", "頭脳"),
    ),
    PerkRules(
        "thug",
        modifies=("takes_compensation",),
        en=(
            "When one of your workers with a claw ejects a worker, "
            "you take the coin or food instead of the owner of that worker."
        ),
        ja=(
            "ハサミを持つ自分のワーカーがワーカーを追い出すとき、"
            "そのワーカーの所有者の代わりに自分がコイン1枚か食料1つを得る。"
        ),
        end=two_per("claw", "ハサミ"),
    ),
    PerkRules(
        "warlord",
        triggers={f.MarkerTaken: _warlord},
        en=(
            "Whenever you take the start player marker from an opponent, "
            "take 2 coins from one opponent or 1 coin from each opponent."
        ),
        ja=(
            "対戦相手からスタートプレイヤーマーカーを取るたびに、"
            "対戦相手1人からコイン2枚を奪うか、各対戦相手からコイン1枚ずつを奪う。"
        ),
        end=End(points=_warlord_end, en="9 points if you are the start player.", ja="スタートプレイヤーなら9点。"),
    ),
)
