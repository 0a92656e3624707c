"""Positions to begin a test from, and moves made in them.

A position is named by what matters in it. Workers that are not named wait in the reserve and then in the pool; tiles
and perks that are not named lie in the decks. The whole is checked, so that no test stands on a position that no game
could be in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from domain import chimera
from domain.chimera.agenda import Feeding, Flow, Owed, Passes, Redispatch, SlotTurn, Turn, Turns
from domain.chimera.facts import Fact
from domain.chimera.material import KINDS, Material
from domain.chimera.moves import Flush, Move, PlaceWorker
from domain.chimera.rules import Chimera, bind
from domain.chimera.state import Built, Kinds, Phase, Player, State, Supply, Tally, Worker
from domain.kernel.chance import Chance
from domain.kernel.component_text import parse
from domain.kernel.legal import LegalMoves
from domain.kernel.terms import Seat

HOUSE = (Path(chimera.__file__).parent / "components" / "house-1.toml").read_text(encoding="utf-8")
RULES = bind(parse(HOUSE))
HUB_SIDE, FAR = "0,-1", "0,-2"
"""A space beside hub A whose bonus is 2 coins, and one behind it."""
KEY = bytes(range(32))

AnyFact = TypeVar("AnyFact", bound=Struct)


@dataclass(frozen=True)
class Has:
    """What a seat has. A worker is written as `claw leaf @refinery`: components, then a place (the pool if none)."""

    workers: Sequence[str] = ()
    coins: int = 0
    food: int = 0
    score: int = 10
    storage: str = ""
    perks: tuple[str, ...] = ()
    research: int = 1
    card: str | None = None
    board: str = "standard"


@dataclass(frozen=True)
class Map:
    """The modules that stand, by their space; what lies in the reactor from the right, and in the discards."""

    built: Mapping[str, str] = field(default_factory=dict[str, str])
    reactor: Sequence[str] | None = None
    deck: Sequence[str] | None = None
    discards: Sequence[str] = ()
    display: Sequence[str] | None = None
    perk_discards: Sequence[str] = ()
    perk_deck: Sequence[str] | None = None


def position(
    *seats: Has,
    station: Map = Map(),
    number: int = 1,
    phase: Phase = "placement",
    start: Seat = 0,
    turn: Seat = 0,
    moved: bool = False,
    agenda: tuple[Owed, ...] | None = None,
    rules: Chimera = RULES,
) -> State:
    """A state in which a seat's turn is due, or what `agenda` says."""
    material = rules.material
    players = tuple(_player(material, len(seats), has) for has in seats)
    if agenda is None:
        agenda = (Owed(turn, Turn()), Owed(start, Turns((turn + 1) % len(seats))))
    return State(
        round=number,
        phase=phase,
        start=start,
        supply=_supply(material, players),
        players=players,
        reactor=_reactor(material, station),
        deck=_deck(material, station),
        perk_deck=_perk_deck(material, station, seats),
        discards=tuple(station.discards),
        built=tuple(Built(space, module) for space, module in station.built.items()),
        display=_display(material, station, seats),
        perk_discards=tuple(station.perk_discards),
        marker_moved=moved,
        agenda=agenda,
    )


def _player(material: Material, seats: int, has: Has) -> Player:
    board = material.boards[has.board]
    number = material.workers[seats] + material.reserve
    named = [_worker(written) for written in has.workers]
    rest = number - len(named)
    reserve = min(rest, material.reserve)
    workers = (*named, *(Worker("pool"),) * (rest - reserve), *(Worker("reserve"),) * reserve)
    return Player(
        board=has.board,
        score=has.score,
        coins=has.coins,
        food=has.food,
        research=max(has.research, board.start_research),
        storage=kinds(has.storage),
        workers=workers,
        perks=has.perks,
        card=has.card,
        tallies=(Tally("start", None, has.score),) if has.score else (),
    )


def _worker(written: str) -> Worker:
    components, _, place = written.partition("@")
    return Worker(place or "pool", kinds(components))


def kinds(written: str) -> Kinds:
    """Components by their names."""
    words = written.split()
    assert set(words) <= set(KINDS)
    return cast("Kinds", tuple(sorted(words)))


def _supply(material: Material, players: tuple[Player, ...]) -> Supply:
    held = [kind for player in players for kind in player.storage]
    held += [kind for player in players for worker in player.workers for kind in worker.components]
    return Supply(**{kind: material.components_per_kind - held.count(kind) for kind in KINDS})


def _unnamed(material: Material, station: Map) -> list[str]:
    named = {*station.built.values(), *station.discards, *(station.reactor or ()), *(station.deck or ())}
    return [tile for tile in material.tiles if tile not in named]


