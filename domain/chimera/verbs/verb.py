"""Verbs: an effect together with all that the rules know about it.

A verb is declared once, below the functions that it is made of: by `effect` if it can be written on a piece, by
`consequence` if effects become it while they are resolved, by `phase` if it is part of the course of the game. A
declaration says whether the effect can be resolved, whether a position from outside may owe it, and how it is resolved:
at once by a function, or by a question to the seat that owes it. Nobody else ever answers for that seat. `table.py`
refuses to be imported while an effect lacks its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.chimera.agenda import Arrival, Flow, Onward, Owed, Resolving, Use
from domain.chimera.effects import Effect
from domain.chimera.impossible import require
from domain.chimera.material import Material
from domain.chimera.moves import Decline
from domain.chimera.pieces.index import PRINTED
from domain.chimera.state import Kinds, State
from domain.chimera.timeline.crew import Crew
from domain.chimera.timeline.scene import Scene
from domain.chimera.verbs.resolution import Resolution
from domain.kernel.legal import Offer, OneOf
from domain.kernel.words import Names

E = TypeVar("E", bound=Effect | Resolving | Flow)
Offers: TypeAlias = tuple[Offer, ...]
Resolve: TypeAlias = Callable[[Resolution, Owed, E], None]
Fits: TypeAlias = Callable[[Material, State, Owed, E], None]
"""Refuses what no game could owe; `demand` raises."""


_DECLINE = Offer(Decline, ({},))


class Purse:
    """What a seat can pay with while effects are judged one after the other."""

    __slots__ = ("coins", "food")

    def __init__(self, coins: int, food: int) -> None:
        self.coins = coins
        self.food = food


class Possible(Struct, Generic[E], frozen=True):
    """Whether an effect can be resolved (R2)."""

    judge: Callable[[Material, State, Owed, E, Purse], bool] | None
    """None where it always can; the purse is changed by what the effect gives and takes."""
    certain: bool = False
    """Whether every worker that has just been placed can resolve it, so that it need not be tried."""
    positional: bool = False
    """Whether that depends on where workers stand."""
    blind: bool = False
    """Whether what comes after it cannot be judged before it is done (R41)."""


class Declining(Struct, Generic[E], frozen=True):
    """The answer that leaves an effect undone."""

    words: Callable[[Scene, Crew, Owed, E], Names]
    """What the timeline says of it."""
    may: Callable[[State, Owed], bool] | None = None
    """Who may decline; None: everyone who has a choice."""


class Question(Struct, Generic[E], frozen=True):
    """What the seat that owes an effect is asked."""

    choices: Callable[[Material, State, Owed, E], Offers]
    """No choice: there is nothing to ask. Exactly one answer: it is taken without asking (R25)."""
    answer: Callable[[Resolution, Owed, Any, E], None]
    """What the move that was chosen brings about; declining brings about nothing."""
    declines: Declining[E] | None = None
    unanswerable: Resolve[E] | None = None
    """What happens where there is nothing to ask; elsewhere the effect is lost (R9)."""
    asked_if: Callable[[State, Owed, E], bool] | None = None
    """Of a question that is asked even where it has one answer (R25): whether it is asked at all."""

    def offers(self, material: Material, state: State, owed: Owed, effect: E) -> Offers:
        """All answers, declining included."""
        found = self.choices(material, state, owed, effect)
        if self.declines is None or not (found if self.declines.may is None else self.declines.may(state, owed)):
            return found
        return (*found, _DECLINE)


Workers: TypeAlias = Literal["any", "needed", "foreign", "idle"]
"""The worker in the effect: an own one or none; one without which it is impossible (R30); or one that may be another
seat's; or one that is needed outside of an action."""


class Verb(Struct, Generic[E], frozen=True):
    """An effect with all that the rules know about it."""

    effect: type[E]
    kind: Literal["effect", "consequence", "phase"]
    possible: Possible[E] | None
    """None where it is owed only once that has been seen to."""
    fits: Fits[E] | None
    """None where nothing about it could be wrong."""
    worker: Workers
    resolve: Resolve[E] | None
    """How it is resolved, where that takes no answer."""
    asks: Question[E] | None

    def __post_init__(self) -> None:
        if (self.resolve is None) == (self.asks is None):
            raise TypeError(f"{self.effect.__name__} is resolved at once or asks, and must say how")

    @property
    def needs_worker(self) -> bool:
        """Whether there is no such effect without a worker."""
        return self.worker in {"needed", "idle"}


VERBS: dict[type, Verb[Any]] = {}
"""All verbs by their effects; to be read from `table.py`, which sees to it that none is missing."""


ALWAYS: Possible[Any] = Possible(None, certain=True)


def is_answerable(material: Material, state: State, owed: Owed, asked: Effect | Resolving, _purse: Purse) -> bool:
    """Judge an effect by its question: a choice that must be made needs a candidate."""
    asks = VERBS[type(asked)].asks
    return asks is not None and bool(asks.offers(material, state, owed, asked))


def effect(
    struct: type[E],
    *,
    possible: Possible[E],
    fits: Fits[E] | None,
    resolve: Resolve[E] | None = None,
    asks: Question[E] | None = None,
    worker: Workers = "any",
) -> None:
    """Declare an effect that can be written on a piece."""
    _declare(Verb(struct, "effect", possible, fits, worker, resolve, asks))


def consequence(
    struct: type[E],
    *,
    possible: Possible[E] | None = None,
    fits: Fits[E] | None,
    resolve: Resolve[E] | None = None,
    asks: Question[E] | None = None,
    worker: Workers = "any",
) -> None:
    """Declare what an effect becomes while it is resolved; only where a bonus is one is it judged beforehand."""
    _declare(Verb(struct, "consequence", possible, fits, worker, resolve, asks))


def phase(
    struct: type[E], *, fits: Fits[E] | None, resolve: Resolve[E] | None = None, asks: Question[E] | None = None
) -> None:
    """Declare a part of the course of the game."""
    _declare(Verb(struct, "phase", None, fits, "any", resolve, asks))


def _declare(verb: Verb[Any]) -> None:
    if verb.effect in VERBS:
        raise TypeError(f"{verb.effect.__name__} is declared twice")
    VERBS[verb.effect] = verb


def require_printed(_material: Material, _state: State, _owed: Owed, effect: Effect) -> None:
    """Refuse an effect that is written on no module."""
    require(effect in PRINTED, "agenda", "an unknown effect")


def require_module(material: Material, _state: State, _owed: Owed, at: Arrival | Onward | Use) -> None:
    """Refuse an effect about a module that there is not."""
    require(at.module in material.places, "agenda", f"{at.module} is no module")


def offer_one(move: type, field: str, values: Sequence[str]) -> Offers:
    """One of several values; nothing where there are none."""
    return (Offer(move, ({field: OneOf(tuple(values))},)),) if values else ()


def offer_sets(move: type, sets: list[Kinds]) -> Offers:
    """One of several sets of components; nothing where there are none."""
    return (Offer(move, tuple({"components": each} for each in sets)),) if sets else ()
