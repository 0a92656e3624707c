"""What a seat can do, and the options that a game is created with."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from domain.kernel.terms import Seat
from domain.kernel.value import Value

Faction: TypeAlias = Literal["brainiacs", "eco_friendlies", "toughies", "weirdos"]
FACTIONS: tuple[Faction, ...] = ("brainiacs", "eco_friendlies", "toughies", "weirdos")
Number: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]


class Options(Value, frozen=True):
    """Everyone plays the standard board, or each seat another faction: as listed by seat, or drawn (R35)."""

    sides: Literal["standard", "factions"] = "standard"
    factions: Annotated[tuple[Faction, ...], Meta(min_length=2, max_length=4)] | None = None


class TakeCard(Value, frozen=True, tag="chimera.take_card"):
    """Take a starting card and gain what it shows."""

    card: str


class PlaceWorker(Value, frozen=True, tag="chimera.place_worker"):
    """Place a worker on a module, in the Splicing Lab or in the Worker Lounge, ejecting the one that is there."""

    worker: str
    to: str


class Flush(Value, frozen=True, tag="chimera.flush"):
    """Spend the starting card: discard some modules of the reactor and refill it."""

    modules: tuple[str, ...]


class EndTurn(Value, frozen=True, tag="chimera.end_turn"):
    """End the turn and keep the starting card."""


class TakeCoinsAndFood(Value, frozen=True, tag="chimera.take_coins_and_food"):
    """Take a number of coins and a number of food."""

    coins: Number
    food: Number


class TakeComponent(Value, frozen=True, tag="chimera.take_component"):
    """Take a component of a kind."""

    component: str


class TakePerk(Value, frozen=True, tag="chimera.take_perk"):
    """Take a perk from the display."""

    perk: str


class ChooseOption(Value, frozen=True, tag="chimera.choose_option"):
    """Do one of the things that a module offers."""

    option: str


class BuildModule(Value, frozen=True, tag="chimera.build_module"):
    """Build a module on a free space, paying its cost wholly in coins or wholly in food."""

    module: str
    space: str
    pay: str


class ChooseSpace(Value, frozen=True, tag="chimera.choose_space"):
    """Build the module drawn on a space, or gain the bonus of one."""

    space: str


class ChooseModule(Value, frozen=True, tag="chimera.choose_module"):
    """Copy or activate a module."""

    module: str


class RecallWorker(Value, frozen=True, tag="chimera.recall_worker"):
    """Put an own placed worker back into the pool."""

    worker: str


class EjectWorker(Value, frozen=True, tag="chimera.eject_worker"):
    """Send a placed worker to the lounge."""

    worker: str


class SwapWorkers(Value, frozen=True, tag="chimera.swap_workers"):
    """Swap an own worker with an opponent's."""

    own: str
    other: str


class SpliceWorker(Value, frozen=True, tag="chimera.splice_worker"):
    """The components that the worker carries from now on, in the order of their names."""

    components: tuple[str, ...]


class AttachComponents(Value, frozen=True, tag="chimera.attach_components"):
    """Attach components to this worker, in the order of their names."""

    components: tuple[str, ...]


class DetachComponents(Value, frozen=True, tag="chimera.detach_components"):
    """Detach components of this worker, in the order of their names."""

    components: tuple[str, ...]


class RemoveComponents(Value, frozen=True, tag="chimera.remove_components"):
    """Remove components of a worker to the supply, in the order of their names."""

    worker: str
    components: tuple[str, ...]


class ReturnComponents(Value, frozen=True, tag="chimera.return_components"):
    """Put components from storage back into the supply, in the order of their names."""

    components: tuple[str, ...]


class DiscardPerk(Value, frozen=True, tag="chimera.discard_perk"):
    """Score an own perk as at game end and discard it."""

    perk: str


class Give(Value, frozen=True, tag="chimera.give"):
    """Give a coin or a food."""

    resource: str


class TakeTribute(Value, frozen=True, tag="chimera.take_tribute"):
    """Take a number of coins from each of these seats."""

    seats: tuple[Seat, ...]
    coins: Number


class ApplyEffect(Value, frozen=True, tag="chimera.apply_effect"):
    """Do what may be done: move onto the module just built, or apply the effect of the module now stood on."""


class Decline(Value, frozen=True, tag="chimera.decline"):
    """Do not do what may be done."""


Move: TypeAlias = (
    TakeCard
    | PlaceWorker
    | Flush
    | EndTurn
    | TakeCoinsAndFood
    | TakeComponent
    | TakePerk
    | ChooseOption
    | BuildModule
    | ChooseSpace
    | ChooseModule
    | RecallWorker
    | EjectWorker
    | SwapWorkers
    | SpliceWorker
    | AttachComponents
    | DetachComponents
    | RemoveComponents
    | ReturnComponents
    | DiscardPerk
    | Give
    | TakeTribute
    | ApplyEffect
    | Decline
)
