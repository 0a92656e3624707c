"""Two worlds that differ in nothing but a secret give those who may not know it the same bytes over REST.

A whole game is written into two databases, in the second one with pieces exchanged that a caller cannot tell apart
(`tests/conformance/worlds.py`); the databases are alike in all else, also in their epoch and keys. Each is served by a
process of its own, and everything that the contract lets the caller read is compared, status and headers and body. So
neither what an answer says, nor how long it is, nor its tag, nor how a refusal is worded depends on the secret. Hashes
alone differ: they are salted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from http.client import HTTPConnection
from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import Event
from domain.kernel.legal import example
from domain.kernel.terms import Viewer
from service.database.pool import open_pool
from service.log import events
from tests.conformance import worlds
from tests.conformance.games import Played, Script, play
from tests.conformance.titles import ENTRIES, Entry, viewers
from tests.conformance.worlds import Stretch
from tests.harness.logged import GAME, Logged, make_alike
from tests.harness.postgres import PostgresServer, fresh_database
from tests.harness.processes import started_apart
from tests.harness.reading import Place, answer_to, every_read, newest_reads, reader, writes

ONE_OF_EACH = tuple({entry.title.id: entry for entry in reversed(ENTRIES)}.values())
SEATS = 2

_HASH = re.compile(rb'"(?:hash|digest)":"[0-9a-f]{64}"')

OF_THE_PROCESS = {"get_metrics"}
"""What tells of a process and not of games: times and connections."""


# A choice still hidden from others can be seen in the feed, or guessed by its length.


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=repr)
async def test_worlds_that_differ_in_a_secret_give_the_same_bytes_over_every_operation(
    postgres: PostgresServer, template: str, entry: Entry
) -> None:
    played = play(entry, SEATS, entry.title.options(), b"w" * 32, (9, 2, 6, 5, 3, 5), undo=4)
    compared = 0
    async with AsyncExitStack() as stack:
        dsns = [await stack.enter_async_context(fresh_database(postgres, template)) for _ in range(2)]
        services = stack.enter_context(started_apart(dsns))
        connections = [stack.enter_context(reader(service.url)) for service in services]
        pools = [await stack.enter_async_context(open_pool(dsn, 2)) for dsn in dsns]
        await make_alike(pools[1], await events.epoch(pools[0]), await events.service_key(pools[0]))
        worlds_of_viewers = list(pairs(played))
        assert len(worlds_of_viewers) == SEATS + 1
        for number, (viewer, log, other) in enumerate(worlds_of_viewers):
            # Every viewer has worlds of its own: games of different ids in the same two databases.
            game = f"{GAME[:-1]}{number:x}"
            both = [Logged(pool, played, game, first_account=number * 10) for pool in pools]
            for logged, world in zip(both, (log, other), strict=True):
                await logged.arrive()
                await logged.write(world[: played.started])
            for at in range(played.started, len(log)):
                await both[0].write(log[at : at + 1])
                await both[1].write(other[at : at + 1])
                deep = at == len(log) - 1
                for logged in both if deep else ():
                    await logged.listed()
                if deep or at % (1 + len(log) // 25) == 0:
                    compared += compare(connections, both[0], viewer, deep=deep)
    assert compared > 300


def pairs(played: Played) -> Iterator[tuple[Viewer, Sequence[Event], Sequence[Event]]]:
    """For each viewer the log of a part of the game, and what it is in another world.

    Early on there is most that can be exchanged, and late the most that can depend on it: viewers take turns.
    """
    parts = {0: (6 / 7, 2 / 3, 1 / 3), 1: (1 / 3,)}
    for number, viewer in enumerate(viewers(played.seats)):
        for part in parts[number % 2]:
            stretch = Stretch(played, viewer, None, played.started + int((len(played.log) - played.started) * part))
            exchanged = worlds.exchange(stretch.hidden(), played.entry, Script((number, 3, 1)))
            if exchanged:
                other = list(worlds.other_events(stretch, exchanged))
                assert other != list(stretch.events)
                yield viewer, stretch.events, other
                break


def compare(connections: Sequence[HTTPConnection], logged: Logged, viewer: Viewer, *, deep: bool) -> int:
    """Read everything in both worlds, and be refused in every way; how many answers were compared."""
    entry = logged.played.entry
    every = range(1, logged.version + 1, 1 + logged.version // 10)
    place = Place(logged.game, entry.title.id, entry.set, logged.version, every, logged.accounts)
    tokens = [None, logged.token(SEATS)] if viewer is None else [logged.token(viewer)]
    compared = 0
    for token in tokens:
        for read in every_read(place) if deep else newest_reads(place):
            if read.operation not in OF_THE_PROCESS:
                one, two = (_HASH.sub(b"", read.by(connection, token)) for connection in connections)
                assert one == two, f"{read} tells {viewer}"
                compared += 1
        for method, path, body in wrong_requests(logged, viewer) if deep else ():
            one, two = (answer_to(connection, method, path, token, body) for connection in connections)
            assert one == two, f"{method} {path} tells {viewer}"
            assert not one.startswith(b"2")
            compared += 1
    return compared


def wrong_requests(logged: Logged, viewer: Viewer) -> Iterator[tuple[str, str, bytes | None]]:
    """Every operation that changes something, with what it refuses; also moves that another seat could make."""
    bodies: dict[str, list[Any]] = {
        "create_account": [{"name": ""}],
        "create_game": [{"title": "chess", "seats": 2}],
        "fork_game": [{"version": logged.version}],
        "take_seat": [{"seat": 0}, {}],
        "leave_seat": [None],
        "commit_entropy": [{"entropy_commitment": "0" * 64}],
        "reveal_entropy": [{"entropy": "e" * 22}],
        "free_seat": [None],
        "undo_move": [{"expected_version": 1}],
        "take_record": [{}],
        "make_move": list(wrong_moves(logged, viewer)),
    }
    for operation, method, template in writes():
        for body in bodies[operation]:
            path = template.replace("{game}", logged.game).replace("{seat}", "0")
            yield method, path, None if body is None else msgspec.json.encode(body)


def wrong_moves(logged: Logged, viewer: Viewer) -> Iterator[dict[str, Any]]:
    """Moves of others, and the viewer's own with pieces in them that it guesses at."""
    played, entry = logged.played, logged.played.entry
    game = played.games[logged.version - 1]
    guesses = sorted(entry.hidden(game.state, viewer))[::4]
    for seat in range(played.seats):
        for offer in kernel.legal_moves(game, entry.rules, seat).offers:
            move = example(offer)
            yield {"expected_version": 1, "move": move}
            if seat != viewer:
                yield {"expected_version": logged.version, "move": move}
                continue
            for name in move.keys() - {"type"}:
                for guess in guesses:
                    wrong = guess if isinstance(move[name], str) else [guess, *move[name][1:]]
                    yield {"expected_version": logged.version, "move": {**move, name: wrong}}
