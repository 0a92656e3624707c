"""Events in words: a line of sentences for each, in English and Japanese, from what a viewer sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from msgspec import UNSET, Struct

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
from domain.kernel.rules import AnyRules

LANGUAGES = ("en", "ja")


def describe(
    event: Seen,
    rules: AnyRules,
    names: Sequence[str],
    language: str,
    *,
    before: Struct | None = None,
    after: Struct | None = None,
) -> str:
    """A line for an event as a viewer sees it; `names` are the seats' right after it.

    `before` and `after` are the views of the same viewer; with them a line can say what the event itself does not,
    such as where a recalled worker stood.
    """
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
            return rules.describe(event.seat, event.move, event.facts, names, language, before=before, after=after)
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
    """A line for the opening of a game: whether it is a fork, begins at a `position`, or was imported (`archived`).

    No view shows the position, and no event says whether a game is archived, so the caller does.
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
    "joint": " ",
    "created": "A table for {seats} players is opened.",
    "fork": "It is a sandbox, forked from game {game} at version {version}.",
    "position": "It is a sandbox that starts from a given position.",
    "sandbox": "It is a sandbox.",
    "archived": "It was played elsewhere and imported as a record.",
    "taken": "{name} takes seat {seat}.",
    "started": "The game begins.",
    "left": "Seat {seat} is free again.",
    "starting": "Every seat is taken, and the committed entropies must now be revealed.",
    "committed": "{name} commits to an entropy.",
    "revealed": "{name} reveals the committed entropy.",
    "freed": "Seat {seat} is free again, because its entropy was not revealed in time.",
    "undone": "{name} undoes the move of version {version}.",
    "blank": "A hidden move is made.",
}
_JAPANESE = {
    "joint": "",
    "created": "{seats}人用のテーブルが開かれる。",
    "fork": "ゲーム{game}のバージョン{version}から分岐したサンドボックス。",
    "position": "指定された局面から始まるサンドボックス。",
    "sandbox": "サンドボックス。",
    "archived": "別の場所で行われ、記録として取り込まれたゲーム。",
    "taken": "{name}が席{seat}に着く。",
    "started": "ゲームが始まる。",
    "left": "席{seat}が空く。",
    "starting": "全員が着席し、乱数の種の公開を待つ。",
    "committed": "{name}が乱数の種のコミットメントを提出する。",
    "revealed": "{name}が乱数の種を公開する。",
    "freed": "期限までに乱数の種が公開されなかったため、席{seat}が空く。",
    "undone": "{name}がバージョン{version}の手を取り消す。",
    "blank": "非公開の手が打たれる。",
}
