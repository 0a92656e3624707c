"""What each seat knows of the others' cards, folded like everything else: a view is made from the state alone."""

from __future__ import annotations

from tests.toy.facts import Fact, ToyCardGiven, ToyHandSeen, ToyHandsShown, ToyHandsSwapped
from tests.toy.state import Cards, ToyState


def known_after(before: ToyState, known: tuple[Cards, ...], fact: Fact, after: ToyState) -> tuple[Cards, ...]:
    """By seat, the cards that it knows others to hold after a fact."""
    cards = [set(each) for each in known]
    match fact:
        case ToyHandSeen():
            cards[fact.seat].update(fact.cards)
        case ToyHandsSwapped():
            for seat in (fact.seat, fact.other):
                cards[seat].update(before.hands[seat])
        case ToyCardGiven():
            cards[fact.giver].add(fact.card)
            for seat, each in enumerate(cards):
                # Of several cards nobody else can say which one went; an only card is seen to go.
                if seat not in {fact.giver, fact.taker} and len(before.hands[fact.giver]) > 1:
                    each.difference_update(before.hands[fact.giver])
        case ToyHandsShown():
            return ((),) * len(known)
        case _:
            pass
    return tuple(tuple(sorted(each & after.held_by_others(seat))) for seat, each in enumerate(cards))
