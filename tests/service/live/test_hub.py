"""The hub: what it does for all rooms and watchers of a process."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosed

from domain.kernel.events import Delay
from service.database.types import Pool
from service.live.games import room
from service.live.hub import Hub
from service.play.game_cache import GameCache, LoadedGame
from service.play.visibility import visible_version
from service.transport.close_codes import FAILED, GOING_AWAY, UNAVAILABLE
from tests.harness.backup import rewind
from tests.harness.living import living
from tests.harness.postgres import OwnServer
from tests.harness.writing import writing


async def test_a_game_is_sent_from_the_hello_to_its_end(database: str) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            hello = await feed.next()
            table = await process.played(table, players, 100, random.Random(1))
            frames = await feed.through(table.version)
            assert [frame["version"] for frame in frames] == list(range(hello["version"] + 1, table.version + 1))
            assert [frame["status"] for frame in frames] == ["running"] * (len(frames) - 1) + ["finished"]
            assert frames[-1]["to_move"] == []
        async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
            hello = await feed.next()
            assert hello["status"] == "finished"
            assert hello["result"]["winners"]


async def test_a_stopped_hub_sends_everyone_elsewhere_also_who_comes_too_late(database: str) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        path = f"/v1/games/{table.id}/live"
        async with process.watching(path, {"type": "auth"}) as feed, process.watching("/v1/live") as idle:
            await feed.next()
            await process.node.hub.stop()
            assert await feed.close_code() == await idle.close_code() == GOING_AWAY.code
        async with process.watching(path, {"type": "auth"}) as feed:
            assert await feed.close_code() == GOING_AWAY.code


async def test_a_hub_that_was_never_started_stops(database: str) -> None:
    async with living(database) as process:
        node = process.node
        await Hub(node.pool, node.tables, node.epoch, node.settings).stop()


async def test_a_game_that_nobody_watches_any_more_is_forgotten_and_found_again(database: str) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        for _ in range(2):
            async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
                assert (await feed.next())["version"] == table.version
                table = await process.played(table, players, 1)
                assert (await feed.next())["version"] == table.version
            while process.node.hub.rooms:  # noqa: ASYNC110 - the hub looks by itself now and then
                await asyncio.sleep(0.05)


async def test_a_database_that_is_away_is_told_and_means_to_come_again(own_postgres: OwnServer) -> None:
    async with living(own_postgres.dsn()) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        path = f"/v1/games/{table.id}/live"
        own_postgres.go_down()
        for first in ({"type": "auth"}, {"type": "auth", "token": players[0].token}):
            async with process.watching(path, first) as feed:
                assert (await feed.next())["code"] == "unavailable"
                assert await feed.close_code() == UNAVAILABLE.code
        own_postgres.come_back()
        async with process.watching(path, {"type": "auth", "token": players[0].token}) as feed:
            assert (await feed.next())["seat"] == 0


async def test_a_claim_above_what_was_read_is_not_judged_while_the_database_is_away(own_postgres: OwnServer) -> None:
    async with living(own_postgres.dsn()) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        path = f"/v1/games/{table.id}/live"
        async with process.watching(path, {"type": "auth"}) as watching:
            assert (await watching.next())["type"] == "hello"
            own_postgres.go_down()
            async with process.watching(f"{path}?after=4&epoch={process.node.epoch}", {"type": "auth"}) as feed:
                assert (await feed.next())["code"] == "unavailable"
                assert await feed.close_code() == UNAVAILABLE.code
            own_postgres.come_back()


async def test_a_fault_of_the_service_is_told_to_the_one_that_it_meets(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with process.watching("/v1/live") as other:
            with monkeypatch.context() as broken:
                broken.setattr(GameCache, "fresh", _fault)
                async with process.watching(f"/v1/games/{table.id}/live", {"type": "auth"}) as feed:
                    assert (await feed.next())["code"] == "internal-error"
                    assert await feed.close_code() == FAILED.code
            await other.send(type="subscribe", game=table.id)
            assert (await other.next())["type"] == "hello"


async def _fault(_tables: GameCache, _game_id: str) -> None:
    raise ZeroDivisionError


async def test_a_database_that_goes_away_while_a_delay_is_looked_up_costs_nobody_an_event(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        delay = Delay(versions=0, seconds=1)
        table = (await process.node.commands.create(players[0].account, "toy", 2, spectator_delay=delay)).table
        for player in players:
            table = (await process.node.commands.take_seat(player.account, table.id)).table
        path = f"/v1/games/{table.id}/live"
        away = [True, True]

        async def look_up(pool: Pool, table: LoadedGame) -> int:
            if away:
                away.pop()
                raise ConnectionResetError
            return await visible_version(pool, table)

        async with (
            process.watching(path, {"type": "auth"}) as spectator,
            process.watching(path, {"type": "auth", "token": players[0].token}) as seated,
        ):
            assert [(await feed.next())["version"] for feed in (spectator, seated)] == [3, 3]
            monkeypatch.setattr(room, "visible_version", look_up)
            table = await process.played(table, players, 2)
            for feed in (spectator, seated):
                assert [frame["version"] for frame in await feed.through(table.version)] == [4, 5]
            assert not away


async def test_the_sockets_of_a_process_are_counted(database: str) -> None:
    async with living(database) as process:
        async with process.watching("/v1/live") as feed, process.watching("/v1/live"):
            await feed.send(type="nonsense")
            await feed.next()
            while process.node.hub.watchers < 2:  # noqa: ASYNC110 - the second one may still be arriving
                await asyncio.sleep(0.01)
        while process.node.hub.watchers:  # noqa: ASYNC110 - and both leave when they are noticed
            await asyncio.sleep(0.01)


async def test_watchers_are_sent_away_by_another_epoch_and_begin_anew_in_it(database: str) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        before = process.node.epoch
        table = await process.started(*players)
        gone = await process.started(*players)
        subscribe = [{"type": "subscribe", "game": game.id} for game in (table, gone)]
        tokens = (None, players[0].token)
        async with AsyncExitStack() as stack:
            feeds = [
                await stack.enter_async_context(
                    process.watching("/v1/live", {"type": "auth", "token": token}, *subscribe)
                )
                for token in tokens
            ]
            for feed in feeds:
                assert [(await feed.next())["version"] for _ in subscribe] == [3, 3]
            table = await process.played(table, players, 3)
            for feed in feeds:
                assert (await feed.through(table.version))[-1]["game"] == table.id
            await rewind(database, gone.id, 0)
            await rewind(database, table.id, 5, notify=True)
            for feed in feeds:
                with pytest.raises(ConnectionClosed):
                    await feed.next()
                assert await feed.close_code() == GOING_AWAY.code
            await process.restarted(before)
            resume = [
                {**frame, "after": after, "epoch": before} for frame, after in zip(subscribe, (6, 3), strict=True)
            ]
            feeds = [
                await stack.enter_async_context(process.watching("/v1/live", {"type": "auth", "token": token}, *resume))
                for token in tokens
            ]
            for seat, feed in zip((None, 0), feeds, strict=True):
                resync, hello, error = [await feed.next() for _ in range(3)]
                assert (resync["type"], resync["reason"], resync["version"]) == ("resync", "epoch", 5)
                assert (hello["type"], hello["version"], hello["seat"]) == ("hello", 5, seat)
                assert resync["game"] == hello["game"] == table.id
                assert resync["epoch"] == hello["epoch"] == process.node.epoch != before
                assert (error["code"], error["game"]) == ("no-such-game", gone.id)
            now = await process.node.tables.fresh(table.id)
            await process.moved(now, players, random.Random(5))
            assert [(await feed.next())["version"] for feed in feeds] == [6, 6]


async def test_rows_of_another_epoch_are_not_taken_for_what_comes_next(database: str) -> None:
    async with living(database) as process, writing(database) as other:
        players = (await process.player("Ada"), await process.player("Bo"))
        seated = tuple(player.account for player in players)
        before, table = process.node.epoch, await process.started(*players)
        path = f"/v1/games/{table.id}/live"
        async with process.watching(path, {"type": "auth"}) as feed:
            assert (await feed.next())["version"] == 3
            await rewind(database, table.id, 2)
            # All connections but the one that listens: so the next wake-up leads to the first look at the log.
            await other.pool.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and application_name = '' and pid <> pg_backend_pid()"
            )
            again = (await other.commands.take_seat(seated[1], table.id)).table
            await other.moved(again, seated, random.Random(1))
            with pytest.raises(ConnectionClosed):
                await feed.next()
            assert await feed.close_code() == GOING_AWAY.code
        await process.restarted(before)
        async with process.watching(f"{path}?after=3&epoch={before}", {"type": "auth"}) as feed:
            resync, hello = await feed.next(), await feed.next()
            assert (resync["type"], resync["reason"]) == ("resync", "epoch")
            assert (hello["type"], hello["version"], hello["epoch"]) == ("hello", 4, process.node.epoch)
