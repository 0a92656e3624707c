"""What may be done in the toy and what it brings about. Legality is membership in what `legal_moves` lists."""

from __future__ import annotations

from domain.kernel.chance import Chance
from domain.kernel.decision import Decision
from domain.kernel.legal import Case, LegalMoves, Offer, OneOf, SomeOf
from domain.kernel.terms import Seat
from tests.toy.effects import (
    ToyAsk,
    ToyCleanUp,
    ToyDemand,
    ToyDraw,
    ToyDuel,
    ToyLay,
    ToyLook,
    ToyOwed,
    ToySwap,
    ToyTrade,
)
from tests.toy.evolve import evolve
from tests.toy.facts import (
    Fact,
    ToyAgendaSet,
    ToyAnswered,
    ToyCardGiven,
    ToyCardLaid,
    ToyCardsDrawn,
    ToyCardsPaid,
    ToyCardsTurnedUp,
    ToyDeckShuffled,
    ToyDuelFought,
    ToyGameSetUp,
    ToyHandsDiscarded,
    ToyHandSeen,
    ToyHandsShown,
    ToyHandsSwapped,
    ToyRoundEnded,
    ToyTrophyKept,
    ToyWentOut,
)
from tests.toy.material import Material
from tests.toy.moves import Move, ToyAim, ToyAskSeat, ToyDecline, ToyGiveCard, ToyLayCard, ToyOptions, ToyPayCards
from tests.toy.state import ToyState

_MOST_PAID_FOR_CARDS = 2


def legal_moves(  # noqa: PLR0911 - an arm for each effect
    material: Material, state: ToyState, seat: Seat
) -> LegalMoves:
    """What a seat may do now."""
    if seat not in state.waits_for():
        return LegalMoves(seat)
    hand = state.hands[seat]
    match state.agenda[0].effect:
        case ToyLay():
            return LegalMoves(seat, (Offer(ToyLayCard, ({"card": OneOf(hand)},)),))
        case ToyDemand():
            return LegalMoves(seat, (Offer(ToyGiveCard, ({"card": OneOf(hand)},)),))
        case ToyTrade(cost):
            most = min(len(hand), _MOST_PAID_FOR_CARDS)
            redraw: Case = {"reward": "cards", "cards": SomeOf(hand, 1, most)}
            keep: Case = {"reward": "trophy", "cards": SomeOf(hand, cost, cost)}
            cases = (redraw, keep) if cost <= len(hand) else (redraw,)
            return LegalMoves(seat, (Offer(ToyPayCards, cases), Offer(ToyDecline, ({},))))
        case ToyAsk():
            values = tuple(sorted({kind.value for kind in material.cards.values()}))
            asked: Case = {"seat": OneOf(state.targets(seat)), "value": OneOf(values)}
            return LegalMoves(seat, (Offer(ToyAskSeat, (asked,)),))
        case ToyLook() | ToySwap() | ToyDuel():
            return LegalMoves(seat, (Offer(ToyAim, ({"seat": OneOf(state.targets(seat))},)),))
        case ToyDraw() | ToyCleanUp():  # pragma: no cover - waits for nobody
            return LegalMoves(seat)


