"""What was played, looked at again: every event read, decided once more, folded, and its draws repeated.

What the installed rules version decided is decided again by it, and only then folded: so of a record by a stranger
nothing reaches the fold that the rules would not have given. Events of an earlier version cannot be decided again,
since the rules have changed; they are folded as they are, which is what the log itself rests on, and their draws are
repeated all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import UNSET

from domain.kernel import game as kernel
from domain.kernel import instants, seating
from domain.kernel.chance import Draw, redrawn
from domain.kernel.events import (
    EntropyCommitted,
    EntropyRevealed,
    Event,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    MoveUndone,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    encode,
)
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.logged import EventReader
from domain.kernel.record.form import Record, RecordEvent
from domain.kernel.record.report import Check, failed, failed_at, passed, skipped
from domain.kernel.rejected import ComponentError, Rejected
from domain.kernel.rules import AnyRules, Title
from domain.kernel.seats import Seated

_LARGEST = 1_000_000
"""No whole number in the facts of a game is larger: the fold of a stranger's fact must not fill the memory."""


class _Wrong(Exception):
    """A check that an event fails."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(detail)
        self.name = name
        self.detail = detail


def replaying(
    record: Record, titles: Mapping[str, Title], seed: bytes, read: list[Event]
) -> Generator[None, None, list[Check]]:
    """Look at every event of a complete record whose hashes hold, one at each step; gives the checks.

    The events are put into `read` as they are found right.
    """
    title = titles.get(record.opening.title)
    if title is None:
        return [skipped("rules", f"its events, draws and moves: the title {record.opening.title} is not known here")]
    try:
        rules = title.load(record.opening.components)
    except ComponentError as error:
        return [failed("rules", 1, f"the component set cannot be used: {error}")]
    except Exception as error:  # noqa: BLE001 - a stranger's text may make anything go wrong, and is refused for it
        return [failed("rules", 1, f"the component set cannot be read: {type(error).__name__}")]
    if (rules.components.id, rules.components.title) != (record.opening.component_set, title.id):
        return [failed("rules", 1, "the component set is called otherwise in its text")]
    replay = _Replay(title, rules, seed)
    for event in record.events:
        if not replay.knows(event):
            return [*replay.checks(), skipped("rules", _unknown(event, title))]
        try:
            read.append(replay.add(event))
        except _Wrong as wrong:
            return [*replay.checks(), failed_at(wrong.name, event.version, wrong.detail)]
        yield
    try:
        replay.check_last()
    except _Wrong as wrong:
        return [*replay.checks(), failed_at(wrong.name, len(record.events), wrong.detail)]
    return [*replay.checks(), *replay.ending()]


def _unknown(event: RecordEvent, title: Title) -> str:
    known = ", ".join((*title.earlier, title.rules_version))
    return f"from version {event.version} on: {event.rules_version} is not known here, only {known}"


class _Replay:
    """A game played again, and what was found right on the way."""

    def __init__(self, title: Title, rules: AnyRules, seed: bytes) -> None:
        self._title = title
        self._rules = rules
        self._seed = seed
        self._reader = EventReader(title)
        self._game: Game | None = None
        self._decided = 0
        self._folded = Counter[str]()
        self._draws = 0
        self._last = ""
        self._recorded_at = ""
        self._unchecked: Any = None
        """The position after the last event, while nobody has looked whether it is a possible one."""

    def knows(self, line: RecordEvent) -> bool:
        return line.rules_version == self._title.rules_version or line.rules_version in self._title.earlier

    def add(self, line: RecordEvent) -> Event:
        """Look at the next event; raises `_Wrong`."""
        event = self._read(line)
        self._require_actor(line, event)
        self._require_time_order(line)
        self._last = line.rules_version
        if line.rules_version == self._title.rules_version:
            self._decide_again(line, event)
            self._decided += 1
        else:
            _require_plausible(event)
            self._folded[line.rules_version] += 1
        ordinal = 0 if self._game is None else kernel.draw_ordinal(self._game)
        self._fold(event, decided=line.rules_version == self._title.rules_version)
        self._draw_again(ordinal, event)
        return event

    @property
    def _scheme(self) -> int:
        return 1 if self._game is None else kernel.scheme_of(self._game)

    def checks(self) -> list[Check]:
        """What was found right so far."""
        checks = [
            passed("facts", f"{self._decided + self._folded.total()} events fold, to a possible position each time"),
            passed(
                "draws",
                f"{self._draws} draws follow from the seed and from what the seats added, by scheme {self._scheme}",
            ),
        ]
        if self._decided:
            detail = f"{self._decided} events were decided again by {self._title.rules_version}, with the same outcome"
            checks.append(passed("rules", detail))
        for version, count in self._folded.items():
            detail = (
                f"{count} events decided by {version} were not decided again: {self._title.rules_version} is installed"
            )
            checks.append(skipped("rules", detail))
        return checks

    def check_last(self) -> None:
        """Look at the position after the last event, if nobody has; raises `_Wrong`."""
        if self._unchecked is not None:
            self._check(self._unchecked)
            self._unchecked = None

    def ending(self) -> list[Check]:
        """The result, worked out from the final state."""
        game, version = self._game, self._title.rules_version
        if game is None or game.status is not Status.finished:
            return [failed_at("result", game.version if game else 1, "the game has not ended")]
        if self._last != version:
            return [skipped("result", f"the scores were counted by {self._last}, and {version} is installed")]
        if self._rules.result(game.state) != game.result:
            return [failed_at("result", game.version, "the scores are not those of the final position")]
        return [passed("result", "the scores are those of the final position")]

    def _read(self, line: RecordEvent) -> Event:
        try:
            (event,) = self._reader.read(b"[%b]" % line.data, (line.rules_version,))
        except Exception as error:
            detail = str(error) if isinstance(error, msgspec.DecodeError) else type(error).__name__
            raise _Wrong("events", f"it is no event of {self._title.id}: {detail}"[:300]) from error
        if (self._game is None) is not isinstance(event, GameCreated):
            raise _Wrong("events", "a game is created once, by its first event")
        if self._game is not None and self._game.status is Status.finished:
            raise _Wrong("events", "it comes after the end of the game")
        return event

    def _require_actor(self, line: RecordEvent, event: Event) -> None:
        """The named actor is the one who could do it."""
        seats = () if self._game is None else self._game.seats
        match event:
            case GameCreated():
                actor = event.creator
            case SeatTaken() | SeatLeft() | EntropyCommitted() | EntropyRevealed():
                actor = event.account
            case SeatFreed():
                actor = line.actor  # anyone at the table: the rules see to that
            case MoveMade() | MoveUndone():
                who = seats[event.seat] if 0 <= event.seat < len(seats) else None
                actor = who.account if who else None
        if actor is None or actor != line.actor:
            raise _Wrong("events", "its actor is not the one who sits there")

    def _require_time_order(self, line: RecordEvent) -> None:
        """Deadlines are only worth as much as the times: in a game that can have one, time never goes back.

        Games of scheme 1 were recorded by clocks that differed, and are left alone.
        """
        if self._game is not None and kernel.scheme_of(self._game) != 1 and line.recorded_at < self._recorded_at:
            raise _Wrong("events", "it is recorded before the previous event")
        self._recorded_at = line.recorded_at  # the form is of fixed width, so times compare as text

    def _decide_again(self, line: RecordEvent, event: Event) -> None:
        try:
            decided = event if isinstance(event, GameCreated) else self._decided_again(event, line)
            if isinstance(event, GameCreated):
                self._require_created(event)
        except _Wrong:
            raise
        except Rejected as error:
            raise _Wrong("rules", f"{error.code}: {error.detail}") from error
        except Exception as error:
            raise _Wrong("rules", f"the rules cannot take it: {type(error).__name__}") from error
        if encode(decided) != bytes(line.data):
            raise _Wrong("rules", _difference(event, decided))

    def _decided_again(self, event: Event, line: RecordEvent) -> Event:
        game, rules = self._game, self._rules
        assert game is not None  # noqa: S101 - `_read` has seen to it
        now = instants.parse(line.recorded_at)
        match event:
            case SeatTaken():
                commitment = None if event.entropy_commitment is UNSET else event.entropy_commitment
                who = Seated(account=event.account, name=event.name, entropy=event.entropy, commitment=commitment)
                return seating.take_seat(game, rules, who, event.seat, self._seed, now)
            case SeatLeft():
                return seating.leave_seat(game, event.account)
            case EntropyCommitted():
                return seating.commit_entropy(game, rules, event.account, event.entropy_commitment, self._seed, now)
            case EntropyRevealed():
                return seating.reveal_entropy(game, rules, event.account, event.entropy, self._seed)
            case SeatFreed():
                return seating.free_seat(game, AccountId(line.actor or ""), event.seat, now)
            case MoveMade():
                return kernel.make_move(game, rules, event.seat, event.move, self._seed)
            case MoveUndone():
                return kernel.undo_move(game, event.seat)
            case GameCreated():
                return event

    def _require_created(self, event: GameCreated[Any, Any]) -> None:
        self._rules.check_options(event.options, event.seats)
        if event.sandbox is not (event.position is not None):
            raise _Wrong("rules", "a sandbox is a game that begins at a position, and no other is one")
        if event.position is not None:
            kernel.require_position(self._rules, event.position, event.seats)
        least, most = seating.LEAST_REVEAL_SECONDS, seating.MOST_REVEAL_SECONDS
        if event.reveal_seconds is not UNSET and not least <= event.reveal_seconds <= most:
            raise _Wrong("rules", f"reveal_seconds is not from {least} to {most}")

    def _fold(self, event: Event, *, decided: bool) -> None:
        least, most = self._title.seats
        if isinstance(event, GameCreated) and not least <= event.seats <= most:
            raise _Wrong("facts", f"{self._title.id} is played by {least} to {most}")
        if not isinstance(event, MoveUndone):
            self.check_last()
        self._unchecked = None
        try:
            self._game = kernel.evolve(self._game, self._rules, event)
        except Exception as error:
            raise _Wrong("facts", f"it cannot be folded: {type(error).__name__}") from error
        # An undo goes back to a position that was looked at when it came about.
        if self._game.state is not None and not isinstance(event, MoveUndone):
            if decided:
                self._unchecked = self._game.state
            else:
                self._check(self._game.state)

    def _check(self, state: Any) -> None:
        """Demand a possible position, which costs more than to decide and fold the move that led to it.

        What the installed rules have decided again is looked at when the next event is not its undo: long games
        consist of moves that were taken back.
        """
        try:
            self._rules.check(state)
        except Rejected as error:
            raise _Wrong("facts", f"{error.code}: {error.detail}") from error
        except Exception as error:
            raise _Wrong("facts", f"it cannot be folded: {type(error).__name__}") from error

    def _draw_again(self, ordinal: int, event: Event) -> None:
        if self._game is None or not isinstance(event, SeatTaken | EntropyRevealed | MoveMade):
            return
        key = kernel.draw_key(self._game.seats, self._seed, kernel.scheme_of(self._game))
        repeats = Counter[str]()
        for draw in _draws(self._rules, event.facts):
            if draw.repeat != repeats[draw.purpose] or redrawn(key, ordinal, draw) != draw.outcome:
                raise _Wrong("draws", f"the draw {draw.purpose!r} did not give what follows from the seed"[:300])
            repeats[draw.purpose] += 1
            self._draws += 1


def _draws(rules: AnyRules, facts: Sequence[Any]) -> list[Draw]:
    own = (fact for fact in facts if not isinstance(fact, GameStarted | GameEnded))
    try:
        return [draw for fact in own for draw in rules.draws(fact)]
    except Exception as error:
        raise _Wrong("draws", f"they cannot be read: {type(error).__name__}") from error


def _difference(event: Event, decided: Event) -> str:
    """In which part an event is not what the rules give."""
    recorded, due = (cast("dict[str, Any]", msgspec.to_builtins(each)) for each in (event, decided))
    for name in recorded.keys() | due.keys():
        if name != "facts" and recorded.get(name) != due.get(name):
            return f"its {name} is not what the rules give"
    theirs, ours = recorded.get("facts", ()), due.get("facts", ())
    for place, (one, other) in enumerate(zip(theirs, ours, strict=False)):
        if one != other:
            return f"facts[{place}], {one['type']}, is not what the rules give"
    if len(theirs) != len(ours):
        return f"it has {len(theirs)} facts, and the rules give {len(ours)}"
    return "it is not written as the rules write it"


def _require_plausible(event: Event) -> None:
    waiting: list[object] = [msgspec.to_builtins(event)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += cast("dict[str, object]", value).values()
        elif isinstance(value, list):
            waiting += cast("list[object]", value)
        elif isinstance(value, int) and abs(value) > _LARGEST:
            raise _Wrong("facts", f"a number in it is above {_LARGEST}, which nothing in a game is")
