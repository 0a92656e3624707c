"""A turn: a worker is placed, and the starting card may be spent on a flush, before or after (R6)."""

from __future__ import annotations

from domain.chimera import facts as f
from domain.chimera.agenda import Owed, Turn, TurnClose, TurnEnd
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import EndTurn, Flush, PlaceWorker
from domain.chimera.passives import has
from domain.chimera.pieces.index import MODIFIED_BY, PERKS
from domain.chimera.state import POOL, SLOT_PREFIX, State, is_in_play, seat_of, worker_of
from domain.chimera.station import has_pool, pool
from domain.chimera.verbs import decks
from domain.chimera.verbs.placing import place, placement_offer
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import Offers, Question, phase
from domain.kernel.legal import Offer, SomeOf
from domain.kernel.terms import Seat


def _is_placed_again(_material: Material, state: State, owed: Owed, turn: Turn) -> None:
    again = turn.again
    if again is not None:
        place = worker_of(state, again).place if is_in_play(state, again) else POOL
        fits = place.startswith(SLOT_PREFIX) or (place in PERKS and PERKS[place].places_again)
        require(fits and seat_of(again) == owed.seat, "agenda", f"{again} is not re-placed")


def _has_worker(state: State, owed: Owed, turn: Turn) -> bool:
    """An empty pool skips a turn."""
    return turn.again is not None or has_pool(state, owed.seat)


def _placements(material: Material, state: State, owed: Owed, turn: Turn) -> Offers:
    """Place a worker from the pool, or the one that is re-placed; or flush first."""
    workers = pool(state, owed.seat) if turn.again is None else [turn.again]
    placing = placement_offer(material, state, owed, workers)
    return placing if state.players[owed.seat].card is None else (*placing, _flushes(state))


def _take_turn(resolution: Resolution, owed: Owed, move: PlaceWorker | Flush, turn: Turn) -> None:
    if isinstance(move, Flush):
        _flush(resolution, owed.seat, move.modules)
        resolution.then(owed, turn)
        return
    place(resolution, owed.seat, move.worker, move.to)
    resolution.owe(Owed(owed.seat, TurnEnd()), Owed(owed.seat, TurnClose()))


phase(Turn, fits=_is_placed_again, asks=Question(_placements, _take_turn, asked_if=_has_worker))


def _flush_or_not(_material: Material, state: State, owed: Owed, _effect: TurnEnd) -> Offers:
    """Asked of a seat that holds its starting card."""
    return () if state.players[owed.seat].card is None else (Offer(EndTurn, ({},)), _flushes(state))


def _end_turn(resolution: Resolution, owed: Owed, move: EndTurn | Flush, _effect: TurnEnd) -> None:
    if isinstance(move, Flush):
        _flush(resolution, owed.seat, move.modules)


phase(TurnEnd, fits=None, asks=Question(_flush_or_not, _end_turn))


def _close_turn(resolution: Resolution, owed: Owed, _effect: TurnClose) -> None:
    """Prime Specimen: a point once per turn, if the perk is owned then (R22)."""
    due, resolution.specimen = resolution.specimen, False
    if due and has(resolution.state.players[owed.seat], "point_for_scoring"):
        resolution.score(owed, 1, "perk", MODIFIED_BY["point_for_scoring"])


phase(TurnClose, fits=None, resolve=_close_turn)


def _flushes(state: State) -> Offer:
    """Any number of modules of the reactor, none included."""
    modules = tuple(module for module in state.reactor if module is not None)
    return Offer(Flush, ({"modules": SomeOf(modules, 0, len(modules))},))


def _flush(resolution: Resolution, seat: Seat, modules: tuple[str, ...]) -> None:
    """Spend the starting card: discard these modules and refill the reactor, without rewards."""
    resolution.emit(f.CardSpent(seat))
    decks.discard_reactor(resolution, modules)
    decks.refill(resolution)
