"""Events of the toy in words, in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.kernel.sentences import Clause, sentences
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both, counted, listed, put
from tests.toy.facts import (
    ToyAnswered,
    ToyCardGiven,
    ToyCardGivenUnseen,
    ToyCardLaid,
    ToyCardsDrawn,
    ToyCardsDrawnUnseen,
    ToyCardsPaid,
    ToyCardsTurnedUp,
    ToyDeckShuffledUnseen,
    ToyDuelFought,
    ToyGameSetUpUnseen,
    ToyHandsDiscarded,
    ToyHandSeen,
    ToyHandSeenUnseen,
    ToyHandsShown,
    ToyHandsSwapped,
    ToyTrophyKept,
    ToyWentOut,
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


def _clause(  # noqa: C901, PLR0911, PLR0912 - an arm for each fact
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
            of = _cards(material, (card,))
            return Clause(giver, put("gives {} {}", "{}に{}を渡す", _name(names, taker), of))
        case ToyCardGivenUnseen():
            return Clause(fact.giver, put("gives {} a card", "{}にカードを1枚渡す", _name(names, fact.taker)))
        case ToyCardsPaid(seat, cards):
            return Clause(seat, put("pays {}", "{}を払う", _cards(material, cards)))
        case ToyTrophyKept(seat, card):
            return Clause(seat, put("keeps {}", "{}を得る", _cards(material, (card,))))
        case ToyHandSeen(seat, other, cards):
            of = _cards(material, cards)
            return Clause(seat, put("looks at {0}'s hand: {1}", "{0}の手札を見る（{1}）", _name(names, other), of))
        case ToyHandSeenUnseen():
            return Clause(fact.seat, put("looks at {}'s hand", "{}の手札を見る", _name(names, fact.other)))
        case ToyAnswered(seat, other, value, holds):
            answer = both("yes" if holds else "no", "ある" if holds else "ない")
            en, ja = f"asks {{}} for a card of {value} or more: {{}}", f"{{}}に{value}以上のカードを尋ねる（{{}}）"
            return Clause(seat, put(en, ja, _name(names, other), answer))
        case ToyHandsSwapped(seat, other):
            return Clause(seat, put("swaps hands with {}", "{}と手札を交換する", _name(names, other)))
        case ToyDuelFought(seat, other, loser):
            en, ja = ("ties with {}", "{}と引き分ける") if loser is None else ("duels with {}", "{}と決闘する")
            return Clause(seat, put(en, ja, _name(names, other)))
        case ToyWentOut(seat, cards):
            return Clause(seat, put("goes out with {}", "{}を捨てて脱落する", _cards(material, cards)))
        case ToyHandsDiscarded():
            return Clause(None, both("all hands are shown and discarded", "全員が手札を公開して捨てる"))
        case ToyHandsShown():
            return Clause(None, both("the game is over", "ゲームが終わる"))
        case _:
            return None


def _name(names: Sequence[str], seat: Seat) -> Names:
    return both(names[seat], names[seat])


def _cards(material: Material, cards: Sequence[str]) -> Names:
    """Cards by name, of which several cards may have the same."""
    return listed(material.cards[card].names.both for card in cards)
