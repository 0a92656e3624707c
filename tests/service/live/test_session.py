"""The conversation on a socket: who is there, what is subscribed, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from service.live import hub
from service.play.game_cache import LoadedGame
from service.routes import live
from tests.harness.living import Living, Player, living

NOBODY = {"type": "auth"}


def auth(player: Player) -> dict[str, Any]:
    return {"type": "auth", "token": player.token}


def subscribe(table: LoadedGame, **position: Any) -> dict[str, Any]:
    return {"type": "subscribe", "game": table.id, **position}


@asynccontextmanager
async def playing(database: str) -> AsyncGenerator[tuple[Living, tuple[Player, Player], LoadedGame]]:
    """A process and a toy game at version 3, Ada and Bo at its seats."""
    async with living(database) as process:
        players = (await process.player("Ada"), await process.player("Bo"))
        yield process, players, await process.started(*players)


async def test_a_socket_begins_as_the_public(database: str) -> None:
    async with (
        playing(database) as (process, _, table),
        process.watching("/v1/live", subscribe(table)) as feed,
    ):
        hello = await feed.next()
        assert (hello["type"], hello["seat"], hello["version"]) == ("hello", None, 3)
        assert [seat["hand"] for seat in hello["view"]["seats"]] == [None, None]


async def test_who_sends_a_token_first_is_that_account(database: str) -> None:
    async with playing(database) as (process, players, table):
        for seat, player in enumerate(players):
            async with process.watching("/v1/live", auth(player), subscribe(table)) as feed:
                hello = await feed.next()
                assert hello["seat"] == seat
                assert hello["view"]["seats"][seat]["hand"] is not None


async def test_a_token_that_comes_later_makes_everything_begin_anew(database: str) -> None:
    async with (
        playing(database) as (process, players, table),
        process.watching("/v1/live", subscribe(table)) as feed,
    ):
        assert (await feed.next())["seat"] is None
        await feed.send(**auth(players[1]))
        assert (await feed.next())["seat"] == 1
        await feed.send(**NOBODY)
        hello = await feed.next()
        assert hello["type"] == "hello"
        assert hello["seat"] is None
        assert [seat["hand"] for seat in hello["view"]["seats"]] == [None, None]


async def test_saying_again_who_one_is_changes_nothing(database: str) -> None:
    async with playing(database) as (process, players, table):
        for first in (NOBODY, auth(players[0])):
            async with process.watching("/v1/live", first, subscribe(table), first, {"type": "nonsense"}) as feed:
                assert (await feed.next())["type"] == "hello"
                assert (await feed.next())["code"] == "invalid-frame"


async def test_a_token_that_nobody_has_closes_the_socket(database: str) -> None:
    async with playing(database) as (process, _, table):
        for path in ("/v1/live", f"/v1/games/{table.id}/live"):
            for token in ("", "tl_nobody", "x" * 60_000, "\0", "é"):
                async with process.watching(path, {"type": "auth", "token": token}) as feed:
                    frame = await feed.next()
                    assert (frame["type"], frame["code"], frame["field"]) == ("error", "invalid-token", "token")
                    assert await feed.close_code() == 4401


async def test_the_socket_of_a_game_waits_for_a_token_before_it_begins(database: str) -> None:
    async with (
        playing(database) as (process, players, table),
        process.watching(f"/v1/games/{table.id}/live", auth(players[0])) as feed,
    ):
        assert (await feed.next())["seat"] == 0


async def test_the_socket_of_a_game_begins_for_a_silent_client(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE_SECONDS", 0.05)
    async with (
        playing(database) as (process, players, table),
        process.watching(f"/v1/games/{table.id}/live") as feed,
    ):
        assert (await feed.next())["seat"] is None
        await feed.send(**auth(players[0]))  # later than the service waits
        assert (await feed.next())["seat"] == 0


async def test_the_socket_of_a_game_begins_with_any_other_first_frame(database: str) -> None:
    async with (
        playing(database) as (process, _, table),
        process.watching(f"/v1/games/{table.id}/live", {"type": "nonsense"}) as feed,
    ):
        assert (await feed.next())["type"] == "hello"
        assert (await feed.next())["code"] == "invalid-frame"


async def test_the_socket_of_a_game_can_watch_others_too(database: str) -> None:
    async with playing(database) as (process, players, table):
        other = await process.started(*players)
        async with process.watching(f"/v1/games/{table.id}/live", NOBODY, subscribe(other)) as feed:
            assert [(await feed.next())["game"] for _ in range(2)] == [table.id, other.id]


async def test_an_unsubscribed_game_is_sent_no_longer_and_others_are(database: str) -> None:
    async with playing(database) as (process, players, table):
        one, two = await process.player("Cy"), await process.player("Di")
        waiting = (await process.node.commands.create(one.account, "toy", 3)).table
        async with process.watching("/v1/live", subscribe(table), subscribe(waiting)) as feed:
            assert {(await feed.next())["game"] for _ in range(2)} == {table.id, waiting.id}
            await feed.send(type="unsubscribe", game=waiting.id)
            assert await feed.next() == {"type": "unsubscribed", "game": waiting.id}
            await process.node.commands.take_seat(two.account, waiting.id)
            await process.played(table, players, 1)
            frame = await feed.next()
            assert (frame["type"], frame["game"]) == ("event", table.id)
            await feed.send(**subscribe(waiting))
            assert (await feed.next())["type"] == "hello"


async def test_a_frame_that_is_none_is_told_and_the_socket_goes_on(database: str) -> None:
    wrong: list[tuple[str | bytes, str | None]] = [
        ("{", None),
        ('{"type":"subscribe","game":5}', "game"),
        ('{"type":"subscribe","game":"g","after":-1}', "after"),
        ('{"type":"subscribe","game":"g","after":9223372036854775808}', "after"),
        ("[" * 60_000, None),
        (b'{"type":"auth"}', None),
    ]
    async with (
        playing(database) as (process, _, table),
        process.watching("/v1/live") as feed,
    ):
        for text, field in wrong:
            await feed.connection.send(text)
            frame = await feed.next()
            assert (frame["type"], frame["code"], frame["field"]) == ("error", "invalid-frame", field), text
        await feed.send(**subscribe(table))
        assert (await feed.next())["type"] == "hello"


async def test_a_game_that_does_not_exist_is_told_and_the_socket_goes_on(database: str) -> None:
    async with (
        playing(database) as (process, _, table),
        process.watching("/v1/live") as feed,
    ):
        for game in ("", "g", "g" + "0" * 20, "g" + "é" * 20, "x" * 5_000, "g\0", "../accounts", "%00"):
            await feed.send(type="subscribe", game=game)
            frame = await feed.next()
            assert (frame["type"], frame["code"], frame["game"]) == ("error", "no-such-game", game)
        await feed.send(**subscribe(table))
        assert (await feed.next())["type"] == "hello"


async def test_what_cannot_be_done_is_told_and_changes_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "SUBSCRIPTIONS", 1)
    async with playing(database) as (process, players, table):
        other = await process.started(*players)
        async with process.watching("/v1/live", subscribe(table)) as feed:
            await feed.next()
            for frame, code, field in (
                (subscribe(table), "already-subscribed", "game"),
                (subscribe(other), "too-many-subscriptions", "game"),
                ({"type": "unsubscribe", "game": other.id}, "not-subscribed", "game"),
            ):
                await feed.send(**frame)
                error = await feed.next()
                assert (error["code"], error["field"], error["game"]) == (code, field, frame["game"])
            await feed.send(type="unsubscribe", game=table.id)
            await feed.next()
            await feed.send(**subscribe(other, epoch="e"))
            error = await feed.next()
            assert (error["code"], error["field"]) == ("invalid-frame", "epoch")
            await feed.send(**subscribe(other))
            assert (await feed.next())["type"] == "hello"


async def test_a_query_that_is_wrong_gets_an_answer_that_names_the_parameter(database: str) -> None:
    wrong = {
        "after=-1&epoch=e": "after",
        "after=9007199254740992&epoch=e": "after",
        "after=9223372036854775808&epoch=e": "after",
        "after=abc&epoch=e": "after",
        "after=&epoch=e": "after",
        "after=1.0&epoch=e": "after",
        "after=%2B1&epoch=e": "after",
        "after=01&epoch=e": "after",
        "after=1&after=1&epoch=e": "after",
        "after=1&epoch=e&epoch=e": "epoch",
        "epoch=e": "epoch",
        "token=tl_x": "token",
        "after=1&epoch=%00": "epoch",
        "after=1&epoch=%ff": "epoch",
        "after=1&epoch=%f": "epoch",
    }
    async with playing(database) as (process, _, table):
        for query, field in wrong.items():
            async with process.watching(f"/v1/games/{table.id}/live?{query}") as feed:
                frame = await feed.next()
                assert (frame["type"], frame["code"], frame["field"]) == ("error", "invalid-query", field), query
                assert await feed.close_code() == 4400


async def test_the_socket_of_many_games_takes_no_query(database: str) -> None:
    async with playing(database) as (process, _, _), process.watching("/v1/live?after=3") as feed:
        assert (await feed.next())["code"] == "invalid-query"
        assert await feed.close_code() == 4400


async def test_the_socket_of_a_game_that_does_not_exist_is_closed(database: str) -> None:
    async with living(database) as process:
        for game in ("g" + "0" * 20, "nonsense", "%00", "x" * 1_000, "%ff"):
            async with process.watching(f"/v1/games/{game}/live", NOBODY) as feed:
                assert (await feed.next())["code"] == "no-such-game"
                assert await feed.close_code() == 4404


async def test_only_pages_of_the_origins_that_are_set_may_connect(database: str) -> None:
    async with living(database, allowed_origins=("https://good.example",)) as process:
        for origin in ("https://bad.example", "null", "https://good.example.evil", "http://good.example", ""):
            async with process.watching("/v1/live", additional_headers={"Origin": origin}) as feed:
                assert (await feed.next())["code"] == "origin-refused"
                assert await feed.close_code() == 4403
        for allowed in ({"Origin": "https://good.example"}, {}):
            async with process.watching("/v1/live", NOBODY, additional_headers=allowed) as feed:
                await feed.send(type="nonsense")
                assert (await feed.next())["code"] == "invalid-frame"


async def test_every_origin_may_connect_where_none_is_set(database: str) -> None:
    async with (
        living(database) as process,
        process.watching("/v1/live", additional_headers={"Origin": "https://any.example"}) as feed,
    ):
        await feed.send(type="nonsense")
        assert (await feed.next())["code"] == "invalid-frame"


async def test_heartbeats_come_while_nothing_happens(database: str) -> None:
    async with (
        living(database, heartbeat_seconds=0.02) as process,
        process.watching("/v1/live") as feed,
    ):
        for _ in range(3):
            assert await feed.connection.recv() == '{"type":"heartbeat"}'


async def test_a_client_that_leaves_at_once_leaves_nothing_behind(database: str) -> None:
    async with playing(database) as (process, _, table):
        before = len(asyncio.all_tasks())
        for _ in range(20):
            async with process.watching(f"/v1/games/{table.id}/live"):
                pass
        while len(asyncio.all_tasks()) > before:  # noqa: ASYNC110 - the test would end with its timeout
            await asyncio.sleep(0.01)
