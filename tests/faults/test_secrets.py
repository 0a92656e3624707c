"""What is hidden from a caller is in no byte that it can get: over every operation of the contract, at every version.

The sentinels are the ids of the pieces themselves, as the title's subject in the conformance suite has them hidden
(`entry.hidden`), and the seed. What is newest may name no piece that was hidden throughout the last event, and a read
of a version none that was hidden throughout that one: so games whose cards are all shown and dealt again each round are
searched to their end. Whole histories may name no piece that was hidden in every state so far.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from random import Random
from typing import Any

import pytest

from domain.kernel.terms import Seat, Viewer
from service.database.pool import open_pool
from tests.conformance.games import play
from tests.conformance.titles import ENTRIES, Entry, viewers
from tests.conformance.worlds import hidden_in_all
from tests.harness.logged import GAME, Logged, secrets_of
from tests.harness.processes import Processes, due_move
from tests.harness.reading import (
    Place,
    Read,
    all_pages,
    every_read,
    newest_reads,
    reader,
    told,
    without_components,
    writes,
)
from tests.harness.server import Client, Service, Table, account, expect

TITLES = pytest.mark.parametrize("entry", ENTRIES, ids=repr)
SEATS = 2

OF_THE_SET = {"get_component_set", "get_document", "get_document_as_yaml"}
"""Reads that name pieces, and of no game: they must be the same at every version."""

CHANGING = {"get_metrics", "list_games"}
"""Reads that are of no one game and change."""


def words(written: bytes) -> set[str]:
    """Everything that could name a piece."""
    return set(re.findall(r"\w+", written.decode()))


# The state is redacted, the log, the legal moves, the initial state, the undo history or the export is not.
# A private draw is announced to all; the start hand is in the download.


@dataclass
class Caller:
    """Who reads: through a seat, or as the public, with or without an account."""

    viewer: Viewer
    token: str | None
    never_shown: frozenset[str] = frozenset()
    """The pieces that were hidden from it in every state so far; none before there was one."""
    by_version: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    """The pieces that were hidden from it in every state within each event."""
    searched: int = 0
    """How many pieces were looked for in what is newest."""
    named: set[str] = field(default_factory=set[str])
    """The words that it has heard."""
    constant: dict[Read, bytes] = field(default_factory=dict[Read, bytes])

    def look(self, states: Iterable[Any], entry: Entry) -> None:
        """Take note of what is hidden throughout the event that led through these states."""
        known = [state for state in states if state is not None]
        hidden = hidden_in_all(known, entry, self.viewer) if known else frozenset[str]()
        started = any(self.by_version)
        self.by_version.append(hidden)
        self.never_shown = self.never_shown & hidden if started else hidden

    def hidden_from(self, read: Read, *, deep: bool) -> frozenset[str]:
        """The pieces that an answer may not name."""
        version = read.query.removeprefix("version=")
        if version.isdecimal() and int(version) <= len(self.by_version):
            return self.by_version[int(version) - 1]
        return self.never_shown if deep else self.by_version[-1]

    def read(self, connection: HTTPConnection, place: Place, secrets: set[str], *, deep: bool) -> None:
        """Read what is newest, or all that there is, and fail if anything hidden is in what comes back."""
        for read in every_read(place) if deep else newest_reads(place):
            body = without_components(read.by(connection, self.token))
            heard = words(body)
            leaked = heard & secrets
            if read.operation not in OF_THE_SET:
                hidden = self.hidden_from(read, deep=deep)
                leaked |= heard & hidden
                self.searched += len(hidden)
                self.named |= heard
            assert not leaked, f"{read} tells {self.viewer} of {leaked}:\n{body.decode()}"
            if place.game not in read.path and read.operation not in CHANGING:
                assert self.constant.setdefault(read, body) == body, f"{read} changes with a game"
        if deep:
            assert not words(all_pages(connection, self.token, "/v1/games")) & self.by_version[-1]


@TITLES
async def test_no_read_at_any_version_names_what_its_caller_may_not_know(
    database: str, service: Service, entry: Entry
) -> None:
    played = play(entry, SEATS, entry.title.options(), b"7" * 32, (3, 1, 4, 1, 5, 9, 2, 6), undo=4)
    async with open_pool(database, 2) as pool:
        logged = Logged(pool, played)
        await logged.arrive()
        callers = [Caller(viewer, token) for viewer, token in tokens(logged)]
        last = len(played.log) - 2
        with reader(service.url) as connection:
            for at, event in enumerate(played.log[:-1]):  # the last event lays things open, and `reveal` the rest
                await logged.write([event])
                every = range(1, logged.version + 1, 1 + last // 30)
                place = Place(GAME, entry.title.id, entry.set, logged.version, every, logged.accounts)
                deep = at in {played.started, 30, last}
                for caller in callers:
                    caller.look(played.states_in(at) if at >= played.started else (), entry)
                    # A stranger with an account is the public by another way; in a long game callers take turns.
                    its_turn = last < 60 or (at + callers.index(caller)) % 2 == 0
                    if deep or (its_turn and caller is not callers[-1]):
                        caller.read(connection, place, secrets_of(played.seed, range(1, at + 3)), deep=deep)
    for caller in callers:
        assert caller.searched, "nothing was hidden"
        assert caller.named & set(entry.kinds()), "the search would find what is told"


def tokens(logged: Logged) -> Iterator[tuple[Viewer, str | None]]:
    """Every seat, a stranger with an account, and the public."""
    for viewer in viewers(logged.played.seats):
        yield viewer, None if viewer is None else logged.token(viewer)
    yield None, logged.token(logged.played.seats)


# ... and what commands answer: to whoever gave them, to those who are refused, and to those who repeat another's.


@dataclass(frozen=True)
class Heard:
    """An answer, who got it, and the version of the game then."""

    seat: Viewer
    version: int
    what: str
    answer: bytes


BODIES: dict[str, dict[str, Any] | None] = {
    "create_account": {"name": ""},
    "create_game": {"title": "chess", "seats": 2},
    "fork_game": {"version": 4},
    "take_seat": {"seat": 0},
    "leave_seat": None,
    "commit_entropy": {"entropy_commitment": "0" * 64},
    "reveal_entropy": {"entropy": "e" * 22},
    "free_seat": None,
    "make_move": None,
    "undo_move": {"expected_version": 1},
    "take_record": {},
}
"""What is sent, by operation; a move is another's own."""