class _Resolution(Decision[Material, ToyState, Fact]):
    def owe(self, *agenda: ToyOwed) -> None:
        self.emit(ToyAgendaSet(agenda))

    def draw(self, seat: Seat, count: int) -> None:
        """Draw, shuffling the discards when the deck runs out; with neither, fewer."""
        while count > 0 and (self.state.deck or self.state.discards):
            if not self.state.deck:
                self.shuffle(self.state.discards)
            cards = self.state.deck[:count]
            self.emit(ToyCardsDrawn(seat, cards))
            count -= len(cards)

    def shuffle(self, cards: tuple[str, ...]) -> None:
        repeat = sum(isinstance(fact, ToyDeckShuffled) for fact in self.facts)
        self.emit(ToyDeckShuffled(self.chance.shuffle("reshuffle", cards), repeat))

    def aim(self, seat: Seat, effect: object, other: Seat) -> None:
        """What an effect does to the seat that it was aimed at."""
        match effect:
            case ToyLook():
                self.emit(ToyHandSeen(seat, other, self.state.hands[other]))
            case ToySwap():
                self.emit(ToyHandsSwapped(seat, other))
            case _:
                self._fight(seat, other)

    def highest(self, seat: Seat) -> int:
        """The highest value in a hand."""
        return max(self.material.cards[card].value for card in self.state.hands[seat])

    def _fight(self, seat: Seat, other: Seat) -> None:
        own, others = self.highest(seat), self.highest(other)
        loser = None if own == others else other if own > others else seat
        self.emit(ToyDuelFought(seat, other, loser))
        if loser is None:
            return
        self.emit(ToyWentOut(loser, self.state.hands[loser]))
        if loser == seat or len(self.state.playing()) == 1:
            self.owe(ToyOwed(0, ToyCleanUp()))

    def go_on(self) -> tuple[Fact, ...]:
        """Resolve what is owed until a seat must answer or the game is over."""
        while self.state.agenda and not self.state.waits_for():
            owed, *rest = self.state.agenda
            self.owe(*rest)
            self._resolve(owed)
        return tuple(self.facts)

    def _resolve(self, owed: ToyOwed) -> None:
        match owed.effect:
            case ToyDraw(count):
                self.draw(owed.seat, count)
            case ToyLay():
                self._turn_up()
            case ToyCleanUp():
                self._clean_up()
            case _:
                pass  # nobody has a card to give, nothing to pay with, or nobody to aim at

    def _turn_up(self) -> None:
        kinds = {seat: self.material.cards[card] for seat, card in enumerate(self.state.laid) if card is not None}
        winner = max(kinds, key=lambda seat: (kinds[seat].value, -seat))
        self.emit(ToyCardsTurnedUp(self.state.laid, winner))
        self.owe(*(ToyOwed(winner, effect) for effect in kinds[winner].effects), ToyOwed(0, ToyCleanUp()))

    def _clean_up(self) -> None:
        last = self.state.round == self.state.rounds or len(self.state.playing()) == 1
        self.emit(ToyRoundEnded(tuple(card for card in self.state.laid if card is not None)))
        if last:
            self.emit(ToyHandsShown(self.state.hands))
            return
        if self.material.redeals:
            self.emit(ToyHandsDiscarded(self.state.hands))
            self.shuffle(self.state.deck + self.state.discards)
        for seat in self.state.playing():
            self.draw(seat, self.material.hand - len(self.state.hands[seat]))
        self.owe(ToyOwed(0, ToyLay()))


def begin(material: Material, options: ToyOptions, seats: int, chance: Chance) -> tuple[Fact, ...]:
    """Shuffle, deal, and wait for the first cards."""
    first = ToyGameSetUp(seats, options.rounds, chance.shuffle("deck", material.cards), known=True)
    resolution = _Resolution(evolve, material, evolve(None, first), chance, (first,))
    for seat in range(seats):
        resolution.draw(seat, material.hand)
    resolution.owe(ToyOwed(0, ToyLay()))
    return tuple(resolution.facts)


def decide(material: Material, state: ToyState, seat: Seat, move: Move, chance: Chance) -> tuple[Fact, ...]:
    """What a legal move brings about."""
    resolution = _Resolution(evolve, material, state, chance)
    taker, rest = state.agenda[0].seat, state.agenda[1:]
    match move:
        case ToyLayCard(card):
            # The agenda stays: the others see nothing at all before the last one has chosen.
            resolution.emit(ToyCardLaid(seat, card))
        case ToyGiveCard(card):
            resolution.owe(*rest)
            resolution.emit(ToyCardGiven(seat, taker, card))
        case ToyPayCards(reward, cards):
            paid = (ToyOwed(seat, ToyDraw(len(cards))),) if reward == "cards" else ()
            resolution.owe(*paid, *rest)
            resolution.emit(ToyCardsPaid(seat, cards))
            card = state.laid[seat]
            if reward == "trophy" and card is not None:
                resolution.emit(ToyTrophyKept(seat, card))
        case ToyDecline():
            resolution.owe(*rest)
        case ToyAskSeat(other, value):
            resolution.owe(*rest)
            resolution.emit(ToyAnswered(seat, other, value, holds=resolution.highest(other) >= value))
        case ToyAim(other):
            resolution.owe(*rest)
            resolution.aim(seat, state.agenda[0].effect, other)
    return resolution.go_on()
