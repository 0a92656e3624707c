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
from tests.toy.material import Material
from tests.toy.moves import ToyDecline


def describe(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], *, names: Sequence[str], language: str
) -> str:
    """The facts of an event, one after the other."""
    told = (_words(material, fact, names) for fact in facts)
    said = [words[language == "ja"] for words in told if words]
    if isinstance(move, ToyDecline):
        said.insert(0, f"{names[seat]}は払わない" if language == "ja" else f"{names[seat]} pays nothing")
    return "。".join(said) if language == "ja" else "; ".join(said)


def _words(  # noqa: C901, PLR0911 - an arm for each fact
    material: Material, fact: Struct, names: Sequence[str]
) -> tuple[str, str] | None:
    match fact:
        case ToyGameSetUpUnseen(seats, rounds):
            return f"{seats} players, {rounds} rounds", f"{seats}人、{rounds}ラウンド"
        case ToyCardsDrawn(seat, cards):
            en, ja = _cards(material, cards)
            return f"{names[seat]} draws {en}", f"{names[seat]}は{ja}を引く"
        case ToyCardsDrawnUnseen(seat, count):
            return f"{names[seat]} draws {count}", f"{names[seat]}は{count}枚引く"
        case ToyDeckShuffledUnseen(count):
            return f"the {count} discards become the deck", f"捨て札{count}枚を山札にする"
        case ToyCardLaid(seat, card):
            en, ja = _cards(material, (card,))
            return f"{names[seat]} lays {en}", f"{names[seat]}は{ja}を伏せる"
        case ToyCardsTurnedUp(_, winner):
            return f"{names[winner]} wins the round", f"{names[winner]}がラウンドに勝つ"
        case ToyCardGiven(giver, taker, card):
            en, ja = _cards(material, (card,))
            return f"{names[giver]} gives {names[taker]} {en}", f"{names[giver]}は{names[taker]}に{ja}を渡す"
        case ToyCardGivenUnseen(giver, taker):
            return f"{names[giver]} gives {names[taker]} a card", f"{names[giver]}は{names[taker]}に1枚渡す"
        case ToyCardsPaid(seat, cards):
            en, ja = _cards(material, cards)
            return f"{names[seat]} pays {en}", f"{names[seat]}は{ja}を払う"
        case ToyTrophyKept(seat, card):
            en, ja = _cards(material, (card,))
            return f"{names[seat]} keeps {en}", f"{names[seat]}は{ja}を得る"
        case ToyHandsShown():
            return "the game is over", "ゲーム終了"
        case _:
            return None


def _cards(material: Material, cards: Sequence[str]) -> tuple[str, str]:
    """Cards by name: there may be several of one."""
    kinds = [material.cards[card].names for card in cards]
    return ", ".join(kind["en"] for kind in kinds), "、".join(kind["ja"] for kind in kinds)
