"""Games that hypothesis plays: a drawn sequence of numbers makes every choice, so that a failing game shrinks.

The numbers are used in turn, modulo the number of things to choose from. When they are used up they come round again,
mixed with the number of the round: a short sequence plays a whole game, and an empty one always takes the first choice.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import Struct

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.chance import Chance
from domain.kernel.events import Event, GameCreated, MoveMade, MoveUndone, SeatTaken
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.seats import Seated
from domain.kernel.terms import Seat
from tests.conformance.titles import Entry
from tests.harness.play import random_move
from tests.harness.recording import BEGUN

GAME_ID = "game"
MOST_UNDONE = 12
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


class Script:
    """A sequence of numbers as a source of choices."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self._used = 0

    def __repr__(self) -> str:
        return f"Script({self._numbers})"

    def randrange(self, stop: int, /) -> int:
        if not self._numbers:
            return 0
        turn, place = divmod(self._used, len(self._numbers))
        self._used += 1
        number = self._numbers[place]
        return (number if turn == 0 else zlib.crc32(f"{number}:{turn}:{place}".encode())) % stop


@dataclass(frozen=True, repr=False)
class Played:
    """A whole game: `games[i]` is the game after `log[i]`, at version i + 1."""

    entry: Entry
    seed: bytes
    numbers: tuple[int, ...]
    undo: int
    log: tuple[Event, ...]
    games: tuple[Game, ...]

    def __repr__(self) -> str:
        created = self.games[0].created
        seed = f"bytes.fromhex({self.seed.hex()!r})"
        return f"play({self.entry}, {created.seats}, {created.options}, {seed}, {self.numbers}, undo={self.undo})"

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.games[0].seats)

    @property
    def started(self) -> int:
        """The index of the event that started the game."""
        return self.seats

    def ordinal(self, at: int) -> int:
        """The ordinal of the draws of event `at`."""
        return kernel.draw_ordinal(self.games[at - 1])

    def chance(self, at: int) -> Chance:
        """The chance of event `at`."""
        return kernel.chance_of(self.games[at - 1], self.games[-1].seats, self.seed)

    @property
    def draw_key(self) -> bytes:
        """The key of the game's draws."""
        return kernel.draw_key(self.games[-1].seats, self.seed, kernel.scheme_of(self.games[-1]))

    def states_in(self, at: int) -> Iterator[Any]:
        """The states that event `at` passes through: before it, after each of its facts, and after it."""
        state = self.games[at - 1].state if at else None
        yield state
        for fact in facts_of(self.log[at], self.entry):
            state = self.entry.rules.evolve(state, fact)
            yield state
        if isinstance(self.log[at], MoveUndone):
            yield self.games[at].state


@dataclass(frozen=True)
class Position:
    """A running game somewhere in a whole one."""

    played: Played
    at: int

    @property
    def game(self) -> Game:
        """The game there."""
        return self.played.games[self.at]

    @property
    def next(self) -> MoveMade[Any, Any] | None:
        """The move that is made there; None where one is taken back."""
        event = self.played.log[self.at + 1]
        return event if isinstance(event, MoveMade) else None


def facts_of(event: Event, entry: Entry) -> Iterator[Struct]:
    """The title's own facts in an event, without the kernel's."""
    facts: Sequence[Struct] = event.facts if isinstance(event, SeatTaken | MoveMade) else ()
    prefix = f"{entry.title.id}."
    return (fact for fact in facts if str(fact.__struct_config__.tag).startswith(prefix))


def players(seats: int) -> tuple[str, ...]:
    """The names of those who play."""
    return NAMES[:seats]


