"""The spectator delay on sockets: what the feed sends is what REST serves, and the rest follows in order."""

from __future__ import annotations

import asyncio
from random import Random

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.faults.test_delay import delayed
from tests.harness.following import Follower
from tests.harness.server import Client, Service, Table, expect, http_client, one_move


async def moves(table: Table, number: int, picks: Random) -> int:
    """So many moves, or to the end; gives the version that the seats see."""
    for _ in range(number):
        game = expect(await table.seats[0].get(table.path), 200)
        if game["status"] != "running":
            break
        await one_move(table, game["to_move"][0], picks)
    return expect(await table.seats[0].get(table.path), 200)["version"]


async def reached(follower: Follower, version: int) -> None:
    """Wait until a follower has come so far."""
    async with asyncio.timeout(60):
        while (follower.after or 0) < version:  # noqa: ASYNC110 - a follower has no event for it
            await asyncio.sleep(0.02)


async def frames(connection: ClientConnection, seconds: float) -> list[dict[str, object]]:
    """What comes in some seconds, heartbeats left out."""
    found: list[dict[str, object]] = []
    try:
        async with asyncio.timeout(seconds):
            while True:
                frame = msgspec.json.decode(await connection.recv())
                if frame["type"] != "heartbeat":
                    found.append(frame)
    except TimeoutError:
        return found


async def test_a_spectator_is_sent_no_event_early_and_all_of_them_in_order_at_the_end(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await delayed(http, "toy", versions=3)
        start = expect(await table.seats[0].get(table.path), 200)["version"]
        spectator = Follower([service.url], table.id)
        seated = Follower([service.url], table.id, token=table.seats[1].token)
        picks = Random(1)
        watching = asyncio.create_task(spectator.through(10**6))
        await spectator.begun.wait()
        head = await moves(table, 6, picks)
        await reached(spectator, head - 3)
        await asyncio.sleep(2.5)  # longer than the poll that would find what a wake-up had missed
        assert spectator.after == head - 3 >= start
        assert await asyncio.wait_for(seated.through(head), 30) == []  # its hello was of the head already
        end = await moves(table, 1_000, picks)
        await reached(spectator, end)
        watching.cancel()
        assert spectator.versions == list(range(start + 1, end + 1))


async def test_who_comes_late_is_greeted_with_what_is_visible_and_cannot_claim_more(service: Service) -> None:
    async with http_client(service.url) as http:
        table = await delayed(http, "toy", versions=4)
        head = await moves(table, 8, Random(2))
        seen = expect(await Client(http).get(table.path), 200)
        url = f"ws{service.url.removeprefix('http')}/v1/games/{table.id}/live"
        async with connect(url, proxy=None) as connection:
            await connection.send('{"type":"auth","token":null}')
            (hello,) = await frames(connection, 1)
        assert (hello["type"], hello["version"], hello["view"]) == ("hello", seen["version"], seen["view"])
        assert hello["hash"] == seen["hash"]
        async with connect(f"{url}?after={head}&epoch={hello['epoch']}", proxy=None) as connection:
            await connection.send('{"type":"auth","token":null}')
            resync, again = await frames(connection, 1)
        assert (resync["type"], resync["reason"], resync["version"]) == ("resync", "ahead", seen["version"])
        assert again["version"] == seen["version"]
        async with connect(f"{url}?after=0&epoch={hello['epoch']}", proxy=None) as connection:
            await connection.send('{"type":"auth","token":null}')
            resumed, *events = await frames(connection, 2)
        assert (resumed["type"], resumed["head"]) == ("resumed", seen["version"])
        assert [event["version"] for event in events] == list(range(1, seen["version"] + 1))


@pytest.mark.parametrize("seconds", [2])
async def test_a_delay_in_seconds_lets_events_through_as_time_goes_by(service: Service, seconds: int) -> None:
    async with http_client(service.url) as http:
        table = await delayed(http, "toy", seconds=seconds)
        start = expect(await table.seats[0].get(table.path), 200)["version"]
        await moves(table, 3, Random(3))
        follower = Follower([service.url], table.id)
        # Nobody moves any more: only time brings the rest.
        assert await asyncio.wait_for(follower.through(start + 3), 30) == list(range(start + 1, start + 4))
