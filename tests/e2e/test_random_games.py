"""Random games from the document and the legal moves alone: no refusal, and the log agrees with what is served."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Generator
from typing import Any

import msgspec
import pytest

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from service.log import events
from tests.e2e.stranger import play_game, stranger
from tests.harness.server import Service, serving
from tests.harness.writing import Writing, writing

GAMES = {"spacelab": 20, "chimera": 10}
LONG_GAMES = 300
OPTIONS: dict[str, list[dict[str, Any]]] = {"chimera": [{"sides": "standard"}, {"sides": "factions"}]}
"""The options that games take turns with."""
AT_ONCE = 4


@pytest.fixture
def service(database: str) -> Generator[Service]:
    with serving(database) as running:
        yield running


def as_served(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


async def agrees_with_the_log(one: Writing, served: dict[str, object]) -> None:
    """The game that is served is the fold of its events, and its scores are the sums of their lines."""
    table = await one.folded(str(served["id"]))
    result = table.game.result
    assert result is not None
    assert as_served(result) == served["result"]
    assert as_served(table.rules.view(table.game.state, None)) == served["view"]
    assert (table.version, table.hash.hex(), table.game.status.value) == (
        served["version"],
        served["hash"],
        served["status"],
    )
    rows = await events.read(one.pool, table.id)
    assert [row.version for row in rows] == list(range(1, table.version + 1))
    game = kernel.evolve(None, table.rules, one.tables.decode(table, rows[0]))
    for row in rows[1:]:
        game = kernel.evolve(game, table.rules, one.tables.decode(table, row))
        if game.state is not None:
            table.rules.check(game.state)  # every piece is somewhere, once
    assert all(score.points == sum(line.points for line in score.lines) for score in result.scores)


async def play_many(database: str, service: Service, title: str, number: int) -> None:
    least, most = TITLES[title].seats
    async with writing(database) as one, stranger(service.url) as first:

        async def lane(which: int) -> None:
            players = [await first.joined(f"player {which} {seat}") for seat in range(most)]
            for game in range(which, number, AT_ONCE):
                seats = least + game % (most - least + 1)
                options = OPTIONS.get(title, [{}])
                chosen = options[game // (most - least + 1) % len(options)]
                served = await play_game(players[:seats], title, random.Random(game), options=chosen)
                assert served["status"] == "finished"
                await agrees_with_the_log(one, served)

        await asyncio.gather(*(lane(which) for which in range(AT_ONCE)))
    assert "Traceback" not in service.log


@pytest.mark.timeout(900)  # thousands of requests, each answer held to the document
@pytest.mark.parametrize("title", sorted(TITLES))
async def test_strangers_play_whole_games_of_every_seat_count_without_a_refusal(
    database: str, service: Service, title: str
) -> None:
    await play_many(database, service, title, GAMES[title])


@pytest.mark.fuzz
@pytest.mark.parametrize("title", sorted(TITLES))
async def test_strangers_play_hundreds_of_games_without_a_refusal(database: str, service: Service, title: str) -> None:
    await play_many(database, service, title, LONG_GAMES)
