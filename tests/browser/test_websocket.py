"""A page on a websocket is sent every event once and in order, and goes on at another process when one stops."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from service.transport.close_codes import GOING_AWAY, INVALID_TOKEN
from tests.browser.chromium import Page
from tests.browser.elsewhere import Elsewhere
from tests.harness.processes import spoken_to, started
from tests.harness.server import Client, Service, Table, expect, new_game, play

pytestmark = pytest.mark.browser


def connect(page: Page, service: Service, *first: dict[str, Any]) -> None:
    """Open a socket in the page, which sends these frames; what it hears is `heard`."""
    page.run("window.heard = connect(...given)", f"ws{service.url.removeprefix('http')}/v1/live", *first)


def through(page: Page, version: int) -> list[dict[str, Any]]:
    """What the page heard up to the event of a version."""
    page.until("heard.frames.some(({ type, version }) => type === 'event' && version === given[0])", version)
    return [frame for frame in page.run("return heard.frames") if frame["type"] != "heartbeat"]


async def require_events(frames: list[dict[str, Any]], table: Table, viewer: Client, after: int) -> None:
    """Hold what was heard after the first frame to all that the log has after a version, for who heard it."""
    assert {frame["type"] for frame in frames} == {"event"}
    due = expect(await viewer.get(f"{table.path}/events?after={after}&limit=1000"), 200)
    assert [frame["event"] for frame in frames] == due["events"]


async def test_a_player_hears_every_event_as_its_seat_may_see_it(
    page: Page, elsewhere: Elsewhere, shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    page.open(elsewhere.origin)
    auth = {"type": "auth", "token": table.seats[1].token}
    connect(page, shared_service, auth, {"type": "subscribe", "game": table.id})
    page.until("heard.frames.length")
    game = await play(table)
    hello, *frames = through(page, game["version"])
    assert (hello["type"], hello["version"], hello["seat"]) == ("hello", 3, 1)
    await require_events(frames, table, table.seats[1], 3)
    assert frames[-1]["status"] == "finished"
    page.run("heard.send({ type: 'auth', token: 'tl_nobody' })")
    page.until("heard.code !== null")
    assert page.run("return heard.code") == INVALID_TOKEN.code


async def test_a_page_resumes_at_another_process_when_its_own_stops(
    page: Page, elsewhere: Elsewhere, database: str
) -> None:
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            table = await processes.new_game()
            page.open(elsewhere.origin)
            auth, subscribe = {"type": "auth", "token": table.seats[0].token}, {"type": "subscribe", "game": table.id}
            connect(page, services[0], auth, subscribe)
            page.until("heard.frames.length")
            table.seats = [processes.through(seat, 1) for seat in table.seats]
            await play(table, moves=3)
            hello, *frames = through(page, 6)
            await asyncio.to_thread(services[0].interrupt)
            page.until("heard.code !== null")
            assert page.run("return heard.code") == GOING_AWAY.code

            await play(table, moves=2)
            connect(page, services[1], auth, {**subscribe, "after": 6, "epoch": hello["epoch"]})
            page.until("heard.frames.length")
            await play(table, moves=2)
            resumed, *more = through(page, 10)
            assert (resumed["type"], resumed["version"]) == ("resumed", 6)
            await require_events(frames + more, table, table.seats[0], 3)
            services[0].start()
            await processes.require_order()
