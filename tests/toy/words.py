"""Events of the toy in words, in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.sentences import Clause, sentences
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both, counted, listed, put
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
        case ToyGameSetUpUnseen():
            rounds = counted(fact.rounds, "round", "{}ラウンド")
            return Clause(None, put(f"{fact.seats} players play {{}}", f"{fact.seats}人で{{}}行う", rounds))
        case ToyCardsDrawn(seat, cards):
            return Clause(seat, put("draws {}", "{}を引く", _cards(material, cards)))
        case ToyCardsDrawnUnseen():
            return Clause(fact.seat, put("draws {}", "{}引く", counted(fact.count, "card", "カードを{}枚")))
        case ToyDeckShuffledUnseen():
            cards = counted(fact.deck, "card", "捨て札{}枚")
            return Clause(None, put("the discards become a deck of {}", "{}を新しい山札にする", cards))
        case ToyCardLaid(seat, card):
            return Clause(seat, put("lays {} face down", "{}を伏せる", _cards(material, (card,))))
        case ToyCardsTurnedUp(_, winner):
            return Clause(winner, both("wins the round", "ラウンドに勝つ"))
        case ToyCardGiven(giver, taker, card):
            to = both(names[taker], names[taker])
            return Clause(giver, put("gives {} {}", "{}に{}を渡す", to, _cards(material, (card,))))
        case ToyCardGivenUnseen():
            to = names[fact.taker]
            return Clause(fact.giver, both(f"gives {to} a card", f"{to}にカードを1枚渡す"))
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
    return listed(material.cards[card].names.both for card in cards)
