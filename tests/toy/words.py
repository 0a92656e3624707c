"""One readable line for an event of the toy, in English and Japanese."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.kernel.terms import Seat
from tests.toy.facts import (
    ToyCardGiven,
    ToyCardGivenUnseen,
    ToyCardLaid,
    ToyCardsDrawn,
    ToyCardsDrawnUnseen,
    ToyCardsPaid,
    ToyCardsTurnedUp,
    ToyDeckShuffledUnseen,
    ToyGameSetUpUnseen,
    ToyHandsShown,
    ToyTrophyKept,
)
from tests.toy.moves import ToyDecline


def describe(seat: Seat, move: Struct | None, facts: Sequence[Struct], names: Sequence[str], language: str) -> str:
    """The facts of an event, one after the other."""
    told = (_words(fact, names) for fact in facts)
    said = [words[language == "ja"] for words in told if words]
    if isinstance(move, ToyDecline):
        said.insert(0, f"{names[seat]}は払わない" if language == "ja" else f"{names[seat]} pays nothing")
    return "。".join(said) if language == "ja" else "; ".join(said)


def _words(fact: Struct, names: Sequence[str]) -> tuple[str, str] | None:  # noqa: C901, PLR0911 - an arm for each fact
    match fact:
        case ToyGameSetUpUnseen(seats, rounds):
            return f"{seats} players, {rounds} rounds", f"{seats}人、{rounds}ラウンド"
        case ToyCardsDrawn(seat, cards):
            return f"{names[seat]} draws {', '.join(cards)}", f"{names[seat]}は{'、'.join(cards)}を引く"
        case ToyCardsDrawnUnseen(seat, count):
            return f"{names[seat]} draws {count}", f"{names[seat]}は{count}枚引く"
        case ToyDeckShuffledUnseen(count):
            return f"the {count} discards become the deck", f"捨て札{count}枚を山札にする"
        case ToyCardLaid(seat, card):
            return f"{names[seat]} lays {card}", f"{names[seat]}は{card}を伏せる"
        case ToyCardsTurnedUp(_, winner):
            return f"{names[winner]} wins the round", f"{names[winner]}がラウンドに勝つ"
        case ToyCardGiven(giver, taker, card):
            return f"{names[giver]} gives {names[taker]} {card}", f"{names[giver]}は{names[taker]}に{card}を渡す"
        case ToyCardGivenUnseen(giver, taker):
            return f"{names[giver]} gives {names[taker]} a card", f"{names[giver]}は{names[taker]}に1枚渡す"
        case ToyCardsPaid(seat, cards):
            return f"{names[seat]} pays {', '.join(cards)}", f"{names[seat]}は{'、'.join(cards)}を払う"
        case ToyTrophyKept(seat, card):
            return f"{names[seat]} keeps {card}", f"{names[seat]}は{card}を得る"
        case ToyHandsShown():
            return "the game is over", "ゲーム終了"
        case _:
            return None
