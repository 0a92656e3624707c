"""Effects as data: what a module, perk or space does, and what a seat still owes the game.

The struct that a module is written in is the struct that waits. The state's *agenda* is a tuple of `Owed`, the next one
first: an effect, the seat that it is resolved for, and all that it needs to know of where it came from. Resolving
takes the first, emits facts, and puts in front what it entails, until the first is a question that only its seat can
answer. Phases are effects as well: a round is a slot, a pass, a meal. So a game can wait in the middle of any nested
effect and be stored as it stands. Effects are nouns, as moves are imperatives and facts are past tense.

Here is what can be written on a piece; `agenda.py` has what an effect becomes while it is resolved, and `Owed`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from domain.kernel.value import Value

Kind: TypeAlias = Literal["brain", "claw", "leaf", "tentacle"]
"""The four kinds of component. Their powers are rules, so a component set can name no others."""

Reward: TypeAlias = Literal[
    "points", "coins", "food", "brain", "claw", "leaf", "tentacle", "any_components", "workers", "research", "perks"
]
"""What can be gained; several at once come in this order (R49)."""

Counted: TypeAlias = Literal[
    "round",
    "tier",
    "brain",
    "claw",
    "leaf",
    "tentacle",
    "lounge",
    "placed",
    "equipped",
    "adjacent_modules",
    "adjacent_workers",
    "adjacent_components",
    "hub_neighbours",
    "gold_modules",
]
"""What an amount can depend on. A kind counts on this worker; `placed` and `equipped` are the seat's own workers."""

Source: TypeAlias = Literal[
    "start",
    "brain",
    "command",
    "effect",
    "build",
    "bonus",
    "reactor",
    "research",
    "card",
    "perk",
    "shortage",
    "hunger",
    "union_hall",
    "coins",
    "food",
    "components",
    "perk_end",
]
"""Where points come from, as the lines of the final score name it."""

Amount: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
SpaceId: TypeAlias = str
"""A hex as `q,r` (R50)."""


class Gain(Value, frozen=True, omit_defaults=True, tag="chimera.gain"):
    """So much of something: base + per * (what is counted // every). `barren`: brings no extra of a tentacle."""

    what: Reward
    base: Amount = 0
    per: Amount = 0
    of: Counted | None = None
    every: Annotated[int, Meta(ge=1, le=9)] = 1
    barren: bool = False


class Mix(Value, frozen=True, omit_defaults=True, tag="chimera.mix"):
    """A number of coins and food, in any mix."""

    base: Amount = 0
    per: Amount = 0
    of: Counted | None = None


class Payment(Value, frozen=True, omit_defaults=True, tag="chimera.payment"):
    """Coins and food to be paid to the bank."""

    coins: Amount
    food: Amount = 0


class Option(Value, frozen=True):
    """One of several things to do."""

    id: str
    effects: Annotated[tuple[Effect, ...], Meta(max_length=20)]


class Choice(Value, frozen=True, tag="chimera.choice"):
    """One of the options, of those that can be resolved."""

    options: Annotated[tuple[Option, ...], Meta(max_length=20)]


class Command(Value, frozen=True, tag="chimera.command"):
    """Score the values of the board modules on which opponents' workers stand."""


class Marker(Value, frozen=True, tag="chimera.marker"):
    """Take the start player marker, if it has not changed hands in this round."""


class BoilerTable(Value, frozen=True, tag="chimera.boiler_table"):
    """What the component set gives for each component on this worker."""


class ReactorRewards(Value, frozen=True, omit_defaults=True, tag="chimera.reactor_rewards"):
    """The current reactor rewards: once, or once per component on this worker; `boiling` in the Boiler Room."""

    per_component: bool = False
    boiling: bool = False


class Refill(Value, frozen=True, tag="chimera.refill"):
    """Slide the reactor to the right and fill it from the deck, without rewards."""


class Build(Value, frozen=True, tag="chimera.build"):
    """Build a module at its cost; then nothing more, or this worker may move onto it, or its effect is applied."""

    source: Literal["reactor", "discards"]
    then: Literal["nothing", "move", "apply"] = "nothing"


class ModuleDraw(Value, frozen=True, tag="chimera.module_draw"):
    """Draw the top module of the deck and build it at no cost."""


class Recall(Value, frozen=True, omit_defaults=True, tag="chimera.recall"):
    """Put one own placed worker back into the pool; `bonus` where it is printed on the space just built on (R32)."""

    bonus: bool = False


class Detachment(Value, frozen=True, tag="chimera.detachment"):
    """Detach a component of this worker."""


class Implant(Value, frozen=True, tag="chimera.implant"):
    """Attach any component straight from the supply to this worker."""


class Rework(Value, frozen=True, tag="chimera.rework"):
    """Attach, detach or remove any number of this worker's components, and gain something for each."""

    how: Literal["attach", "detach", "remove"]
    each: Gain


class Return(Value, frozen=True, tag="chimera.return"):
    """Components from storage to the supply."""

    count: Annotated[int, Meta(ge=1, le=9)]


class Copy(Value, frozen=True, tag="chimera.copy"):
    """Apply the effect of an adjacent module, or of one on which a worker stands after its value is paid in food."""

    of: Literal["adjacent", "occupied"]


class Protection(Value, frozen=True, tag="chimera.protection"):
    """A worker standing here is neither recalled nor ejected (R15)."""


class PerkScoring(Value, frozen=True, tag="chimera.perk_scoring"):
    """Score an own perk as at game end and discard it."""


class Gifts(Value, frozen=True, tag="chimera.gifts"):
    """Each opponent, clockwise, may give a coin or a food and then scores a point."""


class Placement(Value, frozen=True, omit_defaults=True, tag="chimera.placement"):
    """Place another worker from the pool at once; `needed` where the effect cannot be used without one (R17)."""

    needed: bool = False


class ReactorDiscard(Value, frozen=True, tag="chimera.reactor_discard"):
    """Discard all modules of the reactor."""


class Ejection(Value, frozen=True, tag="chimera.ejection"):
    """Eject placed workers, anyone's, one after the other."""

    count: Annotated[int, Meta(ge=1, le=9)]


class Swap(Value, frozen=True, tag="chimera.swap"):
    """Swap an own worker with an opponent's; then both may apply what they stand on."""


class Zoning(Value, frozen=True, tag="chimera.zoning"):
    """Gain the bonus of a free build space."""


Effect: TypeAlias = (
    Gain
    | Mix
    | Payment
    | Choice
    | Command
    | Marker
    | BoilerTable
    | ReactorRewards
    | Refill
    | Build
    | ModuleDraw
    | Recall
    | Detachment
    | Implant
    | Rework
    | Return
    | Copy
    | Protection
    | PerkScoring
    | Gifts
    | Placement
    | ReactorDiscard
    | Ejection
    | Swap
    | Zoning
)
"""What can be written on a piece."""
