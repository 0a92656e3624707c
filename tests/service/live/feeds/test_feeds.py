"""Feeds on a socket: where a follow begins, what comes after that, and when it begins anew or ends."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from service.live.feeds import queries
from service.live.feeds import reader as feed_reader
from service.log.restore import restored
from service.play.game_cache import LoadedGame
from service.projections.lobby import Lobby
from service.transport.close_codes import GOING_AWAY
from tests.harness.backup import rewind
from tests.harness.lists import eventually
from tests.harness.living import Feed, Frame, Living, Player, living
from tests.harness.noticing import Told, due, told
from tests.harness.writing import writing

NOBODY = {"type": "auth"}
LOBBY = {"type": "follow", "feed": "lobby"}
ACCOUNT = {"type": "follow", "feed": "account"}


def following(feed: str, epoch: str, cursor: str) -> Frame:
    """The first frame of a feed, with the interval that a process keeps by default."""
    return {"type": "following", "feed": feed, "epoch": epoch, "cursor": cursor, "heartbeat_seconds": 15.0}


def auth(player: Player) -> dict[str, Any]:
    return {"type": "auth", "token": player.token}


@asynccontextmanager
async def playing(database: str, **settings: Any) -> AsyncGenerator[tuple[Living, Player, Player]]:
    """A process with two accounts."""
    async with living(database, **settings) as process:
        yield process, await process.player("Ada"), await process.player("Bo")


async def opened(process: Living, player: Player, **options: Any) -> LoadedGame:
    return (await process.node.commands.create(player.account, "toy", 2, **options)).table


async def sat(process: Living, player: Player, table: LoadedGame) -> LoadedGame:
    return (await process.node.commands.take_seat(player.account, table.id)).table


async def up(process: Living, player: Player, table: LoadedGame) -> LoadedGame:
    return (await process.node.commands.leave_seat(player.account, table.id)).table


async def fidget(process: Living, player: Player, table: LoadedGame, times: int) -> LoadedGame:
    """Sit down and get up again, so many times."""
    for _ in range(times):
        await sat(process, player, table)
        table = await up(process, player, table)
    return table


async def due_now(database: str, player: Player | None = None) -> list[Told]:
    async with writing(database) as reader:
        return await due(reader, player.account.id if player else None)


async def caught_up(process: Living) -> None:
    """Wait until the lists have come to the end of the log."""
    query = "select (xid, position) = (select xid, position from events order by xid desc, position desc limit 1)"
    await eventually(lambda: process.node.pool.fetchval(f"{query} from projection"))


async def through(feed: Feed, table: LoadedGame) -> list[dict[str, Any]]:
    """The frames up to the notice of the event that a table was folded up to."""
    return await feed.until(lambda frame: frame.get("cursor") == cursor(table))


def cursor(table: LoadedGame) -> str:
    return f"{table.id}:{table.version}"


def cursors(frames: list[dict[str, Any]]) -> list[str]:
    return [each for each, _, _ in told(frames)]


# What comes.


async def test_what_happens_is_told_in_one_order_to_the_lobby_and_to_those_who_sit_there(database: str) -> None:
    async with (
        playing(database) as (process, ada, bo),
        process.watching("/v1/live", LOBBY) as lobby,
        process.watching("/v1/live", auth(bo), ACCOUNT) as mine,
    ):
        for feed, name in ((lobby, "lobby"), (mine, "account")):
            first = following(name, process.node.epoch, "0")
            assert await feed.next() == first
        await opened(process, ada, visibility="unlisted")
        table = await process.played(await process.started(ada, bo), (ada, bo), 1_000, random.Random(1))
        assert told(await through(lobby, table)) == await due_now(database)
        assert told(await through(mine, table)) == await due_now(database, bo)


async def test_what_the_lists_have_not_come_to_when_a_follow_begins_comes_as_a_notice(database: str) -> None:
    async with playing(database) as (process, ada, bo):
        await process.node.projector.stop()
        table = await sat(process, bo, await opened(process, ada))
        async with (
            process.watching("/v1/live", LOBBY) as lobby,
            process.watching("/v1/live", auth(bo), ACCOUNT) as mine,
        ):
            assert (await lobby.next())["cursor"] == (await mine.next())["cursor"] == "0"
            assert (await Lobby(process.node.pool, process.node.tables).page(None)).games == ()
            assert cursors(await through(lobby, table)) == [f"{table.id}:1", f"{table.id}:2"]
            assert cursors(await through(mine, table)) == [f"{table.id}:2"]


async def test_what_the_lists_have_when_a_follow_begins_does_not_come_again(database: str) -> None:
    async with playing(database) as (process, ada, bo):
        table = await sat(process, bo, await opened(process, ada))
        left = await up(process, bo, await sat(process, bo, await opened(process, ada)))
        await sat(process, ada, await opened(process, ada, visibility="unlisted"))
        await caught_up(process)
        async with (
            process.watching("/v1/live", LOBBY) as lobby,
            process.watching("/v1/live", auth(bo), ACCOUNT) as mine,
        ):
            assert (await lobby.next())["cursor"] == (await mine.next())["cursor"] == cursor(left)
            await sat(process, ada, left)
            table = await sat(process, ada, table)
            assert cursors(await through(lobby, table)) == [f"{left.id}:4", f"{table.id}:3"]
            assert cursors(await through(mine, table)) == [f"{table.id}:3"]


async def test_an_account_is_told_of_tables_that_it_comes_to_and_no_more_of_those_that_it_has_left(
    database: str,
) -> None:
    async with (
        playing(database) as (process, ada, bo),
        process.watching("/v1/live", auth(bo), ACCOUNT) as feed,
    ):
        await feed.next()
        table = (await process.node.commands.create(ada.account, "toy", 3)).table
        table = await fidget(process, ada, table, 2)  # before Bo has come
        table = await fidget(process, bo, table, 2)
        table = await fidget(process, ada, table, 2)  # after Bo has left
        table = await sat(process, bo, table)
        table = await fidget(process, ada, table, 1)
        live = told(await through(feed, table))
        assert live == await due_now(database, bo)
        assert [cursor for cursor, _, _ in live] == [f"{table.id}:{n}" for n in (6, 7, 8, 9, 14, 15, 16)]
        async with process.watching("/v1/live", auth(bo), {**ACCOUNT, "after": "0"}) as again:
            assert told(await through(again, table)) == live


async def test_nobody_who_follows_the_lobby_has_moves_looked_at_and_nobody_at_all_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    for name in ("everything", "lobby"):
        monkeypatch.setattr(queries, name, counted(name, getattr(queries, name), reads))
    async with playing(database) as (process, ada, bo):
        table = await process.played(await process.started(ada, bo), (ada, bo), 5)
        await caught_up(process)
        assert reads == []
        async with process.watching("/v1/live", LOBBY) as lobby:
            await lobby.next()
            table = await process.played(table, (ada, bo), 1_000)
            assert cursors(await through(lobby, table)) == [cursor(table)]
            assert set(reads) == {"lobby"}
            async with process.watching("/v1/live", auth(ada), ACCOUNT) as mine:
                await mine.next()
                await through(mine, await sat(process, ada, await opened(process, ada)))
                assert set(reads) == {"lobby", "everything"}


def counted(name: str, function: Any, calls: list[str]) -> Any:
    async def counting(*arguments: Any, **named: Any) -> Any:
        calls.append(name)
        return await function(*arguments, **named)

    return counting


async def test_a_game_that_cannot_be_read_is_passed_over_and_others_are_told(database: str) -> None:
    async with (
        playing(database) as (process, ada, bo),
        process.watching("/v1/live", LOBBY) as lobby,
        process.watching("/v1/live", auth(bo), ACCOUNT) as mine,
    ):
        await lobby.next()
        await mine.next()
        broken = await sat(process, bo, await opened(process, ada))
        await process.node.pool.execute(
            "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
            " values ($1, 3, 'seat_taken', 'a', '{}', '1', sha256(''), now(), gen_random_uuid())",
            broken.id,
        )
        fine = await sat(process, bo, await opened(process, ada))
        for feed in (lobby, mine):
            assert cursor(fine) in cursors(await through(feed, fine))
        async with process.watching("/v1/live", {**LOBBY, "after": "0"}) as again:
            assert cursors(await through(again, fine))[-2:] == [f"{fine.id}:1", cursor(fine)]


async def test_a_lost_wake_up_costs_no_notice(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_reader, "POLL_SECONDS", 0.1)
    async with playing(database) as (process, ada, _), process.watching("/v1/live", LOBBY) as lobby:
        await lobby.next()
        monkeypatch.setattr(process.node.hub.feeds, "wake", lambda: None)
        table = await opened(process, ada)
        assert cursors(await through(lobby, table)) == [cursor(table)]


# Beginning anew, and ending.


async def test_another_account_begins_its_own_feed_and_the_lobby_goes_on(database: str) -> None:
    async with playing(database) as (process, ada, bo):
        table = await sat(process, ada, await opened(process, ada))
        await caught_up(process)
        async with process.watching("/v1/live", auth(ada), ACCOUNT, LOBBY) as feed:
            assert [(await feed.next())["type"] for _ in range(2)] == ["following"] * 2
            await feed.send(**auth(ada))  # who is known already
            await feed.send(**auth(bo))
            anew = await feed.next()
            assert (anew["type"], anew["feed"], anew["cursor"]) == ("following", "account", "0")
            await fidget(process, ada, await opened(process, ada), 1)
            table = await sat(process, bo, table)
            frames = [await feed.next() for _ in range(5)]
            assert {each for each, _, seat in told(frames) if seat is not None} == {cursor(table)}
            assert len([frame for frame in frames if frame["feed"] == "lobby"]) == 4
            await feed.send(**NOBODY)
            assert await feed.next() == {"type": "unfollowed", "feed": "account"}
            table = await opened(process, ada)
            assert cursors([await feed.next()]) == [cursor(table)]
            await feed.send(**ACCOUNT)
            assert (await feed.next())["code"] == "token-required"


async def test_what_cannot_be_followed_is_told_and_changes_nothing(database: str) -> None:
    async with playing(database) as (process, ada, _), process.watching("/v1/live", LOBBY) as feed:
        await feed.next()
        wrong: list[tuple[dict[str, Any], str, str]] = [
            (LOBBY, "already-following", "feed"),
            (ACCOUNT, "token-required", "feed"),
            ({"type": "unfollow", "feed": "account"}, "not-following", "feed"),
            ({**ACCOUNT, "feed": "news"}, "invalid-frame", "feed"),
            *(({**LOBBY, "after": after}, "invalid-frame", "after") for after in BAD_CURSORS),
        ]
        for frame, code, field in wrong:
            await feed.send(**frame)
            error = await feed.next()
            assert (error["type"], error["code"], error["field"]) == ("error", code, field), frame
            assert error["feed"] in {None, frame["feed"]}
        await feed.send(**auth(ada))
        await feed.send(**ACCOUNT, epoch="e")
        error = await feed.next()
        assert (error["code"], error["field"], error["feed"]) == ("invalid-frame", "epoch", "account")
        table = await opened(process, ada)
        assert cursors([await feed.next()]) == [cursor(table)]


BAD_CURSORS: list[Any] = [
    "",
    "g",
    "g:",
    ":1",
    "g:0",
    "g:-1",
    "g:01",
    "g:1.0",
    "g:1 ",
    "g:1\n",
    "g:1\0",
    "g\0:1",
    "g:99999999999999999",
    "gé:1",
    "x" * 65 + ":1",
    "0:0:1",
    "00",
    0,
    17,
    ["g:1"],
    {"g": 1},
    True,
]


async def test_an_unfollowed_feed_is_silent_and_can_be_followed_again(database: str) -> None:
    async with (
        playing(database) as (process, ada, _),
        process.watching("/v1/live", auth(ada), ACCOUNT, {**LOBBY, "after": "0"}) as feed,
    ):
        assert [(await feed.next())["type"] for _ in range(2)] == ["following"] * 2
        await feed.send(type="unfollow", feed="lobby")
        assert await feed.next() == {"type": "unfollowed", "feed": "lobby"}
        table = await sat(process, ada, await opened(process, ada))
        notice = await feed.next()
        assert (notice["feed"], notice["cursor"]) == ("account", cursor(table))
        await feed.send(**LOBBY, after="0")
        assert (await feed.next())["type"] == "following"
        assert cursors([await feed.next() for _ in range(2)]) == [f"{table.id}:1", cursor(table)]


async def test_another_epoch_sends_every_follower_away_and_makes_its_feeds_begin_anew(database: str) -> None:
    async with playing(database) as (process, ada, _):
        before = process.node.epoch
        async with process.watching("/v1/live", auth(ada), LOBBY, ACCOUNT) as feed:
            assert [(await feed.next())["type"] for _ in range(2)] == ["following"] * 2
            table = await sat(process, ada, await opened(process, ada))
            await caught_up(process)
            assert len(cursors([await feed.next() for _ in range(3)])) == 3
            epoch = (await restored(database)).epoch
            with pytest.raises(ConnectionClosed):
                await feed.next()
            assert await feed.close_code() == GOING_AWAY.code
        await process.restarted(before)
        place = {"after": cursor(table), "epoch": before}
        async with process.watching("/v1/live", auth(ada), {**LOBBY, **place}, {**ACCOUNT, **place}) as feed:
            for name in ("lobby", "account"):
                first, second = await feed.next(), await feed.next()
                assert first == {"type": "refollow", "feed": name, "reason": "epoch", "epoch": epoch}
                assert second == following(name, epoch, cursor(table))
            table = await up(process, ada, table)
            assert cursors([await feed.next() for _ in range(2)]) == [cursor(table)] * 2


async def test_a_log_that_was_set_back_makes_every_feed_begin_anew_and_go_on_from_there(database: str) -> None:
    async with playing(database) as (process, ada, _):
        old = process.node.epoch
        async with process.watching("/v1/live", auth(ada), LOBBY, ACCOUNT) as feed:
            assert [(await feed.next())["type"] for _ in range(2)] == ["following"] * 2
            table = await fidget(process, ada, await opened(process, ada), 2)
            assert len([await feed.next() for _ in range(9)]) == 9
            await caught_up(process)
            await rewind(database, table.id, 2, notify=True)
            with pytest.raises(ConnectionClosed):
                await feed.next()
            assert await feed.close_code() == GOING_AWAY.code
        await process.restarted(old)
        place = {"after": cursor(table), "epoch": old}
        async with process.watching("/v1/live", auth(ada), {**LOBBY, **place}, {**ACCOUNT, **place}) as feed:
            for _ in range(2):
                anew = [await feed.next() for _ in range(2)]
                assert [(frame["type"], frame["epoch"]) for frame in anew] == [
                    ("refollow", process.node.epoch),
                    ("following", process.node.epoch),
                ]
                assert anew[1]["cursor"] == f"{table.id}:2"
            assert process.node.epoch != old
            table = await up(process, ada, await process.node.tables.fresh(table.id))
            assert table.version == 3
            assert cursors([await feed.next() for _ in range(2)]) == [cursor(table)] * 2


async def test_a_process_that_stops_sends_followers_elsewhere_where_nothing_is_missing(database: str) -> None:
    async with living(database) as other:
        async with playing(database) as (process, ada, bo), process.watching("/v1/live", LOBBY) as feed:
            await feed.next()
            first = await opened(process, ada)
            await through(feed, first)
            await process.node.hub.stop()
            assert await feed.close_code() == GOING_AWAY.code
        last = await sat(other, bo, await opened(other, ada))
        async with other.watching("/v1/live", {**LOBBY, "after": cursor(first), "epoch": other.node.epoch}) as feed:
            assert (await feed.next())["cursor"] == cursor(first)
            assert cursors(await through(feed, last)) == [f"{last.id}:1", cursor(last)]


async def test_who_leaves_leaves_nothing_behind(database: str) -> None:
    async with playing(database) as (process, ada, _):
        table = await opened(process, ada)
        before = len(asyncio.all_tasks())
        for number in range(20):
            first = (auth(ada), {**LOBBY, "after": "0"}, ACCOUNT)
            # A client that keeps few frames would not see that it is answered when it closes.
            async with process.watching("/v1/live", *first, max_queue=None) as feed:
                if number % 2:
                    await feed.next()
                await fidget(process, ada, table, 1)
        while len(asyncio.all_tasks()) > before:  # noqa: ASYNC110 - the test would end with its timeout
            await asyncio.sleep(0.01)
        assert process.node.hub.feeds.follows == 0
