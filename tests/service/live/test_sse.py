"""Server-sent events: how they go on, how they end, and that nothing is left of a client that has gone."""

from __future__ import annotations

import asyncio
import logging
from random import Random

import pytest

from service.live import sse
from service.live.games.room import Room
from service.live.games.subscription import Subscription
from service.log.listener import Wake
from service.play.game_cache import LoadedGame
from tests.harness.backup import rewind
from tests.harness.living import Living, Player, living
from tests.harness.postgres import OwnServer
from tests.harness.server_sent import Sent, listening
from tests.service.live.games.test_room import append

BIG = "x" * 50_000


async def waiting_game(process: Living) -> tuple[Player, LoadedGame]:
    ada = await process.player("Ada")
    return ada, (await process.node.commands.create(ada.account, "toy", 2)).table


def address(process: Living, table: LoadedGame, query: str = "") -> str:
    return f"{process.url}/v1/games/{table.id}/events{query}"


async def without_watchers(process: Living) -> None:
    while process.node.hub.watchers:  # noqa: ASYNC110 - the hub tells nobody
        await asyncio.sleep(0.01)


async def test_sockets_and_event_streams_are_told_the_same(database: str) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        for token in (players[0].token, players[1].token, None):
            before = table.version
            async with (
                listening(address(process, table), token) as events,
                process.watching(f"/v1/games/{table.id}/live", {"type": "auth", "token": token}) as feed,
            ):
                assert (await events.next()).frame == await feed.next()
                table = await process.played(table, players, 3, Random(before))
                frames = [each.frame for each in await events.through(table.version)]
                assert frames == await feed.through(table.version)
                assert len(frames) == 3


async def test_heartbeats_come_while_nothing_happens_and_change_no_position(database: str) -> None:
    async with living(database, heartbeat_seconds=0.1) as process:
        _, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            hello = await events.next()
            for _ in range(3):
                beat = await events.next(beats=True)
                assert (beat.event, beat.frame, beat.id) == ("heartbeat", {"type": "heartbeat"}, hello.id)