@TITLES
async def test_no_answer_to_a_command_tells_of_what_its_caller_may_not_know(processes: Processes, entry: Entry) -> None:
    table = await processes.new_game(SEATS, entry.title.id, component_set=entry.set)
    stranger, picks = await account(processes.http), Random(5)
    heard: list[Heard] = []
    for number in range(24):
        who, body = await due_move(table, picks)
        key = f"the key of move {number}"
        version = body["expected_version"]
        heard += [each async for each in refused(table, stranger, who, body, version)]
        made = await who.post(f"{table.path}/moves", body, {"Idempotency-Key": f'"{key}"'})
        if expect(made, 201)["status"] == "finished":
            break
        heard.append(Heard(table.seats.index(who), version + 1, "its own move", told(made)))
        for seat, other in [*enumerate(table.seats), (None, stranger)]:
            if other is who:
                continue
            answer = await other.post(f"{table.path}/moves", body, {"Idempotency-Key": f'"{key}"'})
            assert answer.status_code in {403, 409}, "somebody else's key opens nothing"
            heard.append(Heard(seat, version + 1, "another's move with its key", told(answer)))
        if picks.random() < 0.3:
            undone = await who.post(f"{table.path}/undo", {"expected_version": version + 1})
            heard.append(Heard(table.seats.index(who), version + 1 + undone.is_success, "undo", told(undone)))
    await require_nothing_told(processes, table, entry, heard)


async def refused(
    table: Table, stranger: Client, who: Client, body: dict[str, Any], version: int
) -> AsyncGenerator[Heard]:
    """Everything that others may try while the game waits for somebody, and what somebody itself may do wrong."""
    for operation, method, template in writes():
        path = template.replace("{game}", table.id).replace("{seat}", "0")
        sent = body if operation == "make_move" else BODIES[operation]
        for seat, other in [*enumerate(table.seats), (None, stranger)]:
            if other is who and operation == "make_move":
                sent = slipped(body)
            answer = await other.http.request(method, path, headers=other.headers, json=sent)
            assert not answer.is_success, f"{operation} by {seat}: {answer.text}"
            yield Heard(seat, version, f"a refused {operation}", told(answer))


def slipped(body: dict[str, Any]) -> dict[str, Any]:
    """A move with something impossible in each of its fields, or for a version that is past where it has none."""
    move: dict[str, Any] = body["move"]
    wrong = dict.fromkeys(move, "nothing") | {"type": move["type"]}
    return {**body, "move": wrong} if len(wrong) > 1 else {**body, "expected_version": 1}


async def require_nothing_told(processes: Processes, table: Table, entry: Entry, heard: list[Heard]) -> None:
    (truth,) = [each for each in await processes.require_order() if each.table.id == table.id]
    secrets = secrets_of(truth.table.seed, range(1, len(truth.rows) + 2))
    hidden = {viewer: hidden_by_version(truth.states, entry, viewer) for viewer in viewers(SEATS)}
    searched = named = 0
    for each in heard:
        leaked = words(each.answer) & (hidden[each.seat][each.version - 1] | secrets)
        assert not leaked, f"{each.what} tells {each.seat} of {leaked} at {each.version}:\n{each.answer.decode()}"
        searched += len(hidden[each.seat][each.version - 1])
        named += bool(words(each.answer) & set(entry.kinds()))
    assert searched
    assert named, "the search would find what is told"


def hidden_by_version(states: list[list[Any]], entry: Entry, viewer: Seat | None) -> list[frozenset[str]]:
    """The pieces that were hidden from a viewer throughout each version: before its event, within it and after it."""
    before, found = list[Any](), list[frozenset[str]]()
    for within in states:
        through = [state for state in (*before[-1:], *within) if state is not None]
        found.append(hidden_in_all(through, entry, viewer) if through else frozenset())
        before = within or before
    return found
