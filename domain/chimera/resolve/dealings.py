"""What goes on between players and modules: commands, the marker, gifts, tributes, copies, choices, perks scored."""

from __future__ import annotations

from msgspec.structs import replace

from domain.chimera import facts as f
from domain.chimera.agenda import Gift, Owed, Tribute, Weirdness
from domain.chimera.effects import Choice, Command, Copy, Gain, Gifts, Marker, PerkScoring
from domain.chimera.moves import ChooseModule, ChooseOption, Decline, DiscardPerk, Give, TakeTribute
from domain.chimera.passives import has_two
from domain.chimera.pieces.index import PERKS
from domain.chimera.possible import in_copy
from domain.chimera.resolve.working import Working
from domain.chimera.state import seat_of
from domain.chimera.station import occupants, opponents


def command(working: Working, owed: Owed, _effect: Command) -> None:
    """Score the values of all board modules with an opponent's worker; with two brains own workers count too."""
    both = has_two(working.state, owed.worker, "brain")
    modules = working.material.modules
    commanded = [
        place
        for place, worker in occupants(working.state).items()
        if place in modules and (both or seat_of(worker) != owed.seat)
    ]
    working.emit(f.Commanded(owed.seat, tuple(commanded)))
    points = sum(modules[place].value or 0 for place in commanded)
    working.score(owed, points, "command", owed.piece)
    working.then(owed, Weirdness())


def take_marker(working: Working, owed: Owed, _effect: Marker) -> None:
    """The marker changes hands at most once a round; its holder using the hub is not a change."""
    state = working.state
    if not state.marker_moved and state.start != owed.seat:
        working.emit(f.MarkerTaken(owed.seat, state.start))


def take_tribute(working: Working, owed: Owed, move: TakeTribute, _effect: Tribute) -> None:
    """Warlord: coins from opponents; they count as gained."""
    for seat in move.seats:
        working.pay(seat, move.coins, 0)
    # What triggered the tribute followed from an action, if there is one, and so does the gain.
    working.receive(owed, move.coins * len(move.seats), 0)


def ask_gifts(working: Working, owed: Owed, _effect: Gifts) -> None:
    """Each opponent, clockwise."""
    for seat in opponents(working.state, owed.seat):
        working.owe(Owed(seat, Gift(owed.seat), owed.worker, owed.acting, owed.place, owed.chain, "effect", owed.piece))


def give(working: Working, owed: Owed, move: Give | Decline, effect: Gift) -> None:
    """A coin or a food changes hands, and the giver scores a point; each gift is a gain of its own (R21)."""
    if isinstance(move, Decline):
        return
    coins, food = (1, 0) if move.resource == "coin" else (0, 1)
    working.pay(owed.seat, coins, food)
    working.owe(replace(owed, seat=effect.to, effect=Gain("coins" if coins else "food", 1)))
    working.score(owed, 1)


def copy(working: Working, owed: Owed, move: ChooseModule, effect: Copy) -> None:
    """Apply the effect of another module with this worker from this place; Catering Service pays its value first."""
    module = working.material.modules[move.module]
    if effect.of == "occupied":
        working.pay(owed.seat, 0, module.value or 0)
    cause = in_copy(owed, move.module)
    for each in module.effects:
        working.then(cause, each)


def choose(working: Working, owed: Owed, move: ChooseOption, effect: Choice) -> None:
    """Do one of the things offered."""
    for option in effect.options:
        if option.id == move.option:
            for each in option.effects:
                working.then(owed, each)


def score_perk(working: Working, owed: Owed, move: DiscardPerk, _effect: PerkScoring) -> None:
    """Score an own perk as at game end and discard it."""
    points = PERKS[move.perk].end.points(working.material, working.state, owed.seat)
    working.score(owed, points, "union_hall", move.perk)
    working.emit(f.PerkDiscarded(owed.seat, move.perk))
    # An effect that is under way goes on without its card (R47), which may be drawn again meanwhile.
    working.agenda = [_without_card(each, move.perk) for each in working.agenda]


def _without_card(owed: Owed, perk: str) -> Owed:
    if perk not in {owed.place, owed.piece} and perk not in owed.chain:
        return owed
    return replace(
        owed,
        place=None if owed.place == perk else owed.place,
        piece=None if owed.piece == perk else owed.piece,
        chain=tuple(each for each in owed.chain if each != perk),
    )
