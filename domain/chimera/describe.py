"""One readable line for an event, from what its viewer sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.chimera import facts as f
from domain.chimera.effects import Source
from domain.chimera.material import Material, Names
from domain.chimera.said import said
from domain.chimera.state import seat_of
from domain.chimera.words import both, counted, listed, name_of, names_of
from domain.kernel.events import GameEnded
from domain.kernel.terms import Seat

Clause = tuple[Seat | None, Names]
_SOURCES: Mapping[Source, Names] = {
    "start": both("to start with", "開始時に"),
    "brain": both("for a brain", "頭脳で"),
    "command": both("for a command", "指揮で"),
    "effect": both("by the effect", "効果で"),
    "build": both("for building", "建設で"),
    "bonus": both("as a build bonus", "建設ボーナスで"),
    "reactor": both("from the reactor", "反応炉で"),
    "research": both("for research", "研究で"),
    "card": both("from the starting card", "初期資源で"),
    "perk": both("by a perk", "特権で"),
    "shortage": both("for a missing component", "パーツ不足で"),
    "hunger": both("for missing food", "食料不足で"),
    "union_hall": both("for a perk scored", "特権の得点で"),
    "coins": both("for coins", "コインで"),
    "food": both("for food", "食料で"),
    "components": both("for components", "パーツで"),
    "perk_end": both("for a perk", "特権で"),
}
_PHASES: Mapping[str, Names] = {
    "start": both("a round begins", "ラウンド開始"),
    "placement": both("placement phase", "配置フェイズ"),
    "splicing_lab": both("splicing lab phase", "組み込みラボフェイズ"),
    "feeding": both("feeding phase", "食料供給フェイズ"),
    "over": both("the game is over", "ゲーム終了"),
}


def describe(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], *, names: Sequence[str], language: str
) -> str:
    """What happened, in the order of the facts. A clause names its seat where it is not the one before's."""
    joint = "。" if language == "ja" else "; "
    clauses: list[str] = []
    last: Seat | None = None
    for actor, words in _clauses(material, seat, move, facts, names):
        if actor is None or actor == last:
            clauses.append(words[language])
        else:
            clauses.append(f"{names[actor]}は{words['ja']}" if language == "ja" else f"{names[actor]} {words['en']}")
        last = actor
    return joint.join(clauses)


def _clauses(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], names: Sequence[str]
) -> Iterator[Clause]:
    """Clauses with the seat that is their subject, None where there is none."""
    decided = said(material, seat, move, facts, names)
    if decided["en"]:
        yield seat, decided
    for fact in facts:
        if isinstance(fact, GameEnded):
            yield None, _won(fact, names)
            continue
        tell = _TOLD.get(type(fact))
        if tell is not None:
            yield tell(material, fact)
        if isinstance(fact, f.GameSetUpUnseen):
            yield from _set_up(material, fact)


def _set_up(material: Material, fact: f.GameSetUpUnseen) -> Iterator[Clause]:
    """Who has which board, where they differ, and who begins."""
    boards = [beginning.board for beginning in fact.beginnings]
    if len(set(boards)) > 1:
        for seat, board in enumerate(boards):
            name = name_of(material, board)
            yield seat, both(f"plays {name['en']}", f"{name['ja']}を担当する")
    yield fact.order[0], both("has the start player marker", "スタートプレイヤーマーカーを持つ")


def _won(ended: GameEnded, names: Sequence[str]) -> Names:
    winners = [names[seat] for seat in ended.result.winners]
    points = counted("points", max(score.points for score in ended.result.scores))
    if len(winners) == 1:
        return both(f"{winners[0]} wins with {points['en']}", f"{winners[0]}が{points['ja']}で勝利")
    return both(
        f"{' and '.join(winners)} share the victory with {points['en']}",
        f"{'と'.join(winners)}が{points['ja']}で勝利を分け合う",
    )


def _signed(material: Material, seat: Seat, coins: int, food: int) -> Clause:
    del material
    gained = [counted(what, number) for what, number in _resources(coins, food) if number > 0]
    paid = [counted(what, -number) for what, number in _resources(coins, food) if number < 0]
    parts: list[Names] = []
    if gained:
        text = listed(gained)
        parts.append(both(f"gets {text['en']}", f"{text['ja']}を得る"))
    if paid:
        text = listed(paid)
        parts.append(both(f"pays {text['en']}", f"{text['ja']}を払う"))
    return seat, listed(parts)


def _resources(coins: int, food: int) -> tuple[tuple[Any, int], ...]:
    return (("coins", coins), ("food", food))


def _points(material: Material, fact: f.PointsScored) -> Clause:
    source = _SOURCES[fact.source]
    number = counted("points", abs(fact.points))
    where = both("", "") if fact.piece is None else name_of(material, fact.piece)
    en = f"{'scores' if fact.points > 0 else 'loses'} {number['en']} {source['en']}"
    ja = f"{source['ja']}{number['ja']}{'を得る' if fact.points > 0 else 'を失う'}"
    if fact.piece is None:
        return fact.seat, both(en, ja)
    return fact.seat, both(f"{en} ({where['en']})", f"{ja}({where['ja']})")


