"""The reactor, the display and the decks behind them. A deck is reshuffled only when a card must be drawn (R46)."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.verbs.working import Working
from domain.kernel.terms import Seat


def slide(working: Working) -> None:
    """Slide the reactor to the right, so that the left-most spaces are empty."""
    slid = _slid(working.state.reactor)
    if slid != working.state.reactor:
        working.emit(f.ReactorSlid(slid))


def refill(working: Working) -> None:
    """Slide right, then fill from the right-most empty space: so that empty spaces are always the left-most."""
    slide(working)
    while (empty := working.state.reactor.count(None)) and _has_module(working):
        reactor = list(working.state.reactor)
        drawn = working.state.deck[:empty]
        for place, module in enumerate(drawn, 1):
            reactor[empty - place] = module
        working.emit(f.ReactorFilled(drawn, tuple(reactor)))


def discard_reactor(working: Working, modules: tuple[str, ...]) -> None:
    """Discard modules of the reactor."""
    if modules:
        working.emit(f.ModulesDiscarded(modules))


def draw_module(working: Working) -> str:
    """Draw the top module of the deck, to be built; that there is one has been seen to (R2)."""
    _has_module(working)
    module = working.state.deck[0]
    working.emit(f.ModuleDrawn(module))
    return module


def show_perks(working: Working, number: int) -> None:
    """Put perks of the deck on display; fewer if the deck and its discards run out."""
    while number > 0 and _has_perk(working):
        shown = working.state.perk_deck[:number]
        working.emit(f.PerksShown(shown))
        number -= len(shown)


def fill_display(working: Working) -> None:
    """If fewer perks than the set says are on display, draw until there are as many."""
    show_perks(working, working.material.perks_on_display - len(working.state.display))


def draw_perk(working: Working, seat: Seat) -> None:
    """A seat takes the top perk of the deck, which is whole when this happens."""
    working.emit(f.PerkTaken(seat, working.state.perk_deck[0], drawn=True))


def _slid(reactor: tuple[str | None, ...]) -> tuple[str | None, ...]:
    kept = tuple(module for module in reactor if module is not None)
    return (None,) * (len(reactor) - len(kept)) + kept


def _has_module(working: Working) -> bool:
    """Whether a module can be drawn; the discards become the deck when it is out."""
    state = working.state
    if not state.deck and state.discards:
        working.emit(f.DeckShuffled(*working.reshuffle("reshuffle", state.discards)))
    return bool(working.state.deck)


def _has_perk(working: Working) -> bool:
    state = working.state
    if not state.perk_deck and state.perk_discards:
        working.emit(f.PerkDeckShuffled(*working.reshuffle("perk_reshuffle", state.perk_discards)))
    return bool(working.state.perk_deck)
