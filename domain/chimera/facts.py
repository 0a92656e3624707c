"""What happened, as outcomes: the facts that are logged, their forms for those who may not see all, and their draws.

Everything lies open but the order of the two decks, so only set-up and shuffles have a form of their own for viewers.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from domain.chimera.agenda import Owed
from domain.chimera.effects import Kind, Source
from domain.chimera.state import Action, Kinds, Phase, Supply
from domain.kernel.chance import Draw
from domain.kernel.redaction import unseen
from domain.kernel.terms import Seat
from domain.kernel.value import Hides, Value


class Beginning(Value, frozen=True):
    """What a seat begins with: its board, the tier it starts at, and how many workers."""

    board: str
    research: int
    pool: int
    reserve: int


class GameSetUp(Value, frozen=True, tag="chimera.game_set_up"):
    """The first fact: decks were shuffled, boards and the start player drawn.

    `order` is a drawn order of the seats, and its first has the marker; `factions` a drawn order of the boards, which
    go to the seats in turn, or empty where nothing was drawn.
    """

    beginnings: tuple[Beginning, ...]
    supply: Supply
    spaces: int
    """Of the reactor."""
    order: tuple[Seat, ...]
    factions: tuple[str, ...]
    deck: tuple[str, ...]
    perk_deck: tuple[str, ...]

    hides = Hides("The set-up without the order of the decks.", counts=("deck", "perk_deck"))


class AgendaSet(Value, frozen=True, tag="chimera.agenda_set"):
    """What is owed now, the next first, and the actions under way."""

    agenda: tuple[Owed, ...]
    actions: tuple[Action, ...]
    specimen: bool

    hides = Hides()


class RoundBegun(Value, frozen=True, tag="chimera.round_begun"):
    """A round began; nobody counts as recalled, and the marker may change hands again."""

    round: int


class PhaseBegun(Value, frozen=True, tag="chimera.phase_begun"):
    """A phase of the round began, or the game is over."""

    phase: Phase


class CardTaken(Value, frozen=True, tag="chimera.card_taken"):
    """A seat took a starting card."""

    seat: Seat
    card: str


class CardSpent(Value, frozen=True, tag="chimera.card_spent"):
    """A seat spent its starting card on a flush."""

    seat: Seat


class PointsScored(Value, frozen=True, tag="chimera.points_scored"):
    """A seat scored, or lost points: where from, and by which piece."""

    seat: Seat
    points: int
    source: Source
    piece: str | None


class ResourcesChanged(Value, frozen=True, tag="chimera.resources_changed"):
    """A seat got or paid coins and food."""

    seat: Seat
    coins: int
    food: int


class ComponentGained(Value, frozen=True, tag="chimera.component_gained"):
    """A component went from the supply to a storage."""

    seat: Seat
    component: Kind


class ComponentsReturned(Value, frozen=True, tag="chimera.components_returned"):
    """Components went from a storage to the supply."""

    seat: Seat
    components: Kinds


class ComponentImplanted(Value, frozen=True, tag="chimera.component_implanted"):
    """A component went from the supply straight to a worker."""

    worker: str
    component: Kind


class ComponentsRemoved(Value, frozen=True, tag="chimera.components_removed"):
    """Components of a worker went to the supply."""

    worker: str
    components: Kinds


class WorkerSpliced(Value, frozen=True, tag="chimera.worker_spliced"):
    """Components went between a worker and its owner's storage; these are those of each now."""

    worker: str
    components: Kinds
    storage: Kinds


class WorkerPlaced(Value, frozen=True, tag="chimera.worker_placed"):
    """A worker was placed."""

    worker: str
    to: str


class WorkerMoved(Value, frozen=True, tag="chimera.worker_moved"):
    """A worker moved onto the module that was just built."""

    worker: str
    to: str


class WorkerEjected(Value, frozen=True, tag="chimera.worker_ejected"):
    """A worker was ejected into the lounge, by the claw of another or by none."""

    worker: str
    by: str | None


class WorkerRecalled(Value, frozen=True, tag="chimera.worker_recalled"):
    """A worker went back to the pool."""

    worker: str


class WorkersSwapped(Value, frozen=True, tag="chimera.workers_swapped"):
    """Two workers swapped places."""

    own: str
    own_to: str
    other: str
    other_to: str


class WorkerProtected(Value, frozen=True, tag="chimera.worker_protected"):
    """A worker cannot be ejected nor recalled until it leaves."""

    worker: str


class WorkerJoined(Value, frozen=True, tag="chimera.worker_joined"):
    """A worker came from the reserve to the pool."""

    worker: str


class WorkersReturned(Value, frozen=True, tag="chimera.workers_returned"):
    """All workers returned to their pools."""


class Commanded(Value, frozen=True, tag="chimera.commanded"):
    """A seat commanded these modules."""

    seat: Seat
    modules: tuple[str, ...]


