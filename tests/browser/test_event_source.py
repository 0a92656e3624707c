"""An EventSource watches a game as PROTOCOL.md tells: it comes back by itself and misses nothing, or it gives up."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import asyncpg
import httpx
import pytest

from service.live.sse import RETRY
from service.log.events import CHANNEL
from service.problems import RETRY_SECONDS
from tests.browser.chromium import Page
from tests.browser.elsewhere import Elsewhere
from tests.harness.postgres import OwnServer
from tests.harness.processes import spoken_to, started
from tests.harness.server import Client, Service, Table, expect, http_client, new_game, play, serving

pytestmark = pytest.mark.browser

_CLOSED = "heard.source.readyState === EventSource.CLOSED"


def watch(page: Page, service: Service, table: Table, position: str = "") -> None:
    """Have an EventSource in the page; what it hears is `heard`."""
    page.run("window.heard = watch(given[0])", f"{service.url}{table.path}/events{position}")


def through(page: Page, version: int) -> list[dict[str, Any]]:
    """The frames that the page heard up to the event of a version, each of which has the id that is due."""
    page.until("heard.frames.some(({ type, version }) => type === 'event' && version === given[0])", version)
    frames, ids = page.run("return [heard.frames, heard.ids]")
    epoch = frames[0]["epoch"]
    for at, frame in enumerate(frames):
        has_one = frame["type"] in {"hello", "resumed", "event"}
        assert ids[at] == (f"{epoch}:{frame['version']}" if has_one else ids[at - 1])
    return [frame for frame in frames if frame["type"] != "heartbeat"]


async def require_events(frames: list[dict[str, Any]], table: Table, http: httpx.AsyncClient, after: int) -> None:
    """Hold the events that were heard to all that the log has after a version, for the public."""
    due = expect(await Client(http).get(f"{table.path}/events?after={after}&limit=1000"), 200)
    assert [frame["event"] for frame in frames if frame["type"] == "event"] == due["events"]


def without_repeats(told: list[str]) -> list[str]:
    return [each for each, _ in itertools.groupby(told)]


async def test_a_spectator_hears_the_game_and_then_every_event_and_no_end(
    page: Page, elsewhere: Elsewhere, shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    page.open(elsewhere.origin)
    watch(page, shared_service, table)
    page.until("heard.frames.length")
    game = await play(table)
    hello, *frames = through(page, game["version"])
    assert (hello["type"], hello["version"], hello["seat"]) == ("hello", 3, None)
    assert {frame["type"] for frame in frames} == {"event"}
    await require_events(frames, table, http, 3)
    assert frames[-1]["status"] == "finished"
    assert page.run("return heard.source.readyState") == 1, "the stream goes on when the game does not"


@pytest.mark.parametrize("how,position", [("kill", ""), ("interrupt", "?after=0")])
async def test_when_its_process_is_started_again_it_goes_on_after_what_it_had(
    page: Page, elsewhere: Elsewhere, database: str, how: str, position: str
) -> None:
    """What it had goes before the position in its address, which stays as it was."""
    with started(database, 2) as services:
        async with spoken_to(database, services) as processes:
            table = await processes.new_game()
            table.seats = [processes.through(seat, 1) for seat in table.seats]
            page.open(elsewhere.origin)
            watch(page, services[0], table, position)
            page.until("heard.frames.length")
            await play(table, moves=3)
            through(page, 6)
            first, after = ("resumed", 0) if position else ("hello", 3)
            await asyncio.to_thread(getattr(services[0], how))
            page.until("heard.told.at(-1) === 'broken'")
            await play(table, moves=2)
            await asyncio.to_thread(services[0].start)
            await play(table, moves=2)
            frames = through(page, 10)
            types = [first, *["event"] * (6 - after), "resumed", *["event"] * 4]
            assert [(frame["type"], frame["version"]) for frame in frames] == list(
                zip(types, [*range(after, 7), *range(6, 11)], strict=True)
            )
            await require_events(frames, table, processes.http, after)
            told = [each for each in page.run("return heard.told") if each != "heartbeat"]
            assert without_repeats(told) == ["open", first, "event", "broken", "open", "resumed", "event"]
            await processes.require_order()


async def test_it_gives_up_when_it_is_refused_and_a_new_one_goes_on_by_its_address(
    page: Page, elsewhere: Elsewhere, own_postgres: OwnServer
) -> None:
    with serving(own_postgres.dsn()) as service:
        async with http_client(service.url) as http:
            table = await new_game(http)
            page.open(elsewhere.origin)
            watch(page, service, Table(f"g{'0' * 20}", []))
            page.until(_CLOSED)
            assert page.run("return heard.told") == ["broken"]

            watch(page, service, table)
            page.until("heard.frames.length")
            page.run("window.first = heard")
            own_postgres.go_down()
            watch(page, service, table)
            page.until(_CLOSED)
            assert page.run("return heard.told") == ["broken"]
            answer = page.run("return await ask(...given)", service.url + table.path)
            assert (answer["status"], answer["headers"]["Retry-After"]) == (503, str(RETRY_SECONDS))
            own_postgres.come_back()
            (hello,) = page.run("return first.frames")
            await play(table, moves=2)
            watch(page, service, table, f"?after={hello['version']}&epoch={hello['epoch']}")
            resumed, *frames = through(page, hello["version"] + 2)
            assert resumed["type"] == "resumed"
            await require_events(frames, table, http, hello["version"])
            page.until("first.frames.length === 3")
            assert page.run("return first.told") == ["open", "hello", "event", "event"], "it was never broken"


async def test_a_frame_that_tells_an_error_has_data_and_a_broken_connection_has_none(
    page: Page, elsewhere: Elsewhere, service: Service, database: str
) -> None:
    async with http_client(service.url) as http:
        table = await new_game(http)
    page.open(elsewhere.origin)
    watch(page, service, table)
    page.until("heard.frames.length")
    await break_log(database, table.id, 4)
    page.until("heard.told.at(-1) === 'unsubscribed'")
    assert page.run("return [heard.told, heard.source.readyState]") == [["open", "hello", "error", "unsubscribed"], 1]
    error, ended = page.run("return heard.frames.slice(1)")
    assert (error["code"], ended["game"]) == ("game-unreadable", table.id)
    service.kill()
    page.until("heard.told.at(-1) === 'broken'")
    assert page.run("return heard.source.readyState") == 0, "it is to come again"
    service.start()
    page.until(_CLOSED)


async def break_log(database: str, game: str, version: int) -> None:
    """Write an event that nobody can read."""
    connection = await asyncpg.connect(database)
    await connection.execute(
        "insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt)"
        ' select game_id, $2::bigint, type, actor, \'{"type": "no_such_event"}\', rules_version, hash, recorded_at,'
        " gen_random_uuid() from events where game_id = $1 and version = $2::bigint - 1",
        game,
        version,
    )
    await connection.execute("select pg_notify($1, $2)", CHANNEL, f"{game}:{version}")
    await connection.close()


async def test_it_comes_again_when_the_stream_said_and_not_when_it_would_by_itself(
    page: Page, elsewhere: Elsewhere, service: Service
) -> None:
    """By itself Chromium waits three seconds. Streams that say something else are broken with the service's one."""
    assert RETRY == b"retry: 2000\n\n"
    async with http_client(service.url) as http:
        table = await new_game(http)
    page.open(elsewhere.origin)
    watch(page, service, table)
    page.until("heard.frames.length")
    page.run(
        """
        window.again = [];
        const note = (name, source) => {
          let broken = 0;
          source.addEventListener("error", () => { if (++broken === 2) again.push(name); });
        };
        note("service", heard.source);
        heard.source.addEventListener("error", () => {
          for (const retry of [1000, 2500]) note(retry, new EventSource(`/stream?retry=${retry}`));
        }, { once: true });
        """
    )
    service.kill()
    page.until("again.length === 3")
    assert page.run("return again") == [1000, "service", 2500]


