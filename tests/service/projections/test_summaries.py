"""What is summed up of games, and how those that cannot be read are told apart."""

from __future__ import annotations

import random

import asyncpg
import pytest

from domain.kernel.rules import AnyRules
from service.play.game_cache import GameCache, LoadedGame, Unreadable
from service.projections.summaries import fault, replay_summaries, summarize, summary
from tests.harness.writing import writing


async def test_a_summary_has_the_seats_that_are_taken(database: str) -> None:
    async with writing(database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        table = (await process.commands.create(ann, "toy", 3)).table
        table = (await process.commands.take_seat(bob, table.id, seat=2)).table
        said = summary(table)
        assert [(seat.seat, seat.account, seat.name) for seat in said.seats] == [(2, bob.id, "Bob")]
        assert (said.seat_count, said.open_seats, said.version) == (3, 2, 2)


async def test_a_game_is_read_up_to_the_version_that_is_wanted_though_a_hot_one_lags(database: str) -> None:
    async with writing(database) as process, writing(database) as elsewhere:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        table = await process.started("toy", ann, bob)
        await elsewhere.tables.fresh(table.id)
        moved = (await process.moved(table, (ann, bob), random.Random(1))).table
        (said,) = (await summarize(elsewhere.tables, {table.id: moved.version})).games
        assert said == summary(moved)


async def test_one_game_whose_rules_fail_is_told_apart_and_the_others_are_summed_up(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with writing(database) as process:
        ann, bob = await process.account("Ann"), await process.account("Bob")
        good, bad = await process.started("toy", ann, bob), await process.started("toy", ann, bob)
        rules: type[AnyRules] = type(bad.rules)
        to_move = rules.to_move

        def failing(self: AnyRules, state: object) -> tuple[int, ...]:
            if state == bad.game.state:
                raise ZeroDivisionError
            return to_move(self, state)

        monkeypatch.setattr(rules, "to_move", failing)
        wanted = {good.id: good.version, bad.id: bad.version}
        for found in (
            await summarize(process.tables, wanted),
            await replay_summaries(process.tables, [*wanted]),
        ):
            assert [each.game_id for each in found.games] == [good.id]
            assert [(each.game_id, each.version) for each in found.faults] == [(bad.id, bad.version)]


async def test_a_database_out_of_reach_is_no_fault_of_a_game(database: str) -> None:
    async with writing(database) as process:
        ann = await process.account("Ann")
        table: LoadedGame = (await process.commands.create(ann, "toy", 2)).table
        pool = await asyncpg.create_pool(database, min_size=1, max_size=1)
        tables = GameCache(pool, process.sets, 10)
        await pool.close()
        with pytest.raises(asyncpg.InterfaceError):
            await summarize(tables, {table.id: 1})


def test_a_fault_is_one_line_of_plain_characters() -> None:
    assert fault("g", 1, ValueError("a\nb\0研")).error == r"ValueError: a\nb\x00\u7814"


def test_a_fault_tells_where_reading_stopped_and_what_stopped_it() -> None:
    broken = Unreadable("g", 7)
    broken.__cause__ = KeyError("worker")
    said = fault("g", 9, broken)
    assert (said.version, said.error) == (7, "KeyError: 'worker'")
