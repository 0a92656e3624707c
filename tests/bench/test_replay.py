"""Events folded per second from Postgres to state, beside the `eventsourcing` package doing as many.

Its events hold what ours hold, as the log has it: the move and the facts. What it does with one is the least there is:
it counts it, where ours makes the next state of the game. Events of two small fields stand beside for comparison.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Generator
from contextlib import contextmanager
from statistics import median
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from domain.kernel.game import Status
from service.log import events
from service.play.game_cache import GameCache, LoadedGame
from tests.harness.writing import Writing, writing

GAMES = 30
STRETCHES = 6
ROUNDS = 30
"""Of ours in each stretch: they take as long as `THEIRS` of the other package."""

THEIRS = 3
AIM = 10


class Board(Aggregate):
    """The least that an aggregate can be: its state is how many events there were."""

    @event("Opened")
    def __init__(self) -> None:
        self.moves = 0

    @event("Happened")
    def happen(self, data: dict[str, Any]) -> None:
        """Count an event that holds what one of ours holds."""
        assert data
        self.moves += 1

    @event("Moved")
    def move(self, seat: int, what: str) -> None:
        """Count an event of two small fields."""
        assert seat >= 0
        assert what
        self.moves += 1


async def _games(one: Writing) -> dict[str, int]:
    """Whole random games in the log: how many events each has."""
    picks = random.Random(1)
    played: dict[str, int] = {}
    seated = tuple([await one.account(f"player {number}") for number in range(4)])
    for number in range(GAMES):
        at_table = seated[: 2 + number % 3]
        table = await one.started("spacelab", *at_table)
        while table.game.status is Status.running:
            table = (await one.moved(table, at_table, picks)).table
        played[table.id] = table.version
    return played


def _application(database: str) -> Any:
    """The other package on the same database."""
    parts = urlsplit(database)
    application_of_any: Any = Application
    return application_of_any(
        {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": parts.path.lstrip("/"),
            "POSTGRES_HOST": str(parts.hostname),
            "POSTGRES_PORT": str(parts.port),
            "POSTGRES_USER": str(parts.username),
            "POSTGRES_PASSWORD": str(parts.password),
        }
    )


async def _boards(one: Writing, application: Any, played: dict[str, int], *, small: bool) -> list[UUID]:
    """As many events of the other package: of the same content, or of two small fields."""
    boards: list[UUID] = []
    for game in played:
        board = Board()
        for row in await events.read(one.pool, game, after=1):
            if small:
                board.move(row.version % 2, "place_lab")
            else:
                board.happen(msgspec.json.decode(row.data))
        application.save(board)
        boards.append(board.id)
    return boards


@pytest.mark.bench
async def test_whole_games_fold_many_times_as_fast_as_eventsourcing_replays_as_many_events(database: str) -> None:
    async with writing(database) as one:
        played = await _games(one)
        application = _application(database)
        alike = await _boards(one, application, played, small=False)
        small = await _boards(one, application, played, small=True)
        total = sum(played.values())
        # Each in stretches of rounds of its own: beside another it would find its caches filled with the other's data.
        # Several stretches of equal length, since the machine is not equally fast at all times.
        ours, theirs, least = list[float](), list[float](), list[float]()
        with _settled():
            for _ in range(STRETCHES):
                ours += [await _folded(one, played) for _ in range(ROUNDS)]
                theirs += [_replayed(application, alike, played) for _ in range(THEIRS)]
                least += [_replayed(application, small, played) for _ in range(THEIRS)]
        application.close()
        size = await one.pool.fetchval("select avg(octet_length(data::text)) from events")
    seconds = [median(each) for each in (ours, theirs, least)]
    print(
        f"\nreplay of {total} events of {GAMES} Space Lab games (of {size:.0f} bytes on average) from Postgres to state"
    )
    print(f"  tablelog       {total / seconds[0]:10,.0f} events/s (medians of {len(ours)} and {len(theirs)} rounds)")
    print(f"  eventsourcing  {total / seconds[1]:10,.0f} events/s (of the same content, each adds one to a number)")
    print(f"  ratio          {seconds[1] / seconds[0]:10.1f}")
    print(f"  eventsourcing  {total / seconds[2]:10,.0f} events/s (of two small fields, each adds one to a number)")
    print(f"  ratio          {seconds[2] / seconds[0]:10.1f}")
    assert seconds[1] / seconds[0] >= AIM


@contextmanager
def _settled() -> Generator[None]:
    """Let the garbage collector leave alone what is there already, as the service does at its start."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def _folded(one: Writing, played: dict[str, int]) -> float:
    """How many seconds a fold of all games takes, with nothing kept from before."""
    cold = GameCache(one.pool, one.sets, limit=1)
    begun = time.perf_counter()
    folded = [table async for table in cold.replay(list(played))]
    seconds = time.perf_counter() - begun
    assert {table.id: table.version for table in folded if isinstance(table, LoadedGame)} == played
    return seconds


def _replayed(application: Any, boards: list[UUID], played: dict[str, int]) -> float:
    """How many seconds the other package takes."""
    begun = time.perf_counter()
    replayed: list[Board] = [application.repository.get(board) for board in boards]
    seconds = time.perf_counter() - begun
    assert [board.version for board in replayed] == list(played.values())
    return seconds