def _reactor(material: Material, station: Map) -> tuple[str | None, ...]:
    spaces = len(material.reactor)
    lying = _unnamed(material, station)[:spaces] if station.reactor is None else list(station.reactor)
    return (None,) * (spaces - len(lying)) + tuple(lying)


def _deck(material: Material, station: Map) -> tuple[str, ...]:
    rest = _unnamed(material, station)
    if station.reactor is None:
        rest = rest[len(material.reactor) :]
    return (*(station.deck or ()), *rest)


def _free_perks(material: Material, station: Map, seats: Sequence[Has]) -> list[str]:
    named = {perk for has in seats for perk in has.perks} | {*station.perk_discards, *(station.display or ())}
    return [perk for perk in material.perks if perk not in named]


def _display(material: Material, station: Map, seats: Sequence[Has]) -> tuple[str, ...]:
    if station.display is not None:
        return tuple(station.display)
    return tuple(_free_perks(material, station, seats)[: material.perks_on_display])


def _perk_deck(material: Material, station: Map, seats: Sequence[Has]) -> tuple[str, ...]:
    rest = _free_perks(material, station, seats)
    if station.display is None:
        rest = rest[material.perks_on_display :]
    first = tuple(station.perk_deck or ())
    return (*first, *(perk for perk in rest if perk not in first))


def at_slot(seat: Seat, worker: str, slot: str = "A") -> tuple[Owed, ...]:
    """The agenda of the splicing lab phase when it has come to the worker in a slot."""
    slots = RULES.material.slots
    rest: list[Flow] = [Passes()]
    for later in slots[slots.index(slot) + 1 :]:
        rest += [SlotTurn(later), Passes()]
    rest += [Redispatch(), Passes(), Feeding()]
    return (Owed(seat, Turn(worker)), *(Owed(0, effect) for effect in rest))


class Table:
    """A game in a position: moves are checked to be legal, and every position to be possible."""

    def __init__(self, state: State, rules: Chimera = RULES) -> None:
        self.rules = rules
        self.state = state
        self.facts: list[Fact] = []
        self._version = 100
        rules.check(state)

    @property
    def seat(self) -> Seat:
        """Who must answer."""
        (seat,) = self.rules.to_move(self.state)
        return seat

    @property
    def asks(self) -> str:
        """What is asked, without the title."""
        view = self.rules.view(self.state, None)
        assert view.pending is not None
        assert view.pending.seat == self.seat
        return view.pending.asks.removeprefix("chimera.")

    @property
    def asking(self) -> Owed:
        """The question whole."""
        return self.state.agenda[0]

    @property
    def legal(self) -> LegalMoves:
        """What may be done."""
        return self.rules.legal_moves(self.state, self.seat)

    @property
    def moves(self) -> list[Move]:
        """All that may be done, one by one."""
        return cast("list[Move]", list(self.legal))

    def make(self, move: Move) -> Table:
        """Make a legal move of whoever must answer; the game is stored and loaded on the way."""
        seat, legal = self.seat, self.legal
        legal.require(move)
        self._version += 1
        self.state = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        self.facts = list(self.rules.decide(self.state, seat, move, Chance(KEY, self._version)))
        for fact in self.facts:
            self.state = self.rules.evolve(self.state, fact)
        self.rules.check(self.state)
        return self

    def place(self, to: str, worker: str | None = None) -> Table:
        """Place a worker, the first one of the pool if none is named."""
        if worker is None:
            first = next(move for move in self.moves if isinstance(move, PlaceWorker))
            worker = first.worker
        return self.make(PlaceWorker(worker, to))

    def targets(self, worker: str | None = None) -> set[str]:
        """Where a worker may be placed; all workers if none is named."""
        return {move.to for move in self.moves if isinstance(move, PlaceWorker) and worker in {None, move.worker}}

    def values(self, name: str) -> list[Any]:
        """The values of a field over all legal moves that have it, each once."""
        found = (getattr(move, name) for move in self.moves if hasattr(move, name) and not isinstance(move, Flush))
        return list(dict.fromkeys(found))

    def player(self, seat: Seat = 0) -> Player:
        """What a seat has."""
        return self.state.players[seat]

    def worker(self, name: str) -> Worker:
        """A worker."""
        return self.state.players[int(name[0])].workers[int(name[2:])]

    def wealth(self, seat: Seat = 0) -> tuple[int, int, int]:
        """A seat's points beyond the ten of the start, its coins and its food."""
        player = self.player(seat)
        return player.score - 10, player.coins, player.food

    def happened(self, kind: type[AnyFact]) -> list[AnyFact]:
        """The facts of a kind in the last move."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def table(*seats: Has, **how: Any) -> Table:
    """A game in a position."""
    return Table(position(*seats, **how), how.get("rules", RULES))


def placed(to: str, *seats: Has, **how: Any) -> Table:
    """A game in which the first seat has just placed its first worker."""
    return table(*seats, **how).place(to, "0-0")
