"""The state of a game: where everything is, and what is still owed. It holds ids, never cards.

A worker is named by its seat and its number there, `2-0`. Its place is the id of a module or perk, or one of the
words below. Sets of components are tuples in the order of their names.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from domain.chimera.agenda import DistinctKinds, Owed, SeatNumber
from domain.chimera.effects import Kind, Source
from domain.chimera.material import (
    KINDS,
    MOST_OF_A_KIND,
    MOST_REACTOR_SPACES,
    MOST_SPACES,
    MOST_WORKERS,
)
from domain.kernel.terms import Seat
from domain.kernel.value import Value

POOL = "pool"
RESERVE = "reserve"
LOUNGE = "worker_lounge"
LAB = "splicing_lab"
SLOT_PREFIX = "splicing_lab."
"""A slot of the Splicing Lab is a place of its own, `splicing_lab.A`."""

Phase: TypeAlias = Literal["draft", "start", "placement", "splicing_lab", "feeding", "over"]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**31)]
Kinds: TypeAlias = Annotated[tuple[Kind, ...], Meta(max_length=len(KINDS) * MOST_OF_A_KIND)]
Modules: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=100)]
"""Numbers of modules and perks: those that have rules."""

MOST_OWED = 200
"""Effects that can wait at once, and actions under way: games have reached 30."""


class Supply(Value, frozen=True):
    """The components that nobody has."""

    brain: Count = 0
    claw: Count = 0
    leaf: Count = 0
    tentacle: Count = 0


class Worker(Value, frozen=True, omit_defaults=True):
    """A worker. `protected` where it copied Dispatch Station (R15); `recalled` until the next round (R32)."""

    place: str = POOL
    components: Kinds = ()
    recalled: bool = False
    protected: bool = False


class Tally(Value, frozen=True):
    """What a seat has scored so far from one source."""

    source: Source
    piece: str | None
    points: Annotated[int, Meta(ge=-(2**31), le=2**31)]


class Player(Value, frozen=True):
    """What a seat has. `score` is the sum of the tallies; `card` is the starting card until it is spent."""

    board: str
    score: Count
    coins: Count
    food: Count
    research: Count
    storage: Kinds
    workers: Annotated[tuple[Worker, ...], Meta(max_length=2 * MOST_WORKERS)]
    perks: Modules = ()
    card: str | None = None
    tallies: Annotated[tuple[Tally, ...], Meta(max_length=1_000)] = ()


class Built(Value, frozen=True):
    """A module on the map."""

    space: str
    module: str


class Action(Value, frozen=True):
    """What an action has gained so far, for the extras of its worker's tentacles and for Prime Specimen."""

    seat: SeatNumber
    worker: str
    coins: bool = False
    food: bool = False
    kinds: DistinctKinds = ()
    scored: bool = False


class State(Value, frozen=True):
    """Everything, hidden things included. Decks have their top first; the reactor's spaces go from left to right."""

    round: Count
    phase: Phase
    start: SeatNumber
    """Who has the start player marker."""
    supply: Supply
    players: Annotated[tuple[Player, ...], Meta(max_length=10)]
    reactor: Annotated[tuple[str | None, ...], Meta(max_length=2 * MOST_REACTOR_SPACES)]
    deck: Modules
    perk_deck: Modules
    discards: Modules = ()
    drawn: str | None = None
    """The module that the Quantum Constructor has drawn, until it is built."""
    built: Annotated[tuple[Built, ...], Meta(max_length=MOST_SPACES)] = ()
    display: Modules = ()
    """The perks that can be taken."""
    perk_discards: Modules = ()
    marker_moved: bool = False
    """Whether the marker has changed hands in this round."""
    agenda: Annotated[tuple[Owed, ...], Meta(max_length=MOST_OWED)] = ()
    """What is owed, the next first."""
    actions: Annotated[tuple[Action, ...], Meta(max_length=MOST_OWED)] = ()
    """The actions under way, the innermost last."""
    specimen: bool = False
    """Whether Prime Specimen scores at the end of this turn (R22)."""


def worker_id(seat: Seat, number: int) -> str:
    """The name of a worker."""
    return f"{seat}-{number}"


def seat_of(worker: str) -> Seat:
    """Whose worker it is."""
    return int(worker[0])


def worker_of(state: State, worker: str) -> Worker:
    """A worker by its name."""
    return state.players[int(worker[0])].workers[int(worker[2:])]


def is_in_play(state: State, worker: str) -> bool:
    """Whether there is a worker of this name, outside of the reserve."""
    names = (f"{seat}-{number}" for seat, each in enumerate(state.players) for number in range(len(each.workers)))
    return worker in names and worker_of(state, worker).place != RESERVE


def is_placed(worker: Worker) -> bool:
    """Whether a worker stands on a module, a perk module, in a slot or in the lounge."""
    return worker.place not in {POOL, RESERVE}
