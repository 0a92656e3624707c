"""Accepted moves per second over HTTP, beside a bare route of the same framework that does one INSERT."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from domain.kernel import game as kernel
from domain.kernel.game import Status
from service.log import events
from tests.bench.rush import Answers, post, rush
from tests.harness.play import random_move
from tests.harness.server import Table, http_client, new_game, serving
from tests.harness.writing import writing

CLIENTS = 16
GAMES_EACH = 4
ROUNDS = 5
PROJECT = Path(__file__).resolve().parents[2]


async def planned(database: str, table: Table) -> list[bytes]:
    """The moves of a whole random game as requests: known beforehand, since the bench may look up the seed."""
    async with writing(database) as one:
        seen = await one.tables.fresh(table.id)
    game, picks, requests = seen.game, random.Random(table.id), list[bytes]()
    while game.status is Status.running:
        (seat,) = kernel.to_move(game, seen.rules)
        move = random_move(kernel.legal_moves(game, seen.rules, seat), picks)
        body = {"expected_version": game.version, "move": move}
        requests.append(post(f"{table.path}/moves", body, str(table.seats[seat].token)))
        game = kernel.evolve(game, seen.rules, kernel.make_move(game, seen.rules, seat, move, seen.seed))
    return requests


async def moves(url: str, database: str) -> Answers:
    """Sixteen clients play, each on games of its own."""
    plans: list[list[bytes]] = []
    tables: list[Table] = []
    async with http_client(url) as http:
        for _ in range(CLIENTS):
            tables = [await new_game(http, 2, "spacelab") for _ in range(GAMES_EACH)]
            plans.append([request for table in tables for request in await planned(database, table)])
    shortest = min(map(len, plans))  # so that all sixteen are there to the end, as they are at the bare route
    answers = await rush(int(url.rpartition(":")[2]), [plan[:shortest] for plan in plans])
    assert set(answers.statuses) == {201}
    async with writing(database) as one:
        assert await events.head(one.pool, tables[0].id) > 4
    return answers


async def inserts(port: int, number: int) -> Answers:
    """Sixteen clients have a row inserted, by requests of the same size."""
    body = {"expected_version": 10, "move": {"type": "spacelab.place_lab", "card": "gp_08", "slot": "top_left"}}
    answers = await rush(port, [[post("/moves", body, "x" * 46)] * (number // CLIENTS)] * CLIENTS)
    assert set(answers.statuses) == {201}
    return answers


@pytest.fixture
def bare_port(database: str) -> Generator[int]:
    command = [sys.executable, "-m", "tests.bench.bare", database]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as bare:
        assert bare.stdout is not None
        yield int(bare.stdout.readline())
        bare.terminate()


@pytest.mark.bench
async def test_moves_are_accepted_at_six_tenths_of_the_rate_of_bare_inserts(database: str, bare_port: int) -> None:
    pairs: list[tuple[float, float]] = []
    with serving(database) as service:
        await moves(service.url, database)  # both are warm before anything counts
        await inserts(bare_port, 1_000)
        for _ in range(ROUNDS):
            made = await moves(service.url, database)
            pairs.append((made.per_second, (await inserts(bare_port, made.statuses.total())).per_second))
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    print(f"\naccepted moves over HTTP, {CLIENTS} clients on different games (projections running), in {ROUNDS} rounds")
    for ours, theirs in pairs:
        print(f"  {ours:8,.0f} moves/s   bare route with one INSERT {theirs:8,.0f}/s   ratio {ours / theirs:.2f}")
    assert ratios[len(ratios) // 2] >= 0.6
