"""What perks and player boards change while a player has them: triggers, and answers to questions of general rules.

A perk acts from the moment when it is taken until it is discarded (R47). Each is one card, so it has one owner at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from domain.chimera.agenda import Owed
from domain.chimera.facts import Fact, PerkDiscarded, PerkTaken
from domain.chimera.material import Material
from domain.chimera.pieces.index import MODIFIED_BY, PERKS, TRIGGERS
from domain.chimera.pieces.records import Modifier
from domain.chimera.state import Kinds, Player, State, Worker, seat_of, worker_of
from domain.chimera.station import is_board, is_protected, own_workers
from domain.kernel.terms import Seat


def has(player: Player, modifier: Modifier) -> bool:
    """Whether a piece of this player modifies a rule."""
    piece = MODIFIED_BY[modifier]
    return piece in player.perks or piece == player.board


def triggered(state: State, fact: Fact) -> Iterable[Owed]:
    """What the perks of all seats add to a fact, given the state after it."""
    hear = _HEARD.get(type(fact))
    return () if hear is None else hear(state, fact)


def _taken(_state: State, fact: PerkTaken) -> Iterator[Owed]:
    taken = PERKS[fact.perk].taken
    if taken is not None:
        yield Owed(fact.seat, taken.effect, source="perk", piece=fact.perk)


def _lost(state: State, fact: PerkDiscarded) -> Iterator[Owed]:
    lost = PERKS[fact.perk].lost
    return iter(()) if lost is None else lost(state, fact.seat)


def _triggers(state: State, fact: Fact) -> Iterator[Owed]:
    for perk, trigger in TRIGGERS[type(fact)]:
        for seat, player in enumerate(state.players):
            if perk in player.perks:
                yield from trigger(state, seat, fact)


_HEARD: Mapping[type, Callable[[State, Any], Iterator[Owed]]] = {
    **dict.fromkeys(TRIGGERS, _triggers),
    PerkTaken: _taken,
    PerkDiscarded: _lost,
}


def incomes(state: State, seat: Seat) -> Iterator[Owed]:
    """What the perks of a seat bring at the start of a round (R37)."""
    for perk in state.players[seat].perks:
        income = PERKS[perk].income
        if income is not None:
            yield Owed(seat, income, source="perk", piece=perk)


def most_components(state: State, worker: str) -> int:
    """How many components a worker may carry: with Geneticist one worker at a time may carry three (R20)."""
    seat = seat_of(worker)
    if not has(state.players[seat], "third_component"):
        return 2
    others = (each for name, each in own_workers(state, seat) if name != worker)
    return 2 if any(len(each.components) > 2 for each in others) else 3


def may_carry(most: int, components: Kinds) -> bool:
    """Whether these fit a worker that may carry `most`: three are never all of one kind (R20)."""
    return len(components) <= most and (len(components) < 3 or len(set(components)) > 1)


def may_claw(material: Material, state: State, seat: Seat, worker: Worker, victim: str) -> bool:
    """Whether a worker that is placed there may eject the one that stands there."""
    claws = worker.components.count("claw")
    if not claws:
        return False
    target = worker_of(state, victim)
    if is_protected(material, target):
        return False
    owner = seat_of(victim)
    if owner != seat:
        # Overseer keeps opponents' claws away; nobody is ejected from another player's perk module.
        if has(state.players[owner], "claw_proof") or not is_board(material, target.place):
            return False
        return claws > 1 or len(target.components) < 2
    if has(state.players[seat], "claws_eject_own"):
        return claws > 1 or len(target.components) < 2  # by the same limits (R42)
    return claws > 1 and has(state.players[seat], "two_claws_eject_own")


def compensated(state: State, seat: Seat, victim: str) -> Seat:
    """Who takes the coin or food when a seat's claw ejects a worker: Thug does, in its owner's place (R44)."""
    return seat if has(state.players[seat], "takes_compensation") else seat_of(victim)


def pays_for_ejecting(state: State, seat: Seat, worker: str, victim: str) -> bool:
    """Toughies: a two-claw worker that ejects an opponent's on being placed brings a food or a coin (R44)."""
    return has(state.players[seat], "ejecting_pays") and has_two(state, worker, "claw") and seat_of(victim) != seat


def reward_times(state: State, seat: Seat, *, boiling: bool) -> int:
    """How often each reactor reward comes: twice for Engineer in the Boiler Room, not in a Tanning Salon (R12)."""
    return 2 if boiling and has(state.players[seat], "boiler_twice") else 1


def exchanges_food(state: State, owed: Owed) -> bool:
    """Whether food gained may be taken as coins: Grocer, in the action of an own worker with a leaf (R21).

    What an ejection brings to the acting player is owed without a worker, so it never is.
    """
    if owed.acting is None or seat_of(owed.acting) != owed.seat:
        return False
    return has(state.players[owed.seat], "food_as_coins") and "leaf" in worker_of(state, owed.acting).components


def has_two(state: State, worker: str | None, kind: Literal["brain", "claw", "leaf", "tentacle"]) -> bool:
    """Whether a worker has two components of a kind."""
    return worker is not None and worker_of(state, worker).components.count(kind) > 1


def need_not_detach(state: State, owed: Owed) -> bool:
    """Brainiacs: a worker with two brains need not detach at the Laboratory, nor at a copy of it."""
    return has(state.players[owed.seat], "keeps_components") and has_two(state, owed.worker, "brain")


def produce(player: Player) -> int:
    """The food that a worker with two leaves produces."""
    return 3 if has(player, "third_food") else 2


def is_weird(state: State, seat: Seat, worker: str | None) -> bool:
    """Weirdos: a worker with two tentacles that commands or uses a perk module brings a component (R45)."""
    return has(state.players[seat], "tentacles_bring_component") and has_two(state, worker, "tentacle")
