"""A rule fix changes nothing that has happened, in finished games as in running ones (fault 29).

The toy gets a fix of much that it decides: hands are filled up to one card more, and a card in hand scores two points.
A process with the fixed rules takes over the log of one with the old ones.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.game import Status
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from domain.kernel.results import Result, ScoreLine, SeatScore
from domain.kernel.rules import Title
from service.auth.accounts import Account
from service.clock import Clock
from service.database.pool import open_pool
from service.log import events
from service.log.appender import Appender
from service.play.archive import record_lines
from service.play.commands import Commands
from service.play.component_sets import ComponentSets
from service.play.game_cache import GameCache, LoadedGame
from service.routes.timeline import points
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY
from tests.toy.material import read
from tests.toy.rules import ToyRules
from tests.toy.state import ToyState


class FixedRules(ToyRules):
    """The toy with its fix."""

    def result(self, state: ToyState) -> Result | None:
        found = super().result(state)
        return None if found is None else Result(found.winners, tuple(_fixed(score) for score in found.scores))


def _fixed(score: SeatScore) -> SeatScore:
    lines = tuple(ScoreLine("hand", 2 * line.points) if line.source == "hand" else line for line in score.lines)
    return replace(score, lines=lines, points=sum(line.points for line in lines))


def bind(tables: Mapping[str, Any]) -> FixedRules:
    material = read(tables)
    return FixedRules(replace(material, hand=material.hand + 1), material.served())


FIXED: Title = dataclasses.replace(TOY, rules_version="toy/3", earlier={**TOY.earlier, "toy/2": None}, bind=bind)


@asynccontextmanager
async def writing_fixed(dsn: str) -> AsyncGenerator[Writing]:
    """The write path of a process with the fixed rules; component sets are those that the log names."""
    async with open_pool(dsn, 4) as pool:
        sets, appender, clock = ComponentSets(pool, {"toy": FIXED}), Appender(pool), Clock()
        tables = GameCache(pool, sets, 100)
        async with pool.acquire() as connection:
            await clock.measure(connection)
        key = await events.service_key(pool)
        commands = Commands(pool, sets, tables, appender, service_key=key, clock=clock)
        yield Writing(pool=pool, sets=sets, tables=tables, appender=appender, clock=clock, commands=commands)
        await appender.close()


async def played(one: Writing, seated: tuple[Account, ...], tables: list[LoadedGame], moves: int | None = None) -> None:
    """Play on from the last of the tables, at most so many moves, adding the game at each version."""
    picks = random.Random(5)
    while tables[-1].game.status is Status.running and moves != 0:
        tables.append((await one.moved(tables[-1], seated, picks)).table)
        moves = None if moves is None else moves - 1


async def record_of(one: Writing, game_id: str) -> bytes:
    table = await one.tables.fresh(game_id)
    return b"".join([part async for part in record_lines(one.pool, one.tables, table, None)])


async def test_after_a_rule_fix_every_version_of_every_game_is_what_it_was(database: str) -> None:
    async with writing(database) as one:
        seated = (await one.account("Ada"), await one.account("Bo"), await one.account("Cy"))
        finished: list[LoadedGame] = [await one.started("toy", *seated)]
        running: list[LoadedGame] = [await one.started("toy", *seated)]
        await played(one, seated, finished)
        await played(one, seated, running, moves=10)
        told = await record_of(one, finished[0].id)
    before = finished[-1].game.result
    assert before is not None
    async with writing_fixed(database) as one:
        assert one.sets.titles["toy"].rules_version == "toy/3"
        for tables in (finished, running):
            for table in tables:
                then = await one.tables.at(table.id, table.version)
                assert msgspec.json.encode(then.game) == msgspec.json.encode(table.game)
                assert then.hash == table.hash
        over = await one.tables.fresh(finished[0].id)
        assert over.game.result == before
        assert over.rules.result(over.game.state) != before, "else the fix would show nowhere"
        assert await record_of(one, over.id) == told
        report = verify(told, {"toy": FIXED})
        assert report.verified, report.first_failure
        skips = [check.detail for check in report.checks if check.outcome is Outcome.skipped]
        assert skips == [
            f"{over.version} events decided by toy/2 were not decided again: toy/3 is installed",
            "the scores were counted by toy/2, and toy/3 is installed",
        ]


async def test_points_of_past_versions_never_contradict_the_result_after_a_scoring_fix(database: str) -> None:
    async with writing(database) as one:
        seated = (await one.account("Ada"), await one.account("Bo"))
        tables: list[LoadedGame] = [await one.started("toy", *seated)]
        await played(one, seated, tables)
    async with writing_fixed(database) as one:
        result = (await one.tables.fresh(tables[0].id)).game.result
        assert result is not None
        counted = [
            points(await one.tables.at(row.game_id, row.version), row.rules_version, None)
            for row in await events.read(one.pool, tables[0].id)
        ]
        assert counted == [None] * (len(counted) - 1) + [tuple(score.points for score in result.scores)]


async def test_moves_after_a_rule_fix_follow_it_and_each_event_says_which_rules_decided_it(database: str) -> None:
    async with writing(database) as one:
        seated = (await one.account("Ada"), await one.account("Bo"))
        tables = [await one.started("toy", *seated)]
        await played(one, seated, tables, moves=3)
    fixed_from = tables[-1].version + 1
    async with writing_fixed(database) as one:
        tables[-1] = await one.tables.fresh(tables[0].id)
        await played(one, seated, tables)
        rows = await events.read(one.pool, tables[0].id)
        assert [row.rules_version for row in rows] == ["toy/2"] * (fixed_from - 1) + ["toy/3"] * (
            len(rows) - fixed_from + 1
        )
        hands = [max(map(len, table.game.state.hands)) for table in tables if table.version >= fixed_from]
        assert max(hands) > max(len(hand) for hand in tables[0].game.state.hands)
        last = tables[-1].game
        assert last.result is not None
        assert [line.points for score in last.result.scores for line in score.lines if line.source == "hand"] == [
            2 * len(hand) for hand in last.state.hands
        ]
        record = await record_of(one, tables[0].id)
        again = [await GameCache(one.pool, one.sets, 1).at(tables[0].id, table.version) for table in tables]
        assert [table.game for table in again] == [table.game for table in tables]
    report = verify(record, {"toy": FIXED})
    assert report.verified, report.first_failure
    assert [check.detail for check in report.checks if check.name == "rules"] == [
        f"{len(rows) - fixed_from + 1} events were decided again by toy/3, with the same outcome",
        f"{fixed_from - 1} events decided by toy/2 were not decided again: toy/3 is installed",
    ]
    by_old = verify(record, {"toy": TOY})
    assert by_old.first_failure is None
    assert not by_old.verified
    assert by_old.checks[-1].detail.startswith(f"from version {fixed_from} on: toy/3 is not known here")