async def test_a_browser_holds_six_streams_and_the_seventh_waits_for_one_of_them_to_end(
    page: Page, elsewhere: Elsewhere, shared_service: Service, http: httpx.AsyncClient
) -> None:
    table = await new_game(http)
    page.open(elsewhere.origin)
    page.run(
        "window.all = Array.from({ length: 7 }, () => watch(given[0]))", f"{shared_service.url}{table.path}/events"
    )
    page.until("all.filter(({ frames }) => frames.length).length === 6")
    await play(table, moves=2)
    page.until("all.filter(({ frames }) => frames.length === 3).length === 6")
    assert page.run("return all.filter(({ told }) => !told.length).length") == 1
    page.run("all.find(({ told }) => told.length).source.close()")
    page.until("all.every(({ frames }) => frames.length)")


async def test_a_page_that_closes_its_streams_when_it_is_left_leaves_room_for_the_next(
    page: Page, elsewhere: Elsewhere, shared_service: Service, http: httpx.AsyncClient
) -> None:
    """Else Chromium keeps them with the page, for the way back, and the next page gets no connection."""
    table = await new_game(http)
    for _ in ("this page", "the next one"):
        page.open("about:blank")
        page.open(elsewhere.origin)
        page.run(
            "window.all = Array.from({ length: 6 }, () => watch(given[0]))", f"{shared_service.url}{table.path}/events"
        )
        page.until("all.every(({ frames }) => frames.length)")
