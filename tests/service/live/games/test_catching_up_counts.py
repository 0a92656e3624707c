"""Catching up counts in the limits on requests by what is delivered, on every way to the same events."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count

import httpx
import msgspec
import pytest

from service.limits import delivery
from service.limits.weights import CATCH_UP, RESUME, weight
from service.live import pacing
from service.media_types import JSON
from service.play.game_cache import LoadedGame
from tests.harness.living import WIDE_NUMBERS, Living, living
from tests.harness.server_sent import listening

EVENTS = 101
"""Events of the game, at two a request: what a request for them has paid for is a small part."""

PAGE_COST = weight("list_events", b"", JSON)

LEFT = 3 * PAGE_COST
"""Requests that are left to one who has caught up."""


@pytest.fixture(autouse=True)
def costly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "EVENTS_PER_REQUEST", 2)


@asynccontextmanager
async def game_of(dsn: str, requests: int) -> AsyncGenerator[tuple[Living, LoadedGame]]:
    """A process that takes a number of requests in a minute from those without a token, and a game."""
    limits = msgspec.structs.replace(WIDE_NUMBERS, requests_per_address=requests)
    async with living(dsn, limits=limits, heartbeat_seconds=0.05) as process:
        player = await process.player("Ada")
        table = (await process.node.commands.create(player.account, "toy", 2)).table
        while table.version < EVENTS:
            await process.node.commands.take_seat(player.account, table.id)
            table = (await process.node.commands.leave_seat(player.account, table.id)).table
        yield process, table


async def requests_left(process: Living, table: LoadedGame) -> int:
    """Reads pages of events until that is refused; gives how many requests they counted for."""
    async with httpx.AsyncClient(base_url=process.url) as http:
        for answered in count():
            if (await http.get(f"/v1/games/{table.id}/events?limit=1")).status_code == 429:
                return answered * PAGE_COST
    raise AssertionError


def beyond(paid: int) -> int:
    """The requests that the events count for beyond what was paid for."""
    return EVENTS // 2 - paid


async def test_a_game_that_is_resumed_counts_by_its_events_on_a_socket(database: str) -> None:
    async with game_of(database, 1 + RESUME + beyond(RESUME) + LEFT) as (process, table):
        async with process.watching("/v1/live", {"type": "subscribe", "game": table.id, "after": 0}) as feed:
            await feed.through(EVENTS)
        assert await requests_left(process, table) == LEFT


async def test_a_game_that_is_resumed_counts_by_its_events_on_an_event_stream(database: str) -> None:
    async with game_of(database, RESUME + beyond(RESUME) + LEFT) as (process, table):
        async with listening(f"{process.url}/v1/games/{table.id}/events?after=0") as events:
            await events.through(EVENTS)
        assert await requests_left(process, table) == LEFT


async def test_a_feed_counts_by_the_events_that_are_read_for_it(database: str) -> None:
    spare = beyond(CATCH_UP) + LEFT
    async with game_of(database, 1 + CATCH_UP + spare) as (process, table):
        async with process.watching("/v1/live", {"type": "follow", "feed": "lobby", "after": "0"}) as feed:
            await feed.until(lambda frame: frame.get("cursor") == f"{table.id}:{EVENTS}")
        assert await requests_left(process, table) <= LEFT + PAGE_COST


async def test_a_game_that_begins_with_a_hello_counts_for_nothing_more(database: str) -> None:
    async with game_of(database, 1 + LEFT) as (process, table):
        async with process.watching("/v1/live", {"type": "subscribe", "game": table.id}) as feed:
            assert (await feed.next())["type"] == "hello"
        assert await requests_left(process, table) == LEFT


async def test_one_who_has_used_up_the_limit_is_sent_no_more_for_now_and_keeps_the_socket(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "CHUNK_BYTES", 1)
    async with (
        game_of(database, 1 + RESUME + 20) as (process, table),
        process.watching("/v1/live", {"type": "subscribe", "game": table.id, "after": 0}) as feed,
    ):
        frames = [msgspec.json.decode(await feed.connection.recv()) for _ in range(1 + 2 * (RESUME + 20))]
        while frames[-1]["type"] != "heartbeat":
            frames.append(msgspec.json.decode(await feed.connection.recv()))
        assert [each["version"] for each in frames if each["type"] == "event"] == list(range(1, 53))
        await feed.send(type="unsubscribe", game=table.id)
        assert (await feed.next())["type"] == "unsubscribed"
