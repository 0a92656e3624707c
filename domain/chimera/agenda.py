"""The agenda: what effects become while they are resolved, the course of the game, and what is owed.

Phases are effects as well: a round is a slot, a pass, a meal. `Owed` is what waits: an effect, the seat that it is
resolved for, and all that it needs to know of where it came from.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.chimera.effects import Amount, Effect, Kind, Source, SpaceId
from domain.chimera.material import KINDS, MOST_CARDS
from domain.kernel.terms import Seat
from domain.kernel.value import Value

SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=-1_000, le=1_000)]
"""A seat in a position from outside: `check` refuses what is no seat and says why, this what is no small number."""
DistinctKinds: TypeAlias = Annotated[tuple[Kind, ...], Meta(max_length=2 * len(KINDS))]


class ComponentChoice(Value, frozen=True, omit_defaults=True, tag="chimera.component_choice"):
    """A component of a kind that the supply has. `barren` as in a gain."""

    barren: bool = False


class PerkChoice(Value, frozen=True, tag="chimera.perk_choice"):
    """A perk from the display; then the display is filled up."""


class FoodExchange(Value, frozen=True, omit_defaults=True, tag="chimera.food_exchange"):
    """Grocer: take gained food, or one more coin than it is. `barren` as in a gain."""

    food: Amount
    barren: bool = False


class ExtraComponent(Value, frozen=True, tag="chimera.extra_component"):
    """Two tentacles: one more component of a kind gained in the action."""

    kinds: DistinctKinds


class Weirdness(Value, frozen=True, tag="chimera.weirdness"):
    """Weirdos: a component of any kind if this worker has two tentacles now."""


class Space(Value, frozen=True, tag="chimera.space"):
    """Choose where the module drawn is built."""

    module: str


class Bonus(Value, frozen=True, tag="chimera.bonus"):
    """What is printed on a build space: of a build, or of a free space for the Zoning Board."""

    space: SpaceId
    built: bool


class Activation(Value, frozen=True, tag="chimera.activation"):
    """The effect of a module adjacent to a space, without a worker (R30)."""

    space: SpaceId


class Slide(Value, frozen=True, tag="chimera.slide"):
    """Slide the reactor to the right."""


class Onward(Value, frozen=True, tag="chimera.onward"):
    """This worker may move onto the module just built and apply its effect."""

    module: str


class Use(Value, frozen=True, tag="chimera.use"):
    """Apply the effect of the module just built, if it can be resolved (R34)."""

    module: str


class SwappedUse(Value, frozen=True, tag="chimera.swapped_use"):
    """A swapped worker's owner may apply the effect of the module that it now stands on (R19)."""


class Overload(Value, frozen=True, tag="chimera.overload"):
    """Geneticist is lost: detach the third component of this worker (R20)."""


class Gift(Value, frozen=True, tag="chimera.gift"):
    """Beggar's Alley: this seat may give something to another."""

    to: SeatNumber


class Tribute(Value, frozen=True, tag="chimera.tribute"):
    """Warlord: take two coins from one opponent, or one from each."""


class Arrival(Value, frozen=True, tag="chimera.arrival"):
    """A worker has been placed on a module: brain points, then the module's effect."""

    module: str


class Splice(Value, frozen=True, tag="chimera.splice"):
    """A worker has been placed in the Splicing Lab: detach any number of components, then attach any number."""


class ActionEnd(Value, frozen=True, tag="chimera.action_end"):
    """All that followed from a placing is done: the extras of its worker's tentacles."""


class ActionClose(Value, frozen=True, tag="chimera.action_close"):
    """The extras are paid: the innermost action is over."""


class Draft(Value, frozen=True, tag="chimera.draft"):
    """Take one of the starting cards of the open hand, and pass the rest on."""

    cards: Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)]


class RoundStart(Value, frozen=True, tag="chimera.round_start"):
    """A round begins."""

    round: Annotated[int, Meta(ge=1, le=99)]


class RoundOpening(Value, frozen=True, tag="chimera.round_opening"):
    """The station has developed: what comes in at the start of every round."""


class Turns(Value, frozen=True, tag="chimera.turns"):
    """The placement phase: a turn for the next seat whose pool holds a worker, from this one on."""

    next: SeatNumber


class Turn(Value, frozen=True, omit_defaults=True, tag="chimera.turn"):
    """A turn: place a worker from the pool, or the one named, which is re-placed."""

    again: str | None = None


class TurnEnd(Value, frozen=True, tag="chimera.turn_end"):
    """The worker is placed: flush, or end the turn."""


class TurnClose(Value, frozen=True, tag="chimera.turn_close"):
    """A turn is over: Prime Specimen."""


class SlotTurn(Value, frozen=True, tag="chimera.slot_turn"):
    """The splicing lab phase comes to a slot."""

    slot: str


class Passes(Value, frozen=True, tag="chimera.passes"):
    """While any pool holds a worker, each seat with one places one (R3)."""


class Redispatch(Value, frozen=True, tag="chimera.redispatch"):
    """The worker on the Dispatch perk is re-placed (R24)."""


class Feeding(Value, frozen=True, tag="chimera.feeding"):
    """All workers return to their pools, double leaves produce, everyone eats."""


class Meal(Value, frozen=True, tag="chimera.meal"):
    """A seat feeds its workers."""


class Hunger(Value, frozen=True, tag="chimera.hunger"):
    """Missing food: each costs a component, or two points."""

    missing: Annotated[int, Meta(ge=1, le=99)]


class RoundEnd(Value, frozen=True, tag="chimera.round_end"):
    """A round is over: the next one, or the end of the game."""


Resolving: TypeAlias = (
    ComponentChoice
    | PerkChoice
    | FoodExchange
    | ExtraComponent
    | Weirdness
    | Space
    | Bonus
    | Activation
    | Slide
    | Onward
    | Use
    | SwappedUse
    | Overload
    | Gift
    | Tribute
    | Arrival
    | Splice
    | ActionEnd
    | ActionClose
)
"""What an effect becomes while it is resolved."""

Flow: TypeAlias = (
    Draft
    | RoundStart
    | RoundOpening
    | Turns
    | Turn
    | TurnEnd
    | TurnClose
    | SlotTurn
    | Passes
    | Redispatch
    | Feeding
    | Meal
    | Hunger
    | RoundEnd
)
"""The course of the game."""


class Owed(Value, frozen=True, omit_defaults=True):
    """An effect that is still to be resolved, the seat that it is resolved for, and where it came from."""

    seat: SeatNumber
    effect: Effect | Resolving | Flow
    worker: str | None = None
    """This worker; none in an effect without a worker (R30)."""
    acting: str | None = None
    """The worker whose action it is in, which a recall cannot take (R32) and whose leaf Grocer looks at."""
    place: str | None = None
    """This module: where the effect takes place, also when it is copied (R14)."""
    chain: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    """The modules that copied one another down to this one (R16)."""
    source: Source = "effect"
    piece: str | None = None
    """What asks and scores: a module, perk, card or space by its id."""
    outside: bool = False
    """What an ejection brings: part of nobody's action (R21, R22)."""

    @property
    def own(self) -> str:
        """This worker, in an effect that there cannot be without one."""
        if self.worker is None:
            raise TypeError(f"{self} has no worker")
        return self.worker
