"""Feeds by the client: every notice once, whatever happens to service and connection."""

from __future__ import annotations

from typing import Any

import pytest

from tablelog_client import Client, Feed, FeedClosed, Following, Notice, Problem
from tests.clients.conftest import joined, opened
from tests.clients.test_live import Script, moved, scripted
from tests.harness.server import serving


async def notices(feed: Feed, game: str, last: str) -> list[tuple[str, ...]]:
    """What the notices of a game say, up to one with a word."""
    found: list[tuple[str, ...]] = []
    async for each in feed:
        if isinstance(each, Notice) and each.game == game:
            assert each.listed.id == game
            found.append(each.what)
            if last in each.what:
                break
    return found


async def test_following_comes_first_and_then_every_notice(visitor: Client) -> None:
    async with visitor.follow("lobby") as lobby:
        first = await anext(lobby)
        assert isinstance(first, Following)
        assert (lobby.cursor, lobby.epoch) == (first.cursor, first.epoch)
        game, *players = await opened(visitor)
        async with players[0].follow("account", "0") as mine:
            await moved(visitor, game, players)
            assert await notices(lobby, game, "ended") == [
                ("created",),
                ("seat_taken",),
                ("seat_taken", "started"),
                ("ended",),
            ]
            own = await notices(mine, game, "ended")
        assert own[:2] == [("seat_taken",), ("seat_taken", "started", "your_turn")]
        assert {("your_turn",), ("turn_over",)} <= set(own)


async def test_a_feed_goes_on_after_any_cursor(visitor: Client) -> None:
    player = await joined(visitor)
    async with player.follow("account", "0") as feed:
        game = (await player.create_game("toy", 2)).id
        await player.take_seat(game)
        await notices(feed, game, "seat_taken")
    await player.leave_seat(game)
    async with player.follow("account", feed.cursor, feed.epoch) as later:
        notice = await anext(later)
        assert isinstance(notice, Notice)
        assert (notice.cursor, notice.what, notice.seat) == (f"{game}:3", ("seat_left",), 0)


async def test_nothing_is_missed_when_the_service_is_killed_and_comes_back(database: str) -> None:
    with serving(database) as service:
        async with Client(service.url) as visitor, visitor.follow("lobby") as feed:
            assert isinstance(await anext(feed), Following)
            player = await joined(visitor)
            game = (await player.create_game("toy", 2)).id
            service.kill()
            service.start()
            await player.take_seat(game)
            assert await notices(feed, game, "seat_taken") == [("created",), ("seat_taken",)]


async def test_what_cannot_be_followed_is_a_problem(visitor: Client) -> None:
    async with visitor.follow("account") as feed:
        with pytest.raises(Problem, match="token-required"):
            await anext(feed)
    async with visitor.follow("lobby", "nonsense", "e") as feed:
        with pytest.raises(Problem, match="invalid-frame"):
            await anext(feed)
    async with Client(visitor.url, "tl_nobody") as stranger, stranger.follow("lobby") as feed:
        with pytest.raises(Problem, match="invalid-token"):
            await anext(feed)


async def test_a_cursor_of_another_epoch_begins_anew(visitor: Client) -> None:
    game, *_ = await opened(visitor)
    async with visitor.follow("lobby", f"{game}:1", "another") as feed:
        following = await anext(feed)
        assert isinstance(following, Following)
        assert feed.epoch == following.epoch != "another"


def following(cursor: str, epoch: str = "e") -> dict[str, Any]:
    return {"type": "following", "feed": "lobby", "epoch": epoch, "cursor": cursor}


def notice(cursor: str) -> dict[str, Any]:
    at = "2026-01-01T00:00:00Z"
    game, _, version = cursor.partition(":")
    listed: dict[str, Any] = {"id": game, "title": "toy", "component_set": "toy-1", "visibility": "public"}
    listed |= {"sandbox": False, "creator": "a", "status": "waiting", "seats": [], "open_seats": 2, "to_move": []}
    listed |= {"winners": None, "version": int(version), "created_at": at, "updated_at": at}
    told = {"what": ["created"], "seat": None, "recorded_at": at, "listed": listed}
    return {"type": "notice", "feed": "lobby", "cursor": cursor, "game": game, **told}


async def cursors(feed: Feed, number: int) -> list[str]:
    return [(await anext(feed)).cursor for _ in range(number)]


async def test_a_feed_that_is_cut_goes_on_without_a_second_beginning() -> None:
    said: list[Script] = [
        [following("0"), notice("g:1"), 4001],
        [following("g:1"), {"type": "heartbeat"}, notice("h:1")],
    ]
    async with scripted(*said) as (client, _), client.follow("lobby") as feed:
        assert await cursors(feed, 3) == ["0", "g:1", "h:1"]


async def test_a_feed_that_goes_on_elsewhere_than_asked_is_not_trusted() -> None:
    said: list[Script] = [
        [following("0"), notice("g:1"), 4001],
        [following("x:1"), notice("h:1")],
        [following("g:1"), notice("i:1")],
    ]
    async with scripted(*said) as (client, _), client.follow("lobby") as feed:
        assert await cursors(feed, 3) == ["0", "g:1", "i:1"]


async def test_a_feed_that_cannot_go_on_gives_another_following() -> None:
    anew = {"type": "refollow", "feed": "lobby", "reason": "epoch", "epoch": "f"}
    said: list[Script] = [[following("g:1"), anew, following("h:1", "f"), notice("i:1")]]
    async with scripted(*said) as (client, _), client.follow("lobby") as feed:
        assert await cursors(feed, 3) == ["g:1", "h:1", "i:1"]
        assert feed.epoch == "f"


async def test_a_feed_that_is_ended_is_closed() -> None:
    said: Script = [following("0"), {"type": "unfollowed", "feed": "lobby"}]
    async with scripted(said) as (client, _), client.follow("lobby") as feed:
        await anext(feed)
        with pytest.raises(FeedClosed, match="unfollowed"):
            await anext(feed)
