"""What goes on between players: commands, the marker, gifts, tributes; and perks scored."""

from __future__ import annotations

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import Gift, Owed, Tribute, Weirdness
from domain.chimera.effects import Command, Gain, Gifts, Marker, PerkScoring
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import DiscardPerk, Give, TakeTribute
from domain.chimera.passives import has_two, is_weird
from domain.chimera.pieces.index import MODIFIED_BY, PERKS
from domain.chimera.state import State, seat_of
from domain.chimera.station import occupants, opponents
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs.resolution import Resolution
from domain.chimera.verbs.verb import (
    ALWAYS,
    Declining,
    Offers,
    Possible,
    Question,
    consequence,
    effect,
    is_answerable,
    offer_one,
)
from domain.kernel.legal import Offer
from domain.kernel.terms import Seat
from domain.kernel.words import Names, both


def _command(resolution: Resolution, owed: Owed, _effect: Command) -> None:
    """Score the values of all board modules with an opponent's worker; with two brains own workers count too."""
    all_count = has_two(resolution.state, owed.worker, "brain")
    modules = resolution.material.modules
    commanded = [
        place
        for place, worker in occupants(resolution.state).items()
        if place in modules and (all_count or seat_of(worker) != owed.seat)
    ]
    resolution.emit(f.Commanded(owed.seat, tuple(commanded)))
    points = sum(modules[place].value or 0 for place in commanded)
    resolution.score(owed, points, "command", owed.piece)
    resolution.then(owed, Weirdness())


effect(Command, possible=ALWAYS, fits=None, resolve=_command)


def _weirdness(resolution: Resolution, owed: Owed, _effect: Weirdness) -> None:
    """Judged now; the component brings no extra and is no kind that an extra may copy (R45)."""
    if is_weird(resolution.state, owed.seat, owed.worker):
        component = Gain("any_components", 1, barren=True)
        resolution.owe(replace(owed, effect=component, source="effect", piece=MODIFIED_BY["tentacles_bring_component"]))


consequence(Weirdness, fits=None, resolve=_weirdness)


def _take_marker(resolution: Resolution, owed: Owed, _effect: Marker) -> None:
    """The marker changes hands at most once a round; its holder using the hub is not a change."""
    state = resolution.state
    if not state.marker_moved and state.start != owed.seat:
        resolution.emit(f.MarkerTaken(owed.seat, state.start))


effect(Marker, possible=ALWAYS, fits=None, resolve=_take_marker)


def _tributes(_material: Material, state: State, owed: Owed, _effect: Tribute) -> Offers:
    """Two coins of one opponent or one of each, as far as they have them; with none, nothing is asked (R39)."""
    rich = tuple(seat for seat in opponents(state, owed.seat) if state.players[seat].coins)
    ways: dict[tuple[tuple[Seat, ...], int], None] = {
        ((seat,), min(2, state.players[seat].coins)): None for seat in rich
    }
    if rich:
        ways[rich, 1] = None
    cases = tuple({"seats": seats, "coins": coins} for seats, coins in ways)
    return (Offer(TakeTribute, cases),) if cases else ()


def _take_tribute(resolution: Resolution, owed: Owed, move: TakeTribute, _effect: Tribute) -> None:
    for seat in move.seats:
        resolution.pay(seat, move.coins, 0)
    # What triggered the tribute followed from an action, if there is one, and so does the gain.
    resolution.receive(owed, move.coins * len(move.seats), 0)


consequence(Tribute, fits=None, asks=Question(_tributes, _take_tribute))


def _ask_for_gifts(resolution: Resolution, owed: Owed, _effect: Gifts) -> None:
    for seat in opponents(resolution.state, owed.seat):
        resolution.owe(
            Owed(seat, Gift(owed.seat), owed.worker, owed.acting, owed.place, owed.chain, "effect", owed.piece)
        )


effect(Gifts, possible=ALWAYS, fits=None, resolve=_ask_for_gifts)


def _has_receiver(_material: Material, state: State, owed: Owed, gift: Gift) -> None:
    require(gift.to in range(len(state.players)) and gift.to != owed.seat, "agenda", "a gift to nobody")


def _gifts(_material: Material, state: State, owed: Owed, _effect: Gift) -> Offers:
    player = state.players[owed.seat]
    held = [what for what, number in (("coin", player.coins), ("food", player.food)) if number]
    return offer_one(Give, "resource", held)


def _give(resolution: Resolution, owed: Owed, move: Give, gift: Gift) -> None:
    """A coin or a food changes hands, and the giver scores a point; each gift is a gain of its own (R21)."""
    coins, food = (1, 0) if move.resource == "coin" else (0, 1)
    resolution.pay(owed.seat, coins, food)
    resolution.owe(replace(owed, seat=gift.to, effect=Gain("coins" if coins else "food", 1)))
    resolution.score(owed, 1)


def _gives_nothing(scene: Scene, _crew: Crew, _owed: Owed, gift: Gift) -> Names:
    name = scene.names[gift.to]
    return both(f"gives {name} nothing", f"{name}に何も渡さない")


consequence(Gift, fits=_has_receiver, asks=Question(_gifts, _give, Declining(_gives_nothing)), worker="foreign")


def _own_perks(_material: Material, state: State, owed: Owed, _effect: PerkScoring) -> Offers:
    """Not a perk module with a worker on it (R13)."""
    player = state.players[owed.seat]
    occupied = {worker.place for worker in player.workers}
    return offer_one(DiscardPerk, "perk", [perk for perk in player.perks if perk not in occupied])


def _score_perk(resolution: Resolution, owed: Owed, move: DiscardPerk, _effect: PerkScoring) -> None:
    """Score an own perk as at game end and discard it."""
    points = PERKS[move.perk].end.points(resolution.material, resolution.state, owed.seat)
    resolution.score(owed, points, "union_hall", move.perk)
    resolution.emit(f.PerkDiscarded(owed.seat, move.perk))
    # An effect that is under way goes on without its card (R47), which may be drawn again meanwhile.
    resolution.agenda = [_without_card(each, move.perk) for each in resolution.agenda]


def _without_card(owed: Owed, perk: str) -> Owed:
    if perk not in {owed.place, owed.piece} and perk not in owed.chain:
        return owed
    return replace(
        owed,
        place=None if owed.place == perk else owed.place,
        piece=None if owed.piece == perk else owed.piece,
        chain=tuple(each for each in owed.chain if each != perk),
    )


effect(
    PerkScoring, possible=Possible(is_answerable, positional=True), fits=None, asks=Question(_own_perks, _score_perk)
)
