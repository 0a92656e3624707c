"""Records of whole games, made by the kernel alone: no service, no clock, the same bytes each time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import UNSET

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.events import (
    EntropyCommitted,
    EntropyRevealed,
    Event,
    GameCreated,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    encode,
    event_type,
)
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId, GameId
from domain.kernel.record.form import RecordEvent, RecordOpening, RecordWriter
from domain.kernel.rules import AnyRules, Title
from domain.kernel.seats import Seated
from domain.kernel.terms import Seat, Version
from service.database.types import Pool
from service.log.events import Entry, append, chain, moment
from tests.harness.play import random_move

BEGUN = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def account_of(seat: Seat) -> str:
    """The account that sits at a seat."""
    return f"a{seat + 1:020x}"


@dataclass(frozen=True)
class Logged:
    """An event as it stands in a log, before it is hashed."""

    event: str
    actor: str | None
    rules_version: str
    data: bytes


@dataclass(frozen=True)
class Recorded:
    """A game with everything that its record is written from."""

    title: Title
    text: str
    rules: AnyRules
    seed: bytes
    game_id: str
    log: tuple[Logged, ...]
    events: tuple[Event, ...]
    games: tuple[Game, ...]
    """The game after each event."""

    @property
    def record(self) -> bytes:
        """The complete record."""
        return write(self.opening, self.seed, self.log)

    @property
    def opening(self) -> RecordOpening:
        """The first line."""
        created = self.games[0].created
        return RecordOpening(
            format=1,
            game=self.game_id,
            title=created.title,
            component_set=created.component_set,
            component_hash=created.component_hash,
            components=self.text,
        )


def write(
    opening: RecordOpening,
    seed: bytes,
    log: Iterable[Logged],
    *,
    complete: bool = True,
    at: Callable[[Version], str] | None = None,
) -> bytes:
    """A record with hashes that follow, whatever stands in it: what someone can make who knows the seed.

    `at` gives the time of each version; by default they are a second apart.
    """
    writer = RecordWriter()
    lines = [writer.opening(opening)]
    last = proof.NO_HASH
    for version, each in enumerate(log, 1):
        time = moment(recorded_at(version)) if at is None else at(version)
        header = proof.header(
            opening.game,
            version,
            event_type=each.event,
            actor=each.actor,
            rules_version=each.rules_version,
            recorded_at=time,
        )
        last = proof.link(last, proof.salt(seed, version), header, each.data)
        line = RecordEvent(
            version=version,
            event=each.event,
            actor=each.actor,
            recorded_at=time,
            rules_version=each.rules_version,
            hash=last.hex(),
            data=msgspec.Raw(each.data),
        )
        lines.append(writer.event(line))
    lines.append(writer.end(complete=complete))
    return b"".join(lines)


def recorded(
    title: Title,
    text: str,
    seats: int,
    number: int,
    *,
    undo: float = 0.0,
    position: Any = None,
    options: Any = None,
    rules_version: str | None = None,
    sittings: int = 1,
    committed: bool = False,
) -> Recorded:
    """A random game, the one of this number, to its end.

    Before each move the last one is taken back as often as `undo` says; before the start the first one to come takes a
    seat and leaves it again so many times. If `committed`, its draws are of scheme 2 and every seat commits to its
    entropy; the first start is aborted, since the last seat does not reveal.
    """
    rules, picks = title.load(text), Random(number)
    seed = hashlib.sha256(f"{title.id} {number}".encode()).digest()
    game_id = f"g{hashlib.sha256(seed).hexdigest()[:20]}"
    created = GameCreated[Any, Any](
        title=title.id,
        seats=seats,
        options=title.options() if options is None else options,
        component_set=rules.components.id,
        component_hash=hashlib.sha256(text.encode()).hexdigest(),
        visibility="public",
        creator=AccountId(account_of(0)),
        commitment=proof.commitment(game_id, seed),
        sandbox=position is not None,
        position=position,
        scheme=2 if committed else UNSET,
        reveal_seconds=1 if committed else UNSET,
    )
    events: list[Event] = [created]
    games = [kernel.evolve(None, rules, created)]

    def add(event: Event) -> None:
        events.append(event)
        games.append(kernel.evolve(games[-1], rules, event))

    if committed:
        _commit_and_reveal(rules, seed, games, add)
    else:
        _sit_down(rules, seed, games, add, sittings)
    while games[-1].status is Status.running:
        game = games[-1]
        if game.trail and picks.random() < undo:
            add(kernel.undo_move(game, game.trail[-1].seat))
            continue
        waiting = kernel.to_move(game, rules)
        seat = waiting[picks.randrange(len(waiting))]
        add(kernel.make_move(game, rules, seat, random_move(kernel.legal_moves(game, rules, seat), picks), seed))
    version = rules_version or title.rules_version
    log = tuple(logged(each, version, before) for each, before in zip(events, [None, *games], strict=False))
    return Recorded(title, text, rules, seed, game_id, log, tuple(events), tuple(games))


def _sit_down(rules: AnyRules, seed: bytes, games: Sequence[Game], add: Callable[[Event], None], sittings: int) -> None:
    for _ in range(sittings):
        add(seating.take_seat(games[-1], rules, Seated(AccountId(account_of(0)), NAMES[0]), 0, seed, BEGUN))
        add(seating.leave_seat(games[-1], AccountId(account_of(0))))
    for seat in reversed(range(len(games[-1].seats))):
        who = Seated(AccountId(account_of(seat)), NAMES[seat], entropy="dice: 3 1 6" if seat == 1 else "")
        add(seating.take_seat(games[-1], rules, who, seat, seed, BEGUN))


def _commit_and_reveal(rules: AnyRules, seed: bytes, games: Sequence[Game], add: Callable[[Event], None]) -> None:
    last = len(games[-1].seats) - 1

    def now() -> datetime:
        return recorded_at(games[-1].version + 1)

    def sit(seat: Seat, account: str, name: str) -> None:
        commitment = proof.entropy_commitment(account, entropy_of(account, 1))
        who = Seated(AccountId(account), name, commitment=commitment)
        add(seating.take_seat(games[-1], rules, who, seat, seed, now()))

    def reveal(account: str, number: int) -> None:
        add(seating.reveal_entropy(games[-1], rules, AccountId(account), entropy_of(account, number), seed))

    for seat in range(last + 1):
        sit(seat, account_of(seat), NAMES[seat])
    for seat in range(last):
        reveal(account_of(seat), 1)
    add(seating.free_seat(games[-1], AccountId(account_of(0)), last, now()))
    newcomer = account_of(last + 1)
    sit(last, newcomer, NAMES[(last + 1) % len(NAMES)])
    for seat in range(last):
        account = account_of(seat)
        commitment = proof.entropy_commitment(account, entropy_of(account, 2))
        add(seating.commit_entropy(games[-1], rules, AccountId(account), commitment, seed, now()))
    for seat in range(last):
        reveal(account_of(seat), 2)
    reveal(newcomer, 1)


def entropy_of(account: str, number: int) -> str:
    """An entropy that an account can commit to."""
    return f"the entropy that {account} adds, {number}"


def recorded_at(version: int) -> datetime:
    """When the event of a version is recorded."""
    return BEGUN + timedelta(seconds=version)


def logged(event: Event, rules_version: str, before: Game | None = None) -> Logged:
    """An event as it would be logged; without the game before it, each seat is that of its own account."""
    match event:
        case GameCreated():
            actor = event.creator
        case SeatTaken() | SeatLeft() | EntropyCommitted() | EntropyRevealed():
            actor = event.account
        case SeatFreed():
            actor = account_of(0)
        case _:
            who = None if before is None else before.seats[event.seat]
            actor = account_of(event.seat) if who is None else who.account
    return Logged(event_type(event), actor, rules_version, encode(event))


def with_event(recorded: Recorded, version: int, event: Event) -> bytes:
    """The same record with another event at a version, written by someone who knows the seed."""
    changed = logged(event, recorded.log[version - 1].rules_version)
    log = (*recorded.log[: version - 1], changed, *recorded.log[version:])
    return write(recorded.opening, recorded.seed, log)


def entries(recorded: Recorded, upto: int | None = None) -> list[Entry]:
    """The rows of a log in which the game stands, by default to its end, the first one with its seed."""
    found: list[Entry] = []
    last = proof.NO_HASH
    for version, each in enumerate(recorded.log[:upto], 1):
        entry = Entry(
            game_id=GameId(recorded.game_id),
            version=version,
            type=each.event,
            actor=None if each.actor is None else AccountId(each.actor),
            data=each.data,
            rules_version=each.rules_version,
            hash=last,
            recorded_at=recorded_at(version),
            attempt=uuid4(),
            seed=recorded.seed if version == 1 else None,
        )
        last = chain(last, recorded.seed, entry)
        found.append(msgspec.structs.replace(entry, hash=last))
    return found


async def put_into_log(pool: Pool, recorded: Recorded, upto: int | None = None) -> None:
    """Write the game into a log, by default to its end, as if it had been played there."""
    for entry in entries(recorded, upto):
        assert await append(pool, [entry]) == {entry.attempt}