async def test_a_client_that_hangs_up_is_let_go_of_at_once(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async with living(database, heartbeat_seconds=3_600) as process:
        ada, table = await waiting_game(process)
        tasks = len(asyncio.all_tasks())
        for happens in (False, True):
            async with listening(address(process, table)) as events:
                await events.next()
                assert process.node.hub.watchers == 1
                if happens:
                    await process.node.commands.take_seat(ada.account, table.id)
            await without_watchers(process)
        await process.without_connections()
        while len(asyncio.all_tasks()) > tasks:  # noqa: ASYNC110 - nothing tells of the end of a task
            await asyncio.sleep(0.01)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_stream_goes_on_when_the_game_has_ended(database: str) -> None:
    async with living(database, heartbeat_seconds=0.1) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with listening(address(process, table)) as events:
            await events.next()
            table = await process.played(table, players, 100)
            assert (await events.through(table.version))[-1].frame["status"] == "finished"
            assert (await events.next(beats=True)).event == "heartbeat"


async def test_a_reader_that_never_reads_is_cut_and_the_others_get_everything(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "CUT_SECONDS", 0.2)
    async with living(database, outbox_bytes=200_000) as process:
        ada, table = await waiting_game(process)
        reader, writer = await asyncio.open_connection("127.0.0.1", process.port, limit=4_096)
        writer.write(REQUEST % table.id.encode())
        async with listening(address(process, table)) as events:
            await events.next()
            while process.node.hub.watchers < 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            reading = asyncio.create_task(events.through(81))
            await add_big_events(process, ada, table)
            assert [each.frame["version"] for each in await reading] == list(range(2, 82))
            while process.node.hub.watchers > 1:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            received = await reader.read(10_000_000)
            assert len(received) < 40 * len(BIG)
        writer.close()


REQUEST = b"GET /v1/games/%b/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"


async def add_big_events(process: Living, player: Player, table: LoadedGame) -> None:
    """Forty pairs of a large event and a small one."""
    for _ in range(40):
        await process.node.commands.take_seat(player.account, table.id, entropy=BIG)
        await process.node.commands.leave_seat(player.account, table.id)


async def test_a_reader_that_falls_behind_is_told_and_goes_on_where_it_was(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "CUT_SECONDS", 30)
    async with living(database, outbox_bytes=200_000) as process:
        ada, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            await events.next()
            await add_big_events(process, ada, table)
            sent = await events.end()
            assert [each.frame["version"] for each in sent] == list(range(2, len(sent) + 2))
            assert len(sent) < 80
            assert events.comments == ["slow-reader"]
        async with listening(address(process, table), headers={"Last-Event-ID": events.last_id}) as events:
            rest = (await events.through(81))[1:]
            assert [each.frame["version"] for each in rest] == list(range(len(sent) + 2, 82))


async def test_a_slow_reader_that_catches_up_gets_everything_as_it_reads(database: str) -> None:
    async with living(database, outbox_bytes=100_000, outbox_frames=2) as process:
        ada, table = await waiting_game(process)
        await add_big_events(process, ada, table)
        async with listening(address(process, table, "?after=0")) as events:
            sent: list[Sent] = []
            while len(sent) < 82:
                sent.append(await events.next())
                await asyncio.sleep(0.002)
        assert [each.frame["version"] for each in sent] == list(range(82))


async def test_who_takes_nothing_for_long_is_cut_though_little_waits(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "STALL_SECONDS", 0.1)
    async with living(database, outbox_bytes=100_000_000) as process:
        ada, table = await waiting_game(process)
        _, writer = await asyncio.open_connection("127.0.0.1", process.port, limit=4_096)
        writer.write(REQUEST % table.id.encode())
        while not process.node.hub.watchers:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        await add_big_events(process, ada, table)
        await without_watchers(process)
        writer.close()


async def test_a_stopped_hub_sends_everyone_elsewhere_also_who_comes_too_late(database: str) -> None:
    async with living(database) as process:
        _, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            await events.next()
            await process.node.hub.stop()
            assert (await events.end(), events.comments) == ([], ["going-away"])
        async with listening(address(process, table)) as events:
            assert (await events.end(), events.comments) == ([], ["going-away"])


async def test_a_stopping_server_ends_its_streams(database: str) -> None:
    async with living(database, heartbeat_seconds=3_600) as process:
        _, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            await events.next()
            process.server.should_exit = True
            assert (await events.end(), events.comments) == ([], ["going-away"])


async def test_an_event_that_cannot_be_read_is_told_and_nothing_follows_but_heartbeats(database: str) -> None:
    async with living(database, heartbeat_seconds=0.1) as process:
        _, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            hello = await events.next()
            await append(process, table, b'{"type":"nonsense"}')
            error, ended = await events.next(), await events.next()
            assert (error.event, error.frame["code"], error.id) == ("error", "game-unreadable", hello.id)
            assert ended.event == "unsubscribed"
            assert (await events.next(beats=True)).event == "heartbeat"
        async with listening(address(process, table)) as events:
            assert events.answer.status_code == 409


async def test_a_database_that_is_away_is_told_by_a_status_before_and_costs_nothing_on_the_way(
    own_postgres: OwnServer,
) -> None:
    async with living(own_postgres.dsn()) as process:
        ada, table = await waiting_game(process)
        async with listening(address(process, table)) as events:
            await events.next()
            own_postgres.go_down()
            async with listening(address(process, table)) as refused:
                assert refused.answer.status_code == 503
            own_postgres.come_back()
            await process.node.commands.take_seat(ada.account, table.id)
            assert (await events.next()).frame["version"] == 2


async def test_a_fault_of_the_service_is_told_in_the_stream_that_has_begun(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        _, table = await waiting_game(process)
        monkeypatch.setattr(Room, "begin", fault)
        async with listening(address(process, table)) as events:
            assert [each.frame["code"] for each in await events.end()] == ["internal-error"]
            assert events.comments == ["internal-error"]
        await without_watchers(process)


def fault(_room: Room, _subscription: Subscription) -> None:
    raise ZeroDivisionError


async def test_a_stream_begins_with_nothing_older_than_what_was_told_elsewhere(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        table = await process.started(*players)
        async with listening(address(process, table)) as before:
            await before.next()
            monkeypatch.setattr(process.node.hub, "wake", deaf)
            table = await process.played(table, players, 2)
            async with listening(address(process, table)) as events:
                assert (await events.next()).frame["version"] == table.version
            assert [each.frame["version"] for each in await before.through(table.version)] == [4, 5]


def deaf(_: Wake) -> None:
    """Hear nothing."""


async def test_a_stopping_server_does_not_wait_for_a_reader_that_never_reads(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sse, "CUT_SECONDS", 0.2)
    async with living(database, outbox_bytes=100_000_000) as process:
        ada, table = await waiting_game(process)
        _, writer = await asyncio.open_connection("127.0.0.1", process.port, limit=4_096)
        writer.write(REQUEST % table.id.encode())
        while not process.node.hub.watchers:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        await add_big_events(process, ada, table)
        assert process.node.hub.watchers == 1
        process.server.should_exit = True
        await without_watchers(process)
    writer.close()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_watcher_begins_anew_in_another_epoch_with_the_position_that_it_brings(database: str) -> None:
    async with living(database) as process:
        ada, table = await waiting_game(process)
        old = process.node.epoch
        async with listening(address(process, table)) as events:
            assert (await events.next()).id == f"{old}:1"
            await process.node.commands.take_seat(ada.account, table.id)
            before = (await events.next()).id
            assert before == f"{old}:2"
            await rewind(database, table.id, 1, notify=True)
            assert (await events.end(), events.comments) == ([], ["going-away"])
        await process.restarted(old)
        async with listening(address(process, table), headers={"Last-Event-ID": before}) as events:
            resync, hello = await events.next(), await events.next()
            assert (resync.event, resync.frame["reason"], resync.id) == ("resync", "epoch", "")
            assert (hello.event, hello.id) == ("hello", f"{process.node.epoch}:1")
            await process.node.commands.take_seat(ada.account, table.id, 1)
            assert (await events.next()).id == f"{process.node.epoch}:2" != before
        async with listening(address(process, table), headers={"Last-Event-ID": before}) as events:
            assert [(await events.next()).event for _ in range(2)] == ["resync", "hello"]
