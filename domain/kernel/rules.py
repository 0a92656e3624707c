"""The protocol that a title implements, and the values that it hands to everyone else.

A title is a folder. `Title` is what is known without a component set; `Title.load` checks and parses the text of a
component set, and `Title.bind` gives the `Rules` bound to it. Facts, not moves, rebuild a state: `evolve` is total and
consults neither rules nor components, so a rule fix never changes what has happened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce, wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct

from domain.kernel import component_text, redaction
from domain.kernel.chance import Chance, Draw
from domain.kernel.legal import LegalMoves
from domain.kernel.results import Result
from domain.kernel.tagged_unions import members
from domain.kernel.terms import Seat, Viewer
from domain.kernel.value import Value

Material = TypeVar("Material")
State = TypeVar("State")
Move = TypeVar("Move")
Move_contra = TypeVar("Move_contra", contravariant=True)
Fact = TypeVar("Fact")
Answer = TypeVar("Answer")
Parameters = ParamSpec("Parameters")


class Piece(Struct, frozen=True):
    """A piece of a component set as a frontend shows it: names and effect in words by language, figures as they are."""

    id: str
    kind: str
    names: Mapping[str, str]
    text: Mapping[str, str]
    figures: Mapping[str, Any]


class ComponentSet(Struct, frozen=True):
    """A component set as it is served: pieces in the order of the set."""

    id: str
    title: str
    pieces: tuple[Piece, ...]


class Rules(Protocol[State, Move_contra, Fact]):
    """A title's rules, bound to a component set. Pure; every method may be called any number of times.

    `BoundRules` has what titles share.
    """

    @property
    def components(self) -> ComponentSet:
        """The component set as it is served."""
        ...

    def check_options(self, options: Any, seats: int) -> None:
        """Raise `Rejected("bad-options")` for options that do not fit the number of seats."""
        ...

    def begin(self, options: Any, seats: int, chance: Chance) -> tuple[Fact, ...]:
        """The facts that set a game up; the first one makes a state from None."""
        ...

    def evolve(self, state: State | None, fact: Fact) -> State:
        """The state after a fact. Total over every fact that was ever written."""
        ...

    def fold(self, state: State | None, facts: Sequence[Fact]) -> State | None:
        """The state after facts, as `evolve` gives it one by one: `functools.reduce`, or something faster."""
        ...

    def seats(self, state: State) -> int:
        """How many play."""
        ...

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """The seats that the game waits for, ascending; none when it has ended."""
        ...

    def legal_moves(self, state: State, seat: Seat) -> LegalMoves:
        """What a seat may do now; no offers for a seat that the game does not wait for."""
        ...

    def decide(self, state: State, seat: Seat, move: Move_contra, chance: Chance) -> tuple[Fact, ...]:
        """What a move brings about. The caller has seen to it that the move is among the legal ones."""
        ...

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs; `results.ranked` makes one."""
        ...

    def view(self, state: State, viewer: Viewer) -> Struct:
        """The state as a viewer may see it: an instance of `Title.view`."""
        ...

    def redact_move(self, move: Move_contra, seat: Seat, viewer: Viewer) -> Struct | None:
        """A seat's move as a viewer may see it, or None for nothing of it."""
        ...

    def redact_fact(self, fact: Fact, viewer: Viewer) -> Struct | None:
        """A fact as a viewer may see it, or None for nothing of it."""
        ...

    def reveals(self, state: State, fact: Fact) -> bool:
        """Whether a fact tells anyone what was hidden from them in `state`, so that its move cannot be taken back.

        The state is the one before all facts of the move.
        """
        ...

    def points(self, state: State, viewer: Viewer) -> tuple[int, ...]:
        """Each seat's points as far as a viewer may know them; at the end those of the result."""
        ...

    def check(self, state: State) -> None:
        """Raise `Rejected("impossible-position")` for a state that breaks an invariant (pieces lost or doubled ...).

        Its `field` is the path of a member that the state has.
        """
        ...

    def draws(self, fact: Fact) -> tuple[Draw, ...]:
        """The draws that a fact records, in the order they were made."""
        ...

    def describe(
        self,
        seat: Seat,
        move: Struct | None,
        facts: Sequence[Struct],
        names: Sequence[str],
        language: str,
        *,
        before: Struct | None = None,
        after: Struct | None = None,
    ) -> str:
        """Sentences in one line for an event as a viewer sees it (`names` are the seats'; `language` en or ja).

        `before` and `after` are what `view` gives the same viewer right before and after the event, if there is one.
        """
        ...


