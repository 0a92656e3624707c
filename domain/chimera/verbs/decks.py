"""The reactor, the display and the decks behind them. A deck is reshuffled only when a card must be drawn (R46)."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.verbs.resolution import Resolution
from domain.kernel.terms import Seat


def slide(resolution: Resolution) -> None:
    """Slide the reactor to the right, so that the left-most spaces are empty."""
    slid = _slid(resolution.state.reactor)
    if slid != resolution.state.reactor:
        resolution.emit(f.ReactorSlid(slid))


def refill(resolution: Resolution) -> None:
    """Slide right, then fill from the right-most empty space: so that empty spaces are always the left-most."""
    slide(resolution)
    while (empty := resolution.state.reactor.count(None)) and _has_module(resolution):
        reactor = list(resolution.state.reactor)
        drawn = resolution.state.deck[:empty]
        for place, module in enumerate(drawn, 1):
            reactor[empty - place] = module
        resolution.emit(f.ReactorFilled(drawn, tuple(reactor)))


def discard_reactor(resolution: Resolution, modules: tuple[str, ...]) -> None:
    """Discard modules of the reactor."""
    if modules:
        resolution.emit(f.ModulesDiscarded(modules))


def draw_module(resolution: Resolution) -> str:
    """Draw the top module of the deck, to be built; that there is one has been seen to (R2)."""
    _has_module(resolution)
    module = resolution.state.deck[0]
    resolution.emit(f.ModuleDrawn(module))
    return module


def show_perks(resolution: Resolution, number: int) -> None:
    """Put perks of the deck on display; fewer if the deck and its discards run out."""
    while number > 0 and _has_perk(resolution):
        shown = resolution.state.perk_deck[:number]
        resolution.emit(f.PerksShown(shown))
        number -= len(shown)


def fill_display(resolution: Resolution) -> None:
    """If fewer perks than the set says are on display, draw until there are as many."""
    show_perks(resolution, resolution.material.perks_on_display - len(resolution.state.display))


def draw_perk(resolution: Resolution, seat: Seat) -> None:
    """A seat takes the top perk of the deck, which is whole when this happens."""
    resolution.emit(f.PerkTaken(seat, resolution.state.perk_deck[0], drawn=True))


def _slid(reactor: tuple[str | None, ...]) -> tuple[str | None, ...]:
    kept = tuple(module for module in reactor if module is not None)
    return (None,) * (len(reactor) - len(kept)) + kept


def _has_module(resolution: Resolution) -> bool:
    """Whether a module can be drawn; the discards become the deck when it is out."""
    state = resolution.state
    if not state.deck and state.discards:
        resolution.emit(f.DeckShuffled(*resolution.reshuffle("reshuffle", state.discards)))
    return bool(resolution.state.deck)


def _has_perk(resolution: Resolution) -> bool:
    state = resolution.state
    if not state.perk_deck and state.perk_discards:
        resolution.emit(f.PerkDeckShuffled(*resolution.reshuffle("perk_reshuffle", state.perk_discards)))
    return bool(resolution.state.perk_deck)
