"""Peers that read too little, send too much, or are gone in the middle: nobody else notices, and nothing is left."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.play.game_cache import LoadedGame
from service.transport import websocket_protocol
from service.transport.close_codes import SLOW_READER
from tests.harness.living import Living, Player, living
from tests.harness.raw import CLOSE, TEXT, RawSocket, Received, raw_socket
from tests.harness.server import Service

BIG = "x" * 50_000


async def open_table(process: Living) -> tuple[Player, LoadedGame]:
    """A waiting game, and who sits down there."""
    player = await process.player("Ada")
    return player, (await process.node.commands.create(player.account, "toy", 2)).table


def open_files() -> int:
    """How many files and sockets this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def add_big_events(process: Living, player: Player, table: LoadedGame, pairs: int) -> int:
    """Add pairs of a large event and a small one; gives the last version."""
    last = 0
    for _ in range(pairs):
        await process.node.commands.take_seat(player.account, table.id, entropy=BIG)
        last = (await process.node.commands.leave_seat(player.account, table.id)).table.version
    return last


def frames_in(received: list[Received]) -> list[dict[str, Any]]:
    """The frames of the feed among what a raw client received."""
    return [msgspec.json.decode(each.payload) for each in received if each.opcode == TEXT]


# One reader that never reads delays the others, or eats the memory.


async def test_a_reader_that_never_reads_is_cut_and_the_others_get_everything(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.2)
    async with living(database, outbox_bytes=200_000) as process:
        player, table = await open_table(process)
        path = f"/v1/games/{table.id}/live"
        async with (
            raw_socket(process.port, path) as deaf,
            process.watching(path, {"type": "auth"}) as one,
            process.watching(path, {"type": "auth"}) as other,
        ):
            await deaf.send(b'{"type":"auth"}')
            for feed in (one, other):
                assert (await feed.next())["type"] == "hello"
            while process.connections < 3:  # noqa: ASYNC110 - uvicorn tells nobody
                await asyncio.sleep(0.01)
            reading = [asyncio.create_task(feed.through(81)) for feed in (one, other)]
            last = await add_big_events(process, player, table, 40)
            for frames in await asyncio.gather(*reading):
                assert [frame["version"] for frame in frames] == list(range(2, last + 1))
            while process.connections > 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            received = await deaf.receive_all()
            frames = frames_in(received)
            assert [frame["version"] for frame in frames] == list(range(1, len(frames) + 1))
            assert len(frames) < last
            assert all(each.opcode != CLOSE for each in received)


async def test_a_reader_that_falls_behind_is_told_and_goes_on_where_it_was(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 30)
    async with living(database, outbox_bytes=200_000) as process:
        player, table = await open_table(process)
        path = f"/v1/games/{table.id}/live"
        async with raw_socket(process.port, path) as slow:
            await slow.send(b'{"type":"auth"}')
            assert (await slow.receive()).opcode == TEXT
            last = await add_big_events(process, player, table, 40)
            received: list[Received] = []
            while not received or received[-1].opcode != CLOSE:
                received.append(await slow.receive())
            frames = frames_in(received)
            assert [frame["version"] for frame in frames] == list(range(2, len(frames) + 2))
            assert received[-1].close_code == SLOW_READER.code
        position = f"?after={frames[-1]['version']}&epoch={process.node.epoch}"
        async with process.watching(path + position, {"type": "auth"}) as feed:
            rest = (await feed.through(last))[1:]
            assert [frame["version"] for frame in rest] == list(range(frames[-1]["version"] + 1, last + 1))


async def test_a_slow_reader_that_catches_up_gets_everything_as_it_reads(database: str) -> None:
    async with living(database, outbox_bytes=100_000, outbox_frames=2) as process:
        player, table = await open_table(process)
        last = await add_big_events(process, player, table, 30)
        async with raw_socket(process.port, f"/v1/games/{table.id}/live?after=0") as slow:
            await slow.send(b'{"type":"auth"}')
            received: list[Received] = []
            while len(received) < last + 1:
                received.append(await slow.receive())
                await asyncio.sleep(0.005)
        assert [frame["version"] for frame in frames_in(received)] == list(range(last + 1))


# A hundred watchers are cut in the middle of a send.


async def test_a_hundred_watchers_cut_in_the_middle_of_a_send_leave_nothing_behind(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with living(database, database_connections=2) as process:
        player, table = await open_table(process)
        # Whatever is opened only once is open now: both connections to the database, the caches.
        await asyncio.gather(*(process.node.pool.execute("select pg_sleep(0.1)") for _ in range(2)))
        await add_big_events(process, player, table, 1)
        path = f"/v1/games/{table.id}/live"
        async with process.watching(path, {"type": "auth"}) as feed:
            await feed.next()
        await process.without_connections()
        tasks, files = len(asyncio.all_tasks()), open_files()
        for stage in range(3):
            async with AsyncExitStack() as stack:
                watchers = [await stack.enter_async_context(raw_socket(process.port, path)) for _ in range(100)]
                for watcher in watchers:
                    await watcher.send(b'{"type":"auth"}')
                if stage:  # else they are cut while they are being told hello
                    for watcher in watchers:
                        await watcher.receive()
                sending = asyncio.create_task(add_big_events(process, player, table, 3))
                await asyncio.sleep(0.02 * stage)
                for watcher in watchers:
                    watcher.cut()
                await sending
        await process.without_connections()
        while len(asyncio.all_tasks()) > tasks:  # noqa: ASYNC110 - nothing tells of the end of a task
            await asyncio.sleep(0.01)
        assert open_files() <= files
    assert [record.getMessage() for record in caplog.records if record.levelname != "INFO"] == []


async def test_clients_that_vanish_in_the_handshake_leave_nothing_behind(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with living(database) as process:
        _, table = await open_table(process)
        tasks = len(asyncio.all_tasks())
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", process.port)) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                sock.sendall(RawSocket.request(f"/v1/games/{table.id}/live"))
            await asyncio.sleep(0)
        await process.without_connections()
        while len(asyncio.all_tasks()) > tasks:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
    assert [record.getMessage() for record in caplog.records if record.levelname != "INFO"] == []


# A socket message over the limit ends in 1006.


async def test_a_message_over_the_limit_is_answered_with_1009(service: Service) -> None:
    port = int(service.url.rpartition(":")[2])
    for size in (65_537, 1_000_000, 20_000_000):
        async with raw_socket(port, "/v1/live") as raw:
            await raw.send(b"x" * size)
            assert (await raw.receive()).close_code == 1009
    async with raw_socket(port, "/v1/live") as raw:
        await raw.send(b" " * 65_536)
        assert b"invalid-frame" in (await raw.receive()).payload


# A token in a socket's URL ends in access logs; any Origin may connect.


async def test_a_token_in_the_url_is_refused_and_is_in_no_log(service: Service) -> None:
    port = int(service.url.rpartition(":")[2])
    secret = "tl_secret_in_a_url"
    for path in (f"/v1/live?token={secret}", f"/v1/games/g/live?access_token={secret}", f"/v1/games/{secret}/live"):
        async with raw_socket(port, path) as raw:
            await raw.send(b'{"type":"auth"}')
            assert msgspec.json.decode((await raw.receive()).payload)["type"] == "error"
            assert (await raw.receive()).close_code in {4400, 4404}
    async with raw_socket(port, "/v1/live") as raw:
        await raw.send(f'{{"type":"auth","token":"{secret}"}}'.encode())
        assert b"invalid-token" in (await raw.receive()).payload
        assert (await raw.receive()).close_code == 4401
    assert secret not in service.log
