"""The course of the game in words: the set-up, rounds and phases, and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from domain.chimera import facts as f
from domain.chimera.timeline.account import Account
from domain.chimera.words import counted, name_of
from domain.kernel.events import GameEnded
from domain.kernel.sentences import final_scores
from domain.kernel.words import both, enumerated, put


def _set_up(account: Account, fact: Any) -> None:
    material, names = account.material, account.scene.names
    boards = [beginning.board for beginning in fact.beginnings]
    if len(set(boards)) > 1:
        plays = [name_of(material, board) for board in boards]
        first = f"{names[0]} plays {plays[0]['en']}"
        rest = [f"{name} {board['en']}" for name, board in zip(names[1:], plays[1:], strict=False)]
        ja = "、".join(f"{name}は{board['ja']}" for name, board in zip(names, plays, strict=False))
        account.say(None, both(enumerated([first, *rest]), f"{ja}を担当する"))
    for seat, beginning in enumerate(fact.beginnings):
        workers = counted("workers", beginning.pool)
        scored = account.take(f.PointsScored, where=lambda each: each.source == "start")
        if scored is None:
            account.say(seat, put("starts with {}", "{}で開始する", workers))
        else:
            account.say(
                seat, put("starts with {} and {}", "{}と{}で開始する", counted("points", scored.points), workers)
            )
    start = names[fact.order[0]]
    account.say(None, both(f"{start} is the start player", f"スタートプレイヤーは{start}"))


def _round(account: Account, fact: f.RoundBegun) -> None:
    account.say(None, both(f"round {fact.round} begins", f"第{fact.round}ラウンドが始まる"))


def _phase(account: Account, fact: f.PhaseBegun) -> None:
    account.end_action()
    account.feeding = fact.phase == "feeding"
    match fact.phase:
        case "start":
            if not account.is_next(f.RoundBegun):
                account.say(None, both("round 1 begins", "第1ラウンドが始まる"))
        case "placement":
            account.say(None, both("the placement phase begins", "配置フェイズが始まる"))
        case "splicing_lab":
            if account.is_next(f.PhaseBegun):
                account.say(None, both("the Splicing Lab is empty", "組み込みラボにワーカーはいない"))
            else:
                account.say(None, both("the splicing lab phase begins", "組み込みラボフェイズが始まる"))
        case "feeding":
            account.take(f.WorkersReturned)
            account.say(
                None,
                both(
                    "the feeding phase begins, and all workers return to their pools",
                    "食料供給フェイズが始まり、全てのワーカーがワーカー置き場に戻る",
                ),
            )
        case _:
            account.say(None, both("the game ends", "ゲームが終了する"))


def _ended(account: Account, fact: GameEnded) -> None:
    for words in final_scores(fact.result, account.scene.names):
        account.say(None, words)


WRITE: Mapping[type, Callable[[Account, Any], None]] = MappingProxyType(
    {
        f.GameSetUpUnseen: _set_up,
        f.RoundBegun: _round,
        f.PhaseBegun: _phase,
        GameEnded: _ended,
    }
)