def _verb(en: str, ja: str) -> Callable[[Material, Any], Clause]:
    """A clause about what a fact names: `{0}` is put in."""

    def tell(material: Material, fact: Any) -> Clause:
        seat, pieces = _about(fact)
        text = names_of(material, pieces) if pieces else both("nothing", "なし")
        return seat, both(en.format(text["en"]), ja.format(text["ja"]))

    return tell


def _about(fact: Any) -> tuple[Seat | None, tuple[str, ...]]:
    """The seat and the pieces that a fact is about."""
    match fact:
        case f.CardTaken():
            return fact.seat, (fact.card,)
        case f.ComponentGained():
            return fact.seat, (fact.component,)
        case f.ComponentsReturned():
            return fact.seat, fact.components
        case f.ComponentImplanted():
            return seat_of(fact.worker), (fact.component,)
        case f.ComponentsRemoved() | f.WorkerSpliced():
            return seat_of(fact.worker), fact.components
        case f.WorkerPlaced() | f.WorkerMoved():
            return seat_of(fact.worker), (fact.to,)
        case f.WorkerEjected() | f.WorkerRecalled() | f.WorkerProtected() | f.WorkerJoined():
            return seat_of(fact.worker), ()
        case f.WorkersSwapped():
            return seat_of(fact.own), (fact.own_to, fact.other_to)
        case f.Commanded():
            return fact.seat, fact.modules
        case f.PerkTaken() | f.PerkDiscarded():
            return fact.seat, (fact.perk,)
        case f.PerksShown():
            return None, fact.perks
        case f.ModuleDrawn():
            return None, (fact.module,)
        case f.ModulesDiscarded():
            return None, fact.modules
        case f.ReactorFilled():
            return None, fact.drawn
        case f.ModuleBuilt():
            return fact.seat, (fact.module, fact.space)
        case f.MarkerTaken() | f.CardSpent():
            return fact.seat, ()
        case _:
            return None, ()


def _number(en: str, ja: str, field: str) -> Callable[[Material, Any], Clause]:
    """A clause with a number in it."""

    def tell(_material: Material, fact: Any) -> Clause:
        return getattr(fact, "seat", None), both(en.format(getattr(fact, field)), ja.format(getattr(fact, field)))

    return tell


_TOLD: Mapping[type, Callable[[Material, Any], Clause]] = {
    f.GameSetUpUnseen: _number("the game is set up: {} reactor spaces", "ゲームの準備: 反応炉スペース{}", "spaces"),
    f.RoundBegun: _number("round {}", "第{}ラウンド", "round"),
    f.PhaseBegun: lambda _material, fact: (None, _PHASES[fact.phase]),
    f.CardTaken: _verb("takes the card {}", "初期資源「{}」を取る"),
    f.CardSpent: _verb("spends the starting card on a flush", "初期資源カードを捨てて反応炉を流す"),
    f.PointsScored: _points,
    f.ResourcesChanged: lambda material, fact: _signed(material, fact.seat, fact.coins, fact.food),
    f.ComponentGained: _verb("gains {}", "{}を得る"),
    f.ComponentsReturned: _verb("returns {} to the supply", "{}をサプライに戻す"),
    f.ComponentImplanted: _verb("attaches {} from the supply", "サプライの{}を付ける"),
    f.ComponentsRemoved: _verb("removes {}", "{}を除去する"),
    f.WorkerSpliced: _verb("has a worker carry: {}", "ワーカーのパーツを変える: {}"),
    f.WorkerPlaced: _verb("places a worker: {}", "ワーカーを置く: {}"),
    f.WorkerMoved: _verb("moves the worker: {}", "ワーカーを移す: {}"),
    f.WorkerEjected: _verb("has a worker ejected", "ワーカーを追い出される"),
    f.WorkerRecalled: _verb("recalls a worker", "ワーカーを呼び戻す"),
    f.WorkerProtected: _verb("has a worker protected", "ワーカーが守られる"),
    f.WorkerJoined: _verb("gets a worker", "ワーカーを得る"),
    f.WorkersSwapped: _verb("swaps workers: {}", "ワーカーを入れ替える: {}"),
    f.WorkersReturned: _verb("all workers return", "全ワーカーが戻る"),
    f.Commanded: _verb("commands: {}", "指揮する: {}"),
    f.MarkerTaken: _verb("takes the start player marker", "スタートプレイヤーマーカーを取る"),
    f.ResearchAdvanced: _number("reaches tier {}", "研究第{}段階に進む", "tier"),
    f.ModuleBuilt: _verb("builds: {}", "建設する: {}"),
    f.ModuleDrawn: _verb("drawn: {}", "引いたモジュール: {}"),
    f.ModulesDiscarded: _verb("discarded: {}", "捨て札: {}"),
    f.ReactorFilled: _verb("into the reactor: {}", "反応炉へ: {}"),
    f.DeckShuffledUnseen: _number("{} discards become the module deck", "捨て札{}枚がモジュールの山札になる", "deck"),
    f.PerksShown: _verb("on display: {}", "公開された特権: {}"),
    f.PerkTaken: _verb("takes the perk {}", "特権「{}」を得る"),
    f.PerkDiscarded: _verb("discards the perk {}", "特権「{}」を捨てる"),
    f.PerkDeckShuffledUnseen: _number("{} discards become the perk deck", "捨て札{}枚が特権の山札になる", "deck"),
}
"""What is told of each fact; the sliding of the reactor is not worth a word."""
