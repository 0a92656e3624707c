"""The toy as a viewer may see it: types of their own, with counts where cards are hidden."""

from __future__ import annotations

from msgspec import UNSET

from domain.kernel.terms import Seat, Viewer
from domain.kernel.value import Value
from tests.toy.effects import ToyOwed
from tests.toy.state import ToyState


class ToySeatView(Value, frozen=True):
    """A seat. `hand` and `laid` are None where the viewer may not see them; `has_laid` is seen by all.

    `known` are cards that the viewer was shown and that the seat still has, in hand or laid face down.
    """

    cards: int
    hand: tuple[str, ...] | None
    has_laid: bool
    laid: str | None
    trophies: tuple[str, ...]
    known: tuple[str, ...]
    out: bool


class ToyView(Value, frozen=True, tag="toy.view"):
    """The table: the deck is a count, the discards lie open."""

    round: int
    rounds: int
    deck: int
    discards: tuple[str, ...]
    seats: tuple[ToySeatView, ...]
    owed: tuple[ToyOwed, ...]


def view(state: ToyState, viewer: Viewer) -> ToyView:
    """The state as a viewer may see it."""
    seats = tuple(_seat(state, seat, viewer) for seat in range(len(state.hands)))
    return ToyView(state.round, state.rounds, len(state.deck), state.discards, seats, state.agenda)


def _seat(state: ToyState, seat: Seat, viewer: Viewer) -> ToySeatView:
    hand, laid = state.hands[seat], state.laid[seat]
    known = () if viewer is None or state.known is UNSET else state.known[viewer]
    return ToySeatView(
        cards=len(hand),
        hand=hand if viewer == seat or state.finished else None,
        has_laid=laid is not None,
        laid=laid if viewer == seat or state.turned_up else None,
        trophies=state.trophies[seat],
        known=tuple(card for card in known if card in hand or card == laid),
        out=seat in state.out,
    )
