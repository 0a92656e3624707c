"""Events in words: one readable line each, in English and Japanese, from what a viewer sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from domain.kernel.events import Blank, GameCreated, MoveMade, MoveUndone, SeatLeft, SeatTaken, Seen
from domain.kernel.game import AnyRules

LANGUAGES = ("en", "ja")


def describe(event: Seen, rules: AnyRules, names: Sequence[str], language: str) -> str:
    """A line for an event as some viewer sees it; `names` are the seats' right after it."""
    words = _JAPANESE if language == "ja" else _ENGLISH
    match event:
        case GameCreated():
            return words["created"].format(seats=event.seats)
        case SeatTaken():
            line = words["taken"].format(name=event.name, seat=event.seat)
            return line + words["started"] if event.facts else line
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


_ENGLISH = {
    "created": "A table for {seats} is opened",
    "taken": "{name} takes seat {seat}",
    "started": "; the game begins",
    "left": "Seat {seat} is free again",
    "undone": "{name} takes back the move of version {version}",
    "blank": "Something happens unseen",
}
_JAPANESE = {
    "created": "{seats}人用のテーブルが用意された",
    "taken": "{name}が席{seat}に着いた",
    "started": "。ゲーム開始",
    "left": "席{seat}が空いた",
    "undone": "{name}がバージョン{version}の手を取り消した",
    "blank": "見えない出来事",
}
