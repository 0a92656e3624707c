"""What a seat can do in the toy, and the options that a game is created with."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.kernel.value import Hides, Value
from tests.toy.material import MOST_ROUNDS


class ToyOptions(Value, frozen=True):
    """What can be chosen when a game is created."""

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 4


class ToyLayCard(Value, frozen=True, tag="toy.lay_card"):
    """Lay a card from hand face down. All seats choose at once; nobody sees it until the last has chosen."""

    card: str

    hides = Hides()


class ToyGiveCard(Value, frozen=True, tag="toy.give_card"):
    """Answer another seat's demand with a card from hand; only the two see which."""

    card: str

    hides = Hides()


class ToyPayCards(Value, frozen=True, tag="toy.pay_cards"):
    """Discard cards from hand for a reward: `trophy` keeps the card that won, `cards` draws as many as were paid."""

    reward: str
    cards: tuple[str, ...]


class ToyDecline(Value, frozen=True, tag="toy.decline"):
    """Pay nothing."""


class ToyAim(Value, frozen=True, tag="toy.aim"):
    """Choose the seat that a look, a swap or a duel is with."""

    seat: int


class ToyAskSeat(Value, frozen=True, tag="toy.ask_seat"):
    """Ask a seat whether it holds a card of this value or more."""

    seat: int
    value: int


Move: TypeAlias = ToyLayCard | ToyGiveCard | ToyPayCards | ToyDecline | ToyAim | ToyAskSeat
