"""The reader of the whole log: whom it hands what, and what it does when it cannot read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
import pytest

from service.auth.accounts import Account
from service.live.encodings import TEXT_FRAMES
from service.live.feeds import account_queries, follow, queries
from service.live.feeds import reader as feed_reader
from service.live.feeds.follow import Follow
from service.live.feeds.reader import Reader
from service.live.frames import Feed
from service.live.games.subscription import Watcher
from service.live.outbox import Outbox
from service.log import log_reader
from service.play.game_cache import LoadedGame
from service.transport.close_codes import Close
from tests.harness.at_work import at_work
from tests.harness.lists import eventually
from tests.harness.writing import Writing, writing


class Sink:
    """A transport that takes everything."""

    def __init__(self) -> None:
        self.on_writable: Any = None
        self.waiting = 0
        self.ready = True
        self.data = b""

    def send_frames(self, data: bytes) -> None:
        self.data += data

    def close_for(self, close: Close) -> None:
        raise AssertionError(close)

    def has(self, *tables: LoadedGame) -> bool:
        """Whether there was a notice of the last event of each."""
        return all(f'"cursor":"{table.id}:{table.version}"'.encode() in self.data for table in tables)


async def following(reader: Reader, feed: Feed, account: Account | None = None) -> tuple[Follow, Sink]:
    """One who is told from now on."""
    sink = Sink()
    watcher = Watcher(Outbox(sink, 1_000, 1_000_000), TEXT_FRAMES)
    watcher.account = account.id if account else None
    made = Follow(watcher, feed)
    made.place = await reader.admit(made)
    made.pending = None
    return made, sink


@pytest.fixture
async def process(database: str) -> AsyncGenerator[Writing]:
    async with writing(database) as made:
        yield made


def reading(process: Writing) -> AbstractAsyncContextManager[Reader]:
    """A reader that looks at the log without having to be woken."""
    return at_work(Reader(process.pool, process.tables))


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_reader, "POLL_SECONDS", 0.01)


async def told(sink: Sink, *tables: LoadedGame) -> None:
    async def holds() -> bool:
        return sink.has(*tables)

    await eventually(holds)


async def test_a_read_that_fails_is_repeated_and_leaves_nothing_out(
    process: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "RETRY_SECONDS", 0.01)
    ada = await process.account("Ada")
    async with reading(process) as reader:
        _, sink = await following(reader, "lobby")
        failures = 0
        real = queries.rows

        async def failing(*arguments: Any) -> Any:
            nonlocal failures
            failures += 1
            if failures < 4:
                raise OSError
            return await real(*arguments)

        monkeypatch.setattr(queries, "rows", failing)
        tables = [(await process.commands.create(ada, "toy", 2)).table for _ in range(3)]
        await told(sink, *tables)
        assert failures >= 4
        assert sink.data.count(b'"type":"notice"') == 3


async def test_who_has_left_is_told_nothing_more_and_others_are(process: Writing) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    async with reading(process) as reader:
        gone = [await following(reader, "lobby"), await following(reader, "account", ada)]
        stays = [await following(reader, "lobby"), await following(reader, "account", ada)]
        first = await process.started("toy", ada, bo)
        for _, sink in (*gone, *stays):
            await told(sink, first)
        had = [sink.data for _, sink in gone]
        for each, _ in gone:
            reader.leave(each)
        second = await process.started("toy", ada, bo)
        for _, sink in stays:
            await told(sink, second)
        assert [sink.data for _, sink in gone] == had


async def test_who_comes_for_an_account_that_all_others_have_just_left_is_told(
    process: Writing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada, bo = await process.account("Ada"), await process.account("Bo")
    async with reading(process) as reader:
        before, _ = await following(reader, "account", ada)
        real = account_queries.tables_after

        async def leaving(*arguments: Any) -> Any:
            reader.leave(before)
            return await real(*arguments)

        monkeypatch.setattr(account_queries, "tables_after", leaving)
        both = await asyncio.gather(following(reader, "account", ada), following(reader, "account", bo))
        table = await process.started("toy", ada, bo)
        for _, sink in both:
            await told(sink, table)
    assert caplog.records == []


async def test_a_crowd_is_told_in_turns_and_everyone_once(process: Writing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_reader, "CROWD", 3)
    monkeypatch.setattr(follow, "PENDING", 1)
    ada = await process.account("Ada")
    async with reading(process) as reader:
        crowd = [sink for _, sink in await asyncio.gather(*(following(reader, "lobby") for _ in range(20)))]
        tables = [(await process.commands.create(ada, "toy", 2)).table for _ in range(10)]
        for sink in crowd:
            await told(sink, tables[-1])
        for sink in crowd:
            frames = [msgspec.json.decode(part) for part in notices_in(sink.data)]
            assert [frame["game"] for frame in frames] == [table.id for table in tables]


def notices_in(data: bytes) -> list[bytes]:
    """The JSON of each text frame: all of them are shorter than 65,536 bytes, and longer than 125."""
    found: list[bytes] = []
    while data:
        assert data[1] == 126
        size = int.from_bytes(data[2:4], "big")
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found
