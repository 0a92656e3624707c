"""Catching up is interrupted: by the client, by a reader that stalls, by a database that goes away, by a broken log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from service.live import pacing
from service.live.games import room
from service.live.games.event_frames import EventFrames
from service.log import events
from service.log.events import Entry
from service.play.game_cache import LoadedGame
from service.transport import websocket_protocol
from service.transport.close_codes import FAILED, GOING_AWAY, SLOW_READER
from tests.harness.backup import rewind
from tests.harness.living import Living, Player, living
from tests.harness.postgres import OwnServer
from tests.harness.raw import CLOSE, TEXT, RawSocket, Received, raw_socket

LAST = 81
"""The version of a game with so many events that their frames fill whatever lies between the service and a reader."""


@asynccontextmanager
async def long_game(dsn: str, **settings: Any) -> AsyncGenerator[tuple[Living, Player, LoadedGame]]:
    """A process, a player, and a waiting game with large events in it."""
    async with living(dsn, **settings) as process:
        player = await process.player("Ada")
        table = (await process.node.commands.create(player.account, "toy", 2)).table
        while table.version < LAST:
            await process.node.commands.take_seat(player.account, table.id, entropy="x" * 50_000)
            table = (await process.node.commands.leave_seat(player.account, table.id)).table
        yield process, player, table


@asynccontextmanager
async def stalled(process: Living, table: LoadedGame) -> AsyncGenerator[RawSocket]:
    """A reader that has been told `resumed`, and reads no more while it is being sent the game from its beginning."""
    async with raw_socket(process.port, "/v1/live") as raw:
        await send(raw, type="subscribe", game=table.id, after=0)
        assert frame_in(await raw.receive())["type"] == "resumed"
        yield raw


async def send(raw: RawSocket, **frame: Any) -> None:
    await raw.send(msgspec.json.encode(frame))


def frame_in(received: Received) -> dict[str, Any]:
    assert received.opcode == TEXT, received
    return msgspec.json.decode(received.payload)


async def until(raw: RawSocket, kind: str, enough: int = LAST + 1) -> tuple[list[int], dict[str, Any]]:
    """The versions of the events up to the first frame of another type, which must be of this one, or up to enough."""
    versions: list[int] = []
    while (frame := frame_in(await raw.receive()))["type"] == "event":
        versions.append(frame["version"])
        if len(versions) == enough:
            return versions, frame
    assert frame["type"] == kind, frame
    return versions, frame


async def test_a_token_that_comes_in_the_middle_begins_anew_from_a_hello(database: str) -> None:
    async with long_game(database) as (process, player, table), stalled(process, table) as raw:
        await send(raw, type="auth", token=player.token)
        versions, hello = await until(raw, "hello")
        assert versions == list(range(1, len(versions) + 1))
        assert len(versions) < LAST
        assert hello["version"] == LAST
        await process.node.commands.take_seat(player.account, table.id)
        assert frame_in(await raw.receive())["version"] == LAST + 1


async def test_a_subscription_that_is_given_up_in_the_middle_ends_there(database: str) -> None:
    async with long_game(database) as (process, player, table), stalled(process, table) as raw:
        await send(raw, type="unsubscribe", game=table.id)
        versions, _ = await until(raw, "unsubscribed")
        assert versions == list(range(1, len(versions) + 1))
        assert len(versions) < LAST
        await process.node.commands.take_seat(player.account, table.id)
        await send(raw, type="subscribe", game=table.id)
        assert frame_in(await raw.receive())["type"] == "hello"


async def test_a_reader_that_stalls_for_too_long_is_closed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "STALL_SECONDS", 0.1)
    async with long_game(database) as (process, _, table):
        async with stalled(process, table) as raw:
            while process.node.hub.watchers:  # noqa: ASYNC110 - closed, it leaves
                await asyncio.sleep(0.01)
            received = await raw.receive_all()
            assert received[-1].close_code == SLOW_READER.code
            versions = [frame_in(each)["version"] for each in received[:-1]]
            assert versions == list(range(1, len(versions) + 1))
        monkeypatch.setattr(websocket_protocol, "CUT_SECONDS", 0.1)
        async with stalled(process, table) as raw:
            await process.without_connections()  # and cut, when it does not take even that
            assert all(each.opcode != CLOSE for each in await raw.receive_all())


async def test_it_goes_on_when_the_database_is_back(own_postgres: OwnServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "WINDOW", 10)
    monkeypatch.setattr("service.live.games.event_frames.REPLAY_PAGE", 5)
    settings = {"heartbeat_seconds": 0.2}
    async with long_game(own_postgres.dsn(), **settings) as (process, _, table), stalled(process, table) as raw:
        versions, _ = await until(raw, "heartbeat", enough=3)
        own_postgres.go_down()
        more, _ = await until(raw, "heartbeat")  # which comes when there is nothing else to send
        versions += more
        assert len(versions) < LAST
        own_postgres.come_back()
        while len(versions) < LAST:
            more, _ = await until(raw, "heartbeat", enough=LAST - len(versions))
            versions += more
        assert versions == list(range(1, LAST + 1))


async def test_nobody_is_sent_a_part_of_one_epoch_and_the_rest_of_another(database: str) -> None:
    async with long_game(database) as (process, player, table):
        before = process.node.epoch
        async with stalled(process, table) as raw:
            versions, _ = await until(raw, "event", enough=1)  # all that it will be sent has been read from the log
            await rewind(database, table.id, 60, notify=True)
            await process.restarted(before)
            while (received := await raw.receive()).opcode == TEXT:
                versions.append(frame_in(received)["version"])
            assert received.close_code == GOING_AWAY.code
            assert versions == list(range(1, len(versions) + 1))
            assert len(versions) < 59
        async with raw_socket(process.port, "/v1/live") as raw:
            await send(raw, type="subscribe", game=table.id, after=len(versions), epoch=before)
            resync, hello = frame_in(await raw.receive()), frame_in(await raw.receive())
            assert (resync["reason"], resync["version"]) == ("epoch", 60)
            assert (hello["version"], hello["epoch"]) == (60, process.node.epoch)
            await process.node.commands.leave_seat(player.account, table.id)
            assert frame_in(await raw.receive())["version"] == 61


async def test_an_event_in_the_past_that_cannot_be_read_ends_the_subscription(database: str) -> None:
    async with living(database) as process:
        player = await process.player("Ada")
        table = (await process.node.commands.create(player.account, "toy", 2)).table
        hot = (await process.node.commands.take_seat(player.account, table.id)).table
        # Hot games are kept folded, so this process goes on with one whose log has become unreadable.
        broken = Entry(
            game_id=table.id,
            version=3,
            type="nonsense",
            actor=None,
            data=b"{}",
            rules_version="toy/1",
            hash=bytes(32),
            recorded_at=datetime.now(UTC),
            attempt=uuid4(),
        )
        assert await events.append(process.node.pool, [broken])
        process.node.tables.keep(msgspec.structs.replace(hot, game=msgspec.structs.replace(hot.game, version=3)))
        async with process.watching("/v1/live", {"type": "subscribe", "game": table.id, "after": 0}) as feed:
            assert (await feed.next())["type"] == "resumed"
            assert (await feed.next())["code"] == "game-unreadable"
            assert (await feed.next())["type"] == "unsubscribed"


async def test_a_fault_in_the_middle_closes_the_socket_to_come_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with living(database) as process:
        player = await process.player("Ada")
        table = (await process.node.commands.create(player.account, "toy", 2)).table
        with monkeypatch.context() as broken:
            broken.setattr(EventFrames, "viewer", _fault)
            async with process.watching("/v1/live", {"type": "subscribe", "game": table.id, "after": 0}) as feed:
                assert (await feed.next())["type"] == "resumed"
                assert await feed.close_code() == FAILED.code


def _fault(_step: EventFrames, _account: str | None) -> None:
    raise ZeroDivisionError
