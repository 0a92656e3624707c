"""The live feed by the client: no hole and no repeat, whatever happens to service and connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request, Response

from tablelog_client import Client, EventFrame, FeedClosed, Hello, Live, Problem, connection
from tablelog_client.models import Following
from tests.clients.conftest import opened
from tests.harness.server import serving


async def moved(visitor: Client, game: str, players: list[Client], number: int = 1_000) -> int:
    """Make so many moves, or play to the end; gives the version then."""
    picks = Random(0)
    for _ in range(number):
        if not (to_move := (await visitor.game(game)).to_move):
            break
        await players[to_move[0]].play(game, picks)
    return (await visitor.game(game)).version


async def watched(feed: Live, version: int) -> list[int]:
    """The versions of what comes, up to one."""
    seen: list[int] = []
    async for frame in feed:
        assert isinstance(frame, EventFrame)
        seen.append(frame.version)
        if frame.version == version:
            break
    return seen


async def test_a_hello_comes_first_and_then_every_event(visitor: Client) -> None:
    game, *players = await opened(visitor)
    async with visitor.live(game) as feed:
        hello = await anext(feed)
        assert isinstance(hello, Hello)
        assert (hello.version, hello.seat, feed.version, feed.epoch) == (3, None, 3, hello.epoch)
        last = await moved(visitor, game, players)
        assert await watched(feed, last) == list(range(4, last + 1))


async def test_a_player_sees_what_is_its_own(visitor: Client) -> None:
    game, *players = await opened(visitor)
    async with players[1].live(game) as feed:
        hello = await anext(feed)
        assert isinstance(hello, Hello)
        assert hello.seat == 1


async def test_a_feed_begins_after_any_version(visitor: Client) -> None:
    game, *players = await opened(visitor)
    last = await moved(visitor, game, players, 3)
    async with visitor.live(game, after=0) as feed:
        assert await watched(feed, last) == list(range(1, last + 1))
    async with visitor.live(game, after=2, epoch=feed.epoch) as later:
        assert await watched(later, last) == list(range(3, last + 1))


async def test_a_position_of_another_epoch_begins_anew_with_a_hello(visitor: Client) -> None:
    game, *_ = await opened(visitor)
    async with visitor.live(game, after=2, epoch="another") as feed:
        assert isinstance(await anext(feed), Hello)


async def test_nothing_is_missed_when_the_service_is_killed_and_comes_back(database: str) -> None:
    with serving(database) as service:
        async with Client(service.url) as visitor:
            game, *players = await opened(visitor)
            async with visitor.live(game) as feed:
                await anext(feed)
                seen, last = list[int](), 0
                for _ in range(3):
                    last = await moved(visitor, game, players, 2)
                    service.kill()
                    service.start()
                    last = await moved(visitor, game, players, 2)
                    seen += await watched(feed, last)
            assert seen == list(range(4, last + 1))


async def test_a_connection_that_is_silent_for_too_long_is_replaced(visitor: Client) -> None:
    game, *players = await opened(visitor)
    async with visitor.live(game, silence=0.05) as feed:
        await anext(feed)
        watching = asyncio.create_task(watched(feed, 9))
        await asyncio.sleep(0.5)
        await moved(visitor, game, players, 6)
        assert await watching == list(range(4, 10))


@pytest.mark.parametrize("first", ["hello", "resumed"])
async def test_the_interval_of_heartbeats_is_the_one_that_the_service_says(
    monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(connection, "SILENCE_SECONDS", 0.2)
    # Long intervals: what is silent for longer than a client would have believed in is left alone.
    said = {**(hello(4) if first == "hello" else resumed(4)), "heartbeat_seconds": 60}
    async with scripted([said, 0.8, event(5)], []) as (client, asked), client.live("g", after=4, epoch="e") as feed:
        seen = await watched(feed, 5) if first == "resumed" else [(await anext(feed)).version, *await watched(feed, 5)]
        assert seen[-1] == 5
    assert len(asked) == 1
    # Short ones: a connection that is silent for three of them is replaced.
    monkeypatch.setattr(connection, "SILENCE_SECONDS", 600)
    said = {**said, "heartbeat_seconds": 0.05}
    two: list[Script] = [[said], [resumed(4), event(5)]]
    async with scripted(*two) as (client, asked), client.live("g", after=4, epoch="e") as feed:
        if first == "hello":
            await anext(feed)
        assert await watched(feed, 5) == [5]
    assert len(asked) == 2


async def test_a_service_says_the_interval_that_it_is_set_to(database: str) -> None:
    with serving(database, {"TABLELOG_HEARTBEAT_SECONDS": "60"}) as service:
        async with Client(service.url) as visitor:
            game, ann, *_ = await opened(visitor)
            async with visitor.live(game) as feed, ann.follow("account") as own:
                greeting, following = await anext(feed), await anext(own)
                assert isinstance(greeting, Hello)
                assert isinstance(following, Following)
                assert (greeting.heartbeat_seconds, following.heartbeat_seconds) == (60, 60)


async def test_a_final_close_is_an_error(visitor: Client) -> None:
    async with visitor.live("g" + "0" * 20) as feed:
        with pytest.raises(Problem, match="no-such-game"):
            await anext(feed)
    game, *_ = await opened(visitor)
    async with Client(visitor.url, "tl_nobody") as stranger, stranger.live(game) as feed:
        with pytest.raises(Problem, match="invalid-token"):
            await anext(feed)


async def test_an_address_where_nobody_listens_is_told_at_once() -> None:
    async with Client("http://127.0.0.1:9") as nowhere:
        with pytest.raises(OSError, match=r"9"):
            await nowhere.live("g").__aenter__()


Script = list[dict[str, Any] | int | float] | HTTPStatus


@asynccontextmanager
async def scripted(*connections: Script, port: int = 0) -> AsyncGenerator[tuple[Client, list[str]]]:
    """A service that says on each connection what is written for it, or refuses it.

    An integer closes with that code, a fraction is a pause in seconds.
    """
    asked: list[str] = []

    def admit(socket: ServerConnection, request: Request) -> Response | None:
        asked.append(request.path.partition("?")[2])
        script = connections[len(asked) - 1]
        return socket.respond(script, "") if isinstance(script, HTTPStatus) else None

    async def talk(socket: ServerConnection) -> None:
        await socket.recv()
        script = connections[len(asked) - 1]
        for said in script if isinstance(script, list) else ():
            if isinstance(said, int):
                await socket.close(said)
            elif isinstance(said, float):
                await asyncio.sleep(said)
            else:
                await socket.send(msgspec.json.encode(said).decode())
        await socket.wait_closed()

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serve(talk, "127.0.0.1", port, process_request=admit))
        url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        yield await stack.enter_async_context(Client(url)), asked


def hello(version: int) -> dict[str, Any]:
    more: dict[str, Any] = {"hash": "", "title": "toy", "status": "running", "seats": [], "seat": None, "to_move": []}
    return {"type": "hello", "game": "g", "epoch": "e", "version": version, "view": None, "result": None, **more}


def event(version: int) -> dict[str, Any]:
    at = "2026-01-01T00:00:00Z"
    data = {"version": version, "recorded_at": at, "rules_version": "toy/1", "hash": "", "data": {"type": "blank"}}
    return {"type": "event", "game": "g", "version": version, "to_move": [], "status": "running", "event": data}


def resumed(version: int) -> dict[str, Any]:
    return {"type": "resumed", "version": version, "epoch": "e"}


async def test_an_event_that_leaves_one_out_or_comes_twice_is_not_given_on() -> None:
    first: Script = [hello(4), event(5), event(7)]
    second: Script = [resumed(5), event(6), event(6)]
    third: Script = [resumed(6), {"type": "heartbeat"}, event(7)]
    async with scripted(first, second, third) as (client, asked), client.live("g") as feed:
        await anext(feed)
        assert await watched(feed, 7) == [5, 6, 7]
    assert asked == ["", "after=5&epoch=e", "after=6&epoch=e"]


async def test_a_feed_that_goes_on_elsewhere_than_asked_is_not_trusted() -> None:
    said: list[Script] = [[hello(4), 4001], [resumed(3), event(4)], [resumed(4), event(5)]]
    async with scripted(*said) as (client, _), client.live("g") as feed:
        await anext(feed)
        assert await watched(feed, 5) == [5]


async def test_a_feed_that_cannot_go_on_gives_another_hello() -> None:
    resync = {"type": "resync", "game": "g", "reason": "epoch", "epoch": "f", "version": 2}
    async with scripted([hello(4), 1012], [resync, hello(2), event(3)]) as (client, _), client.live("g") as feed:
        assert [(await anext(feed)).version for _ in range(3)] == [4, 2, 3]


async def test_a_subscription_that_is_ended_says_why() -> None:
    error = {"type": "error", "code": "game-unreadable", "detail": "its log cannot be read", "game": "g"}
    said: Script = [hello(4), error, {"type": "unsubscribed", "game": "g"}]
    async with scripted(said) as (client, _), client.live("g") as feed:
        await anext(feed)
        with pytest.raises(Problem, match="game-unreadable"):
            await anext(feed)


@pytest.mark.parametrize("code", [1011, 1012, 1013, 3000, 4001, 4002, 4003, 4004])
async def test_every_code_to_retry_is_retried(code: int) -> None:
    async with scripted([hello(4), code], [resumed(4), event(5)]) as (client, _), client.live("g") as feed:
        await anext(feed)
        assert await watched(feed, 5) == [5]


@pytest.mark.parametrize("code", [1000, 1002, 1007, 1009, 4400, 4403])
async def test_every_final_code_ends_the_feed(code: int) -> None:
    async with scripted([hello(4), code]) as (client, _), client.live("g") as feed:
        await anext(feed)
        with pytest.raises(FeedClosed) as closed:
            await anext(feed)
    assert closed.value.code == code


async def test_a_service_that_cannot_serve_for_a_while_is_asked_again() -> None:
    away = HTTPStatus.SERVICE_UNAVAILABLE
    async with scripted([hello(4), 4001], away, away, [resumed(4), event(5)]) as (client, _), client.live("g") as feed:
        await anext(feed)
        assert await watched(feed, 5) == [5]


async def test_a_service_that_refuses_to_connect_is_not_asked_again() -> None:
    async with scripted([hello(4), 4001], HTTPStatus.FORBIDDEN) as (client, _), client.live("g") as feed:
        await anext(feed)
        with pytest.raises(InvalidStatus, match="403"):
            await anext(feed)


async def test_a_service_that_is_gone_for_a_while_is_waited_for() -> None:
    async with scripted([hello(4)]) as (client, _):
        feed = await client.live("g").__aenter__()
        await anext(feed)
        port = int(client.url.rpartition(":")[2])
    watching = asyncio.create_task(watched(feed, 5))
    await asyncio.sleep(0.5)
    assert not watching.done()
    async with scripted([resumed(4), event(5)], port=port):
        assert await watching == [5]
        await feed.__aexit__(None, None, None)
