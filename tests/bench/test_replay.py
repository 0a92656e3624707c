"""Events folded per second from Postgres to state, beside the `eventsourcing` package doing as many."""

from __future__ import annotations

import random
import time
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from domain.kernel.game import Status
from service.play.tables import Table, Tables
from tests.harness.writing import Writing, writing

GAMES = 30
ROUNDS = 5


class Board(Aggregate):
    """The least that an aggregate can be: a move is a seat and a word, the state is how many there were."""

    @event("Opened")
    def __init__(self) -> None:
        self.moves = 0

    @event("Moved")
    def move(self, seat: int, what: str) -> None:
        """Count a move."""
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


def _boards(database: str, sizes: list[int]) -> tuple[Any, list[UUID]]:
    """As many events of the other package, in the same database."""
    parts = urlsplit(database)
    application_of_any: Any = Application
    application: Any = application_of_any(
        {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": parts.path.lstrip("/"),
            "POSTGRES_HOST": str(parts.hostname),
            "POSTGRES_PORT": str(parts.port),
            "POSTGRES_USER": str(parts.username),
            "POSTGRES_PASSWORD": str(parts.password),
        }
    )
    boards: list[UUID] = []
    for size in sizes:
        board = Board()
        for number in range(size - 1):
            board.move(number % 2, "place_lab")
        application.save(board)
        boards.append(board.id)
    return application, boards


@pytest.mark.bench
async def test_whole_games_fold_ten_times_as_fast_as_eventsourcing_replays_as_many_events(database: str) -> None:
    async with writing(database) as one:
        played = await _games(one)
        application, boards = _boards(database, list(played.values()))
        total = sum(played.values())
        ours, theirs = float("inf"), float("inf")
        for _ in range(ROUNDS):
            cold = Tables(one.pool, one.sets, limit=1)
            begun = time.perf_counter()
            folded = [table async for table in cold.replay(list(played))]
            ours = min(ours, time.perf_counter() - begun)
            assert {table.id: table.version for table in folded if isinstance(table, Table)} == played
            begun = time.perf_counter()
            replayed: list[Board] = [application.repository.get(board) for board in boards]
            theirs = min(theirs, time.perf_counter() - begun)
            assert [board.version for board in replayed] == list(played.values())
        application.close()
        size = await one.pool.fetchval("select avg(octet_length(data::text)) from events")
    print(
        f"\nreplay of {total} events of {GAMES} Space Lab games (of {size:.0f} bytes on average) from Postgres to state"
    )
    print(f"  tablelog       {total / ours:10,.0f} events/s")
    print(f"  eventsourcing  {total / theirs:10,.0f} events/s (a two-field event that adds one to a number)")
    print(f"  ratio          {theirs / ours:10.1f}")
    assert theirs / ours >= 10
