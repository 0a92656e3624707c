"""Feeds that go on: from any cursor, on any process, in a storm, after a stall; or anew if the cursor means nothing."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest

from service.live import pacing
from service.live.feeds import feeds, follow
from service.play.game_cache import LoadedGame
from service.transport.close_codes import SLOW_READER
from tests.harness.lists import eventually
from tests.harness.living import Feed, Living, Player, living
from tests.harness.noticing import told
from tests.harness.raw import CLOSE, raw_socket
from tests.service.live.feeds.test_feeds import (
    ACCOUNT,
    LOBBY,
    NOBODY,
    auth,
    caught_up,
    cursor,
    cursors,
    due_now,
    fidget,
    following,
    opened,
    playing,
    sat,
    through,
)


async def test_every_cursor_leads_to_all_that_came_after_it_on_any_process(database: str) -> None:
    async with playing(database) as (process, ada, bo), living(database) as other:
        await fidget(process, ada, await opened(process, bo), 3)
        table = await process.played(await process.started(ada, bo), (ada, bo), 1_000)
        await caught_up(process)
        for first, feed, player in ((NOBODY, LOBBY, None), (auth(ada), ACCOUNT, ada)):
            everything = await due_now(database, player)
            assert everything[-1][0] == cursor(table)
            for number, place in enumerate(["0", *(each for each, _, _ in everything)]):
                at = {"after": place} | ({"epoch": other.node.epoch} if number else {})
                async with other.watching("/v1/live", first, {**feed, **at}) as going_on:
                    begun = await going_on.next()
                    assert (begun["type"], begun["cursor"]) == ("following", place)
                    left = everything[number:]
                    frames = [await going_on.next() for _ in left]
                    assert told(frames) == left
                    await going_on.send(type="unfollow", feed=feed["feed"])
                    assert (await going_on.next())["type"] == "unfollowed"


async def test_a_cursor_that_means_nothing_begins_anew_and_says_why(database: str) -> None:
    async with playing(database) as (process, ada, bo):
        unlisted = await sat(process, bo, await opened(process, ada, visibility="unlisted"))
        moved = await process.played(await process.started(ada, bo), (ada, bo), 2)
        left = await fidget(process, bo, await opened(process, ada), 1)
        gone = await sat(process, ada, left)
        await caught_up(process)
        epoch = process.node.epoch
        here = f"{moved.id}:1"
        no_cursors = [
            f"{unlisted.id}:1",  # of a game that is not listed
            f"{moved.id}:5",  # of a move
            f"{moved.id}:6",
            f"{moved.id}:9007199254740993",
            f"{moved.id}:9999999999999999",
            "g00000000000000000000:1",
            "-:1",
        ]
        await expect_anew(process, (NOBODY, LOBBY), no_cursors, epoch, reason="unknown", at=cursor(gone))
        await expect_anew(process, (NOBODY, LOBBY), [here, "0"], "another", reason="epoch", at=cursor(gone))
        await expect_anew(process, (NOBODY, LOBBY), [here], None, reason="no-epoch", at=cursor(gone))
        of_others = [f"{unlisted.id}:1", cursor(gone), f"{moved.id}:1", f"{moved.id}:2", f"{moved.id}:6"]
        await expect_anew(process, (auth(bo), ACCOUNT), of_others, epoch, reason="unknown", at=cursor(left))


async def expect_anew(
    process: Living, first: tuple[dict[str, Any], ...], places: list[str], epoch: str | None, *, reason: str, at: str
) -> None:
    for place in places:
        asked = {**first[-1], "after": place} | ({"epoch": epoch} if epoch else {})
        async with process.watching("/v1/live", *first[:-1], asked) as feed:
            anew = {"type": "refollow", "feed": asked["feed"], "reason": reason, "epoch": process.node.epoch}
            assert await feed.next() == anew, place
            assert await feed.next() == following(asked["feed"], process.node.epoch, at), place


@pytest.mark.parametrize("pending", [0, 2, 500])
async def test_who_catches_up_in_a_storm_gets_every_notice_once(
    database: str, monkeypatch: pytest.MonkeyPatch, pending: int
) -> None:
    monkeypatch.setattr(follow, "PENDING", pending)
    monkeypatch.setattr(feeds, "PAGE", 7)
    monkeypatch.setattr(pacing, "CHUNK_BYTES", 1)
    async with playing(database) as (process, ada, bo), AsyncExitStack() as stack:
        tables = [await opened(process, bo) for _ in range(3)]

        async def storm(table: LoadedGame) -> None:
            await fidget(process, ada, table, 10)

        storms = [asyncio.create_task(storm(table)) for table in tables]
        watching: list[tuple[Feed, Player | None]] = []
        while not all(each.done() for each in storms):
            for first, feed, player in ((NOBODY, LOBBY, None), (auth(ada), ACCOUNT, ada)):
                asked = process.watching("/v1/live", first, {**feed, "after": "0"})
                watching.append((await stack.enter_async_context(asked), player))
            await asyncio.sleep(0.02)
        last = await sat(process, ada, tables[0])
        everything = {player: await due_now(database, player) for player in (None, ada)}
        assert len(watching) >= 4
        for feed, player in watching:
            assert told(await through(feed, last)) == everything[player]


async def test_a_reader_that_stalls_is_closed_with_a_code_and_goes_on_by_its_cursor(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "STALL_SECONDS", 0.05)
    async with playing(database) as (process, ada, bo):
        table = await opened(process, bo)
        large = Player(msgspec.structs.replace(ada.account, name="x" * 60_000), ada.token)
        table = await fidget(process, large, table, 60)
        everything = [f"{table.id}:{version}" for version in range(1, table.version + 1)]
        async with raw_socket(process.port, "/v1/live") as raw:
            await raw.send(msgspec.json.encode({**LOBBY, "after": "0"}))
            await eventually(lambda: gone(process))
            texts: list[bytes] = []
            while (received := await raw.receive()).opcode != CLOSE:
                texts.append(received.payload)
            assert int.from_bytes(received.payload[:2], "big") == SLOW_READER.code
        frames = [msgspec.json.decode(text) for text in texts]
        had = cursors(frames)
        assert had == everything[: len(had)]
        assert len(had) < len(everything)
        place = {"after": frames[-1]["cursor"], "epoch": process.node.epoch}
        async with process.watching("/v1/live", {**LOBBY, **place}) as feed:
            await feed.next()
            assert cursors(await through(feed, table)) == everything[len(had) :]


async def gone(process: Living) -> bool:
    return process.node.hub.watchers == 0
