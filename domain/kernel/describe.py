"""Events in words: one readable line each, in English and Japanese, from what a viewer sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from msgspec import UNSET

from domain.kernel.events import (
    Blank,
    EntropyCommitted,
    EntropyRevealed,
    GameCreated,
    MoveMade,
    MoveUndone,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    Seen,
)
from domain.kernel.game import AnyRules

LANGUAGES = ("en", "ja")


def describe(event: Seen, rules: AnyRules, names: Sequence[str], language: str) -> str:
    """A line for an event as some viewer sees it; `names` are the seats' right after it."""
    words = _JAPANESE if language == "ja" else _ENGLISH
    match event:
        case GameCreated():
            return describe_opening(event, language, position=event.position is not None)
        case SeatTaken():
            line = words["taken"].format(name=event.name, seat=event.seat)
            if event.reveal_by is not UNSET:
                return words["joint"].join((line, words["starting"]))
            return _with_start(line, event, rules, names, language)
        case EntropyCommitted():
            line = words["committed"].format(name=names[event.seat])
            return line if event.reveal_by is UNSET else words["joint"].join((line, words["starting"]))
        case EntropyRevealed():
            return _with_start(words["revealed"].format(name=names[event.seat]), event, rules, names, language)
        case SeatFreed():
            return words["freed"].format(seat=event.seat)
        case SeatLeft():
            return words["left"].format(seat=event.seat)
        case MoveMade():
            return rules.describe(event.seat, event.move, event.facts, names, language)
        case MoveUndone():
            return words["undone"].format(name=names[event.seat], version=event.undone)
        case Blank():
            return words["blank"]
        case _:
            assert_never(event)


def _with_start(
    line: str, event: SeatTaken[Any] | EntropyRevealed[Any], rules: AnyRules, names: Sequence[str], language: str
) -> str:
    """A line for an event that may have started the game."""
    if not event.facts:
        return line
    words = _JAPANESE if language == "ja" else _ENGLISH
    begun = rules.describe(event.seat, None, event.facts, names, language)
    return words["joint"].join(filter(None, (line, words["started"], begun)))


def describe_opening(
    event: GameCreated[Any, Any], language: str, *, position: bool = False, archived: bool = False
) -> str:
    """A line for the opening of a game that is forked, begins at a given `position` or was `archived`, or none of it.

    A viewer sees no position, and no event tells whether a game is archived: whoever knows says so.
    """
    words = _JAPANESE if language == "ja" else _ENGLISH
    parts = [words["created"].format(seats=event.seats)]
    if event.forked_from is not None:
        parts.append(words["fork"].format(game=event.forked_from.game, version=event.forked_from.version))
    elif position:
        parts.append(words["position"])
    elif event.sandbox:
        parts.append(words["sandbox"])
    if archived:
        parts.append(words["archived"])
    return words["joint"].join(parts)


_ENGLISH = {
    "joint": "; ",
    "created": "A table for {seats} is opened",
    "fork": "it is a sandbox, forked from game {game} at version {version}",
    "position": "it is a sandbox that begins at a given position",
    "sandbox": "it is a sandbox",
    "archived": "it was played elsewhere and taken in as a record",
    "taken": "{name} takes seat {seat}",
    "started": "the game begins",
    "left": "Seat {seat} is free again",
    "starting": "every seat is taken, and the committed entropies are due",
    "committed": "{name} commits to an entropy",
    "revealed": "{name} reveals the entropy committed to",
    "freed": "Seat {seat} is free again: its entropy was not revealed in time",
    "undone": "{name} takes back the move of version {version}",
    "blank": "Something happens unseen",
}
_JAPANESE = {
    "joint": "。",
    "created": "{seats}人用のテーブルが用意された",
    "fork": "ゲーム{game}のバージョン{version}から分岐したサンドボックス",
    "position": "与えられた局面から始まるサンドボックス",
    "sandbox": "サンドボックス",
    "archived": "別の場所で行われ、記録として取り込まれたゲーム",
    "taken": "{name}が席{seat}に着いた",
    "started": "ゲーム開始",
    "left": "席{seat}が空いた",
    "starting": "全員が着席し、乱数の種の公開待ち",
    "committed": "{name}が乱数の種のコミットメントを提出した",
    "revealed": "{name}が乱数の種を公開した",
    "freed": "席{seat}が空いた(期限までに乱数の種が公開されなかった)",
    "undone": "{name}がバージョン{version}の手を取り消した",
    "blank": "見えない出来事",
}