class MarkerTaken(Value, frozen=True, tag="chimera.marker_taken"):
    """A seat took the start player marker from another."""

    seat: Seat
    previous: Seat


class ResearchAdvanced(Value, frozen=True, tag="chimera.research_advanced"):
    """A seat went one step up the track, or past its end."""

    seat: Seat
    tier: int


class ModuleBuilt(Value, frozen=True, tag="chimera.module_built"):
    """A module was built."""

    seat: Seat
    module: str
    space: str
    source: Literal["reactor", "discards", "drawn"]


class ModuleDrawn(Value, frozen=True, tag="chimera.module_drawn"):
    """The top module of the deck was drawn to be built."""

    module: str


class ModulesDiscarded(Value, frozen=True, tag="chimera.modules_discarded"):
    """Modules of the reactor were discarded."""

    modules: tuple[str, ...]


class ReactorSlid(Value, frozen=True, tag="chimera.reactor_slid"):
    """The modules in the reactor slid to the right: this is how it lies now."""

    reactor: tuple[str | None, ...]


class ReactorFilled(Value, frozen=True, tag="chimera.reactor_filled"):
    """The top modules of the deck came into the reactor: this is how it lies now."""

    drawn: tuple[str, ...]
    reactor: tuple[str | None, ...]


class DeckShuffled(Value, frozen=True, tag="chimera.deck_shuffled"):
    """The discards became the module deck, for the `repeat`-th time in this event (from 0)."""

    deck: tuple[str, ...]
    repeat: int

    hides = Hides(
        "The discards became the module deck, in an order that nobody sees.", counts=("deck",), drops=("repeat",)
    )


class PerksShown(Value, frozen=True, tag="chimera.perks_shown"):
    """The top perks of the deck were put on display."""

    perks: tuple[str, ...]


class PerkTaken(Value, frozen=True, tag="chimera.perk_taken"):
    """A seat took a perk from the display, or drew the top one of the deck."""

    seat: Seat
    perk: str
    drawn: bool


class PerkDiscarded(Value, frozen=True, tag="chimera.perk_discarded"):
    """A seat discarded a perk."""

    seat: Seat
    perk: str


class PerkDeckShuffled(Value, frozen=True, tag="chimera.perk_deck_shuffled"):
    """The discarded perks became the perk deck, for the `repeat`-th time in this event (from 0)."""

    deck: tuple[str, ...]
    repeat: int

    hides = Hides(
        "The discarded perks became the perk deck, in an order that nobody sees.", counts=("deck",), drops=("repeat",)
    )


Open: TypeAlias = (
    RoundBegun
    | PhaseBegun
    | CardTaken
    | CardSpent
    | PointsScored
    | ResourcesChanged
    | ComponentGained
    | ComponentsReturned
    | ComponentImplanted
    | ComponentsRemoved
    | WorkerSpliced
    | WorkerPlaced
    | WorkerMoved
    | WorkerEjected
    | WorkerRecalled
    | WorkersSwapped
    | WorkerProtected
    | WorkerJoined
    | WorkersReturned
    | Commanded
    | MarkerTaken
    | ResearchAdvanced
    | ModuleBuilt
    | ModuleDrawn
    | ModulesDiscarded
    | ReactorSlid
    | ReactorFilled
    | PerksShown
    | PerkTaken
    | PerkDiscarded
)
"""Facts that all may see."""

Fact: TypeAlias = Open | AgendaSet | GameSetUp | DeckShuffled | PerkDeckShuffled

GameSetUpUnseen = unseen(GameSetUp)
DeckShuffledUnseen = unseen(DeckShuffled)
PerkDeckShuffledUnseen = unseen(PerkDeckShuffled)


def reveals(fact: Fact) -> bool:
    """Whether a fact lays open the top of a deck."""
    match fact:
        case ModuleDrawn():
            return True
        case ReactorFilled():
            return bool(fact.drawn)
        case PerksShown():
            return bool(fact.perks)
        case PerkTaken():
            return fact.drawn
        case _:
            return False


def draws(fact: Fact) -> tuple[Draw, ...]:
    """The draws that a fact records, in the order in which they were made."""
    match fact:
        case GameSetUp():
            boards = (Draw("factions", tuple(sorted(fact.factions)), fact.factions),) if fact.factions else ()
            return (
                *boards,
                Draw("start", tuple(sorted(fact.order)), fact.order),
                Draw("deck", tuple(sorted(fact.deck)), fact.deck),
                Draw("perk_deck", tuple(sorted(fact.perk_deck)), fact.perk_deck),
            )
        case DeckShuffled():
            return (Draw("reshuffle", tuple(sorted(fact.deck)), fact.deck, fact.repeat),)
        case PerkDeckShuffled():
            return (Draw("perk_reshuffle", tuple(sorted(fact.deck)), fact.deck, fact.repeat),)
        case _:
            return ()
