"""Events of the toy in words, in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.sentences import Clause, Names, both, listed, put, sentences
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
    return sentences(_clauses(material, seat, move, facts, names), names, language)


def _clauses(
    material: Material, seat: Seat, move: Struct | None, facts: Sequence[Struct], names: Sequence[str]
) -> Iterator[Clause]:
    if isinstance(move, ToyDecline):
        yield Clause(seat, both("pays nothing", "何も払わない"))
    last: Clause | None = None
    for fact in facts:
        clause = _clause(material, fact, names)
        if clause is not None and clause == last:
            clause = Clause(clause.seat, put("{} again", "さらに{}", clause.words))
        if clause is not None:
            yield clause
            last = clause


def _clause(  # noqa: C901, PLR0911 - an arm for each fact
    material: Material, fact: Struct, names: Sequence[str]
) -> Clause | None:
    match fact:
        case ToyGameSetUpUnseen(seats, rounds):
            number = f"{rounds} round{'' if rounds == 1 else 's'}"
            return Clause(None, both(f"{seats} players play {number}", f"{seats}人で{rounds}ラウンド行う"))
        case ToyCardsDrawn(seat, cards):
            return Clause(seat, put("draws {}", "{}を引く", _cards(material, cards)))
        case ToyCardsDrawnUnseen(seat, count):
            return Clause(seat, both(f"draws {_number(count)}", f"カードを{count}枚引く"))
        case ToyDeckShuffledUnseen(count):
            en, ja = f"the discards become a deck of {_number(count)}", f"捨て札{count}枚を新しい山札にする"
            return Clause(None, both(en, ja))
        case ToyCardLaid(seat, card):
            return Clause(seat, put("lays {} face down", "{}を伏せる", _cards(material, (card,))))
        case ToyCardsTurnedUp(_, winner):
            return Clause(winner, both("wins the round", "ラウンドに勝つ"))
        case ToyCardGiven(giver, taker, card):
            to = both(names[taker], names[taker])
            return Clause(giver, put("gives {} {}", "{}に{}を渡す", to, _cards(material, (card,))))
        case ToyCardGivenUnseen(giver, taker):
            return Clause(giver, both(f"gives {names[taker]} a card", f"{names[taker]}にカードを1枚渡す"))
        case ToyCardsPaid(seat, cards):
            return Clause(seat, put("pays {}", "{}を払う", _cards(material, cards)))
        case ToyTrophyKept(seat, card):
            return Clause(seat, put("keeps {}", "{}を得る", _cards(material, (card,))))
        case ToyHandsShown():
            return Clause(None, both("the game is over", "ゲームが終わる"))
        case _:
            return None


def _cards(material: Material, cards: Sequence[str]) -> Names:
    """Cards by name, of which several cards may have the same."""
    return listed(material.cards[card].names for card in cards)


def _number(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"
