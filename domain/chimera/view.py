"""The game as anyone may see it: all but the order of the two decks, and what is asked of whom."""

from __future__ import annotations

from domain.chimera.agenda import Owed
from domain.chimera.effects import Source
from domain.chimera.state import Action, Built, Phase, Player, State, Supply
from domain.kernel.terms import Seat
from domain.kernel.value import Value


class Pending(Value, frozen=True):
    """The question that the game waits for: who decides, what is asked, and what asks it.

    `asks` is the effect's own tag, as `chimera.build`; `owed` has the effect whole, with what it is about.
    """

    seat: Seat
    asks: str
    source: Source
    """What brought the question about: an effect, a build bonus, research, the reactor ..."""
    piece: str | None
    """The module, perk, card or space that asks."""
    worker: str | None
    """The worker that it is about, if it is about one."""
    place: str | None
    """Where the effect takes place."""


class View(Value, frozen=True, tag="chimera.view"):
    """The table. Decks are counts; the rest is as in the state."""

    round: int
    phase: Phase
    start: Seat
    marker_moved: bool
    supply: Supply
    players: tuple[Player, ...]
    reactor: tuple[str | None, ...]
    deck: int
    discards: tuple[str, ...]
    drawn: str | None
    built: tuple[Built, ...]
    display: tuple[str, ...]
    perk_deck: int
    perk_discards: tuple[str, ...]
    pending: Pending | None
    owed: tuple[Owed, ...]
    """All that is still owed, the question first."""
    actions: tuple[Action, ...]
    """The actions under way, the innermost last."""


def view(state: State) -> View:
    """The state as any viewer may see it."""
    return View(
        round=state.round,
        phase=state.phase,
        start=state.start,
        marker_moved=state.marker_moved,
        supply=state.supply,
        players=state.players,
        reactor=state.reactor,
        deck=len(state.deck),
        discards=state.discards,
        drawn=state.drawn,
        built=state.built,
        display=state.display,
        perk_deck=len(state.perk_deck),
        perk_discards=state.perk_discards,
        pending=pending(state.agenda[0]) if state.agenda else None,
        owed=state.agenda,
        actions=state.actions,
    )


def pending(owed: Owed) -> Pending:
    """The question that stands first in the agenda."""
    tag = str(owed.effect.__struct_config__.tag)
    return Pending(owed.seat, tag, owed.source, owed.piece, owed.worker, owed.place)
