"""Whatever is played can be replayed to every version, exported and taken in elsewhere, byte for byte (fault 33)."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from domain.catalogue import TITLES
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.record.report import Outcome
from domain.kernel.record.verify import verify
from domain.kernel.rejected import Rejected
from service.auth.accounts import Account
from service.play.archive import record_lines
from service.play.game_cache import GameCache, LoadedGame, Unreadable
from tests.conformance.titles import ENTRIES
from tests.harness.archiving import archiving
from tests.harness.recording import recorded
from tests.harness.writing import Writing, writing
from tests.toy import TITLE as TOY

KNOWN = {**TITLES, "toy": TOY}
ENTRY = next(entry for entry in ENTRIES if entry.title is TOY)


async def played(one: Writing, title: str, seated: tuple[Account, ...], number: int) -> list[LoadedGame]:
    """A game played at random through the write path, three moves in ten taken back; gives it at each version."""
    picks = random.Random(number)
    tables = [(await one.commands.create(seated[0], title, len(seated))).table]
    for seat, account in enumerate(seated):
        done = await one.commands.take_seat(account, tables[0].id, seat, "dice" if seat else "")
        tables.append(done.table)
    while (table := tables[-1]).game.status is Status.running:
        if table.game.trail and picks.random() < 0.3:
            account = seated[table.game.trail[-1].seat]
            done = await one.commands.undo(account, table.id, table.version)
        else:
            done = await one.moved(table, seated, picks)
        tables.append(done.table)
    return tables


async def record_of(one: Writing, game_id: str, account: AccountId | None = None) -> bytes:
    tables = GameCache(one.pool, one.sets, limit=1)
    table = await tables.fresh(game_id)
    return b"".join([part async for part in record_lines(one.pool, tables, table, account)])


def told(game: Game) -> bytes:
    """All that there is of a game at a version."""
    return msgspec.json.encode(game)


async def goes_round(one: Writing, other: Writing, title: str, seats: int, number: int) -> int:
    """Play a game and hold everything that can be made of it against it; gives how many moves were taken back."""
    seated = tuple([await one.account(f"{title} {seats} {number} {seat}") for seat in range(seats)])
    tables = await played(one, title, seated, number)
    game_id = tables[0].id
    restarted = GameCache(one.pool, one.sets, limit=5)
    for table in tables:
        assert told((await restarted.at(game_id, table.version)).game) == told(table.game)
    record = await record_of(one, game_id)
    report = verify(record, KNOWN)
    assert report.verified, report.first_failure
    assert {check.outcome for check in report.checks} == {Outcome.passed}
    bringer = await other.account(f"bringer {title} {seats} {number}")
    async with archiving(other) as archive:
        taken = await archive.take_in(bringer, record)
    assert (taken.known, taken.table.archived, taken.table.hash) == (False, True, tables[-1].hash)
    there = GameCache(other.pool, other.sets, limit=5)
    for table in tables:
        assert told((await there.at(game_id, table.version)).game) == told(table.game)
    assert await record_of(other, game_id) == record
    return record.count(b'"event":"move_undone"')


@pytest.mark.parametrize("title", list(KNOWN))
async def test_play_with_undo_goes_through_restart_export_and_import_byte_for_byte(
    database: str, other_database: str, title: str
) -> None:
    async with writing(database) as one, writing(other_database) as other:
        least, _ = KNOWN[title].seats
        undone = [await goes_round(one, other, title, least + number % 2, number) for number in range(2)]
        assert sum(undone) > 0


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("title", list(KNOWN))
async def test_play_with_undo_goes_round_at_length(database: str, other_database: str, title: str) -> None:
    async with writing(database) as one, writing(other_database) as other:
        least, most = KNOWN[title].seats
        for number in range(60):
            await goes_round(one, other, title, least + number % (most - least + 1), number)


async def test_a_running_game_is_told_redacted_and_no_further_than_the_table_that_is_asked_for(database: str) -> None:
    async with writing(database) as one:
        seated = (await one.account("Ada"), await one.account("Bo"))
        table = await one.started("toy", *seated)
        now = (await one.moved(table, seated, random.Random(1))).table
        for asked in (table, now):
            record = b"".join([part async for part in record_lines(one.pool, one.tables, asked, None)])
            report = verify(record, KNOWN)
            assert (report.complete, report.first_failure) == (False, None)
            assert report.record is not None
            assert (report.record.end.events, report.record.end.hash) == (asked.version, asked.hash.hex())


async def test_one_of_many_bringers_stores_a_game_and_the_others_are_told_that_it_is_known(database: str) -> None:
    one_game = recorded(TOY, ENTRY.text, 2, 41)
    async with writing(database) as one, writing(database) as other:
        account = await one.account("Ada")
        async with archiving(one) as first, archiving(other) as second:
            archives = (first, second)
            taken = await asyncio.gather(*(archives[turn % 2].take_in(account, one_game.record) for turn in range(8)))
        assert sorted(each.known for each in taken) == [False] + [True] * 7
        assert await one.pool.fetchval("select count(*) from events") == len(one_game.log)
        assert await one.pool.fetchval("select count(*) from imports") == 1


async def test_a_refused_record_stores_nothing_at_all(database: str) -> None:
    first = recorded(TOY, ENTRY.text, 2, 42)
    second = recorded(TOY, ENTRY.text, 2, 42, sittings=2)
    async with writing(database) as one:
        account = await one.account("Ada")
        async with archiving(one) as archive:
            await archive.take_in(account, first.record)
            with pytest.raises(Rejected, match="record-conflict"):
                await archive.take_in(account, second.record)
            with pytest.raises(Rejected, match="bad-record"):
                await archive.take_in(account, first.record[:-1])
        assert await record_of(one, first.game_id) == first.record


async def test_what_was_taken_in_is_never_changed(database: str) -> None:
    one_game = recorded(TOY, ENTRY.text, 2, 43)
    async with writing(database) as one:
        account = await one.account("Ada")
        async with archiving(one) as archive:
            await archive.take_in(account, one_game.record)
        for statement in ("delete from imports", "update imports set account = 'x'", "truncate imports"):
            with pytest.raises(Exception, match="append-only"):
                await one.pool.execute(statement)


async def test_a_game_whose_rows_are_missing_gives_no_record_that_looks_whole(database: str) -> None:
    async with writing(database) as one:
        seated = (await one.account("Ada"), await one.account("Bo"))
        table = await one.started("toy", *seated)
        ahead = msgspec.structs.replace(table, game=msgspec.structs.replace(table.game, version=table.version + 1))
        lines = record_lines(one.pool, one.tables, ahead, None)
        there = [await anext(lines), await anext(lines)]
        assert sum(part.count(b"\n") for part in there) == 1 + table.version
        with pytest.raises(Unreadable):
            await anext(lines)