AnyRules: TypeAlias = Rules[Any, Any, Any]


class BoundRules(Generic[Material, State, Move, Fact]):
    """The base of a title's rules: the component set, and what holds where a title does not say otherwise.

    The other members of `Rules` are functions in the title's modules. `bound` makes a member of one that takes the
    component set first: `decide = bound(decide)`; one that needs none is a `staticmethod`.
    """

    def __init__(self, material: Material, components: ComponentSet) -> None:
        self._material = material
        self._components = components

    @property
    def material(self) -> Material:
        """The component set as it is played with."""
        return self._material

    @property
    def components(self) -> ComponentSet:
        """The component set as it is served."""
        return self._components

    def check_options(self, options: Any, seats: int) -> None:
        """Accept any options."""

    def fold(self, state: State | None, facts: Sequence[Fact]) -> State | None:
        """The state after facts, one by one."""
        return reduce(cast("Rules[State, Move, Fact]", self).evolve, facts, state)

    def redact_move(self, move: Value, seat: Seat, viewer: Viewer) -> Struct | None:
        """What the class of the move does not hide from the viewer."""
        return redaction.redacted(move, viewer, seat)

    def redact_fact(self, fact: Value, viewer: Viewer) -> Struct | None:
        """What the class of the fact does not hide from the viewer."""
        return redaction.redacted(fact, viewer)


def bound(
    function: Callable[Concatenate[Material, Parameters], Answer],
) -> Callable[Concatenate[Any, Parameters], Answer]:
    """The method of `BoundRules` that calls a function with the component set first."""

    @wraps(function)
    def method(
        rules: BoundRules[Material, Any, Any, Any], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Answer:
        return function(rules.material, *args, **kwargs)

    return method


_TITLE_ID = re.compile(r"[a-z][a-z0-9]*")

Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""How the JSON object of an event that was logged in an earlier form reads in today's."""


@dataclass(frozen=True)
class Title:
    """A kind of game, without a component set. The types are msgspec structs or unions of tagged ones."""

    id: str
    names: Mapping[str, str]
    seats: tuple[int, int]
    """Least and most."""
    package: str
    """The full name of its package, whose folder `components` holds its built-in sets."""
    rules_version: str
    """Recorded with every event that these rules decided."""
    options: type[Struct]
    state: type[Struct]
    view: type[Struct]
    """Tagged `{title}.view`."""
    move: Any
    """Every move, tagged `{title}.{imperative}`."""
    fact: Any
    """Every fact as it is logged, tagged `{title}.{past tense}`."""
    bind: Callable[[Mapping[str, Any]], AnyRules]
    """The rules bound to the tables of a component set; raises `ComponentError`. `load` is the way to call it."""
    earlier: Mapping[str, Upcast | None] = field(default_factory=dict[str, Upcast | None])
    """Every rules version that was released before: how its events come into today's form, None where they are in it.

    Only the form changes, never what happened: `tests/logs` folds the games of each to the states they had.
    """

    @property
    def seen(self) -> Any:
        """Everything that `redact_move` and `redact_fact` may give."""
        return redaction.seen(self.move, self.fact)

    def __post_init__(self) -> None:
        """Raise `ValueError` for what would otherwise fail in the middle of a game, or be served wrongly."""
        if not _TITLE_ID.fullmatch(self.id):
            raise self._wrong("its id must be small letters and digits, and begin with a letter")
        if set(self.names) != {"en", "ja"} or not all(self.names.values()):
            raise self._wrong("it needs a name in English (en) and in Japanese (ja)")
        if not 1 <= self.seats[0] <= self.seats[1]:
            raise self._wrong(f"{self.seats[0]} to {self.seats[1]} seats are no range")
        if (tag := self.view.__struct_config__.tag) != f"{self.id}.view":
            raise self._wrong(f"the tag of {self.view.__name__} is {tag!r}, and a view has {self.id}.view")
        try:
            seen = members(self.seen)
        except TypeError as error:
            raise self._wrong(str(error)) from error
        for struct in {*members(self.move), *members(self.fact), *seen}:
            if not str(tag := struct.__struct_config__.tag).startswith(f"{self.id}."):
                raise self._wrong(f"the tag of {struct.__name__} is {tag!r}, and has to begin with {self.id}.")

    def _wrong(self, what: str) -> ValueError:
        return ValueError(f"title {self.id!r}: {what}")

    def load(self, text: str) -> AnyRules:
        """The rules bound to the component set in a TOML text, which may be a stranger's; raises `ComponentError`."""
        return self.bind(component_text.parse(text))