class Play:
    """A game under way: what a law shows of it when it cannot be played to its end.

    One in `undo` of the moves that can be taken back is, at most `MOST_UNDONE` in all; 0 takes back none.
    """

    def __init__(
        self, entry: Entry, seats: int, options: Struct, seed: bytes, numbers: tuple[int, ...], *, undo: int = 0
    ) -> None:
        self.entry, self.seats, self.options = entry, seats, options
        self.seed, self.numbers, self.undo = seed, numbers, undo
        self.log: list[Event] = []
        self.games: list[Game] = []
        self.attempt: tuple[Seat, Struct] | None = None
        """The move that is being made."""

    def to_the_end(self) -> Played:
        """Play the whole game; fails if it is longer than the title's subject allows."""
        self.entry.rules.check_options(self.options, self.seats)
        self._open()
        picks, left = Script(self.numbers), MOST_UNDONE if self.undo else 0
        most = 1 + self.seats + self.entry.subject.most_decisions + 2 * MOST_UNDONE
        while self.games[-1].status is Status.running:
            assert len(self.log) <= most, f"the game has not ended after {len(self.log)} events (most_decisions)"
            trail = self.games[-1].trail
            if trail and left and picks.randrange(self.undo) == self.undo - 1:
                left -= 1
                self._add(kernel.undo_move(self.games[-1], trail[-1].seat))
                continue
            self.attempt = seat, move = choose(self.games[-1], self.entry, picks)
            self._add(kernel.make_move(self.games[-1], self.entry.rules, seat, move, self.seed))
            self.attempt = None
        return Played(self.entry, self.seed, self.numbers, self.undo, tuple(self.log), tuple(self.games))

    def _open(self) -> None:
        created = GameCreated[Any, Any](
            title=self.entry.title.id,
            seats=self.seats,
            options=self.options,
            component_set=self.entry.set,
            component_hash=hashlib.sha256(self.entry.text.encode()).hexdigest(),
            visibility="public",
            creator=AccountId("creator"),
            commitment=proof.commitment(GAME_ID, self.seed),
            scheme=2,
        )
        self.log.append(created)
        self.games.append(kernel.evolve(None, self.entry.rules, created))
        for seat, name in enumerate(players(self.seats)):
            who = Seated(account=AccountId(f"account-{seat}"), name=name, entropy="" if seat else "entropy of seat 0")
            self._add(seating.take_seat(self.games[-1], self.entry.rules, who, seat, self.seed, BEGUN))

    def _add(self, event: Event) -> None:
        self.log.append(event)
        self.games.append(kernel.evolve(self.games[-1], self.entry.rules, event))


def play(entry: Entry, seats: int, options: Struct, seed: bytes, numbers: tuple[int, ...], *, undo: int = 0) -> Played:
    """Play a whole game by a sequence of numbers."""
    return Play(entry, seats, options, seed, numbers, undo=undo).to_the_end()


def again(game: Game, played: Played, event: Event) -> Event:
    """An event of a game after the start, decided once more."""
    if isinstance(event, MoveUndone):
        return kernel.undo_move(game, event.seat)
    assert isinstance(event, MoveMade)
    return kernel.make_move(game, played.entry.rules, event.seat, event.move, played.seed)


def choose(game: Game, entry: Entry, picks: Script) -> tuple[Seat, Struct]:
    """A seat that the game waits for, and one of its legal moves."""
    waiting = kernel.to_move(game, entry.rules)
    assert waiting, "a running game waits for nobody"
    seat = waiting[picks.randrange(len(waiting))]
    return seat, random_move(kernel.legal_moves(game, entry.rules, seat), picks)


def numbers(most: int = 40) -> SearchStrategy[tuple[int, ...]]:
    """A sequence of choices."""
    return st.lists(st.integers(0, 2**16 - 1), max_size=most).map(tuple)


@st.composite
def games(draw: DrawFn, entry: Entry) -> Played:
    """Whole games with any number of seats, any options and any seed."""
    least, most = entry.title.seats
    seats = draw(st.integers(least, most))
    options = draw(entry.subject.options(seats))
    seed = hashlib.sha256(draw(st.integers(0, 2**16 - 1)).to_bytes(2, "big")).digest()
    return play(entry, seats, options, seed, draw(numbers()), undo=draw(st.sampled_from((0, 3))))


@st.composite
def places(draw: DrawFn, entry: Entry) -> tuple[Position, ...]:
    """Some places in a whole game at which a seat must move."""
    played = draw(games(entry))
    indices = st.lists(st.integers(played.started, len(played.log) - 2), min_size=1, max_size=6, unique=True)
    return tuple(Position(played, at) for at in draw(indices))


def in_each_place(holds: Callable[..., None]) -> Callable[..., None]:
    """A law about some places from one about a single place: playing a game for each would take longer."""

    def everywhere(positions: tuple[Position, ...], *things: object) -> None:
        for position in positions:
            holds(position, *things)

    return everywhere


def scripts(_entry: Entry) -> SearchStrategy[Script]:
    """Choices beyond those that played the game."""
    return st.builds(Script, numbers(12))
