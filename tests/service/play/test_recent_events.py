"""A move is folded once in the process that takes it, whoever needs the game after it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel.events import Event, SeatLeft
from domain.kernel.ids import AccountId
from domain.kernel.undo import fold_moves
from service.log import events
from service.play.recent_events import RecentEvents
from tests.harness.living import Frame, living
from tests.harness.writing import writing


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each move was folded, by its version."""
    counted = Counter[int]()

    def counting(fold: Any, before: Any, facts: Any, numbered: Iterable[tuple[int, Event]]) -> Any:
        moves = list(numbered)
        counted.update(version for version, _ in moves)
        return fold_moves(fold, before, facts, moves)

    monkeypatch.setattr(kernel, "fold_moves", counting)
    return counted


async def test_a_move_is_folded_once_for_its_answer_its_watchers_and_the_feeds_of_its_players(
    database: str, folds: Counter[int]
) -> None:
    async with living(database) as process:
        players = await process.player("Ada"), await process.player("Bob")
        table = await process.started(*players)
        first: list[Frame] = [
            {"type": "auth", "token": players[0].token},
            {"type": "subscribe", "game": table.id},
            {"type": "follow", "feed": "account"},
        ]
        async with process.watching("/v1/live", *first) as feed:
            await feed.until(lambda frame: frame["type"] == "following")
            # The feed reads the game's past before its first notice.
            await feed.until(lambda frame: frame["type"] == "notice" and "started" in frame["what"])
            version = table.version
            table = await process.played(table, players, 1_000, random.Random(1))
            told = set[str]()
            while told < {"event", "notice"}:
                frame = await feed.next()
                if frame["type"] == "event" and frame["version"] == table.version:
                    told.add("event")
                elif frame["type"] == "notice" and "ended" in frame["what"]:
                    told.add("notice")
        assert {folds[made] for made in range(version + 1, table.version + 1)} == {1}


async def test_a_move_that_another_process_made_is_folded_once_for_its_readers(
    database: str, folds: Counter[int]
) -> None:
    async with writing(database) as one, writing(database) as other:
        ada, bob = await one.account("Ada"), await one.account("Bob")
        table = await one.started("toy", ada, bob)
        here = await other.tables.fresh(table.id)
        await one.moved(table, (ada, bob), random.Random(1))
        (row,) = await events.read(other.pool, table.id, table.version, 1)
        folds.clear()
        first, event = other.tables.advance(here, row)
        assert other.tables.advance(here, row)[0].game is first.game
        assert other.tables.advance(here, row)[1] is event
        assert folds == {table.version + 1: 1}
        assert (first.hash, first.version) == (row.hash, row.version)


async def test_bytes_other_than_those_that_were_folded_are_not_taken_for_them(database: str) -> None:
    async with writing(database) as one:
        ada = await one.account("Ada")
        table = (await one.commands.create(ada, "toy", 2)).table
        (row,) = await events.read(one.pool, table.id, 0, 1)
    recent = RecentEvents(2)
    recent.keep(row, table.game.created, table.game)
    assert recent.find(row.hash, row.data) == (table.game.created, table.game)
    assert recent.find(row.hash, row.data + b" ") is None
    assert recent.find(bytes(32), row.data) is None


async def test_the_oldest_events_are_forgotten_first(database: str) -> None:
    async with writing(database) as one:
        game = (await one.commands.create(await one.account("Ada"), "toy", 2)).table.game
        (row,) = await events.read(
            one.pool, (await one.commands.create(await one.account("Bob"), "toy", 2)).table.id, 0, 1
        )
    recent, event = RecentEvents(2), SeatLeft(seat=0, account=AccountId("a"))
    rows = [msgspec.structs.replace(row, hash=bytes([number]) * 32) for number in range(3)]
    for each in rows:
        recent.keep(each, event, game)
    assert [recent.find(each.hash, each.data) is not None for each in rows] == [False, True, True]
